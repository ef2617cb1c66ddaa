// Fills values into translated texts.

/** Replaces `{0}`, `{1}`, … with the values. */
export function formatMessage(text: string, ...values: readonly string[]): string {
  return text.replace(/\{(\d)\}/g, (_, index: string) => values[Number(index)] ?? "");
}
