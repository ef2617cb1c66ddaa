// The names of a workbook's sheets, from the parts of its zip archive (PKWARE's APPNOTE 4.3, without ZIP64).
import { inflateRawSync } from "node:zlib";

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const workbookPart = "xl/workbook.xml";
/** In bytes, of the part that lists the sheets. */
const maxPartSize = 1_000_000;

/** Returns the names of the sheets; undefined if these bytes are no workbook. Never throws. */
export function readSheetNames(file: Buffer): string[] | undefined {
  try {
    const part = readPart(file, workbookPart)?.toString("utf8");
    const names = part?.split("<").flatMap((tag) => findSheetName(tag) ?? []);
    return names?.map(decodeXml);
  } catch {
    return undefined;
  }
}

/** The name in what follows a "<", if that is the tag of a sheet; not decoded. */
function findSheetName(tag: string): string | undefined {
  if (!/^(?:\w+:)?sheet\s/.test(tag)) return undefined;
  return /\sname="([^"]*)"/.exec(tag.split(">", 1)[0] ?? "")?.[1];
}

function readPart(file: Buffer, wanted: string): Buffer | undefined {
  const end = file.lastIndexOf(Buffer.from("PK\x05\x06"));
  if (end < 0 || file.readUInt32LE(end) !== endSignature) return undefined;
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    if (file.readUInt32LE(at) !== entrySignature) return undefined;
    const nameLength = file.readUInt16LE(at + 28);
    const name = file.toString("utf8", at + 46, at + 46 + nameLength);
    if (name === wanted) {
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
