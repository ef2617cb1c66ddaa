// The fields of the agent form with the problems below them. Problems of no visible field are at the top of the form.
import { element } from "../../../shared/page/dom.ts";
import type { FormTexts } from "../../formMessages.ts";
import type { Field } from "../../validation.ts";
import type { Control } from "./controls.ts";
import { FieldRow, problemLine, type ShownProblem } from "./fieldRow.ts";

export class FormRows {
  readonly top = element("div", { class: "top", role: "alert" });
  readonly #texts: FormTexts;
  readonly #rows = new Map<Field, FieldRow>();

  constructor(texts: FormTexts) {
    this.#texts = texts;
    this.top.tabIndex = -1;
  }

  /** Creates the row of a field. */
  add(field: Exclude<Field, "form">, control: Control, body = control.element): HTMLElement {
    const { label, description } = this.#texts.fields[field];
    const { focusable } = control;
    const words = this.#texts;
    const row = new FieldRow({ field, label, description, body, control: focusable, words });
    this.#rows.set(field, row);
    return row.element;
  }

  /** Shows the problems of each field. */
  show(problemsOf: (field: Field) => ShownProblem[]): void {
    for (const [field, row] of this.#rows) row.show(problemsOf(field));
    const onTop = problemsOf("form");
    this.top.replaceChildren(...onTop.map((one) => problemLine(one, this.#texts)));
    this.top.hidden = onTop.length === 0;
  }

  /** Returns the field that shows a notice: the top of the form if the field is not visible. */
  findShownField(field: Field): Field {
    const isShown = this.#rows.get(field)?.element.closest("[hidden]") === null;
    return isShown ? field : "form";
  }

  focus(field: Field): void {
    const row = this.#rows.get(this.findShownField(field));
    if (row) void row.focus();
    else this.top.focus();
  }
}
