// The runs of a conversation: applies the events of the page's channel, and adds what is new to the log.
import * as l10n from "@vscode/l10n";
import type { StepEvent } from "../../mindsdb/stream/stepEvents.ts";
import { runInSlices } from "../../shared/page/timeSlicing.ts";
import { save, savedState } from "../../shared/page/webview.ts";
import type { ItemsPost } from "../../shared/pageProtocol.ts";
import type { ChatHost, ChatItem, ChatState, SavedPage } from "../chatPage.ts";
import type { ChatTextFormatter } from "../chatTextFormatter.ts";
import {
  emptyTranscript,
  listVersions,
  reduce,
  type AgentRun,
  type ChatEvent,
  type ChatHead,
  type Transcript,
} from "../transcript.ts";
import type { Composer } from "./composer.tsx";
import type { PageContext } from "./pageContext.ts";
import { RunView } from "./runView.tsx";
import { Scroller } from "./scroller.ts";
import { handleStepKeys } from "./stepList.ts";
import { findFocusedVersionButton, focusVersionButton, type ShownVersion } from "./versions.tsx";

/** The shortest time between announcements, in ms. */
const announceEveryMs = 3_000;

/** Parts of the chat around the runs. */
interface ShownAround {
  running: AgentRun | undefined;
  /** The time of the running run's last event, in ms since it started. */
  lastEventAt: number;
  waiting: string[];
  hasBegun: boolean;
  isAtEnd: boolean;
  /** For screen readers. */
  announcement: string;
}

const nothing = { running: undefined, lastEventAt: 0, waiting: [], hasBegun: false };
export const initiallyAround: ShownAround = { ...nothing, isAtEnd: true, announcement: "" };

interface RunLogOptions {
  head: ChatHead;
  host: ChatHost;
  formatter: ChatTextFormatter;
  log: HTMLElement;
  composer: Composer;
  showAround: (change: Partial<ShownAround>) => void;
}

export class RunLog {
  readonly #options: RunLogOptions;
  readonly #log: HTMLElement;
  readonly #composer: Composer;
  readonly #context: PageContext;
  readonly #scroller: Scroller;
  readonly #views = new Map<number, RunView>();
  #transcript: Transcript;
  #offers: ChatState["offers"] = {};
  /** The host's clock is ahead of the page's, in ms. */
  #clockOffset = 0;
  /** True after the past events: further events are new. */
  #isLive = false;
  #lastEventAt = 0;
  /** An answer in the current post; the view scrolls no further than its beginning. */
  #newAnswer: HTMLElement | undefined;
  #announcedAt = -Infinity;

  constructor(options: RunLogOptions) {
    const { head, log, composer, showAround } = options;
    this.#options = options;
    this.#log = log;
    this.#composer = composer;
    this.#context = this.#createContext();
    this.#transcript = emptyTranscript(head);
    this.#scroller = new Scroller({
      log,
      changed: (scroll) => save({ scroll }),
      moved: (isAtEnd) => showAround({ isAtEnd }),
    });
    handleStepKeys(log);
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** The host's clock, in epoch ms. */
  get now(): number {
    return Date.now() + this.#clockOffset;
  }

  showPost(post: ItemsPost<ChatItem>): Promise<void> {
    return runInSlices(this.#showPost(post));
  }

  showOffers(offers: ChatState["offers"]): void {
    const before = this.#offers;
    this.#offers = offers;
    for (const [run, view] of this.#views) {
      if (offers[run] !== before[run]) view.show({ offer: offers[run] });
    }
  }

  scrollToEnd(): void {
    this.#scroller.follow();
    this.#scroller.keepUp();
  }

  *#showPost({ isFirst, isUpToDate, items }: ItemsPost<ChatItem>): Generator<void> {
    if (isFirst) this.#begin();
    for (const item of items) {
      this.#scroller.pause();
      yield* this.#show(item);
      yield;
    }
    if (isUpToDate && !this.#isLive) {
      this.#isLive = true;
      this.#composer.settleSent();
    }
    const running = this.#transcript.runs.find(({ state }) => state === "running");
    this.#options.showAround({ running, lastEventAt: this.#lastEventAt });
    this.#scroller.keepUp(this.#newAnswer);
    this.#newAnswer = undefined;
    if (this.#isLive) this.#scroller.forget();
  }

  /** Drops all runs: they come again. */
  #begin(): void {
    this.#isLive = false;
    this.#transcript = emptyTranscript(this.#options.head);
    for (const { element } of this.#views.values()) element.remove();
    this.#views.clear();
    this.#scroller.restore((savedState() as Partial<SavedPage>).scroll ?? "end");
    this.#options.showAround(nothing);
  }

  *#show(item: ChatItem): Generator<void> {
    if (item.type === "clock") this.#clockOffset = item.now - Date.now();
    else if (item.type === "focusLastAnswer") this.#focusLastAnswer();
    else yield* this.#apply(item);
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
      this.#options.showAround({ waiting: this.#transcript.waiting });
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
        this.#showAnswer(listVersions(run), run);
      });
    } else {
      this.#log.append(view.element);
    }
    this.#scroller.watch(view.element);
    // A question that was sent while the past is still being shown comes after it.
    if (this.#isLive) this.#composer.taken();
    this.#lastEventAt = 0;
    this.#setRunning(run);
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
    const pressed = findFocusedVersionButton();
    this.#scroller.keepInPlace(hidden.element, shown.element, () => this.#showBranches());
    if (!this.#isLive) return;
    this.#scroller.release();
    if (pressed !== undefined) focusVersionButton(shown.element, pressed);
    this.#announce(shown.element.querySelector<HTMLElement>(".branches")?.innerText ?? "", true);
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
        if (run.branches) view.show({ question: this.#describeBranch(run.branches) });
      }
    }
    const focused = document.activeElement?.closest(".run");
    for (const view of this.#views.values()) {
      if (shown.has(view)) continue;
      view.element.remove();
      view.show({ isEditing: false });
    }
    // Branches are ends of the conversation, so what is missing comes last.
    for (const { element } of shown) if (!element.isConnected) this.#log.append(element);
    if (focused?.isConnected === false) this.#composer.focus();
  }

  /** Describes which version of an edited question is shown. */
  #describeBranch({ earlier, later }: NonNullable<AgentRun["branches"]>): ShownVersion {
    const { formatter, host } = this.#options;
    const [position, all] = [earlier.length + 1, earlier.length + 1 + later.length];
    const show = (run?: AgentRun) => run && (() => host.showBranch(run.id));
    return {
      text: l10n.t("Question {0} of {1}", formatter.count(position), formatter.count(all)),
      showEarlier: show(earlier.at(-1)?.[0]),
      showLater: show(later[0]?.[0]),
    };
  }

  /** Shows one of several answers to a question. */
  #showAnswer(versions: AgentRun[], shown: AgentRun): void {
    const { formatter } = this.#options;
    for (const { id } of versions) this.#views.get(id)!.element.hidden = id !== shown.id;
    const at = versions.indexOf(shown);
    const [position, all] = [formatter.count(at + 1), formatter.count(versions.length)];
    const show = (run?: AgentRun) => run && (() => this.#switchAnswer(versions, run));
    this.#views.get(shown.id)?.show({
      answer: {
        text: l10n.t("Answer {0} of {1}", position, all),
        showEarlier: show(versions[at - 1]),
        showLater: show(versions[at + 1]),
      },
    });
  }

  #switchAnswer(versions: AgentRun[], shown: AgentRun): void {
    const pressed = findFocusedVersionButton();
    this.#showAnswer(versions, shown);
    if (pressed !== undefined) focusVersionButton(this.#views.get(shown.id)!.element, pressed);
    this.#scroller.stay();
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
        if (step && this.#isLive) this.#announce(this.#options.formatter.step(step), false);
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
    if (this.#isLive) this.#announce(this.#options.formatter.outcome(run), true);
    this.#setRunning(undefined);
    view.update(run);
    yield* view.end(run, this.#offers[run.id]);
  }

  /** Only one run at a time: hides Ask Again during a run. */
  #setRunning(running: AgentRun | undefined): void {
    const leaves = running && document.activeElement?.closest(".retry, .run[hidden]");
    this.#options.showAround(running ? { running, hasBegun: true } : { running });
    if (leaves) this.#composer.focus();
  }

  #focusLastAnswer(): void {
    const shown = this.#log.querySelectorAll<HTMLElement>(
      ".run:not([hidden]) > .answer:not([hidden])",
    );
    const last = [...shown].at(-1);
    last?.focus({ preventScroll: true });
    last?.scrollIntoView({ block: "start" });
  }

  /** Tells screen readers; skips what comes too soon after the last unless it is `important`. */
  #announce(announcement: string, important: boolean): void {
    const now = performance.now();
    if (!important && now - this.#announcedAt < announceEveryMs) return;
    this.#announcedAt = now;
    this.#options.showAround({ announcement });
  }

  #createContext(): PageContext {
    const { formatter, host } = this.#options;
    const opened = { ...(savedState() as Partial<SavedPage>).opened };
    return {
      formatter,
      host,
      wasOpened: (step) => opened[step],
      isReadingBack: () => this.#isLive && !this.#scroller.follows,
      setOpened: (step, open) => {
        opened[step] = open;
        save({ opened });
        this.#scroller.stay();
      },
    };
  }
}
