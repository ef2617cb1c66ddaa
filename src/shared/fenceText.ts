/** A text as a code block of Markdown, whatever it contains. `language` names the syntax. */
export function fenceText(text: string, language = ""): string {
  let length = 3;
  for (const [run] of text.matchAll(/`{3,}/g)) length = Math.max(length, run.length + 1);
  const fence = "`".repeat(length);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

/** Returns the fence of the code block that is open after a line of Markdown; `open` is the one before the line. */
export function nextFence(open: string | undefined, line: string): string | undefined {
  // A line of backticks with another backtick after them is inline code, not a fence.
  const [, ticks, fence = ticks] = /^ {0,3}(?:(`{3,})[^`]*$|(~{3,}))/.exec(line) ?? [];
  if (open === undefined || fence === undefined) return open ?? fence;
  // Other white space than this does not end a block.
  return fence.startsWith(open) && /^ *([`~]+)[ \t]*$/.exec(line)?.[1] === fence ? undefined : open;
}
