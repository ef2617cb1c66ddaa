// Every field of a knowledge base as the server gives it.
import { fill } from "../../shared/fill.ts";
import { element } from "../../shared/page/dom.ts";
import { breakable, textTable } from "../../shared/page/reading.ts";
import type { Field, KnowledgeBaseTexts } from "../messages.ts";

/** Name, value with its notes, and type; one row for each field. */
export function fieldTable(
  fields: Field[],
  project: string,
  texts: KnowledgeBaseTexts,
): HTMLElement {
  const rows = fields.map((field) => [
    element("span", { class: "field-name" }, ...breakable(field.name)),
    valueView(field, project, texts),
    element("span", { class: "quiet", text: field.type ?? "" }),
  ]);
  const view = textTable(texts.fields, [texts.field, texts.value, texts.type], rows);
  view.classList.add("fields");
  return view;
}

function valueView(
  { value, type, notes }: Field,
  project: string,
  texts: KnowledgeBaseTexts,
): HTMLElement {
  const view = element("div");
  const isText = type === "string";
  // A text without a character is told from no text at all.
  const shown = value === undefined ? texts.absent : isText && value === "" ? '""' : value;
  const look = value === undefined ? "value absent" : isText ? "code value" : "code value is-json";
  view.append(element("div", { class: look, text: shown }));
  for (const note of notes) {
    const text = fill(texts.fieldNotes[note], project);
    view.append(element("div", { class: "note", text }));
  }
  return view;
}
