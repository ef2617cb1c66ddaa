// The editor of a saved run: the chat's page, which shows the run at once, or again in its own rhythm.
import * as vscode from "vscode";
import { formatTime } from "../../shared/host/formatTime.ts";
import type { PanelContent, PostToPage } from "../../shared/host/panels.ts";
import { eventMessage } from "../eventTexts.ts";
import type { ToHost, ToPage } from "../messages.ts";
import { formatFrame } from "../rawEvents.ts";
import { replaySavedRun, savedRunHead, type SavedRun } from "../savedRun.ts";
import { emptyTranscript, reduce, replay, type ChatEvent, type Transcript } from "../transcript.ts";
import { handleText, isTextMessage, type TextHandling } from "./textActions.ts";
import { createChatTexts } from "../chatTexts.ts";

export interface SavedRunPanelOptions extends TextHandling {
  saved: SavedRun;
  /** Identifies the run in the URIs of its texts. */
  chatId: string;
  title: string;
  post: PostToPage<ToPage>;
}

export class SavedRunPanel implements PanelContent<ToHost, ToPage> {
  readonly title: string;
  /** A file that is shown without its server. */
  readonly connectionId = undefined;
  readonly #options: SavedRunPanelOptions;
  readonly #events: ChatEvent[];
  #transcript: Transcript;
  /** The number of events that are shown. */
  #shown = 0;
  /** When the running replay began, by `performance.now()`. */
  #replayStart: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SavedRunPanelOptions) {
    this.#options = options;
    this.title = options.title;
    this.#events = [...replaySavedRun(options.saved)];
    this.#transcript = this.#createTranscript();
    this.#showUntil(Infinity);
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** The run's raw events, as they are shown of other runs; undefined if they were not saved. */
  get rawEvents(): string | undefined {
    return this.#options.saved.frames?.map(formatFrame).join("");
  }

  snapshot(): ToPage[] {
    return [
      this.#begin(),
      ...[...replay(this.#transcript)].map(eventMessage),
      { type: "upToDate" },
    ];
  }

  /** The page of a saved run has no controls for what needs an agent. */
  receive(message: ToHost): void {
    if (isTextMessage(message)) handleText(message, this.#transcript, this.#options);
    else if (message.type === "replay") this.#replay();
    else if (message.type === "stop") this.#showUntil(Infinity);
  }

  onClosed(): void {
    clearTimeout(this.#timer);
  }

  #createTranscript(): Transcript {
    const { chatId, saved } = this.#options;
    return emptyTranscript({ chatId, agent: savedRunHead(saved) });
  }

  #begin(): ToPage {
    const { saved, chatId } = this.#options;
    const startedAt = Date.parse(saved.startedAt);
    const isReplaying = this.#replayStart !== undefined;
    return {
      type: "begin",
      chatId,
      agent: this.#transcript.agent,
      texts: createChatTexts(),
      locale: vscode.env.language,
      // So that the page counts the seconds of a replay from the saved start.
      now: isReplaying ? startedAt + this.#elapsed() : Date.now(),
      saved: { origin: formatOrigin(saved, startedAt), isReplaying },
    };
  }

  #replay(): void {
    clearTimeout(this.#timer);
    this.#transcript = this.#createTranscript();
    this.#shown = 0;
    this.#replayStart = performance.now();
    this.#options.post(this.#begin());
    this.#options.post({ type: "upToDate" });
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
      this.#options.post(eventMessage(event));
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
