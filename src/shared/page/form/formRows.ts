// The fields of a form with the problems below them. Problems of no visible field are at the top of the form.
import { element } from "../dom.ts";
import type { FormFrameTexts } from "../../formFields.ts";
import type { Control } from "./controls.ts";
import { FieldRow, problemLine, type ShownProblem } from "./fieldRow.ts";

type FormRowTexts<Field extends string> = Pick<
  FormFrameTexts<Field, string>,
  "fields" | "warning" | "problem"
>;

/** `form` is the top of the form. */
export class FormRows<Field extends string> {
  readonly top = element("div", { class: "top", role: "alert" });
  readonly #texts: FormRowTexts<Field>;
  readonly #rows = new Map<Field | "form", FieldRow>();

  constructor(texts: FormRowTexts<Field>) {
    this.#texts = texts;
    this.top.tabIndex = -1;
  }

  add(field: Exclude<Field, "form">, control: Control, body = control.element): HTMLElement {
    const { label, description } = this.#texts.fields[field];
    const { focusable } = control;
    const words = this.#texts;
    const row = new FieldRow({ field, label, description, body, control: focusable, words });
    this.#rows.set(field, row);
    return row.element;
  }

  show(problemsOf: (field: Field | "form") => ShownProblem[]): void {
    for (const [field, row] of this.#rows) row.show(problemsOf(field));
    const onTop = problemsOf("form");
    this.top.replaceChildren(...onTop.map((one) => problemLine(one, this.#texts)));
    this.top.hidden = onTop.length === 0;
  }

  /** Returns the field that shows a notice: the top of the form if the field is not visible. */
  findShownField(field: Field | "form"): Field | "form" {
    const isShown = this.#rows.get(field)?.element.closest("[hidden]") === null;
    return isShown ? field : "form";
  }

  focus(field: Field | "form"): void {
    const row = this.#rows.get(this.findShownField(field));
    if (row) void row.focus();
    else this.top.focus();
  }
}
