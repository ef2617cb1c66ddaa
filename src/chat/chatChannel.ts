import { HostChannel } from "../shared/hostChannel.ts";
import type { ChatItem } from "./chatPage.ts";
import { trimForPage } from "./trimEvents.ts";
import { replay, type ChatEvent, type Transcript } from "./transcript.ts";

/** Posts a conversation's events to its page. */
export class ChatChannel extends HostChannel<ChatItem> {
  /** `getNow` is the clock by which the page counts, in epoch ms. */
  constructor(getTranscript: () => Transcript, getNow = () => Date.now()) {
    super(() => listItems(getTranscript(), getNow()));
  }

  appendEvent(event: ChatEvent): void {
    this.append(trimForPage(event));
  }
}

function* listItems(transcript: Transcript, now: number): Generator<ChatItem> {
  yield { type: "clock", now };
  for (const event of replay(transcript)) yield trimForPage(event);
}
