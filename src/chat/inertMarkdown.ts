// An answer's Markdown as a part of a document.
import { fenceText, nextFence } from "../shared/fenceText.ts";

/**
 * Returns Markdown from which a preview loads nothing: images and HTML become text, as in the chat. No block of it
 * continues after its end. Code blocks keep their content. If it is uncertain where one begins or ends, everything
 * becomes a code block.
 */
export function makeInert(markdown: string): string {
  let open: string | undefined;
  /** The number of spaces before the open fence. */
  let indent = 0;
  const lines: string[] = [];
  for (const line of markdown.split(/\r\n?|\n/)) {
    const isCode = open !== undefined;
    if (isCode ? mayEndOutside(line, indent) : mayBeginInside(line)) {
      return fenceText(markdown, "markdown");
    }
    open = nextFence(open, line);
    if (!isCode && open !== undefined) indent = countSpaces(line);
    lines.push(isCode ? line : escapeLoaded(line));
  }
  return [...lines, ...(open === undefined ? [] : [" ".repeat(indent) + open])].join("\n");
}

/** Whether a list or quote with the block may end here, or the block by a fence that only counts in it. */
function mayEndOutside(line: string, indent: number): boolean {
  if (indent === 0 || /^[ \t]*$/.test(line)) return false;
  return countSpaces(line) < indent || /^ {4,}(?:`{3}|~{3})/.test(line);
}

/** Whether a code block may begin inside of a list or quote, or be indented too far for one elsewhere. */
function mayBeginInside(line: string): boolean {
  const [, before = ""] = /^([\s>*+.)\d-]*)(?:`{3}|~{3})/.exec(line) ?? [];
  return !/^ {0,3}$/.test(before);
}

function countSpaces(line: string): number {
  return line.length - line.replace(/^ +/, "").length;
}

/** Not with a backslash before the sign, which one before it could escape. */
function escapeLoaded(line: string): string {
  return line.replace(/!(?=\[)/g, "!\\").replace(/<(?=[a-z/!?])/gi, "&lt;");
}
