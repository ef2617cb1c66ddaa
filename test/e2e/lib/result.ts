// A cell's result: what a user reads in it and does with it.
import type { Frame, Locator } from "playwright-core";
import { eventually } from "./eventually.ts";

export interface ShownResult {
  /** "300 rows", or "120 of 300 rows · 40 rows/s · 5 s left". */
  count: string;
  /** What went wrong, or what the run waits for; empty if nothing. */
  message: string;
  notes: string[];
  metrics: string;
  /** The buttons beside the count. */
  buttons: string[];
  /** The columns that are drawn: "rental_price predicted", "sqft". */
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

  /** A column's head, by what it says: its name, and the small word below it. */
  head(title: string, hint = ""): Locator {
    const heads = this.grid.locator(".grid-header .cell");
    return heads
      .and(heads.locator(`:scope:has(.title:text-is(${JSON.stringify(title)}))`))
      .filter(hint ? { has: this.frame.locator(`.hint:text-is(${JSON.stringify(hint)})`) } : {});
  }

  async shown(): Promise<ShownResult> {
    return this.element.evaluate((result) => {
      const visible = (selector: string) =>
        [...result.querySelectorAll<HTMLElement>(selector)].filter((one) => one.checkVisibility());
      const text = (selector: string) => visible(selector)[0]?.innerText.trim() ?? "";
      return {
        count: text(".count"),
        message: text(".message"),
        notes: [...result.querySelectorAll(".notes li")].map((note) => note.textContent ?? ""),
        metrics: text(".metrics > div"),
        buttons: visible(".bar:not(.tools) .buttons button").map((button) => button.innerText),
        columns: visible(".grid-header .cell").map((head) =>
          [".title", ".hint"]
            .map((part) => head.querySelector(part)?.textContent ?? "")
            .join(" ")
            .trim(),
        ),
      };
    });
  }

  /** What is drawn of a column, in the order of the rows. */
  async column(title: string, hint = ""): Promise<string[]> {
    const column = await this.head(title, hint).first().getAttribute("data-column");
    return this.grid
      .locator(".grid-row")
      .evaluateAll(
        (rows, at) =>
          rows
            .sort((a, b) => parseInt(a.style.top) - parseInt(b.style.top))
            .map((row) => row.querySelector(`[data-column="${at ?? ""}"]`)?.textContent ?? ""),
        column,
      );
  }

  /** Waits until something holds of what is shown. */
  async when(holds: (shown: ShownResult) => void, timeoutMs = 20_000): Promise<ShownResult> {
    return eventually(async () => {
      const shown = await this.shown();
      holds(shown);
      return shown;
    }, timeoutMs);
  }
}
