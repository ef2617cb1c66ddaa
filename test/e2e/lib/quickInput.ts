// The input at the top of the window: command palette, Quick Open, input boxes, pick lists, save and open dialogs.
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { clickOnce, patiently, pressOnce, quickly, tryToPress } from "./once.ts";

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
    const labels = await this.#inPalette(async () => {
      // The list before it is filtered: the box has its text before the list follows.
      await this.box.fill(">MindsDB:", quickly);
      const all = await this.labels();
      await this.box.fill(`>${label}`, quickly);
      const some = await this.labels();
      if (some.length === 0 || some.join("\n") === all.join("\n")) throw new Error("Not filtered");
      return some;
    });
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
  async #choose(query: string, label: string): Promise<void> {
    await this.#inPalette(async () => {
      await this.box.fill(query, quickly);
      await clickOnce(this.row(label));
    });
  }

  #inPalette<T>(work: () => Promise<T>): Promise<Awaited<T>> {
    return eventually(
      async () => {
        try {
          await this.#page.keyboard.press("F1");
          await this.box.waitFor({ state: "visible", ...quickly });
          return await work();
        } catch (error) {
          if (await this.widget.isVisible()) await this.#page.keyboard.press("Escape");
          // The frame of a webview may have the focus without its content: then VS Code gets no keys until another click.
          await this.#page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
          throw error;
        }
      },
      30_000,
      250,
    );
  }

  /**
   * The first list row with exactly this label, and such a description. Not by the row's whole text: VS Code draws rows into
   * the elements of earlier ones, in which a hidden separator keeps its text.
   */
  row(label: string, description?: RegExp): Locator {
    const rows = this.#rows(label);
    if (!description) return rows.first();
    const described = this.#page.locator(".label-description", { hasText: description });
    return rows.filter({ has: described }).first();
  }

  #rows(label: string): Locator {
    const name = this.#page
      .locator(".label-name")
      .filter({ hasText: new RegExp(`^\\s*${label.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*$`) });
    return this.widget.locator(".monaco-list-row").filter({ has: name });
  }

  /** Clicks the one row with this label. Which of several comes first depends on which server has answered. */
  async choose(label: string): Promise<void> {
    await eventually(async () => {
      assert.equal(await this.#rows(label).count(), 1, `There is not one row ${label}`);
      await this.#click(this.row(label));
    });
  }

  async clickRow(row: Locator): Promise<void> {
    await eventually(() => this.#click(row));
  }

  /** The hover of the row below the pointer lies over other rows, until the pointer goes. */
  async #click(row: Locator): Promise<void> {
    await this.#page.mouse.move(0, 0);
    await clickOnce(row);
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
      await row.hover(patiently);
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
    await eventually(async () => {
      await this.box.fill(text, quickly);
      assert.equal(await this.box.inputValue(quickly), text);
    });
    await this.press("Enter");
  }

  /** Picks a row of the list with this prompt. */
  async pick(asks: string | RegExp, label: string): Promise<void> {
    await this.expect(asks);
    await this.choose(label);
  }

  /** Presses a key in the open input. */
  async press(key: string): Promise<void> {
    await pressOnce(this.widget, key, this.box);
  }

  /** Filters the list with this prompt, and takes the row with this label by Enter, once it is the chosen one. */
  async take(asks: string | RegExp, query: string, label: string): Promise<void> {
    await this.expect(asks);
    await eventually(async () => {
      await this.box.fill(query, quickly);
      await this.#chosen(label).waitFor(quickly);
    });
    await this.press("Enter");
  }

  /** Types into the open input, whatever was in it, as a user without a mouse. */
  async type(text: string): Promise<void> {
    await eventually(() => this.#type(text));
  }

  async #type(text: string): Promise<void> {
    // Not by Ctrl+A: VS Code handles it a moment later, perhaps when some of the text is typed.
    await this.box.selectText(quickly);
    await this.#page.keyboard.type(text);
    assert.equal(await this.box.inputValue(quickly), text);
  }

  /** Types the label of a row of the open list, or a part of it, and takes the row by Enter. */
  async typeAndTake(label: string, text = label): Promise<void> {
    await eventually(async () => {
      await this.#type(text);
      await this.#chosen(label).waitFor(quickly);
    });
    await this.press("Enter");
  }

  /** Runs a command from the palette by typing its full label. */
  async typeCommand(label: string): Promise<void> {
    await this.#inPalette(async () => {
      await this.#type(`>${label}`);
      await this.#chosen(label).waitFor(quickly);
    });
    await this.press("Enter");
  }

  /** Takes what the open list with this prompt proposes. */
  async accept(asks: string | RegExp): Promise<void> {
    await this.expect(asks);
    await this.widget.locator(".monaco-list-row").first().waitFor();
    await this.press("Enter");
  }

  #chosen(label: string): Locator {
    return this.row(label).and(this.#page.locator(".focused"));
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
    await this.enter("Username for", username);
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
    await this.#untilClosed(() => tryToPress(this.widget, "Enter", this.box));
  }

  /** Opens a folder in the dialog that asks for one, and takes it once the dialog lists what is in it. */
  async chooseFolder(name: string, listed: string): Promise<void> {
    await eventually(async () => {
      if (await this.row(listed).isVisible()) return;
      await clickOnce(this.row(name));
      await this.row(listed).waitFor(quickly);
    });
    await this.#untilClosed(() => clickOnce(this.widget.getByRole("button", { name: "OK" })));
  }

  /** A dialog for files ignores keys and clicks while it reads a folder. */
  async #untilClosed(act: () => Promise<void>): Promise<void> {
    await eventually(async () => {
      if (!(await this.widget.isVisible())) return;
      await act();
      await this.widget.waitFor({ state: "hidden", timeout: 5_000 });
    });
  }

  /** Goes back to the previous question. */
  async back(): Promise<void> {
    await eventually(() => clickOnce(this.widget.getByRole("button", { name: "Back" })));
  }

  /** Closes the input by Escape. */
  async cancel(): Promise<void> {
    await this.#untilClosed(() => tryToPress(this.widget, "Escape", this.box));
  }
}
