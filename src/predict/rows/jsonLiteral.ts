// Values as JSON writes them. The page uses this too: no Node here.

/** As people read it: a text without its quotes and escapes, anything else as it is written. */
export function parseStringLiteral(written: string): string {
  if (!written.startsWith('"')) return written;
  if (!written.includes("\\") && written.length > 1) return written.slice(1, -1);
  try {
    return JSON.parse(written) as string;
  } catch {
    return written;
  }
}

/** As a number, also where it is a text (CSV); NaN if it is none. */
export function parseNumberLiteral(written: string): number {
  const text = parseStringLiteral(written).trim();
  return text === "" ? NaN : Number(text);
}

/** Whether there is no value: none at all, null, or an empty text. */
export function isNullLiteral(written: string | undefined): written is undefined {
  return written === undefined || written === "null" || written === '""';
}
