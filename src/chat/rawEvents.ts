// The text form of a run's raw events: like the stream's body, with the time of each event as a comment.

/** The data of an event of the stream, redacted. */
export interface TimedFrame {
  /** When it arrived, in ms since the run started. */
  at: number;
  data: string;
}

/** Formats an event like the server does: a `data:` line for each line. */
export function formatFrame({ at, data }: TimedFrame): string {
  return `: ${String(Math.round(at))} ms\ndata: ${data.replaceAll("\n", "\ndata: ")}\n\n`;
}

/** Returns the events of a text; undefined if it was cut, or has no times, as those of older versions. */
export function parseFrames(text: string): TimedFrame[] | undefined {
  const frames: TimedFrame[] = [];
  for (const event of text.split("\n\n")) {
    if (event === "") continue;
    const [comment = "", ...lines] = event.split("\n");
    const [, at] = /^: (\d{1,12}) ms$/.exec(comment) ?? [];
    if (at === undefined || !lines.every((line) => line.startsWith("data: "))) return undefined;
    frames.push({ at: Number(at), data: lines.map((line) => line.slice(6)).join("\n") });
  }
  return frames;
}
