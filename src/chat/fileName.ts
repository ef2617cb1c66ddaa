import { sliceText } from "../mindsdb/cutText.ts";

const maxLength = 40;

/** Makes a name or a question safe for a path; a long one ends with a whole word. */
export function toFileName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N} _-]/gu, "_");
  if (safe.length <= maxLength) return safe;
  const wordEnd = safe.lastIndexOf(" ", maxLength);
  return sliceText(safe, wordEnd > 0 ? wordEnd : maxLength);
}
