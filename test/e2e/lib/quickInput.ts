// The input at the top of the window: command palette, Quick Open, input boxes, pick lists, save and open dialogs.
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { clickOnce, quickly } from "./once.ts";

export class QuickInput {
  readonly #page: Page;
  readonly widget: Locator;
  readonly box: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.widget = page.locator(".quick-input-widget");
    this.box = this.widget.locator(".quick-input-box input").first();
  }

  /** Runs a command from the palette, by its full label. */
  async command(label: string): Promise<void> {
    await this.#choose(`>${label}`, label);
  }

  /** True if the palette lists a command, by its full label. */
  async offersCommand(label: string): Promise<boolean> {
    await eventually(async () => {
      await this.#page.keyboard.press("F1");
      await this.box.fill(`>${label}`, { timeout: 3_000 });
    });
    const labels = await this.labels();
    await this.cancel();
    return labels.includes(label);
  }

  /** Opens a file of the workspace by its name. */
  async openFile(name: string): Promise<void> {
    await this.#choose(name, name);
  }

  /**
   * A list is made when the palette opens and does not grow: what has not arrived by then needs a fresh one, as does a
   * palette that an editor closed by taking the focus.
   */
  async #choose(query: string, label: string, timeoutMs = 30_000): Promise<void> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      try {
        await this.#page.keyboard.press("F1");
        await this.box.waitFor({ state: "visible", timeout: 3000 });
        await this.box.fill(query, { timeout: 2000 });
        await this.row(label).click({ timeout: 3000, trial: true });
        await this.row(label).click({ timeout: 10_000 });
        return;
      } catch (error) {
        if (Date.now() > end || mayHaveClicked(error)) throw error;
        await this.#page.keyboard.press("Escape");
        // The frame of a webview may have the focus without its content: then VS Code gets no keys until another click.
        await this.#page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
        await this.#page.waitForTimeout(250);
      }
    }
  }

  /** The list row with exactly this label. */
  row(label: string): Locator {
    const name = this.#page
      .locator(".label-name")
      .filter({ hasText: new RegExp(`^\\s*${label.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*$`) });
    return this.widget.locator(".monaco-list-row").filter({ has: name }).first();
  }

  /** Clicks a row. The hover of the row below the pointer lies over other rows, until the pointer goes. */
  async choose(label: string): Promise<void> {
    await this.clickRow(this.row(label));
  }

  async clickRow(row: Locator): Promise<void> {
    await eventually(async () => {
      await this.#page.mouse.move(0, 0);
      await clickOnce(row);
    });
  }

  /** Checks a row of a list in which several can be. */
  async check(label: string): Promise<void> {
    const checked = () => this.row(label).getAttribute("aria-checked", { timeout: 5_000 });
    await eventually(async () => {
      if ((await checked()) === "true") return;
      await this.choose(label);
      await eventually(async () => assert.equal(await checked(), "true"), 3_000);
    });
  }

  /** Presses a button that a row shows on hover. A row that is drawn again shows none until the pointer moves. */
  async rowButton(label: string, name: string): Promise<void> {
    const row = this.row(label);
    await eventually(async () => {
      await this.#page.mouse.move(0, 0);
      await row.hover(quickly);
      await clickOnce(row.getByRole("button", { name, exact: true }));
    });
  }

  /** The list's labels once it has stopped changing, without details. */
  async labels(): Promise<string[]> {
    const drawn = this.widget.locator(
      ".monaco-list-row .quick-input-list-row:first-child .label-name",
    );
    const end = Date.now() + 5_000;
    let labels: string[] = [];
    for (;;) {
      const before = labels;
      labels = await drawn.allInnerTexts();
      const stands = labels.length > 0 && labels.join("\n") === before.join("\n");
      if (stands || Date.now() > end) return labels;
      await this.#page.waitForTimeout(100);
    }
  }

  /** Waits until the list has exactly these labels. */
  async expectLabels(labels: readonly string[]): Promise<void> {
    await eventually(async () => assert.deepEqual(await this.labels(), labels));
  }

  /** Waits for an input box or list with this title, prompt or placeholder. */
  async expect(asks: string | RegExp, timeoutMs = 30_000): Promise<void> {
    const says = typeof asks === "string" ? asks.toLowerCase() : asks;
    const end = Date.now() + timeoutMs;
    let seen = "";
    while (Date.now() < end) {
      if (await this.widget.isVisible()) {
        const placeholder = await this.box.getAttribute("placeholder").catch(() => "");
        const title = await this.widget
          .locator(".quick-input-title")
          .innerText()
          .catch(() => "");
        seen = [title, placeholder ?? "", await this.message()].join("\n");
        const found =
          typeof says === "string" ? seen.toLowerCase().includes(says) : says.test(seen);
        if (found) return;
      }
      await this.#page.waitForTimeout(50);
    }
    throw new Error(`No input asked for ${String(asks)}; the last one said: ${seen.trim()}`);
  }

  /** Opens an input and waits until it has the focus, which VS Code can still give to a page that has just opened. */
  async openWith(open: () => Promise<void>, asks: string | RegExp): Promise<void> {
    await open();
    await this.expect(asks);
    await eventually(async () => {
      await this.#page.waitForTimeout(200);
      if (await this.box.evaluate((box) => box === document.activeElement)) return;
      await this.box.focus();
      throw new Error(`The input that asks for ${String(asks)} has no focus`);
    });
  }

  /** Types an answer into the input with this prompt, and presses Enter. */
  async enter(asks: string | RegExp, text: string): Promise<void> {
    await this.expect(asks);
    await this.box.fill(text);
    await this.box.press("Enter");
  }

  /** Picks a row of the list with this prompt. */
  async pick(asks: string | RegExp, label: string): Promise<void> {
    await this.expect(asks);
    await this.choose(label);
  }

  /** Completes a sign-in. */
  async signIn(
    { username, password }: { username: string; password: string },
    { keep }: { keep: boolean },
  ): Promise<void> {
    await this.tryAccount({ username, password });
    await this.answerKeep(keep);
  }

  /** Enters username and password, which the server may accept or reject. */
  async tryAccount({ username, password }: { username: string; password: string }): Promise<void> {
    await this.enter("Username at", username);
    await this.enter(`Password for ${username}`, password);
  }

  /** Answers the last question of a sign-in. */
  async answerKeep(keep: boolean): Promise<void> {
    await this.pick("Stay signed in?", keep ? "Keep me signed in" : "Until the server restarts");
  }

  /** The prompt or problem below the box. */
  async message(): Promise<string> {
    const message = this.widget.locator(".quick-input-message");
    return (await message.isVisible()) ? message.innerText() : "";
  }

  /** Saves under another name in the proposed folder of a save dialog. */
  async saveAs(proposed: string | RegExp, name: string): Promise<void> {
    const end = Date.now() + 30_000;
    let value = "";
    const isProposed = (): boolean =>
      typeof proposed === "string" ? value.endsWith(`/${proposed}`) : proposed.test(value);
    while (!isProposed()) {
      if (Date.now() > end) throw new Error(`${String(proposed)} is not proposed, but ${value}`);
      await this.#page.waitForTimeout(50);
      value = await this.box.inputValue().catch(() => "");
    }
    await this.box.fill(value.replace(/[^/]*$/, name));
    await this.box.press("Enter");
    await this.widget.waitFor({ state: "hidden" });
  }

  /** Opens a folder in the dialog that asks for one, and takes it once the dialog lists what is in it. */
  async chooseFolder(name: string, listed: string): Promise<void> {
    await this.choose(name);
    await this.row(listed).waitFor();
    await this.widget.getByRole("button", { name: "OK" }).click();
    await this.widget.waitFor({ state: "hidden" });
  }

  /** Goes back to the previous question. */
  async back(): Promise<void> {
    await this.widget.getByRole("button", { name: "Back" }).click();
  }

  /** Closes the input by Escape. */
  async cancel(): Promise<void> {
    await eventually(async () => {
      if (await this.widget.isVisible()) await this.box.press("Escape", { timeout: 3_000 });
      await this.widget.waitFor({ state: "hidden", timeout: 3_000 });
    });
  }
}

/** True if the last click reached the mouse: repeating it could trigger its action twice. */
function mayHaveClicked(error: unknown): boolean {
  const [, afterLastTry = ""] =
    /.*(?:attempting|retrying) click action(?! \(trial)(.*)/s.exec(String(error)) ?? [];
  return afterLastTry.includes("performing click action");
}
