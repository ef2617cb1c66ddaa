// The page of one conversation: applies the host's messages and adds what is new.
import { formatMessage } from "../../shared/formatMessage.ts";
import { element, iconButton, textButton } from "../../shared/page/dom.ts";
import { redactPatterns } from "../../mindsdb/redact/secretPatterns.ts";
import type { StepEvent } from "../../mindsdb/stream/stepEvents.ts";
import { rememberFocus } from "../../shared/page/focus.ts";
import type { Host, PageView } from "../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../messages.ts";
import {
  emptyTranscript,
  listVersions,
  reduce,
  type ChatEvent,
  type AgentRun,
  type Transcript,
} from "../transcript.ts";
import { Composer } from "./composer.ts";
import { Progress } from "./progressBar.ts";
import { RunView } from "./runView.ts";
import { AnswerVersions } from "./answerVersions.ts";
import { WaitingQuestions } from "./waitingQuestions.ts";
import { Scroller } from "./scroller.ts";
import { handleStepKeys } from "./stepList.ts";
import type { PageContext } from "./pageContext.ts";
import { ChatTextFormatter } from "../formatTexts.ts";

type Begin = Extract<ToPage, { type: "begin" }>;

export class ChatView implements PageView<ToPage> {
  readonly element = element("main", { class: "chat" });
  readonly #host: Host<ToHost, PageState>;
  readonly #formatter: ChatTextFormatter;
  readonly #transcript: Transcript;
  readonly #context: PageContext;
  readonly #log: HTMLElement;
  readonly #suggestions = element("div", { class: "suggestions", role: "group" });
  readonly #composer: Composer;
  readonly #waiting: WaitingQuestions;
  readonly #versions: AnswerVersions;
  readonly #progress: Progress;
  readonly #scroller: Scroller;
  readonly #views = new Map<number, RunView>();
  readonly #disposal = new AbortController();
  /** For a saved run. */
  readonly #replay: HTMLButtonElement;
  readonly #isReplaying: boolean;
  /** A question that was sent when the page was hidden, before the host had it. */
  readonly #sentBefore: PageState["sent"];
  /** True after the snapshot: further events are new. */
  #isLive = false;
  /** The time of the running run's last event, in ms since it started. */
  #lastEventAt = 0;
  /** An answer in the current post; the view scrolls no further than its beginning. */
  #newAnswer: HTMLElement | undefined;

  constructor(begin: Begin, host: Host<ToHost, PageState>) {
    const { agent, chatId, texts, locale } = begin;
    const clockOffset = begin.now - Date.now();
    this.#host = host;
    this.#formatter = new ChatTextFormatter(texts, locale);
    this.#transcript = emptyTranscript({ agent, chatId });
    const label = formatMessage(texts.conversation, agent.name);
    this.#isReplaying = begin.saved?.isReplaying ?? false;
    this.#replay = textButton(texts.replay, "secondary-button", () =>
      host.post({ type: this.element.classList.contains("running") ? "stop" : "replay" }),
    );
    if (begin.saved) this.element.classList.add("saved");
    const head = this.#createHead(begin.saved?.origin);
    this.#log = element("div", { class: "log", role: "log", label }, head);
    // The role "log" is a live region, but the progress announces what matters.
    this.#log.setAttribute("aria-live", "off");
    this.#scroller = new Scroller(this.#log, texts.newest, (scroll) => host.save({ scroll }));
    this.#scroller.restore(host.state.scroll ?? "end");
    this.#context = this.#makeContext();
    this.#versions = new AnswerVersions(this.#formatter, () => this.#scroller.stay());
    this.#progress = new Progress(this.#formatter, agent.name, () => Date.now() + clockOffset);
    this.#composer = new Composer(this.#formatter, agent.name, {
      ask: (question) => host.post({ type: "ask", question }),
      stop: () => host.post({ type: "stop" }),
      questions: () => this.#transcript.runs.map(({ question }) => question),
      // The page's state is stored, and conversations are stored without secrets.
      draftChanged: (draft) => host.save({ draft: redactPatterns(draft) }),
      sentChanged: (question) => {
        const after = this.#transcript.runs.at(-1)?.id ?? 0;
        const sent =
          question === undefined ? undefined : { question: redactPatterns(question), after };
        host.save({ sent });
      },
    });
    this.#sentBefore = host.state.sent;
    this.#composer.draft = host.state.draft ?? "";
    this.#waiting = new WaitingQuestions(this.#formatter, {
      send: (question) => host.post({ type: "sendWaiting", question }),
      remove: (question) => {
        host.post({ type: "removeWaiting", question });
        this.#composer.input.focus({ preventScroll: true });
      },
    });
    host.save({ chatId });
    const { bar, line, announcements } = this.#progress;
    this.element.append(
      bar,
      element("div", { class: "view" }, this.#log, this.#scroller.toEnd),
      line,
      this.#waiting.element,
      this.#composer.element,
      announcements,
    );
  }

  start(): void {
    const { signal } = this.#disposal;
    handleStepKeys(this.#log);
    rememberFocus(this.#composer.input, signal);
    // A replay begins with a new view, in place of the one with the pressed button.
    if (this.#isReplaying) this.#replay.focus();
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key === "Escape" && !event.isComposing) this.#composer.stop();
      },
      { signal },
    );
  }

  dispose(): void {
    this.#disposal.abort();
    this.#progress.show(undefined);
  }

  *show(message: ToPage): Generator<void> {
    this.#scroller.pause();
    switch (message.type) {
      case "begin":
        break;
      case "event":
        yield* this.#apply(message.event);
        break;
      case "upToDate":
        this.#isLive = true;
        this.#settleSent();
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

  /** Clears a draft that the host has as a question by now. */
  #settleSent(): void {
    if (!this.#sentBefore) return;
    const { question, after } = this.#sentBefore;
    const { runs, waiting } = this.#transcript;
    const isAsked = waiting.includes(question) || (runs.at(-1)?.id ?? 0) > after;
    if (isAsked) this.#composer.taken(question);
  }

  shown(): void {
    const run = this.#transcript.runs.find(({ state }) => state === "running");
    this.#progress.show(run, this.#lastEventAt);
    this.#scroller.keepUp(this.#newAnswer);
    this.#newAnswer = undefined;
    if (this.#isLive) this.#scroller.forget();
  }

  *#apply(event: ChatEvent): Generator<void> {
    const before = event.type === "switched" ? [...this.#transcript.runs] : [];
    reduce(this.#transcript, event);
    if (event.type === "switched") {
      this.#switchBranch(before);
      return;
    }
    if (event.type === "waiting") {
      if (this.#isLive) this.#composer.taken();
      this.#waiting.show(this.#transcript.waiting);
      return;
    }
    const run = this.#transcript.runs.findLast(({ id }) => id === event.run);
    if (!run) return;
    switch (event.type) {
      case "asked":
        this.#showRun(run, event.replaces);
        if (run.branches) this.#showBranches();
        break;
      case "stepped":
        this.#lastEventAt = event.at;
        yield* this.#step(run, event.event);
        break;
      case "ended":
        yield* this.#end(run);
        break;
    }
  }

  #showRun(run: AgentRun, replaces: number | undefined): void {
    const view = new RunView(run, this.#context);
    const replaced = replaces === undefined ? undefined : this.#views.get(replaces);
    this.#views.set(run.id, view);
    if (replaced) {
      this.#scroller.keepInPlace(replaced.element, view.element, () => {
        replaced.element.after(view.element);
        this.#versions.replace(replaced, view);
      });
    } else {
      this.#log.append(view.element);
    }
    this.#scroller.watch(view.element);
    this.element.classList.add("begun");
    // A question that was sent while the snapshot is still being shown comes after it.
    if (this.#isLive) this.#composer.taken();
    this.#setRunning(true);
    this.#lastEventAt = 0;
    if (!this.#isLive) return;
    if (run === this.#transcript.runs.at(-1)) this.#scroller.follow();
    else this.#scroller.release();
  }

  /** Shows another branch; `before` are the runs of the one that was shown. */
  #switchBranch(before: readonly AgentRun[]): void {
    const { runs } = this.#transcript;
    const first = runs.findIndex(({ id }, index) => id !== before[index]?.id);
    const hidden = this.#findVisible(before[first]);
    const shown = this.#findVisible(runs[first]);
    if (!hidden || !shown) return;
    const pressed = document.activeElement?.closest<HTMLElement>(".branches button")?.title;
    this.#scroller.keepInPlace(hidden.element, shown.element, () => this.#showBranches());
    if (!this.#isLive) return;
    this.#scroller.release();
    if (pressed !== undefined) shown.question.focusBranchButton(pressed);
    this.#progress.announce(shown.question.branches.innerText, true);
  }

  /** Returns the view of the answer that is shown of a run. */
  #findVisible(run: AgentRun | undefined): RunView | undefined {
    return (run ? listVersions(run) : [])
      .map(({ id }) => this.#views.get(id))
      .find((view) => view?.element.hidden === false);
  }

  /** Puts the runs of the shown branch into the log, in place of others. */
  #showBranches(): void {
    const shown = new Set<RunView>();
    for (const run of this.#transcript.runs) {
      for (const { id } of listVersions(run)) {
        const view = this.#views.get(id);
        if (!view) continue;
        shown.add(view);
        if (run.branches) view.question.showBranches(run.branches);
      }
    }
    const focused = document.activeElement?.closest(".run");
    for (const view of this.#views.values()) {
      if (shown.has(view)) continue;
      view.element.remove();
      view.question.showQuestion();
    }
    // Branches are ends of the conversation, so what is missing comes last.
    for (const { element: view } of shown) if (!view.isConnected) this.#log.append(view);
    if (focused?.isConnected === false) this.#composer.input.focus({ preventScroll: true });
  }

  *#step(run: AgentRun, event: StepEvent): Generator<void> {
    const view = this.#views.get(run.id);
    if (!view) return;
    switch (event.type) {
      case "step": {
        // The previous step has ended; its duration is known.
        const [before, step] = [run.steps.at(-2), run.steps.at(-1)];
        view.steps.show(before);
        view.steps.show(step);
        view.update(run);
        if (step && this.#isLive) this.#progress.announce(this.#formatter.step(step), false);
        break;
      }
      case "add":
        view.steps.show(run.steps[event.n - 1]);
        break;
      case "answer":
        if (!run.answer) break;
        view.update(run);
        yield* view.showAnswer(run);
        if (this.#isLive) this.#newAnswer = view.answer;
        break;
      case "failed":
      case "end":
        break;
    }
  }

  *#end(run: AgentRun): Generator<void> {
    const view = this.#views.get(run.id);
    if (!view) return;
    for (const step of run.steps) {
      if (step.state === "unfinished" || step === run.steps.at(-1)) view.steps.show(step);
    }
    if (this.#isLive) this.#progress.announce(this.#formatter.outcome(run), true);
    this.#setRunning(false);
    view.update(run);
    yield* view.end(run);
  }

  /** Only one run at a time: hides Ask Again during a run. */
  #setRunning(running: boolean): void {
    const leaves = running && document.activeElement?.closest(".retry, .run[hidden]");
    this.element.classList.toggle("running", running);
    const { replay, stopReplay } = this.#formatter.texts;
    this.#replay.textContent = running ? stopReplay : replay;
    this.#composer.running = running;
    this.#waiting.running = running;
    if (leaves) this.#composer.input.focus({ preventScroll: true });
  }

  /** Shows suggested questions as buttons. */
  #suggest(questions: string[]): void {
    this.#suggestions.hidden = questions.length === 0;
    this.#suggestions.replaceChildren(
      ...questions.map((question) =>
        textButton(question, "suggestion", () => {
          this.#host.post({ type: "ask", question });
          // The button is removed with the first run.
          this.#composer.input.focus({ preventScroll: true });
        }),
      ),
    );
  }

  #focusLastAnswer(): void {
    const shown = this.#log.querySelectorAll<HTMLElement>(
      ".run:not([hidden]) > .answer:not([hidden])",
    );
    const last = [...shown].at(-1);
    last?.focus({ preventScroll: true });
    last?.scrollIntoView({ block: "start" });
  }

  /** `origin` says where a saved run comes from. */
  #createHead(origin?: string): HTMLElement {
    const { agent } = this.#transcript;
    const { place, welcome, newConversation, suggestions } = this.#formatter.texts;
    this.#suggestions.setAttribute("aria-label", suggestions);
    this.#suggestions.hidden = true;
    const restart = (): void => this.#host.post({ type: "newConversation" });
    const title = element("h1", { text: agent.name });
    const hello = element("p", { class: "welcome", text: welcome });
    const where = element("p", {
      class: "place",
      text: origin ?? formatMessage(place, agent.project, agent.connection),
    });
    return element(
      "header",
      { class: "head" },
      element("div", {}, title, where, hello, this.#suggestions),
      origin === undefined ? iconButton("add", newConversation, restart) : this.#replay,
    );
  }

  #makeContext(): PageContext {
    const opened = { ...this.#host.state.opened };
    return {
      formatter: this.#formatter,
      post: (message) => this.#host.post(message),
      wasOpened: (step) => opened[step],
      isReadingBack: () => this.#isLive && !this.#scroller.follows,
      setOpened: (step, open) => {
        opened[step] = open;
        this.#host.save({ opened });
        this.#scroller.stay();
      },
    };
  }
}
