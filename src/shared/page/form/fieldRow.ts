// A field of a form, like in VS Code's settings: label, description, control, and problems below.
import { element, icon, textButton } from "../dom.ts";

export interface ShownProblem {
  text: string;
  isWarning: boolean;
  action?: { title: string; run: () => void };
}

interface FieldOptions {
  field: string;
  label: string;
  description: string;
  /** The content below the description. */
  body: HTMLElement;
  /** The focusable element, which may be in the shadow of a custom element and available later. */
  control: () => Promise<HTMLElement | null>;
  /** Names of the severities for screen readers. */
  words: { warning: string; problem: string };
}

export class FieldRow {
  readonly element: HTMLElement;
  readonly field: string;
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
    // By elements, because ids do not work across a shadow root.
    void options.control().then((control) => {
      if (control) control.ariaDescribedByElements = [this.#description, this.#problem];
    });
  }

  async focus(): Promise<void> {
    const control = await this.#options.control();
    control?.focus();
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** Shows the problems, errors before warnings. */
  show(problems: readonly ShownProblem[]): void {
    const { words } = this.#options;
    const sorted = [...problems].sort((a, b) => Number(a.isWarning) - Number(b.isWarning));
    const isWrong = sorted.some(({ isWarning }) => !isWarning);
    const warning = sorted.length > 0 ? "warned" : "";
    this.element.dataset["state"] = isWrong ? "wrong" : warning;
    this.#problem.hidden = sorted.length === 0;
    this.#problem.replaceChildren(...sorted.map((problem) => problemLine(problem, words)));
    void this.#options.control().then((control) => {
      if (control) control.ariaInvalid = String(isWrong);
    });
  }
}

/** Returns one problem with its icon and its button, if it has one. */
export function problemLine(
  { text, isWarning, action }: ShownProblem,
  words: FieldOptions["words"],
): HTMLElement {
  const line = element(
    "div",
    { class: "problem-line" },
    icon(isWarning ? "warning" : "error"),
    element("span", {
      class: "visually-hidden",
      text: `${isWarning ? words.warning : words.problem}: `,
    }),
    element("span", { class: "problem-text", text }),
  );
  line.dataset["severity"] = isWarning ? "warning" : "error";
  if (action) line.append(" ", textButton(action.title, "link-button", action.run));
  return line;
}
