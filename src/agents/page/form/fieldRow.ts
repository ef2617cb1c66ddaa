// A field of the form, as VS Code's settings show theirs: label, description, control, and the problem right under it.
import { element, icon } from "../../../shared/page/dom.ts";
import type { Field } from "../../validation.ts";

/** A problem as it is shown. */
export interface ShownProblem {
  text: string;
  isWarning: boolean;
  action?: { title: string; run: () => void };
}

export interface FieldOptions {
  field: Field;
  label: string;
  description: string;
  /** What is seen under the description. */
  body: HTMLElement;
  /** The element that takes the focus, in the shadow of a custom element too; it may come later. */
  control: () => Promise<HTMLElement | null>;
  /** How a problem is called for those who do not see its colour. */
  words: { warning: string; problem: string };
}

export class FieldRow {
  readonly element: HTMLElement;
  readonly field: Field;
  readonly #problem = element("div", { class: "problem" });
  readonly #description: HTMLElement;
  readonly #options: FieldOptions;

  constructor(options: FieldOptions) {
    const { field, label, description, body } = options;
    this.#options = options;
    this.field = field;
    const name = element("label", { class: "label", text: label });
    this.#description = element("div", { class: "description", text: description });
    this.#problem.hidden = true;
    this.element = element("div", { class: "field" }, name, this.#description, body, this.#problem);
    this.element.dataset["field"] = field;
    name.addEventListener("click", () => void this.focus());
    // Described from within a shadow: by the elements themselves, since ids do not reach there.
    void options.control().then((control) => {
      if (!control) return;
      control.ariaDescribedByElements = [this.#description, this.#problem];
    });
  }

  async focus(): Promise<void> {
    const control = await this.#options.control();
    control?.focus();
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** Problems come one below the other; those that keep the form from being sent first. */
  show(problems: readonly ShownProblem[]): void {
    const { words } = this.#options;
    const sorted = [...problems].sort((a, b) => Number(a.isWarning) - Number(b.isWarning));
    const isWrong = sorted.some(({ isWarning }) => !isWarning);
    this.element.dataset["state"] = isWrong ? "wrong" : sorted.length > 0 ? "warned" : "";
    this.#problem.hidden = sorted.length === 0;
    this.#problem.replaceChildren(...sorted.map((problem) => problemLine(problem, words)));
    void this.#options.control().then((control) => {
      if (control) control.ariaInvalid = String(isWrong);
    });
  }
}

/** One problem with its icon and, where something helps, a button. */
export function problemLine(
  { text, isWarning, action }: ShownProblem,
  words: FieldOptions["words"],
): HTMLElement {
  const line = element(
    "div",
    { class: "problem-line" },
    icon(isWarning ? "warning" : "error"),
    element("span", { class: "unseen", text: `${isWarning ? words.warning : words.problem}: ` }),
    element("span", { class: "problem-text", text }),
  );
  line.dataset["severity"] = isWarning ? "warning" : "error";
  if (action) {
    const button = element("button", { class: "link-button", text: action.title });
    button.type = "button";
    button.addEventListener("click", action.run);
    line.append(" ", button);
  }
  return line;
}
