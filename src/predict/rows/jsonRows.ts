import * as l10n from "@vscode/l10n";
import { isUtf8 } from "node:buffer";
import { joinNames } from "../../shared/joinNames.ts";
import { JsonProblem, JsonScanner, commaOr, incomplete, noComments, slash } from "./jsonScanner.ts";
import { quoteName } from "./rowNotes.ts";
import { ScannedChunks } from "./scannedChunks.ts";
import { RowsError, countCharacters, maxColumns, readTextAt, rowBytes, rowPlace } from "./row.ts";
import type { RowPlace, Row, RowsProblem } from "./row.ts";

/** Reads the rows of a file from its chunks. Returns no rows after a problem. */
export interface RowReader {
  /** Adds a chunk and returns the rows that it completes. */
  push(chunk: Uint8Array): Row[];
  /** Returns the remaining rows at the end of the file. */
  end(): Row[];
  /** The first problem. Rows that were returned before are valid. */
  readonly problem: RowsError | undefined;
  /** Rows without any value that were left out. */
  readonly blankRows: number;
  /** Cells that are written as \N and read as null. */
  readonly nullMarks?: number;
  /** The member whose list the rows are, if it is not "data". */
  readonly listName?: string | undefined;
}

/** A row has to be in memory as a whole. */
export const maxRowBytes = 64 * 1024 * 1024;

/** Bytes of an object that are read before it is decided which of its lists has the rows. */
const decisionBytes = 1024 * 1024;

/** A list of objects in the object around the rows. */
interface ListMember {
  name: string;
  /** The position after the opening bracket. */
  position: number;
  line: number;
  lineStart: number;
}

/** The members of an object, as far as its bytes are there. */
interface ObjectMembers {
  /** The position after the object, or of what is not JSON; `incomplete` if the bytes end before. */
  end: number;
  /** The list under "data". Members after it are not read. */
  data: ListMember | undefined;
  lists: ListMember[];
  /** Where the first two values start. */
  firstValues: number[];
  /** Whether all values are objects. */
  hasOnlyObjects: boolean;
  /** Whether all values are lists of texts, numbers, or other simple values. */
  hasOnlyColumns: boolean;
  /** Whether a value is an object or an empty list, where rows may be missed. */
  mayHideRows: boolean;
}

const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;
const letterN = 0x6e;
const space = 0x20;
const tilde = 0x7e;

/**
 * The input expected next, in the order of the names: anything; a member of the object around the list; the first row
 * of a list or its end; a row; a comma or the end of the list; the end of the file; a row outside of a list.
 */
type State = "start" | "member" | "firstRow" | "row" | "afterRow" | "afterList" | "loneRow";

/**
 * Reads rows from JSON: a list of objects, an object with such a list under "data" or as its only list of objects, objects
 * one after the other, or a single object. With `lines` (JSON Lines), every row is one line, also an object with "data". With `skipsBlank`, rows whose
 * values are all null or blank are skipped and counted, as in CSV: that is what pandas writes of a spreadsheet's empty rows.
 */
export class JsonRows implements RowReader {
  problem: RowsError | undefined;
  blankRows = 0;
  listName: string | undefined;
  /** Whether the rows are in a list inside of an object. */
  isInObject = false;
  readonly #lines: boolean;
  readonly #skipsBlank: boolean;
  readonly #input = new ScannedChunks();
  readonly #scanner = this.#input.scanner;
  #state: State = "start";
  /** Whether the list is a member of an object, which has not ended yet. */
  #wrapped = false;
  #isFileEnd = false;

  constructor({ lines = false, skipsBlank = false } = {}) {
    this.#lines = lines;
    this.#skipsBlank = skipsBlank;
    this.#scanner.oneLine = lines;
    this.#scanner.maxNames = maxColumns;
  }

  push(chunk: Uint8Array): Row[] {
    if (this.problem) return [];
    return this.#input.add(chunk) ? this.#scan() : [];
  }

  end(): Row[] {
    if (this.problem) return [];
    this.#isFileEnd = true;
    const rows = this.#scan();
    this.problem ??= this.#findCutOff();
    return rows;
  }

  #scan(): Row[] {
    this.#input.join();
    const rows: Row[] = [];
    try {
      while (this.#step(rows));
    } catch (error) {
      if (!(error instanceof JsonProblem)) throw error;
      this.#fail("syntax", error.message, error.position);
    }
    this.#input.endScan();
    if (this.#input.left > maxRowBytes) {
      this.#fail(
        "tooLong",
        l10n.t("The row that starts here is longer than {0} MB.", maxRowBytes / 1024 ** 2),
      );
    }
    return this.#checkEncoding(rows);
  }

  /** Reads the next part; false if it needs more bytes, or after a problem. */
  #step(rows: Row[]): boolean {
    if (this.problem) return false;
    const scanner = this.#scanner;
    this.#input.position = scanner.space(this.#input.position);
    if (this.#input.position === scanner.end) return false;
    const byte = scanner.bytes[this.#input.position]!;
    switch (this.#state) {
      case "start":
        return this.#start(byte);
      case "member":
        return this.#member(byte);
      case "firstRow":
        if (byte === closeBracket) return this.#go("afterList", this.#input.position + 1);
        return this.#row(byte, rows);
      case "row":
        if (byte === closeBracket) {
          return this.#fail("syntax", l10n.t("Unexpected comma before this, or a missing row."));
        }
        return this.#row(byte, rows);
      case "afterRow":
        if (byte === comma) return this.#go("row", this.#input.position + 1);
        if (byte === closeBracket) return this.#go("afterList", this.#input.position + 1);
        return this.#fail("syntax", l10n.t("Expected {0} after a row.", commaOr("]")));
      case "afterList":
        return this.#afterList(byte);
      case "loneRow":
        if (byte === comma) {
          return this.#fail(
            "syntax",
            l10n.t("Put rows that are separated by commas inside [ and ]."),
          );
        }
        return this.#row(byte, rows);
    }
  }

  #go(state: State, position: number): true {
    this.#state = state;
    this.#input.position = position;
    return true;
  }

  #fail(problem: RowsProblem, message: string, position = this.#input.position): false {
    const place = this.#toPlace(position);
    this.problem ??=
      this.#scanner.bytes[position] === slash
        ? new RowsError("syntax", noComments, place)
        : new RowsError(problem, message, place);
    return false;
  }

  #toPlace(position: number): RowPlace {
    const { bytes, line, lineStart } = this.#scanner;
    return { line, column: 1 + countCharacters(bytes, lineStart, position) };
  }

  #start(byte: number): boolean {
    if (byte === openBracket) {
      this.#scanner.oneLine = false;
      return this.#go("firstRow", this.#input.position + 1);
    }
    if (byte !== openBrace) {
      return this.#fail("notRows", l10n.t("JSON rows start with [ or {, but this file does not."));
    }
    return this.#lines ? this.#go("loneRow", this.#input.position) : this.#startOfObject();
  }

  /**
   * Decides whether an object is a row or has the rows: under "data", or in its only list of objects. Waits for the end of
   * small objects, because another list or object may follow.
   */
  #startOfObject(): boolean {
    const scanner = this.#scanner;
    const { bytes, line, lineStart } = scanner;
    const start = this.#input.position;
    if (bytes[scanner.space(start + 1)] === closeBrace) {
      return this.#fail("notRows", l10n.t("{} has no rows. Write them as a list: [{…}, {…}]."));
    }
    Object.assign(scanner, { line, lineStart });
    const members = this.#readMembers(start);
    const { end, data, lists } = members;
    if (data) return this.#openList(data);
    const next = end === incomplete ? scanner.end : scanner.space(end);
    Object.assign(scanner, { line, lineStart });
    const isTransposed = isTransposedTable(members, bytes, scanner.end);
    const { hasOnlyColumns, mayHideRows, firstValues } = members;
    const mayBeColumns = hasOnlyColumns && firstValues.length > 0;
    const isUndecided = lists.length > 0 || isTransposed || mayBeColumns || mayHideRows;
    if (end === incomplete || (isUndecided && next === scanner.end)) {
      const isLong = scanner.end - start >= decisionBytes;
      const canDecide = lists.length > 0 || isTransposed || mayBeColumns;
      if (!this.#isFileEnd && !(canDecide && isLong)) return false;
    }
    // Other objects after this one are rows, so it is one, too.
    if (isUndecided && next === scanner.end) {
      if (isTransposed) return this.#fail("notRows", transposedTable);
      if (lists.length === 0) {
        const text = end === incomplete ? undefined : bytes.toString("utf8", start, end);
        const [problem, message] = explainNoRow(text, mayBeColumns) ?? [];
        if (problem !== undefined) return this.#fail(problem, message!);
        return end === incomplete ? false : this.#go("loneRow", start);
      }
      if (lists.length > 1) return this.#failForLists(lists);
      this.listName = lists[0]!.name;
      return this.#openList(lists[0]!);
    }
    return end === incomplete ? false : this.#go("loneRow", start);
  }

  #openList({ position, line, lineStart }: ListMember): true {
    Object.assign(this.#scanner, { line, lineStart });
    this.#wrapped = true;
    this.isInObject = true;
    return this.#go("firstRow", position);
  }

  #failForLists(lists: { name: string }[]): false {
    const names = lists.map(({ name }) => quoteName(name));
    return this.#fail(
      "notRows",
      l10n.t(
        "The file has more than one list of rows: {0}. Keep only one of them.",
        joinNames(names),
      ),
    );
  }

  #readMembers(start: number): ObjectMembers {
    const scanner = this.#scanner;
    const { bytes } = scanner;
    const members: ObjectMembers = {
      end: incomplete,
      data: undefined,
      lists: [],
      firstValues: [],
      hasOnlyObjects: true,
      hasOnlyColumns: true,
      mayHideRows: false,
    };
    let position = scanner.space(start + 1);
    while (bytes[position] === quote) {
      const nameStart = position;
      const nameEnd = scanner.text(position + 1);
      if (nameEnd === incomplete) return members;
      position = scanner.space(nameEnd);
      if (bytes[position] !== colon) break;
      position = scanner.space(position + 1);
      if (members.firstValues.length < 2) members.firstValues.push(position);
      if (position < scanner.end && bytes[position] !== openBrace) members.hasOnlyObjects = false;
      if (position < scanner.end && bytes[position] !== openBracket) members.hasOnlyColumns = false;
      if (bytes[position] === openBrace) members.mayHideRows = true;
      if (bytes[position] === openBracket) {
        const { line, lineStart } = scanner;
        const first = bytes[scanner.space(position + 1)];
        if (first === openBrace || first === openBracket) members.hasOnlyColumns = false;
        if (first === closeBracket) members.mayHideRows = true;
        Object.assign(scanner, { line, lineStart });
        const isData = bytes.toString("latin1", nameStart, nameEnd) === '"data"';
        const list = { name: "data", position: position + 1, line, lineStart };
        if (isData) return { ...members, data: list };
        if (bytes[scanner.space(position + 1)] === openBrace) {
          list.name = JSON.parse(bytes.toString("utf8", nameStart, nameEnd)) as string;
          members.lists.push(list);
        }
        Object.assign(scanner, { line, lineStart });
      }
      position = scanner.value(position);
      if (position === incomplete) return members;
      position = scanner.space(position);
      if (bytes[position] !== comma) break;
      position = scanner.space(position + 1);
    }
    // What is not JSON here is reported when the row is scanned.
    if (position === scanner.end) return members;
    return { ...members, end: bytes[position] === closeBrace ? position + 1 : position };
  }

  #row(byte: number, rows: Row[]): boolean {
    if (byte !== openBrace) return this.#notAnObject(byte);
    const row = this.#scanner.row(this.#input.position);
    if (!row) return false;
    if (this.#skipsBlank && isBlank(row)) this.blankRows++;
    else rows.push(row);
    return this.#go(this.#state === "loneRow" ? "loneRow" : "afterRow", row.end);
  }

  #notAnObject(byte: number): boolean {
    if (byte === openBracket && this.#wrapped && this.#state === "firstRow") {
      return this.#fail("notRows", listsWithoutNames);
    }
    const isListOrText = byte === openBracket || byte === quote;
    // The value may not be valid JSON, which would be the first problem.
    if (!isListOrText && this.#scanner.value(this.#input.position) === incomplete) return false;
    let what = l10n.t("This row is a single value.");
    if (byte === openBracket) what = l10n.t("This row is a list.");
    if (byte === quote) what = l10n.t("This row is text.");
    const wanted = l10n.t('A row is an object with the names of its values: {"column": value, …}.');
    return this.#fail("notARow", `${what} ${wanted}`);
  }

  #afterList(byte: number): boolean {
    if (!this.#wrapped) {
      return this.#fail("syntax", l10n.t("Remove the text after the list of rows."));
    }
    if (byte === comma) return this.#go("member", this.#input.position + 1);
    if (byte !== closeBrace) return this.#fail("syntax", l10n.t('Expected "}" after the rows.'));
    this.#wrapped = false;
    return this.#go("afterList", this.#input.position + 1);
  }

  /** Skips the members beside the list; they only have to be valid JSON, and no other list of objects unless it is "data". */
  #member(byte: number): boolean {
    const scanner = this.#scanner;
    const { bytes, line, lineStart } = scanner;
    if (byte !== quote) {
      return this.#fail("syntax", l10n.t("Expected a property name in double quotes."));
    }
    const nameStart = this.#input.position;
    let position = scanner.text(nameStart + 1);
    const nameEnd = position;
    if (position !== incomplete) position = scanner.space(position);
    if (position !== incomplete && position !== scanner.end) {
      if (bytes[position] !== colon) {
        return this.#fail("syntax", l10n.t("Expected {0}.", '":"'), position);
      }
      const start = scanner.space(position + 1);
      if (this.listName !== undefined && this.#isListOfObjects(start)) {
        const name = JSON.parse(bytes.toString("utf8", nameStart, nameEnd)) as string;
        return this.#failForLists([{ name: this.listName }, { name }]);
      }
      position = scanner.value(start);
      if (position !== incomplete) return this.#go("afterList", position);
    }
    scanner.line = line;
    scanner.lineStart = lineStart;
    return false;
  }

  #isListOfObjects(start: number): boolean {
    const scanner = this.#scanner;
    const { bytes, line, lineStart } = scanner;
    const isList = bytes[start] === openBracket && bytes[scanner.space(start + 1)] === openBrace;
    Object.assign(scanner, { line, lineStart });
    return isList;
  }

  /** The problem if the file ends here; undefined if it is complete. */
  #findCutOff(): RowsError | undefined {
    const place = this.#toPlace(this.#input.position);
    if (this.#input.position < this.#scanner.end) {
      return new RowsError(
        "cutOff",
        l10n.t("The file ends in the middle of the row that starts here."),
        place,
      );
    }
    if (this.#state === "start" || this.#state === "loneRow") return undefined;
    if (this.#state === "afterList" && !this.#wrapped) return undefined;
    return new RowsError("cutOff", l10n.t("The list of rows has no closing ]."), place);
  }

  /** The rows before the first one that is not UTF-8, which the scanner does not check. */
  #checkEncoding(rows: Row[]): Row[] {
    const first = rows[0];
    const last = rows.at(-1);
    if (!first || !last || isUtf8(first.bytes.subarray(first.start, last.end))) return rows;
    const bad = rows.findIndex((row) => !isUtf8(rowBytes(row)));
    if (bad < 0) return rows;
    const place = rowPlace(rows[bad]!);
    this.problem = new RowsError(
      "notText",
      l10n.t("This row is not UTF-8. Save the file as UTF-8."),
      place,
    );
    return rows.slice(0, bad);
  }
}

const listsWithoutNames = l10n.t(
  'These rows are lists of values without names, as with orient="split" in pandas. Write each row as an object: with pandas, to_json(orient="records").',
);

const transposedTable = l10n.t(
  'Every value of this object is an object, as with orient="columns" and orient="index" in pandas. Write the rows as a list: with pandas, to_json(orient="records").',
);

const columnLists = l10n.t(
  'Every value of this object is a list, as in column-oriented data. Write the rows as a list: with pandas, to_json(orient="records"). If it is one row, write it as [{…}].',
);

/** Names under which services answer with a list of rows. */
const listNames = new Set(
  "results,result,items,rows,records,entries,documents,objects,features,hits,values,value".split(
    ",",
  ),
);

/**
 * Why an object that is alone in a file, without a list of objects, is no row: it has lists as columns, an empty list of rows,
 * or a list of rows further inside. Undefined if it is a row, or not JSON. `text` is undefined for a part of an object.
 */
function explainNoRow(
  text: string | undefined,
  mayBeColumns: boolean,
): [RowsProblem, string] | undefined {
  if (text === undefined) return mayBeColumns ? ["notRows", columnLists] : undefined;
  // Nobody writes one row by hand that is as long.
  if (text.length > decisionBytes) return mayBeColumns ? ["notRows", columnLists] : undefined;
  let members: [name: string, value: unknown][];
  try {
    members = Object.entries(JSON.parse(text) as object);
  } catch {
    return undefined;
  }
  for (const [name, value] of members) {
    if (Array.isArray(value) && value.length === 0 && listNames.has(name.toLowerCase())) {
      return ["empty", l10n.t("The list {0} in the file has no rows.", quoteName(name))];
    }
  }
  if (mayBeColumns) {
    const [first, ...others] = members.map(([, value]) => (value as unknown[]).length);
    const isTable = first !== undefined && first > 1 && others.every((one) => one === first);
    return isTable ? ["notRows", columnLists] : undefined;
  }
  const around = members.find(([, value]) => hasListOfObjects(value));
  if (!around) return undefined;
  const message = l10n.t(
    "The rows are in a list inside {0}. Write only that list: [{…}, {…}]. If the file is one row, write it as [{…}].",
    quoteName(around[0]),
  );
  return ["notRows", message];
}

/** Whether a list of objects is a member of this object. */
function hasListOfObjects(value: unknown): boolean {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  return Object.values(value).some(
    (list) =>
      Array.isArray(list) &&
      list.length > 0 &&
      list.every((one) => one !== null && typeof one === "object" && !Array.isArray(one)),
  );
}

/** Whether an object has a table by columns or by numbered rows: objects with the same names, or numbers as names. */
function isTransposedTable(
  { hasOnlyObjects, firstValues: [first, second] }: ObjectMembers,
  bytes: Buffer,
  end: number,
): boolean {
  if (!hasOnlyObjects || first === undefined || first === end) return false;
  const beforeFirst = bytes.toString("latin1", Math.max(0, first - 40), first);
  const head = bytes.toString("latin1", first, first + 40);
  if (/"\d+"\s*:\s*$/.test(beforeFirst) || /^\{\s*"\d+"\s*:/.test(head)) return true;
  if (second === undefined || second === end) return false;
  const scanner = new JsonScanner();
  scanner.setBytes(bytes, end);
  const shape = scanner.row(first)?.shape;
  return shape !== undefined && shape.names.length > 0 && scanner.row(second)?.shape === shape;
}

/** Whether a row has no value: every one of it is null or a text of white space. */
function isBlank(row: Row): boolean {
  return row.shape.names.every((_, index) => isBlankValue(row, index));
}

function isBlankValue(row: Row, index: number): boolean {
  const start = row.values[row.at + 2 * index]!;
  const [first, second = 0] = row.bytes.subarray(start, start + 2);
  if (first !== quote) return first === letterN;
  // Most texts begin with a letter or digit, and need no decoding.
  if (second > space && second <= tilde && second !== quote && second !== backslash) return false;
  return (JSON.parse(readTextAt(row, index)) as string).trim() === "";
}
