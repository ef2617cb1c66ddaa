/** Whether js-yaml, which promptfoo uses, refuses a text because of a control character or half a surrogate pair. */
export function hasUnprintable(text: string): boolean {
  return /(?![\t\n\r\x85])\p{Cc}|[\uFFFE\uFFFF]|\p{Cs}/u.test(text);
}
