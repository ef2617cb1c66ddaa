// A run's steps, which fold into one line after the answer: "5 steps · 1.5 s".
import { formatMessage } from "../../shared/formatMessage.ts";
import { element, icon } from "../../shared/page/dom.ts";
import type { AgentRun } from "../transcript.ts";
import type { StepList } from "./stepList.ts";
import type { PageContext } from "./pageContext.ts";

export class StepFold {
  readonly element: HTMLElement;
  readonly #key: string;
  readonly #steps: StepList;
  readonly #context: PageContext;
  readonly #label = element("span", { class: "text" });
  readonly #toggle = element("button", { class: "line steps-toggle" });

  constructor(run: number, steps: StepList, context: PageContext) {
    this.#key = `${String(run)}/steps`;
    this.#steps = steps;
    this.#context = context;
    this.#toggle.type = "button";
    this.#toggle.hidden = true;
    this.#toggle.append(icon("chevron-right"), this.#label);
    this.#toggle.addEventListener("click", () => {
      const open = this.#toggle.getAttribute("aria-expanded") !== "true";
      this.#setOpen(open);
      context.setOpened(this.#key, open);
    });
    this.element = element("div", {}, this.#toggle, steps.element);
  }

  /** Folds the steps of an answered run. A run that fails after its answer shows them again. */
  update(run: AgentRun): void {
    const isAnswered = run.answer !== undefined && ["running", "answered"].includes(run.state);
    const folds = isAnswered && run.steps.length > 0;
    if (folds) this.#label.textContent = this.#summary(run);
    if (folds !== Boolean(this.#toggle.hidden)) return;
    this.#toggle.hidden = !folds;
    this.#setOpen(!folds || this.#staysOpen(run));
  }

  /** Shows the steps, folded or not. */
  open(): void {
    if (!this.#toggle.hidden) this.#setOpen(true);
  }

  #summary({ steps, answeredAt, took }: AgentRun): string {
    const { formatter } = this.#context;
    const { texts } = formatter;
    const number =
      steps.length === 1
        ? texts.oneStep
        : formatMessage(texts.steps, formatter.count(steps.length));
    return formatMessage(texts.folded, number, formatter.duration(answeredAt ?? took ?? 0));
  }

  /** True if the user has opened the steps or is reading them. */
  #staysOpen(run: AgentRun): boolean {
    const { wasOpened, setOpened, isReadingBack } = this.#context;
    const wanted = wasOpened(this.#key);
    if (wanted !== undefined) return wanted;
    const isRead = isReadingBack() || this.#steps.element.contains(document.activeElement);
    if (isRead) setOpened(this.#key, true);
    return isRead || run.steps.some((_, index) => wasOpened(`${String(run.id)}/${String(index)}`));
  }

  #setOpen(open: boolean): void {
    this.#toggle.setAttribute("aria-expanded", String(open));
    this.#steps.element.hidden = !open;
  }
}
