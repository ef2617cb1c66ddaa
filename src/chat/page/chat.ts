// One conversation on the page: takes the host's messages one by one and adds what is new.
import { fill } from "../../shared/fill.ts";
import { element, iconButton, textButton } from "../../shared/page/dom.ts";
import type { StepEvent } from "../../mindsdb/stream/steps.ts";
import { rememberFocus } from "../../shared/page/focus.ts";
import type { Host } from "../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../messages.ts";
import {
  emptyTranscript,
  reduce,
  type ChatEvent,
  type Run,
  type Transcript,
} from "../transcript.ts";
import { Composer } from "./composer.ts";
import { Progress } from "./progress.ts";
import { RunView } from "./run.ts";
import { Scroller } from "./scroller.ts";
import { handleStepKeys, type PageContext } from "./steps.ts";
import { Words } from "./words.ts";

type Begin = Extract<ToPage, { type: "begin" }>;

export class ChatView {
  readonly element = element("main", { class: "chat" });
  readonly #host: Host<ToHost, PageState>;
  readonly #words: Words;
  readonly #transcript: Transcript;
  readonly #context: PageContext;
  readonly #log: HTMLElement;
  readonly #suggestions = element("div", { class: "suggestions", role: "group" });
  readonly #composer: Composer;
  readonly #progress: Progress;
  readonly #scroller: Scroller;
  readonly #views = new Map<number, RunView>();
  readonly #closed = new AbortController();
  /** What comes now happens now: the page has been told what happened before. */
  #live = false;
  /** When something last came of the run under way, in ms since it began. */
  #lastWord = 0;
  /** An answer of the post that is being shown: the view follows no further than its beginning. */
  #newAnswer: HTMLElement | undefined;

  constructor(begin: Begin, host: Host<ToHost, PageState>) {
    const { agent, chatId, texts, locale } = begin;
    const clockOffset = begin.now - Date.now();
    this.#host = host;
    this.#words = new Words(texts, locale);
    this.#transcript = emptyTranscript({ agent, chatId });
    const label = fill(texts.conversation, agent.name);
    this.#log = element("div", { class: "log", role: "log", label }, this.#head());
    // A log is a live region by its role; here the progress tells screen readers what matters.
    this.#log.setAttribute("aria-live", "off");
    this.#scroller = new Scroller(this.#log, texts.newest, (scroll) => host.save({ scroll }));
    this.#scroller.restore(host.state.scroll ?? "end");
    this.#context = this.#makeContext();
    this.#progress = new Progress(this.#words, agent.name, () => Date.now() + clockOffset);
    this.#composer = new Composer(this.#words, agent.name, {
      ask: (question) => host.post({ type: "ask", question }),
      stop: () => host.post({ type: "stop" }),
      draftChanged: (draft) => host.save({ draft }),
    });
    this.#composer.draft = host.state.draft ?? "";
    host.save({ chatId });
    const { bar, line, announcements } = this.#progress;
    this.element.append(
      bar,
      element("div", { class: "view" }, this.#log, this.#scroller.toEnd),
      line,
      this.#composer.element,
      announcements,
    );
  }

  /** Called once the view's element is in the document. */
  start(): void {
    const { signal } = this.#closed;
    handleStepKeys(this.#log);
    rememberFocus(this.#composer.input, signal);
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key === "Escape" && !event.isComposing) this.#composer.stop();
      },
      { signal },
    );
  }

  /** Another view takes this one's place. */
  dispose(): void {
    this.#closed.abort();
    this.#progress.show(undefined);
  }

  /** Shows one message; pauses where it is long. */
  *show(message: Exclude<ToPage, Begin>): Generator<void> {
    this.#scroller.pause();
    switch (message.type) {
      case "event":
        yield* this.#apply(message.event);
        break;
      case "upToDate":
        this.#live = true;
        break;
      case "offer":
        this.#views.get(message.run)?.offer(message.title);
        break;
      case "suggest":
        this.#suggest(message.questions);
        break;
      case "draft":
        this.#composer.propose(message.draft);
        this.#host.post({ type: "draftTaken" });
        break;
      case "focusLastAnswer":
        this.#focusLastAnswer();
        break;
    }
  }

  /** All of a post is shown. */
  shown(): void {
    const run = this.#transcript.runs.at(-1);
    this.#progress.show(run?.state === "running" ? run : undefined, this.#lastWord);
    this.#scroller.keepUp(this.#newAnswer);
    this.#newAnswer = undefined;
    if (this.#live) this.#scroller.forget();
  }

  *#apply(event: ChatEvent): Generator<void> {
    reduce(this.#transcript, event);
    const run = this.#transcript.runs.findLast(({ id }) => id === event.run);
    if (!run) return;
    switch (event.type) {
      case "asked":
        this.#begin(run);
        break;
      case "stepped":
        this.#lastWord = event.at;
        yield* this.#step(run, event.event);
        break;
      case "ended":
        yield* this.#end(run);
        break;
    }
  }

  #begin(run: Run): void {
    const view = new RunView(run, this.#context);
    this.#views.set(run.id, view);
    this.#log.append(view.element);
    this.#scroller.watch(view.element);
    this.element.classList.add("begun");
    this.#setRunning(true);
    this.#lastWord = 0;
    if (this.#live) this.#scroller.follow();
  }

  *#step(run: Run, event: StepEvent): Generator<void> {
    const view = this.#views.get(run.id);
    if (!view) return;
    switch (event.type) {
      case "step": {
        // It ends the one before, whose time is known now.
        const [before, step] = [run.steps.at(-2), run.steps.at(-1)];
        view.steps.show(before);
        view.steps.show(step);
        if (step && this.#live) this.#progress.announce(this.#words.step(step), false);
        break;
      }
      case "add":
        view.steps.show(run.steps[event.n - 1]);
        break;
      case "answer":
        if (!run.answer) break;
        yield* view.showAnswer(run.answer);
        if (this.#live) this.#newAnswer = view.answer;
        break;
      case "failed":
      case "end":
        break;
    }
  }

  *#end(run: Run): Generator<void> {
    const view = this.#views.get(run.id);
    if (!view) return;
    for (const step of run.steps) {
      if (step.state === "unfinished" || step === run.steps.at(-1)) view.steps.show(step);
    }
    if (this.#live) this.#progress.announce(this.#words.outcome(run), true);
    this.#setRunning(false);
    yield* view.end(run);
  }

  /** There is one run at a time: nothing else can be asked, nor asked again. */
  #setRunning(running: boolean): void {
    const leaves = running && document.activeElement?.classList.contains("retry");
    this.element.classList.toggle("running", running);
    this.#composer.running = running;
    if (leaves) this.#composer.input.focus({ preventScroll: true });
  }

  /** Each a button that asks it. */
  #suggest(questions: string[]): void {
    this.#suggestions.hidden = questions.length === 0;
    this.#suggestions.replaceChildren(
      ...questions.map((question) =>
        textButton(question, "suggestion", () => {
          this.#host.post({ type: "ask", question });
          // The button leaves with the first run.
          this.#composer.input.focus({ preventScroll: true });
        }),
      ),
    );
  }

  #focusLastAnswer(): void {
    const last = [...this.#views.values()].findLast(({ answer }) => !answer.hidden);
    last?.answer.focus({ preventScroll: true });
    last?.answer.scrollIntoView({ block: "start" });
  }

  #head(): HTMLElement {
    const { agent } = this.#transcript;
    const { place, welcome, newConversation, suggestions } = this.#words.texts;
    this.#suggestions.setAttribute("aria-label", suggestions);
    this.#suggestions.hidden = true;
    const restart = (): void => this.#host.post({ type: "newConversation" });
    const title = element("h1", { text: agent.name });
    const hello = element("p", { class: "welcome", text: welcome });
    const where = element("p", {
      class: "place",
      text: fill(place, agent.project, agent.connection),
    });
    return element(
      "header",
      { class: "head" },
      element("div", {}, title, where, hello, this.#suggestions),
      iconButton("add", newConversation, restart),
    );
  }

  #makeContext(): PageContext {
    const opened = { ...this.#host.state.opened };
    return {
      words: this.#words,
      post: (message) => this.#host.post(message),
      wasOpened: (step) => opened[step],
      setOpened: (step, open) => {
        opened[step] = open;
        this.#host.save({ opened });
        this.#scroller.stay();
      },
    };
  }
}
