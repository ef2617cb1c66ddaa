const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** The last character of Unicode. */
const maxCode = 0x10ffff;

/** A text of XML without its character references. */
export function decodeXml(text: string): string {
  return text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, inside: string) => {
    if (!inside.startsWith("#")) return entities[inside] ?? whole;
    const isHex = inside[1]?.toLowerCase() === "x";
    const code = Number.parseInt(inside.slice(isHex ? 2 : 1), isHex ? 16 : 10);
    return code <= maxCode ? String.fromCodePoint(code) : whole;
  });
}
