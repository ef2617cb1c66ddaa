// Zip archives (PKWARE's APPNOTE 4.3) for tests, such as workbooks.
import { crc32, deflateRawSync } from "node:zlib";

/** An archive of texts by their names. */
export function zipArchive(
  parts: readonly (readonly [name: string, text: string])[],
  { isStored = false } = {},
): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let start = 0;
  for (const [name, text] of parts) {
    const content = Buffer.from(text);
    const data = isStored ? content : deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(isStored ? 0 : 8, 10);
    entry.writeUInt32LE(crc32(content), 16);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(start, 42);
    locals.push(local, Buffer.from(name), data);
    entries.push(entry, Buffer.from(name));
    start += local.length + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(
    entries.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(start, 16);
  return Buffer.concat([...locals, ...entries, end]);
}
