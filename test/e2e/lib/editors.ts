// The open editors of a window: each action waits until it is over, as VS Code opens and closes editors a moment later.
import type { Locator, Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import type { QuickInput } from "./quickInput.ts";
import { clickOnce, patiently } from "./once.ts";

export class Editors {
  readonly #page: Page;
  readonly #quickInput: QuickInput;

  constructor(page: Page, quickInput: QuickInput) {
    this.#page = page;
    this.#quickInput = quickInput;
  }

  get #active(): Locator {
    return this.#page.locator(".editor-group-container.active .tab.active");
  }

  get #tabs(): Locator {
    return this.#page.locator(".tabs-container .tab");
  }

  /** Waits until the editor of this tab is the active one. Clicks the tab if another one is. */
  async activate(tab: Locator): Promise<void> {
    await eventually(async () => {
      if (await tab.and(this.#active).first().isVisible()) return;
      await tab.first().click(patiently);
      throw new Error("Another editor is active");
    });
  }

  /** Closes the active editor. Waits until it has gone: until then, opening its file again shows what is being closed. */
  async close(command = "View: Close Editor"): Promise<void> {
    const title = await this.#active.innerText();
    const count = async () =>
      (await this.#tabs.allInnerTexts()).filter((text) => text === title).length;
    const before = await count();
    await this.#quickInput.command(command);
    await eventually(async () => {
      if ((await count()) >= before) throw new Error(`${title} is still open`);
    });
  }

  /**
   * Closes all editors; `answer` is pressed if VS Code asks what to do with a change. Waits until their pages have gone, in
   * which something could still be found.
   */
  async closeAll(answer?: string): Promise<void> {
    const main = this.#page.mainFrame();
    const pages = this.#page.frames().filter((frame) => {
      const outer = frame.parentFrame();
      return outer && outer !== main;
    });
    await this.#quickInput.command("View: Close All Editors");
    await eventually(async () => {
      const button = this.#page.locator(".dialog-buttons").getByRole("button", { name: answer });
      if (answer !== undefined && (await button.isVisible())) await clickOnce(button);
      const tabs = await this.#tabs.allInnerTexts();
      if (tabs.length > 0) throw new Error(`${tabs.join()} are still open`);
      if (pages.some((page) => !page.isDetached())) throw new Error("A page is still there");
    });
  }

  /** Saves an editor that has no file yet under another name in the proposed folder. */
  async saveAs(proposed: string | RegExp, name: string): Promise<void> {
    const { widget } = this.#quickInput;
    await eventually(async () => {
      if (await widget.isVisible()) return;
      await this.#page.keyboard.press("Control+S");
      await widget.waitFor({ timeout: 5_000 });
    });
    await this.#quickInput.saveAs(proposed, name);
  }
}
