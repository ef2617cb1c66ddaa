// Shortens texts for places with little room.

/** The text in one line, truncated to `longest` characters. */
export function oneLine(text: string, longest = Infinity): string {
  return truncate(text.trim().replace(/\s+/g, " "), longest);
}

/** The text truncated to `longest` characters. */
export function truncate(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // Do not split a surrogate pair.
  return `${text
    .slice(0, longest - 1)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}…`;
}

/** The text in one line for labels where VS Code would draw "$(name)" as an icon. */
export function plainLabel(text: string, longest: number): string {
  return oneLine(text, longest).replaceAll("$(", "$\u200B(");
}
