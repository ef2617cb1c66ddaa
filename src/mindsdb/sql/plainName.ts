import { sqlKeywords } from "./sqlKeywords.ts";

/**
 * Returns the closest name that SQL accepts without quotes. Real servers keep a name's case over HTTP but look it up
 * exactly, while SQL lower-cases it: only lower-case names are found by both (seen on 26.1.0 and 25.14.1). `suffix` is
 * added to a keyword.
 */
export function toPlainName(name: string, suffix: string): string {
  const plain = name
    .trim()
    // Separates accents from their letters.
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\s.-]+/g, "_")
    .replace(/[^a-z0-9_]/g, "")
    // A number, where any other name may begin with digits.
    .replace(/^[0-9]+$/, "");
  return sqlKeywords.includes(plain) ? `${plain}_${suffix}` : plain;
}
