// Shortens texts without leaving half of a surrogate pair.

/** Returns the first `maxLength` characters. */
export function sliceText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "");
}

/** Returns at most `maxLength` characters; `…` says that there were more (redaction looks for half a secret there). */
export function cutOff(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${sliceText(text, maxLength - 1)}…`;
}
