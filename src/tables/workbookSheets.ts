// The names of a workbook's sheets, from the parts of its zip archive (PKWARE's APPNOTE 4.3, without ZIP64).
import { inflateRawSync } from "node:zlib";

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
/** The part that lists the sheets is in `xl`, or where else the program that wrote it likes. */
const workbookPart = /(?:^|\/)workbook\.xml$/;
/** The part with the relations from sheets to their parts. */
const relationsPart = /(?:^|\/)workbook\.xml\.rels$/;
/** In bytes, of each of these parts. */
const maxPartSize = 1_000_000;

/**
 * Returns the names of the sheets with cells: a chart may have a sheet of its own. Undefined if these bytes are no
 * workbook. Never throws.
 */
export function readSheetNames(file: Buffer): string[] | undefined {
  try {
    const part = readPart(file, workbookPart)?.toString("utf8");
    const charts = findCharts(readPart(file, relationsPart)?.toString("utf8") ?? "");
    const names = part?.split("<").flatMap((tag) => {
      if (!/^(?:\w+:)?sheet\s/.test(tag)) return [];
      const isChart = charts.has(readAttribute(tag, /\s\w+:id="([^"]*)"/) ?? "");
      return isChart ? [] : (readAttribute(tag, /\sname="([^"]*)"/) ?? []);
    });
    return names?.map(decodeXml);
  } catch {
    return undefined;
  }
}

/** The ids of the relations that lead to sheets without cells. */
function findCharts(relations: string): Set<string> {
  const tags = relations.split("<").filter((tag) => /^(?:\w+:)?Relationship\s/.test(tag));
  const charts = tags.filter((tag) => /\sType="[^"]*\/chartsheet"/.test(openingTag(tag)));
  return new Set(charts.flatMap((tag) => readAttribute(tag, /\sId="([^"]*)"/) ?? []));
}

/** The value of an attribute in what follows a "<"; not decoded. */
function readAttribute(tag: string, attribute: RegExp): string | undefined {
  return attribute.exec(openingTag(tag))?.[1];
}

function openingTag(tag: string): string {
  return tag.split(">", 1)[0] ?? "";
}

function readPart(file: Buffer, wanted: RegExp): Buffer | undefined {
  const end = file.lastIndexOf(Buffer.from("PK\x05\x06"));
  if (end < 0 || file.readUInt32LE(end) !== endSignature) return undefined;
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    if (file.readUInt32LE(at) !== entrySignature) return undefined;
    const nameLength = file.readUInt16LE(at + 28);
    const name = file.toString("utf8", at + 46, at + 46 + nameLength);
    if (wanted.test(name)) {
      const start = file.readUInt32LE(at + 42);
      const body = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28);
      const bytes = file.subarray(body, body + file.readUInt32LE(at + 20));
      if (bytes.length > maxPartSize) return undefined;
      const isStored = file.readUInt16LE(at + 10) === 0;
      return isStored ? bytes : inflateRawSync(bytes, { maxOutputLength: maxPartSize });
    }
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return undefined;
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeXml(text: string): string {
  return text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, inside: string) => {
    if (!inside.startsWith("#")) return entities[inside] ?? whole;
    const isHex = inside[1]?.toLowerCase() === "x";
    return String.fromCodePoint(Number.parseInt(inside.slice(isHex ? 2 : 1), isHex ? 16 : 10));
  });
}
