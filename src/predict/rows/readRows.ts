import * as l10n from "@vscode/l10n";
import { isUtf8 } from "node:buffer";
import { savedRunEnding } from "../../shared/savedRunEnding.ts";
import { CsvRows } from "./csvRows.ts";
import { RowsError } from "./row.ts";
import type { Row } from "./row.ts";
import { JsonRows, type RowReader } from "./jsonRows.ts";
import type { RowTotal } from "./rowTotal.ts";

export type RowsFormat = "json" | "jsonLines" | "csv";

const formats = new Map<string, RowsFormat>([
  ["json", "json"],
  ["jsonl", "jsonLines"],
  ["ndjson", "jsonLines"],
  ["csv", "csv"],
  ["tsv", "csv"],
]);

/** The file name endings that stand for rows, without the dot. */
export const rowsFileEndings: readonly string[] = [...formats.keys()];

/** Matches rows files in a workspace, as VS Code's glob patterns. */
export const rowsFileGlob = `**/*.{${rowsFileEndings.join(",")}}`;

/** The format of a rows file by its name, in any case; undefined for other files, like saved runs of agents. */
export function detectRowsFormat(fileName: string): RowsFormat | undefined {
  if (fileName.toLowerCase().endsWith(savedRunEnding)) return undefined;
  const ending = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase();
  return ending === undefined ? undefined : formats.get(ending);
}

/** Larger chunks are read in pieces of this size, so that rows come a few thousand at a time. */
const maxPieceBytes = 128 * 1024;

/**
 * Yields the rows of a file in its order, some thousands at a time. Throws RowsError at the first problem, after the
 * rows before it, and for a file without rows. Leaving the iteration early closes `chunks`. Counts rows and bytes in
 * `total` before the rows are yielded.
 */
export async function* readRows(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  format: RowsFormat,
  total?: RowTotal,
): AsyncGenerator<Row[]> {
  const reader: RowReader =
    format === "csv"
      ? new CsvRows()
      : new JsonRows({ lines: format === "jsonLines", skipsBlank: true });
  let isEmpty = true;
  let bytes = 0;
  for await (const { rows, read } of pushPieces(chunks, reader)) {
    bytes += read;
    if (total) {
      total.blankRows = reader.blankRows;
      total.nullMarks = reader.nullMarks ?? 0;
      total.listName = reader.listName;
    }
    if (rows.length > 0) {
      isEmpty = false;
      total?.add(rows.length, bytes);
      yield rows;
    }
    if (reader.problem) throw reader.problem;
  }
  if (isEmpty) throw new RowsError("empty", noRows[format]);
  total?.end();
}

/** Yields the rows that each piece completes, with its length, and those at the end of the file. */
async function* pushPieces(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  reader: RowReader,
): AsyncGenerator<{ rows: Row[]; read: number }> {
  for await (const piece of textPieces(chunks)) {
    yield { rows: reader.push(piece), read: piece.byteLength };
  }
  yield { rows: reader.end(), read: 0 };
}

const noRows: Record<RowsFormat, string> = {
  json: l10n.t("The file has no rows. Write them as a list: [{…}, {…}]."),
  jsonLines: l10n.t("The file has no rows. Each line is a row: {…}."),
  csv: l10n.t("The file has no rows. Each line below the header is a row."),
};

/** The rows of bytes that are in memory. Throws RowsError. */
export function parseRows(bytes: Uint8Array): Row[] {
  const reader = new JsonRows();
  const rows = reader.push(bytes).concat(reader.end());
  if (reader.problem) throw reader.problem;
  return rows;
}

/** How many bytes it takes to tell text from other files. */
const headBytes = 512;

/**
 * Yields the bytes in pieces of at most `maxPieceBytes`, without a byte order mark. Throws RowsError if the first ones are
 * not UTF-8.
 */
async function* textPieces(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (!head) {
      yield* splitPieces(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < headBytes) continue;
    yield* splitPieces(removeByteOrderMark(head));
    head = undefined;
  }
  if (head) yield* splitPieces(removeByteOrderMark(head));
}

function* splitPieces(chunk: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < chunk.byteLength; start += maxPieceBytes) {
    yield chunk.subarray(start, start + maxPieceBytes);
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

function removeByteOrderMark(head: Buffer): Buffer {
  const problem = explainNotText(head.subarray(0, headBytes));
  if (problem) throw new RowsError("notText", problem);
  let text = head;
  // Programs that add a mark to files that have one leave two.
  while (startsWith(text, byteOrderMark)) text = text.subarray(byteOrderMark.length);
  return text;
}

/** The first bytes of files that users mistake for rows files. */
const otherFormats: [string, string][] = [
  ["PK\x03\x04", l10n.t("This is a zip archive or an Excel workbook. Save the table as CSV.")],
  [
    "\xd0\xcf\x11\xe0",
    l10n.t("This is a zip archive or an Excel workbook. Save the table as CSV."),
  ],
  ["\x1f\x8b", l10n.t("This is a gzip archive. Unpack it first.")],
  ["PAR1", l10n.t("This is a Parquet file. Convert it to JSON Lines or CSV.")],
  ["\xff\xfe", l10n.t("This text is UTF-16. Save the file as UTF-8.")],
  ["\xfe\xff", l10n.t("This text is UTF-16. Save the file as UTF-8.")],
];

function explainNotText(head: Buffer): string | undefined {
  const known = otherFormats.find(([start]) => startsWith(head, Buffer.from(start, "latin1")));
  if (known) return known[1];
  const zeros = head.filter((byte) => byte === 0).length;
  if (zeros === 0) return undefined;
  // UTF-16 without a byte order mark: every other byte of Western text is 0.
  const isUtf16 = zeros > head.length / 4 && isUtf8(head.filter((byte) => byte !== 0));
  if (isUtf16) return l10n.t("This text is UTF-16. Save the file as UTF-8.");
  return l10n.t("This is a binary file. Use JSON, JSON Lines, or CSV.");
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}
