// The question of a run, which can be edited and asked again, and its versions.
import { formatMessage } from "../../shared/formatMessage.ts";
import { element, iconButton, textButton } from "../../shared/page/dom.ts";
import { appendText } from "../../shared/page/markdownElement.ts";
import type { AgentRun } from "../transcript.ts";
import type { PageContext } from "./pageContext.ts";

export class QuestionView {
  readonly element = element("div", { class: "question-row" });
  /** Switches between versions of the question; empty if it was never edited. */
  readonly branches = element("div", { class: "versions branches" });
  readonly #run: AgentRun;
  readonly #context: PageContext;
  readonly #heading = element("h2", { class: "question" });
  readonly #edit: HTMLButtonElement;

  constructor(run: AgentRun, context: PageContext) {
    this.#run = run;
    this.#context = context;
    appendText(this.#heading, run.question);
    this.#edit = iconButton("edit", context.formatter.texts.edit, () => this.#open());
    this.#edit.classList.add("edit");
    this.branches.hidden = true;
    this.element.append(this.#heading, this.#edit);
  }

  /** Shows which version of the question this is, with buttons to the others. */
  showBranches({ earlier, later }: NonNullable<AgentRun["branches"]>): void {
    const { formatter, post } = this.#context;
    const { questionVersion, earlierQuestion, laterQuestion } = formatter.texts;
    const [shown, all] = [earlier.length + 1, earlier.length + 1 + later.length];
    const text = formatMessage(questionVersion, formatter.count(shown), formatter.count(all));
    const button = (name: string, label: string, to: AgentRun | undefined): HTMLButtonElement => {
      const made = iconButton(name, label, () => to && post({ type: "showBranch", run: to.id }));
      made.disabled = to === undefined;
      return made;
    };
    this.branches.hidden = false;
    this.branches.replaceChildren(
      button("chevron-left", earlierQuestion, earlier.at(-1)?.[0]),
      element("span", { text }),
      button("chevron-right", laterQuestion, later[0]?.[0]),
    );
  }

  /** Focuses the button with this label, or the other one if it is disabled. */
  focusBranchButton(label: string): void {
    const buttons = [...this.branches.querySelectorAll("button")].filter((one) => !one.disabled);
    const button = buttons.find(({ title }) => title === label) ?? buttons[0];
    button?.focus({ preventScroll: true });
  }

  #open(): void {
    const { texts } = this.#context.formatter;
    const input = element("textarea", { label: texts.editQuestion });
    input.rows = 1;
    input.value = this.#run.question;
    input.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      if (event.key === "Escape") {
        event.stopPropagation();
        this.#close();
      } else if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        this.#ask(input.value);
      }
    });
    const ask = textButton(texts.askEdited, "ask-edited", () => this.#ask(input.value));
    const cancel = textButton(texts.cancelEdit, "secondary-button", () => this.#close());
    const box = element("div", { class: "editor-box" }, input);
    const buttons = element("div", { class: "editor-buttons" }, ask, cancel);
    this.element.replaceChildren(element("div", { class: "question-editor" }, box, buttons));
    input.focus();
    input.select();
  }

  /** The host ignores it during a run; the text stays. */
  #ask(question: string): void {
    this.#context.post({ type: "editAndAsk", run: this.#run.id, question });
  }

  /** Shows the question instead of its editor. */
  showQuestion(): void {
    this.element.replaceChildren(this.#heading, this.#edit);
  }

  #close(): void {
    this.showQuestion();
    this.#edit.focus({ preventScroll: true });
  }
}
