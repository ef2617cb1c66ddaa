// The upload of a file: its bytes, or for JSON Lines the array that is made of them.
import * as l10n from "@vscode/l10n";
import { AppError, isAppError } from "../mindsdb/errors.ts";
import type { FileUpload } from "../mindsdb/files.ts";
import { byteOrderMark, toJsonArray } from "./jsonLines.ts";
import { transliterate } from "./transliterate.ts";

/** A file, wherever it is. `read` starts at the beginning each time. */
export interface SourceFile {
  name: string;
  /** In bytes. */
  size: number;
  /** Whether the bytes are UTF-8, whatever the file's own encoding is. */
  isText?: boolean;
  read(): AsyncIterable<Uint8Array>;
}

export const uploadEndings = ["csv", "tsv", "json", "jsonl", "ndjson", "xlsx", "parquet"];

/**
 * The upload of a file, with a byte order mark before UTF-8: servers guess the encoding of other text by its first 32 kB,
 * and read UTF-8 that is cut there within a character as cp1250, without a word (seen on 26.1.0 and 25.14.1). `onSent` is
 * told how many bytes of it were sent. Throws AppError "refused" for an empty file.
 */
export async function createUpload(
  file: SourceFile,
  onSent: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<FileUpload> {
  if (file.size === 0) throw new AppError("refused", l10n.t("{0} is empty.", file.name));
  const isLines = /\.(jsonl|ndjson)$/i.test(file.name);
  // An array has none, whatever the file of its lines begins with.
  const needsMark = file.isText === true && (isLines || !(await hasByteOrderMark(file)));
  const convert = async function* (): AsyncGenerator<Uint8Array> {
    if (needsMark) yield byteOrderMark;
    yield* isLines ? toJsonArray(file.read()) : file.read();
  };
  let length = file.size + (needsMark ? byteOrderMark.length : 0);
  if (isLines) {
    length = 0;
    for await (const chunk of convert()) {
      signal?.throwIfAborted();
      length += chunk.length;
    }
  }
  return {
    fileName: isLines ? file.name.replace(/\.(jsonl|ndjson)$/i, ".json") : file.name,
    length,
    async *read() {
      let sent = 0;
      onSent(0);
      for await (const chunk of convert()) {
        yield chunk;
        sent += chunk.length;
        onSent(sent);
      }
    },
  };
}

/** The beginning of a file: at least this many bytes, if it has as many. */
export async function readStart(file: SourceFile, minBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of file.read()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= minBytes) break;
  }
  return Buffer.concat(chunks);
}

async function hasByteOrderMark(file: SourceFile): Promise<boolean> {
  const { length } = byteOrderMark;
  return (await readStart(file, length)).subarray(0, length).equals(byteOrderMark);
}

/** Errors of the server's libraries about damaged files, and about workbooks with parts that they do not know. */
const unreadable =
  /^('list' object has no|list index out of range|'utf-8' codec can't encode|Expecting |Invalid control|Invalid \\\\|Unterminated |Excel file format|Could not open Parquet|File is not a zip|Bad CRC)/;

/** Errors of openpyxl, pandas, and expat about workbooks that spreadsheet programs may well open (seen on 26.1.0). */
const unreadableWorkbook =
  /^("?There is no item named|No such keys|Unable to read workbook|File contains no valid workbook|syntax error: line|not well-formed|mismatched tag|no element found|unclosed token|undefined entity)/;

/** Errors of Python's about text that is not JSON, and of pandas about rows that are no objects, or of CSV. */
const rowsErrors =
  /^(Error tokenizing |Error\.?$|Expecting |Invalid |Unterminated |'\w+' object has no attribute '(items|values)')/;

/**
 * Returns the error of an upload, for a file that the server cannot read in words about the file: it repeats those of its
 * libraries (seen on 26.1.0 and 25.14.1).
 */
export async function explainUploadError(error: unknown, file: SourceFile): Promise<unknown> {
  if (!isAppError(error, "refused", "serverFault")) return error;
  const { message, detail } = error;
  const { name: fileName } = file;
  if (rowsErrors.test(message)) {
    const { findRowsProblem } = await import("./jsonWarnings.ts");
    const sentence = await findRowsProblem(file);
    if (sentence !== undefined) return new AppError("refused", sentence, { detail });
  }
  if (message.startsWith("Extra data:")) {
    const sentence = l10n.t(
      "{0} contains more than one JSON value. If each line is a value, rename the file to end in .jsonl.",
      fileName,
    );
    return new AppError("refused", sentence, { detail });
  }
  const [, format] = /^Not supported format: (\w+)/.exec(message) ?? [];
  if (format !== undefined) {
    const sentence = l10n.t(
      "This server can't read .{0} files as tables. Save {1} as CSV, for example.",
      format,
      fileName,
    );
    return new AppError("refused", sentence, { detail });
  }
  const [, column] = /Conversion failed for column (.*) with type/.exec(message) ?? [];
  if (column !== undefined) {
    const sentence = l10n.t(
      "MindsDB can't store the column {0} of {1}: it mixes value types, such as numbers and text. Use one type.",
      column,
      fileName,
    );
    return new AppError("refused", sentence, { detail });
  }
  if (message.startsWith("Python int too large")) {
    const sentence = l10n.t(
      "{0} has a whole number that is too large for MindsDB. Write it as text.",
      fileName,
    );
    return new AppError("refused", sentence, { detail });
  }
  if (message.startsWith("Each column should have a unique")) {
    const sentence = l10n.t(
      "Two columns of {0} have the same name, or one has none. Spaces around names are ignored. Check that the first line contains the column names.",
      fileName,
    );
    return new AppError("refused", sentence, { detail });
  }
  if (/^'[\w.]+' object has no attribute 'strip'/.test(message)) {
    return new AppError("refused", describeNumberAsName(fileName), { detail });
  }
  if (
    /^(Can't find workbook in OLE2|Missing optional dependency 'xlrd'|Workbook is encrypted)/.test(
      message,
    )
  ) {
    const sentence = l10n.t(
      "{0} is protected with a password, or was made by an old version of Excel. Save it without a password, as .xlsx.",
      fileName,
    );
    return new AppError("refused", sentence, { detail });
  }
  if (message.startsWith("No columns to parse")) {
    return new AppError("refused", l10n.t("{0} has no columns.", fileName), { detail });
  }
  // xlrd gives no reason for damaged .xls files.
  const isXlrdError = /\.xls$/i.test(fileName) && /^Error\.?$/.test(message);
  if (isXlrdError || unreadableWorkbook.test(message)) {
    const sentence = l10n.t(
      "The server can't read the workbook {0}. Open it in a spreadsheet program, and save it again as .xlsx.",
      fileName,
    );
    return new AppError("refused", sentence, { detail });
  }
  if (unreadable.test(message)) {
    const sentence = l10n.t(
      "The server couldn't read {0}. The file is damaged, or its content doesn't match its extension.",
      fileName,
    );
    return new AppError("refused", sentence, { detail });
  }
  return error;
}

export function describeNumberAsName(fileName: string): string {
  return l10n.t(
    "The first row of {0} must name the columns, but one of its cells is a number or a date. Put names in the first row, as text.",
    fileName,
  );
}

/** A name for the table of a file: lower case, without what SQL needs quotes for. Empty if there is none to propose. */
export function proposeTableName(fileName: string): string {
  const name = transliterate(fileName.replace(/\.[^.]*$/, ""))
    ?.replace(/[\s.-]+/g, "_")
    .replace(/[^a-z0-9_]/g, "");
  if (!name || !/[a-z0-9]/.test(name)) return "";
  return /^[a-z_]/.test(name) ? name : `t_${name}`;
}

/** True for a name that servers and SQL read alike. */
export function isTableName(name: string): boolean {
  return /^(?!\d+$)[a-z0-9_]+$/.test(name);
}
