// Page object of the predict notebook.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Frame, Locator, Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { answerOf } from "./frames.ts";
import { clickOnce, patiently, quickly } from "./once.ts";
import { Result } from "./result.ts";
import type { Workbench } from "./workbench.ts";

export class Notebook {
  readonly #workbench: Workbench;
  readonly #page: Page;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    this.#page = workbench.page;
  }

  /** Returns the visible notebook with this tab title, once its cells are drawn. */
  static async with(workbench: Workbench, title: string): Promise<Notebook> {
    const tab = workbench.tab(title).first();
    const notebook = new Notebook(workbench);
    // The notebook that was shown before stays for a moment, also below the new tab.
    const cells = notebook.codeCells.locator(`[data-uri*=${JSON.stringify(`${title}#`)}]`);
    await tab.waitFor();
    await eventually(async () => {
      await tab.click(patiently);
      await cells.first().waitFor({ timeout: 5_000 });
    });
    return notebook;
  }

  /** Writes a notebook into the workspace's folder, and opens it. Its cells are recipes, or texts of SQL. */
  static async of(
    workbench: Workbench,
    name: string,
    ...cells: (object | string)[]
  ): Promise<Notebook> {
    const texts = cells.map((cell) => {
      const isSql = typeof cell === "string";
      const text = isSql ? `sql predict\n${cell}` : `json predict\n${JSON.stringify(cell)}`;
      return `\`\`\`${text}\n\`\`\`\n`;
    });
    fs.writeFileSync(path.join(workbench.folder, name), texts.join("\n"));
    await workbench.openFile(name);
    return Notebook.with(workbench, name);
  }

  /** The visible notebook's content; of a split editor, its first half. */
  get #editor(): Locator {
    return this.#page.locator(".notebookOverlay:visible").first();
  }

  get codeCells(): Locator {
    return this.#editor.locator(".monaco-list-row.code-cell-row");
  }

  /** The text of a code cell, as far as its lines are drawn. */
  async cellText(cell = 0): Promise<string> {
    const lines = await this.codeCells
      .nth(cell)
      .locator(".view-line")
      .evaluateAll((drawn) =>
        drawn
          .map((line) => ({
            top: parseInt((line as HTMLElement).style.top),
            text: line.textContent ?? "",
          }))
          .sort((a, b) => a.top - b.top)
          .map(({ text }) => text),
      );
    return lines.join("\n").replaceAll("\u00a0", " ");
  }

  /** The recipe in a cell, once the cell is fully drawn. */
  recipe(cell = 0): Promise<Record<string, unknown>> {
    return eventually(async () => JSON.parse(await this.cellText(cell)) as Record<string, unknown>);
  }

  /** Waits until a cell has this recipe. */
  async expectRecipe(recipe: object, cell = 0): Promise<void> {
    await eventually(async () => assert.deepEqual(JSON.parse(await this.cellText(cell)), recipe));
  }

  /** Puts the cursor into a code cell. Clicks again where the focus goes elsewhere: VS Code may still open the notebook. */
  async enterCell(cell = 0): Promise<void> {
    const code = this.codeCells.nth(cell);
    await eventually(async () => {
      await code.locator(".view-lines").click(patiently);
      await code.locator(".monaco-editor.focused").waitFor({ timeout: 2_000 });
    });
  }

  /** Suggests names after the last character of a cell, and returns them once one of them is this. */
  async suggestAtEnd(name: string, cell = 0): Promise<string[]> {
    const { keyboard } = this.#page;
    const names = this.#page.locator(".suggest-widget.visible .monaco-list-row .label-name");
    return eventually(async () => {
      await keyboard.press("Escape");
      await this.enterCell(cell);
      await keyboard.press("Control+End");
      await keyboard.press("Control+Space");
      await names.first().waitFor({ timeout: 3_000 });
      const shown = await names.allInnerTexts();
      assert.ok(shown.includes(name), shown.join());
      return shown;
    });
  }

  /** Runs the cell that has the cursor with Ctrl+Enter. */
  async pressRun(hasBegun: () => boolean): Promise<void> {
    await eventually(async () => {
      if (!hasBegun()) await this.#page.keyboard.press("Control+Enter");
      await eventually(() => assert.ok(hasBegun()), 5_000);
    });
  }

  /** Selects a code cell, so that keys are for the cell and not for its text. */
  async selectCell(cell = 0): Promise<void> {
    await eventually(async () => {
      await this.enterCell(cell);
      await this.#page.keyboard.press("Escape");
      const hasFocus = await this.#editor.evaluate((editor) => {
        const { activeElement } = document;
        return editor.contains(activeElement) && !activeElement?.closest(".monaco-editor");
      });
      if (!hasFocus) throw new Error("The cell is not selected");
    });
  }

  /** Copies a whole cell by keyboard. */
  async copyCell(cell = 0): Promise<void> {
    await this.#workbench.copyText("not copied");
    await eventually(async () => {
      await this.selectCell(cell);
      await this.#page.keyboard.press("Control+C");
      await eventually(
        async () => assert.equal(await this.#workbench.clipboard(), await this.cellText(cell)),
        3_000,
      );
    });
  }

  /** Pastes a cell by keyboard below the selected one. */
  async pasteCell(cell = 0): Promise<void> {
    const before = await this.codeCells.count();
    await eventually(async () => {
      if ((await this.codeCells.count()) > before) return;
      await this.selectCell(cell);
      await this.#page.keyboard.press("Control+V");
      await this.codeCells.nth(before).waitFor({ timeout: 10_000 });
    });
  }

  /** Replaces a cell's text by pasting; all its lines must then be visible. */
  async paste(text: string, cell = 0): Promise<void> {
    await eventually(async () => {
      await this.#workbench.copyText(text);
      await this.enterCell(cell);
      await this.#page.keyboard.press("Control+A");
      await this.#page.keyboard.press("Control+V");
      await eventually(async () => assert.equal(await this.cellText(cell), text), 5_000);
    });
  }

  /** Runs all cells, once a run that is about to end has ended, as after Cancel: VS Code does not run a cell that runs. */
  async run(): Promise<void> {
    const running = this.#editor.locator("[class*=codicon-notebook-state-executing]");
    await eventually(async () => assert.equal(await running.count(), 0), 5_000).catch(
      () => undefined,
    );
    await this.#workbench.command("Notebook: Run All");
  }

  /** A button below a cell, by its label. */
  statusBarButton(says: string | RegExp, cell = 0): Locator {
    return this.codeCells.nth(cell).locator(".cell-status-item", { hasText: says });
  }

  /**
   * The duration of a cell's last run on its own clock, in seconds, once it is shown. Its hover text has milliseconds below
   * a second; above, tenths are cut, and half of one is added.
   */
  async seconds(cell = 0): Promise<number> {
    const time = this.statusBarButton(/^\s*(?:\d+m )?[\d.]+s\s*$/, cell);
    const hover = this.#page.locator(".monaco-hover:visible .hover-contents");
    const seconds = await eventually(async () => {
      await this.#page.mouse.move(4, 4);
      await time.first().hover(patiently);
      await hover.first().waitFor({ timeout: 3_000 });
      const text = (await hover.allInnerTexts()).join("\n");
      const [, ms, minutes = "0", whole] =
        /Execution Time\s+(?:(\d+)ms|(?:(\d+)m )?([\d.]+)s)/.exec(text) ?? [];
      if (ms !== undefined) return Number(ms) / 1_000;
      if (whole === undefined) throw new Error("No time is shown");
      return 60 * Number(minutes) + Number(whole) + 0.05;
    });
    // It lies over whatever is clicked next.
    await this.#page.keyboard.press("Escape");
    await this.#page.mouse.move(4, 4);
    await hover.first().waitFor({ state: "hidden" });
    return seconds;
  }

  /** The hover text over a part of a cell. */
  async hover(text: string, cell = 0): Promise<string> {
    const piece = this.codeCells
      .nth(cell)
      .locator(".view-line span span", { hasText: text })
      .first();
    const hover = this.#page.locator(".monaco-hover:visible .hover-contents");
    return eventually(async () => {
      await this.#page.mouse.move(4, 4);
      await hover.first().waitFor({ state: "hidden", ...quickly });
      await piece.hover(patiently);
      await hover.first().waitFor(quickly);
      const shown = (await hover.allInnerTexts()).join("\n").replaceAll("\u00a0", " ");
      if (shown === "" || shown.includes("Loading...")) throw new Error("The hover is not loaded");
      return shown;
    });
  }

  /** Waits until the hover text over a part of a cell is like this. Parts of it can come later than others. */
  async expectHover(text: string, says: RegExp, cell = 0): Promise<void> {
    const piece = this.codeCells
      .nth(cell)
      .locator(".view-line span span", { hasText: text })
      .first();
    const hover = this.#page.locator(".monaco-hover:visible .hover-contents");
    await eventually(async () => {
      await this.#page.mouse.move(4, 4);
      await hover.first().waitFor({ state: "hidden", timeout: 5_000 });
      await piece.hover(patiently);
      await eventually(async () => {
        const shown = (await hover.allInnerTexts()).join("\n").replaceAll("\u00a0", " ");
        assert.match(shown, says);
      }, 5_000);
    });
  }

  /**
   * Chooses the first quick fix at a text of a cell's first line, by keyboard. VS Code closes their list when something else
   * takes the focus: then it is opened again, until `isApplied`. `titles` are those of the first fixes.
   */
  async applyFix(
    text: string,
    titles: readonly string[],
    isApplied: () => Promise<boolean>,
    look?: () => Promise<unknown>,
  ): Promise<void> {
    const { keyboard } = this.#page;
    const fixes = this.#page.locator(".action-widget .monaco-list-row.action .title");
    await eventually(async () => {
      if (await isApplied()) return;
      await this.enterCell();
      await keyboard.press("Control+Home");
      const column = (await this.cellText()).indexOf(text) + 2;
      for (let at = 0; at < column; at++) await keyboard.press("ArrowRight");
      await keyboard.press("Control+.");
      await fixes.first().waitFor({ timeout: 3_000 });
      assert.deepEqual((await fixes.allInnerTexts()).slice(0, titles.length), titles);
      await look?.();
      await keyboard.press("Enter");
      await eventually(async () => assert.ok(await isApplied()), 5_000);
    }, 60_000);
  }

  /** Opens the kernel picker and returns its connections. */
  async kernels(): Promise<string[]> {
    const { quickInput } = this.#workbench;
    await eventually(async () => {
      await quickInput.cancel();
      await this.#editor.locator(".kernel-label").click(patiently);
      await clickOnce(quickInput.row("Select Another Kernel..."));
      await clickOnce(quickInput.row("Workbench for MindsDB"));
    });
    return eventually(async () => {
      const labels = await quickInput.labels();
      if (labels.includes("Workbench for MindsDB")) throw new Error("No connection is offered");
      return labels;
    });
  }

  /** Waits until its kernel's label, which VS Code draws a moment later, has the name of a connection. */
  async expectKernel(connection: string): Promise<void> {
    const label = this.#editor.locator(".kernel-label");
    await eventually(async () => assert.equal(await label.innerText(), connection));
  }

  /** The results of the visible notebook, from top to bottom. */
  async results(): Promise<Result[]> {
    const found: Result[] = [];
    for (const frame of await this.#framesInSight()) {
      const results = frame.locator(".result");
      const count = await answerOf(results.count(), 0);
      for (let at = 0; at < count; at++) found.push(new Result(frame, results.nth(at)));
    }
    return found;
  }

  /** The last result of the visible notebook, once there is one. */
  async result(timeoutMs = 30_000): Promise<Result> {
    return eventually(async () => {
      const last = (await this.results()).at(-1);
      if (!last) throw new Error("No result is shown");
      return last;
    }, timeoutMs);
  }

  /** Runs all cells and returns the last one's result as soon as there is one. */
  async begin(): Promise<Result> {
    for (const { element } of await this.results()) {
      await element.evaluate((result: HTMLElement) => (result.dataset["earlier"] = "true"));
    }
    await this.run();
    return eventually(async () => {
      const result = await this.result();
      if (await result.element.getAttribute("data-earlier")) throw new Error("Nothing runs");
      return result;
    });
  }

  /** Runs all cells and waits until the last one has ended. */
  async runToEnd(timeoutMs = 30_000): Promise<Result> {
    const result = await this.begin();
    await result.when(({ count, message, buttons }) => {
      if (count === "" && message === "") throw new Error("The result is not drawn");
      if (buttons.includes("Stop") || count === "Predicting") throw new Error(`It runs: ${count}`);
    }, timeoutMs);
    return result;
  }

  /**
   * Runs the first cell by Ctrl+Enter and returns its duration on its own clock, in seconds. Looks rarely whether it is over:
   * looking takes time from the run.
   */
  async timeRun(timeoutMs: number): Promise<number> {
    const cell = this.codeCells.first();
    const label = cell.locator(".execution-count-label");
    const earlier = await label.innerText();
    await this.enterCell();
    // Until the cursor is drawn. The command palette would be drawn while the cell runs, and take time from it.
    await sleep(500);
    await this.#page.keyboard.press("Control+Enter");
    const isOver = async (): Promise<void> => {
      assert.notEqual(await label.innerText(), earlier);
      assert.equal(await cell.locator(".codicon-notebook-state-success").count(), 1);
    };
    await eventually(isOver, timeoutMs, 1_000);
    return this.seconds();
  }

  /** The last output in sight as plain text. */
  plainText(): Promise<string> {
    return eventually(async () => {
      for (const frame of await this.#framesInSight()) {
        const output = frame.locator(".output-plaintext, .output-stream, .output.text");
        if ((await answerOf(output.count(), 0)) > 0) return output.last().innerText();
      }
      throw new Error("There is no output");
    });
  }

  async #framesInSight(): Promise<Frame[]> {
    const frames: Frame[] = [];
    for (const frame of this.#page.frames()) {
      const outer = frame.parentFrame();
      if (!outer || outer === this.#page.mainFrame()) continue;
      const isVisible = async () => (await outer.frameElement()).isVisible();
      if (await answerOf(isVisible(), false)) frames.push(frame);
    }
    return frames;
  }
}
