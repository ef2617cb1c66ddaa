// Parses the bytes of a server-sent event stream into frames: the `data` of each event.
import * as l10n from "@vscode/l10n";
import { createParser } from "eventsource-parser";
import { AppError } from "../errors.ts";

/** The longest `data` of one event, in characters; real servers escape to ASCII, so there these are bytes. */
export const maxFrameLength = 32 * 1024 * 1024;

// The parser's limit includes the field name.
const maxBufferSize = maxFrameLength + "data: ".length;

/** Parses a stream from chunks of any size, and calls `onFrame` for each complete frame. */
interface FrameParser {
  /** Throws AppError "tooLarge" for an event over the limit, after delivering the frames before it. */
  feed(bytes: Uint8Array): void;
  /** Call at the end of the stream: delivers the last event even if it is incomplete. */
  finish(): void;
}

export function createFrameParser(onFrame: (data: string) => void): FrameParser {
  // The parser removes the byte order mark.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let tooLarge = false;
  const parser = createParser({
    maxBufferSize,
    onEvent({ data }) {
      if (data.length > maxFrameLength) tooLarge = true;
      if (!tooLarge) onFrame(data);
    },
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") tooLarge = true;
    },
  });

  function parse(text: string): void {
    if (!tooLarge) parser.feed(text);
    if (tooLarge) {
      throw new AppError("tooLarge", l10n.t("The agent sent a single step of more than 32 MB."));
    }
  }

  return {
    feed: (bytes) => parse(decoder.decode(bytes, { stream: true })),
    finish: () => parse(decoder.decode() + "\n\n"),
  };
}
