// Texts of confirmation dialogs. Names from servers are escaped: they cannot hide text or imitate the dialog's own.
import { escapeInvisible, plainLabel } from "./oneLine.ts";

/** One paragraph, or several; those with several lines are arrays. A name in a line cannot begin another one. */
export type Paragraphs = string | readonly (string | readonly string[])[];

/** Larger dialogs do not fit on a screen. */
const maxLength = 3_000;
const maxLines = 40;
const maxMessageLength = 400;
/** Longer lines would have to be scrolled. VS Code draws the first 10,000 characters of a line only. */
const maxLineLength = 120;

/** The text of paragraphs, each line as VS Code shows it. */
export function joinParagraphs(paragraphs: Paragraphs): string {
  return [paragraphs]
    .flat()
    .map((lines) => [lines].flat().map((line) => plainLabel(line)))
    .filter((lines) => lines.some((line) => line !== ""))
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

/** The text of paragraphs in one line, which is all that VS Code's input boxes show: a dot separates what has no end mark. */
export function joinInLine(paragraphs: Paragraphs): string {
  return [paragraphs]
    .flat()
    .map((lines) =>
      [lines]
        .flat()
        .map((line) => plainLabel(line))
        .join(" "),
    )
    .filter((paragraph) => paragraph !== "")
    .map((paragraph, at, all) => {
      if (at === all.length - 1) return paragraph;
      return /[.!?:…]$/.test(paragraph) ? `${paragraph} ` : `${paragraph} · `;
    })
    .join("");
}

/** Whether all of a dialog can be seen at once. */
export function fitsDialog(message: string, detail: Paragraphs): boolean {
  const text = joinParagraphs(detail);
  return (
    plainLabel(message).length <= maxMessageLength &&
    text.length <= maxLength &&
    text.split("\n").length <= maxLines
  );
}

/** The text as an editor shows all of it: in lines that need no scrolling, and with what is invisible. */
export function toReadableLines(text: string): string {
  const lines: string[] = [];
  for (const line of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    // Many spaces and empty lines would move what follows them out of sight.
    const shown = escapeInvisible(line.replaceAll("\t", "  ").trimEnd()).replace(/ {40,}/g, " … ");
    if (shown === "" && lines.at(-1) === "") continue;
    for (const part of cutIntoLines(shown)) lines.push(part);
  }
  return lines.join("\n");
}

function cutIntoLines(line: string): string[] {
  const count = Math.max(1, Math.ceil(line.length / maxLineLength));
  return Array.from({ length: count }, (_, at) =>
    line.slice(at * maxLineLength, (at + 1) * maxLineLength),
  );
}
