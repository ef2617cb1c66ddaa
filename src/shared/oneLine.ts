// Shortens texts for places with little room.
import { sliceText } from "../mindsdb/cutText.ts";

/** The text in one line, truncated to `maxLength` characters. */
export function oneLine(text: string, maxLength = Infinity): string {
  return truncate(text.trim().replace(/\s+/g, " "), maxLength);
}

/**
 * The text in one line, with a visible character for each control character and each one that changes the direction of
 * what follows: a terminal or a label obeys them.
 */
export function visibleLine(text: string, maxLength: number): string {
  // The rest cannot be seen, and replacing in it takes time.
  const start = text.slice(0, 10 * maxLength);
  return oneLine(start, maxLength).replace(
    /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    "\uFFFD",
  );
}

/** The text truncated to `maxLength` characters. */
export function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${sliceText(text, maxLength - 1).trimEnd()}…`;
}

/** The text in one line for labels where VS Code would draw "$(name)" as an icon. */
export function plainLabel(text: string, maxLength = Infinity): string {
  return oneLine(text, maxLength).replaceAll("$(", "$\u200B(");
}
