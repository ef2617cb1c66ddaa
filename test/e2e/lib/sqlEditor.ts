// Page object of the editor of a SQL file, used by keyboard.
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { pressOnce } from "./once.ts";
import type { Workbench } from "./workbench.ts";

export class SqlEditor {
  readonly #workbench: () => Workbench;

  constructor(workbench: () => Workbench) {
    this.#workbench = workbench;
  }

  get #page(): Page {
    return this.#workbench().page;
  }

  get #editor(): Locator {
    return this.#page.locator(".editor-group-container.active .editor-instance .monaco-editor");
  }

  /** Waits for an empty file with a line that names its connection, and gives it the focus. */
  async isOpenOn(connection: string): Promise<void> {
    await eventually(async () => {
      const lens = this.#editor.locator(".codelens-decoration", { hasText: connection });
      await lens.first().waitFor({ timeout: 5_000 });
      assert.equal(await this.text(), "");
      await this.#input.focus();
    });
  }

  async type(text: string): Promise<void> {
    await this.#input.focus();
    await this.#page.keyboard.type(text, { delay: 10 });
  }

  async press(key: string): Promise<void> {
    await pressOnce(this.#editor, key, this.#input);
  }

  /** Types the beginning of a name, waits until it is suggested, and takes it, which inserts this text. */
  async complete(text: string, label: string, inserted = label): Promise<void> {
    await this.type(text);
    const { keyboard } = this.#page;
    const name = new RegExp(`^${label.replaceAll(".", String.raw`\.`)}$`);
    const suggested = this.#page
      .locator(".suggest-widget.visible .monaco-list-row")
      .filter({ has: this.#page.locator(".label-name", { hasText: name }) });
    await eventually(async () => {
      if ((await suggested.count()) === 0) {
        // A list that was made before the server had answered does not grow, and while it is open the keys for a new one
        // show details of a row.
        await keyboard.press("Escape");
        await keyboard.press("Control+Space");
      }
      await suggested.first().waitFor({ timeout: 3_000 });
    });
    for (let left = 20; left > 0; left--) {
      const isFocused = await suggested.and(this.#page.locator(".focused")).count();
      if (isFocused > 0) break;
      await keyboard.press("ArrowDown");
    }
    await keyboard.press("Tab");
    await eventually(async () => assert.ok((await this.text()).endsWith(inserted)));
  }

  /** The text of the editor, which is short enough to be drawn. */
  async text(): Promise<string> {
    const lines = await this.#editor
      .locator(".view-line")
      .evaluateAll((all) =>
        all
          .sort((a, b) => parseInt(a.style.top) - parseInt(b.style.top))
          .map((line) => line.textContent ?? ""),
      );
    return lines.join("\n").replaceAll("\u00a0", " ");
  }

  async expectText(text: string): Promise<void> {
    await eventually(async () => assert.equal(await this.text(), text));
  }

  /** Waits until exactly so many warnings are underlined, and the Problems view has these messages. */
  async expectProblems(messages: readonly RegExp[]): Promise<void> {
    // A name at the cursor is not marked.
    if (messages.length > 0) await this.press("Control+Home");
    const marked = this.#editor.locator(".squiggly-info, .squiggly-warning, .squiggly-error");
    await eventually(async () => assert.equal(await marked.count(), messages.length), 30_000);
    const shown = this.#page.locator(".marker-widget .descriptioncontainer").first();
    const seen: string[] = [];
    await eventually(async () => {
      // A message of the text as it was a moment ago does not change.
      seen.length = 0;
      for (const message of messages) {
        await this.#page.keyboard.press("Escape");
        await this.press("Control+Home");
        for (let at = 0; at <= seen.length; at++) await this.press("Alt+F8");
        seen.push(await shown.innerText({ timeout: 3_000 }));
        assert.match(seen.at(-1)!, message);
      }
    });
    await this.#page.keyboard.press("Escape");
  }

  /** Puts the cursor into a word of the first line, and takes its first quick fix. */
  async applyFix(word: string, title: string): Promise<void> {
    const { keyboard } = this.#page;
    const fixes = this.#page.locator(".action-widget .monaco-list-row.action .title");
    await eventually(async () => {
      const column = (await this.text()).indexOf(word) + 1;
      await this.press("Control+Home");
      for (let at = 0; at < column; at++) await keyboard.press("ArrowRight");
      await keyboard.press("Control+.");
      await fixes.first().waitFor({ timeout: 3_000 });
      assert.equal(await fixes.first().innerText(), title);
    });
    await keyboard.press("Enter");
  }

  get #input(): Locator {
    return this.#editor.locator("textarea.inputarea, .native-edit-context").first();
  }
}
