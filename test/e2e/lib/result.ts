// Page object of a cell's result.
import assert from "node:assert/strict";
import type { Frame, Locator } from "playwright-core";
import { eventually } from "./eventually.ts";
import { patiently } from "./once.ts";

export interface ShownResult {
  /** "300 rows", or "120 of 300 rows · 40 rows/s · 5 s left". */
  count: string;
  /** The error, or what the run is waiting for; empty if neither. */
  message: string;
  /** When the result was created and what has changed since; empty for a new result. */
  origin: string;
  notes: string[];
  metrics: string;
  /** The buttons next to the count, without Compare Runs, which is about earlier runs. */
  buttons: string[];
  /** The visible columns: "rental_price predicted", "sqft". */
  columns: string[];
}

export class Result {
  readonly frame: Frame;
  readonly element: Locator;

  constructor(frame: Frame, element: Locator) {
    this.frame = frame;
    this.element = element;
  }

  get grid(): Locator {
    return this.element.getByRole("grid");
  }

  button(name: string | RegExp): Locator {
    return this.element.getByRole("button", { name, exact: true });
  }

  /** A column's header, by its text: the name and the label below it. */
  head(title: string, hint?: string): Locator {
    const says = (part: string, text: string) =>
      this.frame.locator(`.${part}:text-is(${JSON.stringify(text)})`);
    const heads = this.grid.locator(".grid-header .cell").filter({ has: says("title", title) });
    return (hint === undefined ? heads : heads.filter({ has: says("hint", hint) })).first();
  }

  /** A visible cell, by its row (0-based) and its column's header. */
  async cell(row: number, title: string, hint?: string): Promise<Locator> {
    const column = await this.head(title, hint).getAttribute("data-column");
    return this.grid.locator(`.grid-row .cell[data-row="${row}"][data-column="${column}"]`);
  }

  /** Scrolls the grid to its first row and column. */
  async toStart(): Promise<void> {
    await eventually(async () => {
      await this.grid.evaluate((grid) => {
        grid.scrollTop = 0;
        grid.scrollLeft = 0;
      });
      await this.grid.locator('[data-row="0"][data-column="0"]').waitFor({ timeout: 3_000 });
    });
  }

  /** Clicks a column's header until the rows are sorted like this. */
  async sort(order: "ascending" | "descending" | "none", title: string, hint?: string) {
    const head = this.head(title, hint);
    const sorted = () => head.getAttribute("aria-sort", { timeout: 5_000 });
    await eventually(async () => {
      const before = await sorted();
      if (before === order) return;
      await head.click(patiently);
      await eventually(async () => assert.notEqual(await sorted(), before), 3_000);
      assert.equal(await sorted(), order);
    });
  }

  /** Waits until a column begins with these values, at the grid's start. */
  async expectFirst(title: string, values: readonly unknown[]): Promise<void> {
    await eventually(async () => {
      await this.grid.evaluate((grid) => (grid.scrollTop = 0));
      const shown = await this.column(title);
      assert.deepEqual(shown.slice(0, values.length), values.map(String));
    });
  }

  /** Waits until the last row has this value. Scrolls each time: a grid that is drawn again is at its start. */
  async expectLast(title: string, value: unknown): Promise<void> {
    await eventually(async () => {
      await this.grid.evaluate((grid) => (grid.scrollTop = grid.scrollHeight));
      assert.equal((await this.column(title)).at(-1), String(value));
    });
  }

  /** What is shown, once anything is: a result that has just come into the notebook draws its state a moment later. */
  async shown(): Promise<ShownResult> {
    return eventually(async () => {
      const shown = await this.#drawn();
      if (shown.count === "" && shown.message === "") throw new Error("The result is not drawn");
      return shown;
    });
  }

  #drawn(): Promise<ShownResult> {
    return this.element.evaluate((result) => {
      const visible = (selector: string) =>
        [...result.querySelectorAll<HTMLElement>(selector)].filter((one) => one.checkVisibility());
      const text = (selector: string) => visible(selector)[0]?.innerText.trim() ?? "";
      return {
        count: text(".count"),
        message: text(".message"),
        origin: text(".origin"),
        notes: [...result.querySelectorAll(".notes li")].map((note) => note.textContent ?? ""),
        metrics: text(".metrics > div > div:first-child"),
        // Which runs a cell had before is no part of how this one ended.
        buttons: visible(".result-bar:not(.tools) .buttons button")
          .map((button) => button.innerText)
          .filter((title) => title !== "Compare Runs…"),
        columns: visible(".grid-header .cell").map((head) =>
          [".title", ".hint"]
            .map((part) => head.querySelector(part)?.textContent ?? "")
            .join(" ")
            .trim(),
        ),
      };
    });
  }

  /** The visible values of a column, in row order. */
  async column(title: string, hint?: string): Promise<string[]> {
    const column = await this.head(title, hint).getAttribute("data-column");
    return eventually(async () => {
      const cells = await this.grid.locator(".grid-row").evaluateAll(
        (rows, at) =>
          rows
            .sort((a, b) => parseInt(a.style.top) - parseInt(b.style.top))
            .map((row) => row.querySelector(`[data-column="${at ?? ""}"]`))
            .map((cell) => (cell?.matches(".coming") ? undefined : (cell?.textContent ?? ""))),
        column,
      );
      const shown = cells.filter((cell) => cell !== undefined);
      assert.equal(shown.length, cells.length, "Rows are still coming");
      return shown;
    });
  }

  /** Waits until the visible result satisfies a condition. */
  async when(holds: (shown: ShownResult) => void, timeoutMs = 30_000): Promise<ShownResult> {
    let last: ShownResult | undefined;
    return eventually(async () => {
      last = await this.#drawn();
      holds(last);
      return last;
    }, timeoutMs).catch((error: unknown) => {
      const what = error instanceof Error ? error.message : String(error);
      throw new Error(`${what}\nShown: ${JSON.stringify(last)}`, { cause: error });
    });
  }
}
