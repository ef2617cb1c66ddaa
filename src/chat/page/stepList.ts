// A run's steps: one line each, with an expandable body. They are only ever added, and no step draws another one again.
import type { StepKind } from "../../mindsdb/stream/stepEvents.ts";
import { element, icon } from "../../shared/page/dom.ts";
import type { TextTableGrid } from "../../shared/page/grid/textTableGrid.ts";
import type { MatchPlace } from "../answerMatches.ts";
import { formatStepState } from "../chatTextFormatter.ts";
import { summarizeStep } from "../stepSummary.ts";
import type { TimedStep } from "../transcript.ts";
import { drawStepBody } from "./stepParts.tsx";
import type { PageContext } from "./pageContext.ts";

const icons: Record<StepKind, string> = {
  status: "circle-outline",
  plan: "checklist",
  thinking: "lightbulb",
  tool: "tools",
  sql: "database",
  documents: "book",
  notStreamed: "info",
  unknown: "json",
};

/** Steps per group. Only visible groups are laid out, so ten thousand steps cost little more than a hundred. */
const stepsPerGroup = 25;

export class StepList {
  readonly #run: number;
  readonly #place: HTMLElement;
  readonly #context: PageContext;
  readonly #views: StepView[] = [];
  /** The first expandable step: Tab reaches it, arrow keys move from there. */
  #entry: StepView | undefined;

  constructor(run: number, place: HTMLElement, context: PageContext) {
    this.#run = run;
    this.#place = place;
    this.#context = context;
  }

  /** Adds or updates a step. */
  show(step: TimedStep | undefined): void {
    if (!step) return;
    const index = step.n - 1;
    const view = this.#views[index] ?? this.#append(index);
    view.show(step);
    if (!view.foldsOut || (this.#entry && this.#entry.index <= index)) return;
    this.#entry?.setReachable(false);
    this.#entry = view;
    view.setReachable(true);
  }

  /** Opens a step and focuses the place. */
  goTo({ step, part, row, column }: MatchPlace): void {
    this.#views[step]?.goTo(part, row, column);
  }

  #append(index: number): StepView {
    if (index % stepsPerGroup === 0) {
      this.#place.lastElementChild?.classList.add("full");
      this.#place.append(element("ol"));
    }
    const view = new StepView(this.#run, index, this.#context);
    this.#views.at(-1)?.element.classList.add("linked");
    if (index > 0) view.element.classList.add("follows");
    this.#views.push(view);
    this.#place.lastElementChild?.append(view.element);
    return view;
  }
}

class StepView {
  readonly element = element("li", { class: "step" });
  readonly #context: PageContext;
  readonly index: number;
  readonly #run: number;
  readonly #icon = icon("");
  readonly #label = element("span", { class: "text" });
  readonly #hint = element("span", { class: "hint" });
  readonly #state = element("span", { class: "visually-hidden" });
  readonly #time = element("span", { class: "time" });
  readonly #fold = icon("chevron-right");
  #line: HTMLElement = element("div", { class: "line" }, this.#icon, this.#label);
  #step: TimedStep | undefined;
  // Not <details>: each has its own style scope, and thousands make every style change slow.
  #toggle: HTMLButtonElement | undefined;
  /** Created when the step is first opened. */
  #body: HTMLElement | undefined;
  /** Of tables, by part. */
  readonly #grids = new Map<number, TextTableGrid>();

  constructor(run: number, index: number, context: PageContext) {
    this.#run = run;
    this.index = index;
    this.#context = context;
    this.#fold.classList.add("fold");
    this.element.append(this.#line);
  }

  /** Updates the step. Parts are only ever added. */
  show(step: TimedStep): void {
    const { formatter, wasOpened } = this.#context;
    const failed = step.state === "failed";
    this.#step = step;
    this.element.dataset["state"] = step.state;
    this.#icon.className = `codicon codicon-${failed ? "error" : icons[step.kind]}`;
    this.#label.textContent = formatter.step(step);
    this.#showHint(step);
    this.#state.textContent = formatStepState(step);
    this.#time.textContent =
      step.until === undefined ? "" : formatter.duration(step.until - step.at);
    if (step.parts.length > 0) this.#setOpen(wasOpened(this.#key) ?? failed);
    this.#arrange();
  }

  /** Keeps empty elements out of the line, because thousands of them would slow down layout. */
  #arrange(): void {
    let before: Element = this.#label;
    for (const one of [this.#hint, this.#state, this.#time, this.#fold]) {
      const isWanted = one === this.#fold ? this.foldsOut : one.textContent !== "";
      if (!isWanted) {
        one.remove();
        continue;
      }
      if (before.nextElementSibling !== one) before.after(one);
      before = one;
    }
  }

  get #key(): string {
    return `${String(this.#run)}/${String(this.index)}`;
  }

  #showHint(step: TimedStep): void {
    const { text, isCode } = summarizeStep(step);
    this.#hint.textContent = text;
    this.#hint.classList.toggle("is-code", isCode);
  }

  #setOpen(open: boolean): void {
    this.#toggle ??= this.#makeFoldable();
    this.#toggle.setAttribute("aria-expanded", String(open));
    if (open) this.#showBody();
    else if (this.#body) this.#body.hidden = true;
  }

  get foldsOut(): boolean {
    return this.#toggle !== undefined;
  }

  /** Whether Tab stops at its line. */
  setReachable(reachable: boolean): void {
    if (this.#toggle) this.#toggle.tabIndex = reachable ? 0 : -1;
  }

  /** The line becomes a button. */
  #makeFoldable(): HTMLButtonElement {
    const toggle = element("button", { class: "line" }, ...this.#line.childNodes);
    toggle.type = "button";
    toggle.tabIndex = -1;
    toggle.addEventListener("click", () => {
      this.#userSets(toggle.getAttribute("aria-expanded") !== "true");
    });
    this.#line.replaceWith(toggle);
    this.#line = toggle;
    return toggle;
  }

  #userSets(open: boolean): void {
    this.#setOpen(open);
    this.#context.setOpened(this.#key, open);
  }

  goTo(part: number, row: number | undefined, column = 0): void {
    if (!this.#toggle) return;
    this.#userSets(true);
    const grid = row === undefined ? undefined : this.#grids.get(part);
    if (grid && row !== undefined) grid.goTo(row, column);
    else this.#toggle.focus();
  }

  /** Shows the body and adds missing parts. */
  #showBody(): void {
    if (!this.#body) {
      this.#body = element("div", { class: "body" });
      this.element.append(this.#body);
    }
    this.#body.hidden = false;
    if (!this.#step) return;
    drawStepBody(this.#body, {
      step: this.#step,
      run: this.#run,
      context: this.#context,
      grids: this.#grids,
    });
  }
}

/** Moves the focus among expandable steps. */
export function handleStepKeys(log: HTMLElement): void {
  log.addEventListener("keydown", (event) => {
    const current = event.target;
    if (!(current instanceof HTMLButtonElement) || !current.matches(".step > .line")) return;
    const all = [...log.querySelectorAll<HTMLElement>(".steps:not([hidden]) .step > button.line")];
    const index = all.indexOf(current);
    const isOpen = current.getAttribute("aria-expanded") === "true";
    const targets: Partial<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: all.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) all[target]?.focus();
    else if (event.key === "ArrowRight" && !isOpen) current.click();
    else if (event.key === "ArrowLeft" && isOpen) current.click();
    else return;
    event.preventDefault();
  });
}
