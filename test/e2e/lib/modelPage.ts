// Page object of a model's page.
import type { Frame } from "playwright-core";
import { eventually } from "./eventually.ts";
import { answerOf } from "./frames.ts";
import type { Workbench } from "./workbench.ts";

/** Returns the page of the model with this title, once it contains this text. */
export function modelPage({ page }: Workbench, model: string, says: string): Promise<Frame> {
  return eventually(async () => {
    for (const frame of page.frames()) {
      const title = frame.locator("main h1", { hasText: model });
      if ((await answerOf(title.count(), 0)) === 0) continue;
      const text = await frame.locator("main").innerText();
      if (text.includes(says)) return frame;
    }
    throw new Error(`No page of ${model} says ${says}`);
  }, 30_000);
}

/** The importances from top to bottom, each with its exact value. */
export function importancesIn(frame: Frame): Promise<[column: string, importance: number][]> {
  return frame.locator(".importances tbody tr").evaluateAll((rows) =>
    rows.map((row): [string, number] => {
      const figure = row.querySelector<HTMLElement>(".figure");
      return [row.querySelector("th")?.textContent ?? "", Number(figure?.title)];
    }),
  );
}

/** The value at the top: the model's accuracy. */
export async function accuracyIn(frame: Frame): Promise<number> {
  return Number(await frame.locator(".headline .figure").first().getAttribute("title"));
}

/** The columns of a section (`Inputs`, `Outputs`), from top to bottom. */
export function columnsIn(frame: Frame, heading: string): Promise<string[]> {
  const section = frame.locator("section", { has: frame.locator("h2", { hasText: heading }) });
  return section.locator("tbody td:first-child").allInnerTexts();
}
