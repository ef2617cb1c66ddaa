// The waiting questions, above the composer.
import { element, icon, iconButton } from "../../shared/page/dom.ts";
import type { ChatTextFormatter } from "../formatTexts.ts";

interface WaitingActions {
  send: (question: string) => void;
  remove: (question: string) => void;
}

export class WaitingQuestions {
  readonly element: HTMLElement;
  readonly #formatter: ChatTextFormatter;
  readonly #actions: WaitingActions;

  constructor(formatter: ChatTextFormatter, actions: WaitingActions) {
    this.#formatter = formatter;
    this.#actions = actions;
    this.element = element("ul", { class: "waiting", label: formatter.texts.waitingQuestions });
    this.element.hidden = true;
  }

  /** The next one first. */
  show(questions: readonly string[]): void {
    this.element.hidden = questions.length === 0;
    this.element.replaceChildren(...questions.map((question) => this.#item(question)));
  }

  /** During a run, waiting questions are sent automatically. */
  set running(running: boolean) {
    this.element.classList.toggle("on-their-own", running);
  }

  #item(question: string): HTMLElement {
    const { sendWaiting, removeWaiting } = this.#formatter.texts;
    const send = iconButton("send", sendWaiting, () => this.#actions.send(question));
    send.classList.add("send-now");
    return element(
      "li",
      {},
      icon("clock"),
      element("span", { class: "text", text: question, title: question }),
      send,
      iconButton("close", removeWaiting, () => this.#actions.remove(question)),
    );
  }
}
