/** A text as a code block of Markdown, whatever it contains. `language` names the syntax. */
export function fenceText(text: string, language = ""): string {
  let length = 3;
  for (const [run] of text.matchAll(/`{3,}/g)) length = Math.max(length, run.length + 1);
  const fence = "`".repeat(length);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}
