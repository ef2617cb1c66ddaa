// Reads the answer of a statement while it arrives, as plain JSON or as JSON Lines (see streamSql).
import * as l10n from "@vscode/l10n";
import { AppError } from "../../mindsdb/errors.ts";
import { countValues } from "../../mindsdb/hasMoreValues.ts";
import { tooManyValues } from "../../mindsdb/http/httpResponse.ts";
import { UnreadableAnswer } from "../../mindsdb/sql/runSql.ts";
import { maxRowBytes } from "../rows/jsonRows.ts";
import { incomplete, JsonProblem, TooManyColumns } from "../rows/jsonScanner.ts";
import { maxColumns, type Row } from "../rows/row.ts";
import { ScannedChunks } from "../rows/scannedChunks.ts";

const byteOrderMark = Buffer.from("\ufeff");
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Characters of an answer that is not JSON, for the log. */
const maxBeginning = 4_000;

/** For all that an answer has beside its rows: an object for each column, or an error that repeats a long statement. */
const maxMemberValues = 200_000;
const maxMemberLength = 64 * 1024 ** 2;

/**
 * The input expected next: an object or a list of rows; a member of the object, or what follows it; a row or the end of its list;
 * a row; what follows a row.
 */
type State = "line" | "member" | "afterMember" | "firstRow" | "row" | "afterRow";

/** The parts of an answer that are complete. */
export class StatementRows {
  /** The answer without its rows: the members of its objects so far. */
  readonly members = new Map<string, unknown>();
  readonly #input = new ScannedChunks(byteOrderMark.length);
  readonly #scanner = this.#input.scanner;
  #state: State = "line";
  /** Whether the rows are the list `data` of an object. */
  #isInObject = false;
  #isFirst = true;
  #memberValues = 0;
  #memberLength = 0;

  constructor() {
    this.#scanner.maxNames = maxColumns;
  }

  /** The names of the columns, once the answer has come that far. */
  get columns(): string[] | undefined {
    const names = this.members.get("column_names");
    const isNamed = Array.isArray(names) && names.every((name) => typeof name === "string");
    return isNamed ? names : undefined;
  }

  /** Adds a chunk and returns the rows that it completes. Throws UnreadableAnswer and AppError "tooLarge". */
  push(chunk: Uint8Array): Row[] {
    return this.#input.add(chunk) ? this.#scan() : [];
  }

  /** Returns the rows that are left at the end. Throws like `push`. */
  end(): Row[] {
    return this.#scan();
  }

  /** Throws AppError "cutOff" if the answer has ended in the middle. */
  checkEnd(): void {
    if (this.#state === "line" && this.#input.left === 0) return;
    throw new AppError("cutOff", l10n.t("The server's response was cut off."));
  }

  #scan(): Row[] {
    this.#input.join();
    this.#skipByteOrderMark();
    const rows: Row[] = [];
    try {
      while (this.#step(rows));
    } catch (error) {
      if (error instanceof TooManyColumns) throw new AppError("tooLarge", error.message);
      if (!(error instanceof JsonProblem)) throw error;
      throw this.#unreadable(error);
    }
    this.#input.endScan();
    if (this.#input.left > maxRowBytes) {
      const limit = `${maxRowBytes / 1024 ** 2} MB`;
      throw new AppError("tooLarge", l10n.t("A row of the result is larger than {0}.", limit));
    }
    return rows;
  }

  #skipByteOrderMark(): void {
    const { bytes, end } = this.#scanner;
    if (!this.#isFirst || end < byteOrderMark.length) return;
    this.#isFirst = false;
    const isMarked = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    if (isMarked) this.#input.position = byteOrderMark.length;
  }

  /** Reads the next part; false if it needs more bytes. */
  #step(rows: Row[]): boolean {
    const scanner = this.#scanner;
    this.#input.position = scanner.space(this.#input.position);
    if (this.#input.position === scanner.end) return false;
    const byte = scanner.bytes[this.#input.position]!;
    const next = this.#input.position + 1;
    switch (this.#state) {
      case "line":
        if (byte === openBrace) return this.#go("member", next);
        if (byte === openBracket) return this.#go("firstRow", next);
        throw this.#unreadable();
      case "member":
        if (byte === closeBrace) return this.#go("line", next);
        return this.#member(byte);
      case "afterMember":
        if (byte === comma) return this.#go("member", next);
        if (byte === closeBrace) return this.#go("line", next);
        throw this.#unreadable();
      case "firstRow":
        if (byte === closeBracket) return this.#endRows(next);
        return this.#row(byte, rows);
      case "row":
        return this.#row(byte, rows);
      case "afterRow":
        if (byte === comma) return this.#go("row", next);
        if (byte === closeBracket) return this.#endRows(next);
        throw this.#unreadable();
    }
  }

  #go(state: State, position: number): true {
    this.#state = state;
    this.#input.position = position;
    return true;
  }

  #endRows(position: number): true {
    const state = this.#isInObject ? "afterMember" : "line";
    this.#isInObject = false;
    return this.#go(state, position);
  }

  #row(byte: number, rows: Row[]): boolean {
    if (byte !== openBracket) throw this.#unreadable();
    const row = this.#scanner.list(this.#input.position);
    if (!row) return false;
    rows.push(row);
    return this.#go("afterRow", row.end);
  }

  #member(byte: number): boolean {
    const scanner = this.#scanner;
    const { bytes } = scanner;
    if (byte !== quote) throw this.#unreadable();
    const nameStart = this.#input.position;
    const nameEnd = scanner.text(nameStart + 1);
    if (nameEnd === incomplete) return false;
    const colonAt = scanner.space(nameEnd);
    if (colonAt === scanner.end) return false;
    if (bytes[colonAt] !== colon) throw this.#unreadable();
    const start = scanner.space(colonAt + 1);
    if (start === scanner.end) return false;
    const name = JSON.parse(bytes.toString("utf8", nameStart, nameEnd)) as string;
    if (name === "data" && bytes[start] === openBracket) {
      this.#isInObject = true;
      return this.#go("firstRow", start + 1);
    }
    const end = scanner.value(start);
    if (end === incomplete) return false;
    this.members.set(name, this.#parseMember(bytes.toString("utf8", start, end)));
    return this.#go("afterMember", end);
  }

  /** Throws AppError "tooLarge" if an answer has too much beside its rows. */
  #parseMember(text: string): unknown {
    this.#memberLength += text.length;
    this.#memberValues += 1 + countValues(text, maxMemberValues);
    if (this.#memberValues > maxMemberValues) throw tooManyValues(maxMemberValues);
    if (this.#memberLength > maxMemberLength) {
      throw new AppError("tooLarge", l10n.t("The response is larger than {0}.", "64 MB"));
    }
    return JSON.parse(text);
  }

  #unreadable(cause?: unknown): UnreadableAnswer {
    const { bytes, end } = this.#scanner;
    const beginning = bytes.toString("utf8", 0, Math.min(end, maxBeginning));
    return new UnreadableAnswer(beginning, { cause });
  }
}
