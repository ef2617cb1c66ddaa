// Shortens texts for places with little room.

/** The text in one line, truncated to `maxLength` characters. */
export function oneLine(text: string, maxLength = Infinity): string {
  return truncate(text.trim().replace(/\s+/g, " "), maxLength);
}

/** The text truncated to `maxLength` characters. */
export function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Do not split a surrogate pair.
  return `${text
    .slice(0, maxLength - 1)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}…`;
}

/** The text in one line for labels where VS Code would draw "$(name)" as an icon. */
export function plainLabel(text: string, maxLength: number): string {
  return oneLine(text, maxLength).replaceAll("$(", "$\u200B(");
}
