// Bytes of a server-sent event stream to frames: the text of each event's `data`.
import * as l10n from "@vscode/l10n";
import { createParser } from "eventsource-parser";
import { AppError } from "../errors.ts";

/** The longest `data` of one event, in characters; real servers escape to ASCII, so there these are bytes. */
export const maxFrameLength = 32 * 1024 * 1024;

// The parser counts what it holds back, the field's name included.
const maxBufferSize = maxFrameLength + "data: ".length;

/** Takes a stream's bytes in any pieces; what they complete goes to the `onFrame` it was made with. */
export interface FrameParser {
  /** Throws AppError "tooLarge" once an event is over the limit, after the frames before it were handed on. */
  feed(bytes: Uint8Array): void;
  /** The stream has closed: an event that lacks its blank line, or the end of its text, is handed on as it is. */
  finish(): void;
}

/** A parser for one stream. */
export function createFrameParser(onFrame: (data: string) => void): FrameParser {
  // The byte order mark is left to the parser: two decoders would take two away.
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
