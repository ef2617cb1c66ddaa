import { formatMessage } from "../../shared/formatMessage.ts";
import { element } from "../../shared/page/dom.ts";
import type { ResultTexts } from "../result/resultTexts.ts";

/** Notes that are open at once. */
const maxOpenNotes = 3;

/** Draws the notes of a run as a list that folds; unchanged ones are not drawn again. */
export function drawNotes(
  details: HTMLDetailsElement,
  notes: readonly string[],
  texts: ResultTexts,
  locale: string,
): void {
  details.hidden = notes.length === 0;
  const key = JSON.stringify(notes);
  if (details.dataset["notes"] === key) return;
  details.dataset["notes"] = key;
  details.open ||= notes.length <= maxOpenNotes;
  const title =
    notes.length === 1
      ? texts.note
      : formatMessage(texts.notes, notes.length.toLocaleString(locale));
  details.replaceChildren(
    element("summary", { text: title }),
    element("ul", { class: "notes" }, ...notes.map((text) => element("li", { text }))),
  );
}
