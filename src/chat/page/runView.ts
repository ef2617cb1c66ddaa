// One run: question, steps, answer and outcome.
import { element, icon, iconButton, textButton } from "../../shared/page/dom.ts";
import { appendText, appendMarkdown } from "../../shared/page/markdownElement.ts";
import type { TextRef } from "../messages.ts";
import type { MatchPlace } from "../answerMatches.ts";
import type { EndState, AgentRun } from "../transcript.ts";
import { findLimitedAnswerSql } from "../serverRowLimit.ts";
import { addAnswerLinks } from "./answerLinks.ts";
import { addTableButtons } from "./answerTables.ts";
import { addCodeButtons } from "./codeBlocks.ts";
import { partView, wholeTextButton } from "./stepParts.ts";
import { readTable } from "../tables/observationTables.ts";
import { QuestionView } from "./questionView.ts";
import { StepFold } from "./stepFold.ts";
import { StepList } from "./stepList.ts";
import type { PageContext } from "./pageContext.ts";

const outcomeIcons = {
  answered: "check",
  stopped: "stop-circle",
  failed: "error",
  cutOff: "debug-disconnect",
  noAnswer: "circle-slash",
} as const;

export class RunView {
  readonly element: HTMLElement;
  /** Focusable, for the command that focuses the last answer. */
  readonly answer = element("div", { class: "answer" });
  readonly #id: number;
  readonly #context: PageContext;
  readonly steps: StepList;
  /** Switches between several answers to the question; empty if there is one. */
  readonly versions = element("div", { class: "versions" });
  readonly question: QuestionView;
  readonly #fold: StepFold;
  readonly #outcome = element("div", { class: "outcome" });
  readonly #button = element("span");
  readonly #tools = element("div", { class: "tools" });

  constructor(run: AgentRun, context: PageContext) {
    this.#id = run.id;
    this.#context = context;
    this.question = new QuestionView(run, context);
    this.steps = new StepList(run.id, context);
    this.#fold = new StepFold(run.id, this.steps, context);
    this.answer.tabIndex = -1;
    this.answer.hidden = true;
    this.#outcome.hidden = true;
    this.element = element("article", { class: "run" });
    this.versions.hidden = true;
    const { element: steps } = this.#fold;
    const { element: question, branches } = this.question;
    this.element.append(question, branches, this.versions, steps, this.answer, this.#outcome);
  }

  /** Updates the fold after new steps, answer or end. */
  update(run: AgentRun): void {
    this.#fold.update(run);
  }

  /**
   * Shows the answer; replaces an earlier one, because a stream may correct itself. Each `yield` is a place to pause.
   */
  *showAnswer(run: AgentRun): Generator<void> {
    const { answer } = run;
    if (!answer) return;
    const { formatter } = this.#context;
    const ref: TextRef = { of: "answer", run: this.#id };
    this.answer.replaceChildren();
    this.answer.hidden = false;
    this.answer.setAttribute("role", "group");
    this.answer.setAttribute("aria-label", formatter.texts.answer);
    const cut = answer.length !== undefined;
    if (answer.text.trim() === "") {
      const text =
        answer.format === "table" ? formatter.texts.emptyTable : formatter.texts.emptyAnswer;
      this.answer.append(element("p", { class: "empty", text }));
    } else if (readTable(answer.text, true, cut)) {
      const { text, length } = answer;
      const part = { kind: "observation", text, ...(cut ? { length } : {}) } as const;
      const options = {
        name: formatter.texts.table,
        isLimited: findLimitedAnswerSql(run) !== undefined,
      };
      this.answer.append(partView(part, ref, this.#context, options).element);
      return;
    } else if (answer.format === "table") {
      const text = element("div", { class: "code" });
      appendText(text, answer.text);
      this.answer.append(text);
    } else {
      yield* appendMarkdown(this.answer, answer.text, formatter.texts.table);
      addCodeButtons(this.answer, this.#context);
      addTableButtons(this.answer, this.#context);
    }
    if (cut) {
      this.answer.append(wholeTextButton(answer.length ?? answer.text.length, ref, this.#context));
    }
  }

  /** Shows how the run ended, then links the answer's values to its steps. */
  *end(run: AgentRun): Generator<void> {
    if (run.state === "running") return;
    this.#showOutcome(run, run.state);
    if (run.answer) {
      const goTo = (place: MatchPlace): void => {
        this.#fold.open();
        this.steps.goTo(place);
      };
      yield* addAnswerLinks(run.steps, this.answer, this.#context.formatter, goTo);
    }
  }

  #showOutcome(run: AgentRun, state: EndState): void {
    const { formatter, post } = this.#context;
    const { texts } = formatter;
    if (run.answer) {
      const text: TextRef = { of: "answer", run: run.id };
      this.#tools.append(iconButton("copy", texts.copyAnswer, () => post({ type: "copy", text })));
    }
    const events: TextRef = { of: "events", run: run.id };
    this.#tools.append(
      iconButton("output", texts.showRawEvents, () => post({ type: "open", text: events })),
    );
    if (state === "answered") this.#tools.append(this.#retryIcon());
    else this.#button.append(retryButton(textButton(texts.retry, "secondary-button", this.#retry)));
    const sentence = element("span", { class: "sentence", text: formatter.outcome(run) });
    this.#outcome.dataset["state"] = state;
    this.#outcome.append(icon(outcomeIcons[state]), sentence, this.#button, this.#tools);
    this.#outcome.hidden = false;
    if (run.detail !== undefined) this.#outcome.after(this.#details(run.detail));
  }

  /** The server's whole error text, folded. */
  #details(detail: string): HTMLElement {
    const { formatter, wasOpened, setOpened } = this.#context;
    const label = formatter.texts.details;
    const text = element("div", { class: "code scrolls", role: "group", label });
    text.tabIndex = 0;
    appendText(text, detail);
    const details = element("details", { class: "details" }, element("summary", { text: label }));
    details.append(text);
    const key = `${String(this.#id)}/details`;
    details.open = wasOpened(key) ?? false;
    details.addEventListener("toggle", () => {
      if (details.open !== (wasOpened(key) ?? false)) setOpened(key, details.open);
    });
    return details;
  }

  /** Shows the helpful action in place of Ask Again, which becomes an icon. */
  offer(title: string): void {
    const { post } = this.#context;
    const accept = (): void => post({ type: "accept", run: this.#id });
    this.#button.replaceChildren(textButton(title, "secondary-button", accept));
    this.#tools.append(this.#retryIcon());
  }

  readonly #retry = (): void => this.#context.post({ type: "retry", run: this.#id });

  #retryIcon(): HTMLElement {
    return retryButton(iconButton("refresh", this.#context.formatter.texts.retry, this.#retry));
  }
}

/** Marks the button, which is hidden during another run. */
function retryButton(button: HTMLElement): HTMLElement {
  button.classList.add("retry");
  return button;
}
