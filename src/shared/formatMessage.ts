// Sentences with places in them for values: pages get them translated, and say them when the values are known.

/** Puts the values in place of `{0}` and `{1}`. */
export function formatMessage(text: string, ...values: readonly string[]): string {
  return text.replace(/\{(\d)\}/g, (_, index: string) => values[Number(index)] ?? "");
}
