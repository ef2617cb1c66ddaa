// The editor of a saved run: the chat's page, which shows the run at once, or again in its own rhythm.
import * as vscode from "vscode";
import { formatTime } from "../../shared/host/formatTime.ts";
import type { Page } from "../../shared/host/pages.ts";
import { HostState } from "../../shared/hostState.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { ChatChannel } from "../chatChannel.ts";
import type { ChatState, SavedRunCalls } from "../chatPage.ts";
import { formatFrame } from "../rawEvents.ts";
import { replaySavedRun, savedRunHead, type SavedRun } from "../savedRun.ts";
import { emptyTranscript, reduce, type ChatEvent, type Transcript } from "../transcript.ts";
import { createTextHandlers, type TextHandling } from "./textActions.ts";

export interface SavedRunPanelOptions extends TextHandling {
  saved: SavedRun;
  /** Identifies the run in the URIs of its texts. */
  chatId: string;
  title: string;
}

export class SavedRunPanel implements Page<SavedRunCalls> {
  readonly title: string;
  /** A file that is shown without its server. */
  readonly connectionId = undefined;
  readonly state: HostState<ChatState>;
  readonly channel = new ChatChannel(
    () => this.#transcript,
    () => this.#now(),
  );
  readonly handlers: Handlers<SavedRunCalls>;
  readonly #options: SavedRunPanelOptions;
  readonly #events: ChatEvent[];
  readonly #startedAt: number;
  #transcript: Transcript;
  /** The number of events that are shown. */
  #shown = 0;
  /** When the running replay began, by `performance.now()`. */
  #replayStart: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SavedRunPanelOptions) {
    const { saved, chatId, title } = options;
    this.#options = options;
    this.title = title;
    this.#startedAt = Date.parse(saved.startedAt);
    this.#events = [...replaySavedRun(saved)];
    this.#transcript = this.#createTranscript();
    this.state = new HostState<ChatState>({
      chatId,
      agent: this.#transcript.agent,
      suggestions: [],
      offers: {},
      saved: { origin: formatOrigin(saved, this.#startedAt) },
    });
    this.handlers = {
      ...createTextHandlers(() => this.#transcript, options),
      replay: () => this.#replay(),
      stop: () => this.#showUntil(Infinity),
    };
    this.#showUntil(Infinity);
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** The run's raw events, as they are shown of other runs; undefined if they were not saved. */
  get rawEvents(): string | undefined {
    return this.#options.saved.frames?.map(formatFrame).join("");
  }

  onClosed(): void {
    clearTimeout(this.#timer);
  }

  #createTranscript(): Transcript {
    const { chatId, saved } = this.#options;
    return emptyTranscript({ chatId, agent: savedRunHead(saved) });
  }

  /** The page counts the seconds of a replay from the saved start. */
  #now(): number {
    return this.#replayStart === undefined ? Date.now() : this.#startedAt + this.#elapsed();
  }

  #replay(): void {
    clearTimeout(this.#timer);
    this.#transcript = this.#createTranscript();
    this.#shown = 0;
    this.#replayStart = performance.now();
    this.channel.restart();
    this.#continue();
  }

  #continue(): void {
    this.#showUntil(this.#elapsed());
    const next = this.#events[this.#shown];
    if (next) this.#timer = setTimeout(() => this.#continue(), getTime(next) - this.#elapsed());
  }

  #elapsed(): number {
    return this.#replayStart === undefined ? 0 : performance.now() - this.#replayStart;
  }

  /** Shows all events until this time, in ms since the run started. */
  #showUntil(time: number): void {
    clearTimeout(this.#timer);
    for (;;) {
      const event = this.#events[this.#shown];
      if (!event || getTime(event) > time) break;
      this.#shown++;
      reduce(this.#transcript, event);
      this.channel.appendEvent(event);
    }
    if (this.#shown === this.#events.length) this.#replayStart = undefined;
  }
}

function getTime(event: ChatEvent): number {
  return "at" in event ? event.at : 0;
}

function formatOrigin({ agent, server }: SavedRun, startedAt: number): string {
  return [
    vscode.l10n.t("Saved run"),
    vscode.l10n.t("{0} on {1}", agent.project, server.connection),
    ...(server.version === undefined ? [] : [`MindsDB ${server.version}`]),
    formatTime(startedAt),
  ].join(" · ");
}
