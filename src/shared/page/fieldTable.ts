// A table of all fields of a response: name, value with notes, and type.
import type { FieldTableTexts, ResponseField } from "../responseFields.ts";
import { element } from "./dom.ts";
import { breakable, textTable } from "./documentParts.ts";

/** A field with the notes below its value. */
interface NotedField extends ResponseField {
  notes: string[];
}

export function fieldTable(fields: NotedField[], texts: FieldTableTexts): HTMLElement {
  const rows = fields.map((field) => [
    element("span", { class: "field-name" }, ...breakable(field.name)),
    valueView(field, texts),
    element("span", { class: "quiet", text: field.type ?? "" }),
  ]);
  const view = textTable(texts.fields, [texts.field, texts.value, texts.type], rows);
  view.classList.add("fields");
  return view;
}

function valueView({ value, type, notes }: NotedField, texts: FieldTableTexts): HTMLElement {
  const view = element("div");
  const isText = type === "string";
  view.append(
    value === undefined
      ? element("div", { class: "value absent", text: texts.absent })
      : element("div", {
          class: isText ? "code value" : "code value is-json",
          // An empty text must look different from an absent one.
          text: isText && value === "" ? '""' : value,
        }),
    ...notes.map((text) => element("div", { class: "note", text })),
  );
  return view;
}
