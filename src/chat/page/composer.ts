// The input for questions: Enter sends, also during a run, Shift+Enter breaks the line, Up recalls earlier questions.
import { formatMessage } from "../../shared/formatMessage.ts";
import { oneLine } from "../../shared/oneLine.ts";
import { element, iconButton } from "../../shared/page/dom.ts";
import { QuestionHistory } from "./questionHistory.ts";
import type { ChatTextFormatter } from "../formatTexts.ts";

/** For the agent's name in the placeholder. */
const maxNameLength = 32;

interface ComposerActions {
  ask: (question: string) => void;
  stop: () => void;
  /** All questions, the newest last. */
  questions: () => string[];
  draftChanged: (draft: string) => void;
  /** A question was sent, or the host has it. */
  sentChanged: (question: string | undefined) => void;
}

export class Composer {
  readonly element = element("form", { class: "composer" });
  readonly input = element("textarea");
  readonly #send: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #actions: ComposerActions;
  #running = false;
  /** A question sent to the host; its text is removed when the host has it. */
  #sentQuestion: string | undefined;
  readonly #sendLabels: { now: string; after: string };
  readonly #history: QuestionHistory;

  constructor(formatter: ChatTextFormatter, agent: string, actions: ComposerActions) {
    this.#actions = actions;
    const { placeholder, question, send, sendAfter, stop } = formatter.texts;
    this.#sendLabels = { now: send, after: sendAfter };
    this.#history = new QuestionHistory(actions.questions);
    this.input.rows = 1;
    this.input.placeholder = formatMessage(placeholder, oneLine(agent, maxNameLength));
    this.input.setAttribute("aria-label", formatMessage(question, agent));
    this.#send = iconButton("send", send, () => this.#ask());
    this.#stop = iconButton("stop-circle", stop, () => this.stop());
    this.element.append(this.input, this.#send, this.#stop);

    this.element.addEventListener("submit", (event) => event.preventDefault());
    this.input.addEventListener("input", () => {
      actions.draftChanged(this.input.value);
      this.#update();
    });
    this.input.addEventListener("keydown", (event) => {
      // While an input method composes, Enter chooses a candidate; some browsers report it as 229.
      const composing = event.isComposing || event.keyCode === 229;
      if (composing) return;
      const recalled = this.#history.recall(event, this.input);
      if (recalled !== undefined) {
        event.preventDefault();
        this.draft = recalled;
        this.#actions.draftChanged(recalled);
      }
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      this.#ask();
    });
    this.#update();
  }

  set draft(draft: string) {
    this.input.value = draft;
    this.#update();
  }

  /** Adds a question below the present text. */
  propose(question: string): void {
    const before = this.input.value.trim();
    this.draft = before === "" ? question : `${before}\n${question}`;
    this.#actions.draftChanged(this.input.value);
    this.input.focus({ preventScroll: true });
  }

  /** The host has the question. */
  taken(asked = this.#sentQuestion): void {
    this.#sentQuestion = undefined;
    this.#actions.sentChanged(undefined);
    // The user may have started the next question.
    if (asked === undefined || this.input.value.trim() !== asked) return;
    this.draft = "";
    this.#actions.draftChanged("");
  }

  set running(running: boolean) {
    this.#running = running;
    const focused = document.activeElement === this.#send || document.activeElement === this.#stop;
    this.#update();
    // The focused button is hidden now.
    if (focused) this.input.focus({ preventScroll: true });
  }

  /** Disables the button at once; the host reports when the run has ended. */
  stop(): void {
    if (!this.#running || this.#stop.disabled) return;
    this.#stop.disabled = true;
    this.#actions.stop();
  }

  #ask(): void {
    const question = this.input.value.trim();
    if (question === "" || question === this.#sentQuestion) return;
    this.#sentQuestion = question;
    this.#actions.sentChanged(question);
    this.#actions.ask(question);
  }

  #update(): void {
    const isEmpty = this.input.value.trim() === "";
    const label = this.#running ? this.#sendLabels.after : this.#sendLabels.now;
    this.#send.hidden = this.#running && isEmpty;
    this.#send.disabled = isEmpty;
    this.#send.title = label;
    this.#send.setAttribute("aria-label", label);
    this.#stop.hidden = !this.#running;
    if (!this.#running) this.#stop.disabled = false;
  }
}
