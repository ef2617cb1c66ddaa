import { isUtf8 } from "node:buffer";
import path from "node:path";
import { Readable } from "node:stream";
import * as vscode from "vscode";
import { AppError } from "../../mindsdb/errors.ts";
import { readFileChunks, readFileSize } from "./readFileChunks.ts";

/** VS Code decodes a file of another encoding as a whole. */
const maxDecodedBytes = 64 * 1024 * 1024;

/** A file whose text is read as UTF-8. */
interface Utf8File {
  /** False for a binary file, whose bytes are read as they are. */
  isText: boolean;
  /** Of what is read, in bytes. */
  size: number;
  /** Starts at the beginning each time. */
  read(signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

/**
 * Checks a whole file. One that is not UTF-8 is decoded as VS Code reads it: by the encoding that it was reopened with, its
 * byte order mark, or the setting `files.encoding`. Throws AppError "notUtf8", and what `readFileChunks` throws.
 */
export async function openUtf8File(uri: vscode.Uri, signal?: AbortSignal): Promise<Utf8File> {
  const encoding = findOpenEncoding(uri);
  const badLine = encoding ? 1 : await findNotUtf8Line(readFileChunks(uri, signal));
  if (badLine === undefined) {
    const size = await readFileSize(uri);
    return { isText: true, size, read: (reading) => readFileChunks(uri, reading) };
  }
  const bytes = await readWhole(uri, badLine, signal);
  const text = await decode(bytes, encoding ? { encoding } : { uri });
  if (text?.includes("\ufffd")) throw notUtf8(uri, badLine);
  // VS Code does not decode binary files.
  const whole = text === undefined ? bytes : Buffer.from(text);
  return { isText: text !== undefined, size: whole.length, read: () => Readable.from([whole]) };
}

/** Yields the bytes of a text file as UTF-8, once the whole is known to decode. Throws what `openUtf8File` throws. */
export async function* readUtf8Chunks(
  uri: vscode.Uri,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const file = await openUtf8File(uri, signal);
  yield* file.read(signal);
}

/**
 * The bytes of a text file as UTF-8, decoded as `readUtf8Chunks` does. The same bytes for a binary file; undefined for a
 * text that does not decode.
 */
export async function toUtf8(uri: vscode.Uri, bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const encoding = findOpenEncoding(uri);
  if (!encoding && isUtf8(bytes) && !hasZero(bytes)) return bytes;
  const text = await decode(bytes, encoding ? { encoding } : { uri });
  if (text === undefined) return bytes;
  return text.includes("\ufffd") ? undefined : Buffer.from(text);
}

/** The encoding of an open editor, if the user has chosen another one than UTF-8. */
function findOpenEncoding(uri: vscode.Uri): string | undefined {
  const document = vscode.workspace.textDocuments.find(
    (open) => open.uri.toString() === uri.toString(),
  );
  return document?.encoding.startsWith("utf8") ? undefined : document?.encoding;
}

/** VS Code looks at so many bytes to tell UTF-16 and binary files. */
const headBytes = 512;

/** UTF-16 without a byte order mark is UTF-8 as well, if all letters are ASCII. */
function hasZero(bytes: Uint8Array): boolean {
  return bytes.subarray(0, headBytes).includes(0);
}

/** The number of the first line with bytes that are not UTF-8 text, counted from 1; undefined if there is none. */
async function findNotUtf8Line(chunks: AsyncIterable<Uint8Array>): Promise<number | undefined> {
  let line = 1;
  let rest: Uint8Array = Buffer.alloc(0);
  const find = (bytes: Buffer): number | undefined => {
    if (isUtf8(bytes)) {
      line += countLineFeeds(bytes);
      return undefined;
    }
    for (let start = 0; start < bytes.length; line++) {
      const found = bytes.indexOf(lineFeed, start) + 1;
      const end = found > 0 ? found : bytes.length;
      if (!isUtf8(bytes.subarray(start, end))) return line;
      start = end;
    }
    return line;
  };
  let isHead = true;
  for await (const chunk of chunks) {
    if (isHead && hasZero(chunk)) return line;
    isHead = false;
    const bytes = Buffer.concat([rest, chunk]);
    const end = findCharacterEnd(bytes);
    rest = bytes.subarray(end);
    const bad = find(bytes.subarray(0, end));
    if (bad !== undefined) return bad;
  }
  return find(Buffer.from(rest));
}

const lineFeed = 0x0a;

function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count++;
  return count;
}

/** Where the last character starts, which may be cut, or the end if it is ASCII. */
function findCharacterEnd(bytes: Buffer): number {
  const maxCharacterBytes = 4;
  for (let at = bytes.length - 1; at >= bytes.length - maxCharacterBytes && at >= 0; at--) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return at;
  }
  return bytes.length;
}

async function readWhole(
  uri: vscode.Uri,
  badLine: number,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of readFileChunks(uri, signal)) {
    length += chunk.length;
    if (length > maxDecodedBytes) throw notUtf8(uri, badLine);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function decode(
  bytes: Uint8Array,
  by: { encoding: string } | { uri: vscode.Uri },
): Promise<string | undefined> {
  try {
    return "uri" in by
      ? await vscode.workspace.decode(bytes, by)
      : await vscode.workspace.decode(bytes, by);
  } catch {
    return "uri" in by ? decodeUtf16(bytes, by.uri) : undefined;
  }
}

/** UTF-16 of other letters than ASCII looks binary to VS Code, whatever the setting is. */
function decodeUtf16(bytes: Uint8Array, uri: vscode.Uri): string | undefined {
  const setting = vscode.workspace.getConfiguration("files", uri).get<string>("encoding");
  const encoding = setting && /^utf16[lb]e$/.test(setting) ? setting.replace("16", "-16") : "";
  if (encoding === "") return undefined;
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    // No text contains it: the file is binary.
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function notUtf8(uri: vscode.Uri, line: number): AppError {
  return new AppError(
    "notUtf8",
    vscode.l10n.t(
      "{0}, line {1}: this is not UTF-8. Reopen the file with its encoding, or save it as UTF-8.",
      path.posix.basename(uri.path),
      line,
    ),
    { uri: uri.toString() },
  );
}
