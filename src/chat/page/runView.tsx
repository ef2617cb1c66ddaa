// One run: question, steps, answer and outcome. Its steps and its answer are added beside what Preact draws.
import * as l10n from "@vscode/l10n";
import { createRef, render, type ComponentChild } from "preact";
import { element } from "../../shared/page/dom.ts";
import { appendMarkdown, appendText } from "../../shared/page/markdownElement.ts";
import { Icon } from "../../shared/page/parts.tsx";
import type { MatchPlace } from "../answerMatches.ts";
import type { TextRef } from "../chatPage.ts";
import { findLimitedAnswerSql } from "../serverRowLimit.ts";
import { readTable } from "../tables/observationTables.ts";
import type { AgentRun } from "../transcript.ts";
import { addAnswerLinks } from "./answerLinks.ts";
import { addTableButtons } from "./answerTables.tsx";
import { addCodeButtons, colorCodeBlocks } from "./codeBlocks.tsx";
import { Outcome } from "./outcome.tsx";
import type { PageContext } from "./pageContext.ts";
import { QuestionView } from "./questionView.tsx";
import { StepList } from "./stepList.ts";
import { Part, WholeTextButton } from "./stepParts.tsx";
import { Versions, type ShownVersion } from "./versions.tsx";

interface ShownRun {
  run: AgentRun;
  /** Of several versions of the question. */
  question?: ShownVersion;
  /** Of several answers to the question. */
  answer?: ShownVersion;
  /** The title of the action that helps after the failure. */
  offer?: string | undefined;
  isEditing: boolean;
  /** Whether the steps fold into one line, and whether they are shown. */
  folds: boolean;
  isOpen: boolean;
}

export class RunView {
  readonly element = element("article", { class: "run" });
  readonly steps: StepList;
  /** Focusable, for the command that focuses the last answer. */
  readonly answer: HTMLElement;
  readonly #context: PageContext;
  readonly #key: string;
  readonly #stepsPlace = createRef<HTMLDivElement>();
  readonly #answerPlace = createRef<HTMLDivElement>();
  #shown: ShownRun;

  constructor(run: AgentRun, context: PageContext) {
    this.#context = context;
    this.#key = `${String(run.id)}/steps`;
    this.#shown = { run, isEditing: false, folds: false, isOpen: true };
    this.#draw();
    this.answer = this.#answerPlace.current!;
    this.steps = new StepList(run.id, this.#stepsPlace.current!, context);
  }

  /** Draws what has changed, at once: what is added next needs its place. */
  show(change: Partial<ShownRun>): void {
    this.#shown = { ...this.#shown, ...change };
    this.#draw();
  }

  /** Updates the fold after new steps, answer or end. */
  update(run: AgentRun): void {
    const isAnswered = run.answer !== undefined && ["running", "answered"].includes(run.state);
    const folds = isAnswered && run.steps.length > 0;
    // A run that fails after its answer shows its steps again.
    const isOpen = folds === this.#shown.folds ? this.#shown.isOpen : !folds || this.#staysOpen();
    if (folds || this.#shown.folds) this.show({ run, folds, isOpen });
  }

  /**
   * Shows the answer; replaces an earlier one, because a stream may correct itself. Each `yield` is a place to pause.
   */
  *showAnswer(run: AgentRun): Generator<void> {
    const { answer } = run;
    if (!answer) return;
    this.show({ run });
    this.answer.replaceChildren();
    const { format, text, length } = answer;
    const ref: TextRef = { of: "answer", run: run.id };
    const isCut = length !== undefined;
    if (text.trim() === "") {
      const empty =
        format === "table" ? l10n.t("The table has no rows.") : l10n.t("The answer is empty.");
      this.#append(<p class="empty">{empty}</p>);
    } else if (readTable(text, true, isCut)) {
      this.#append(
        <Part
          part={{ kind: "observation", text, ...(isCut ? { length } : {}) }}
          text={ref}
          name={l10n.t("Table")}
          isLimited={findLimitedAnswerSql(run) !== undefined}
          context={this.#context}
        />,
      );
      return;
    } else if (format === "table") {
      const code = element("div", { class: "code" });
      appendText(code, text);
      this.answer.append(code);
    } else {
      yield* appendMarkdown(this.answer, text, l10n.t("Table"));
      colorCodeBlocks(this.answer);
      addCodeButtons(this.answer, this.#context);
      addTableButtons(this.answer, this.#context);
    }
    if (isCut) this.#append(<WholeTextButton length={length} text={ref} context={this.#context} />);
  }

  /** Shows how the run ended, then links the answer's values to its steps. */
  *end(run: AgentRun, offer: string | undefined): Generator<void> {
    if (run.state === "running") return;
    this.show({ run, offer });
    if (!run.answer) return;
    const goTo = (place: MatchPlace): void => {
      if (this.#shown.folds) this.show({ isOpen: true });
      this.steps.goTo(place);
    };
    yield* addAnswerLinks(run.steps, this.answer, this.#context.formatter, goTo);
  }

  /** At the end of the answer. */
  #append(view: ComponentChild): void {
    const drawn = document.createDocumentFragment();
    render(view, drawn);
    this.answer.append(drawn);
  }

  /** True if the user has opened the steps or is reading them. */
  #staysOpen(): boolean {
    const { wasOpened, setOpened, isReadingBack } = this.#context;
    const wanted = wasOpened(this.#key);
    if (wanted !== undefined) return wanted;
    const isRead =
      isReadingBack() || Boolean(this.#stepsPlace.current?.contains(document.activeElement));
    if (isRead) setOpened(this.#key, true);
    const { id, steps } = this.#shown.run;
    return isRead || steps.some((_, index) => wasOpened(`${String(id)}/${String(index)}`));
  }

  #leaveEditor(): void {
    this.show({ isEditing: false });
    this.element.querySelector<HTMLElement>(".edit")?.focus({ preventScroll: true });
  }

  #toggleSteps(): void {
    const isOpen = !this.#shown.isOpen;
    this.show({ isOpen });
    this.#context.setOpened(this.#key, isOpen);
  }

  #summarize({ steps, answeredAt, took }: AgentRun): string {
    const { formatter } = this.#context;
    const count =
      steps.length === 1 ? l10n.t("1 step") : l10n.t("{0} steps", formatter.count(steps.length));
    return l10n.t("{0} · {1}", count, formatter.duration(answeredAt ?? took ?? 0));
  }

  #draw(): void {
    const { run, question, answer, offer, isEditing, folds, isOpen } = this.#shown;
    const { wasOpened, setOpened } = this.#context;
    const questionKey = `${String(run.id)}/question`;
    const hasAnswer = run.answer !== undefined;
    render(
      <>
        <QuestionView
          question={run.question}
          isEditing={isEditing}
          isOpen={wasOpened(questionKey) ?? false}
          setOpen={(isQuestionOpen) => {
            setOpened(questionKey, isQuestionOpen);
            this.#draw();
          }}
          edit={() => this.show({ isEditing: true })}
          cancel={() => this.#leaveEditor()}
          ask={(edited) => this.#context.host.editAndAsk(run.id, edited)}
        />
        <Versions
          class="versions branches"
          shown={question}
          earlier={l10n.t("Show Previous Question")}
          later={l10n.t("Show Next Question")}
        />
        <Versions
          class="versions"
          shown={answer}
          earlier={l10n.t("Show Previous Answer")}
          later={l10n.t("Show Next Answer")}
        />
        <div>
          <button
            type="button"
            class="line steps-toggle"
            hidden={!folds}
            aria-expanded={isOpen}
            onClick={() => this.#toggleSteps()}
          >
            <Icon name="chevron-right" />
            <span class="text">{folds && this.#summarize(run)}</span>
          </button>
          <div class="steps" hidden={!isOpen} ref={this.#stepsPlace} />
        </div>
        <div
          class="answer"
          tabIndex={-1}
          hidden={!hasAnswer}
          role={hasAnswer ? "group" : undefined}
          aria-label={hasAnswer ? l10n.t("Answer") : undefined}
          ref={this.#answerPlace}
        />
        <Outcome run={run} offer={offer} context={this.#context} />
      </>,
      this.element,
    );
  }
}
