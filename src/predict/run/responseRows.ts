// The rows of a server's answer: where each begins and ends, found quickly; what is in one is looked at when asked for.
import * as l10n from "@vscode/l10n";
import { JsonProblem, JsonScanner } from "../rows/jsonScanner.ts";
import { RowsError } from "../rows/row.ts";
import type { Row, Shape } from "../rows/row.ts";

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const colon = 0x3a;
const backslash = 0x5c;
const closeBracket = 0x5d;
const smallN = 0x6e;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** 1 for the bytes that mean nothing between brackets, and for those that mean nothing in a text. */
const isPlain = new Uint8Array(256).fill(1);
const isPlainInText = new Uint8Array(256).fill(1);
for (const byte of [quote, openBrace, closeBrace, openBracket, closeBracket]) isPlain[byte] = 0;
for (const byte of [quote, backslash]) isPlainInText[byte] = 0;

/** A list with more rows than were asked for; they are not kept. */
export class TooManyRowsError extends Error {
  /** How many rows there are, like "5" or "more than 10003": a list is not counted to its end. */
  readonly count: string;

  constructor(count: string) {
    super(`There are ${count} rows.`);
    this.name = "TooManyReplies";
    this.count = count;
  }
}

/** So many rows over those that were asked for are still counted. */
const maxCounted = 10_000;

/**
 * The rows of a reply: a JSON list of objects, such a list in `{"data": …}`, or one object where one row was sent. Only
 * quotes and brackets are looked at: a server wrote it, and a value that is no JSON (older servers write NaN) is not
 * worth losing predictions for. Throws RowsError for anything else, and TooManyReplies for a list of more rows than were
 * `sent`, before it has made objects of those.
 */
export function responseRows(bytes: Buffer, sent?: number): ResponseRow[] {
  const start = skipSpace(bytes, 0);
  if (bytes[start] === openBracket) return rowsOfList(bytes, start, sent);
  if (bytes[start] !== openBrace) throw new RowsError("notRows", "It starts with neither [ nor {.");
  const list = findData(bytes, start);
  if (list !== undefined) return rowsOfList(bytes, list, sent);
  if (sent !== undefined && sent !== 1) {
    throw new RowsError("notRows", "It is one object for several rows.");
  }
  const found = { end: 0, signature: 0 };
  if (!findObject(bytes, start, found)) throw new RowsError("cutOff", "It ends in the middle.");
  const row = new ResponseRow(bytes, start, found.end, new JsonScanner(), found.signature);
  const { names } = row.shape;
  const isError = names.length === 1 && names[0] === "error";
  if (names.length === 0 || isError) throw new RowsError("notRows", "It holds no prediction.");
  return [row];
}

const dataName = Buffer.from("data");

/** Where the list of objects begins that is the member `data` of an object; undefined if it has none. */
function findData(bytes: Buffer, object: number): number | undefined {
  let position = skipSpace(bytes, object + 1);
  while (bytes[position] === quote) {
    const nameEnd = endOfText(bytes, position + 1);
    const colonAt = skipSpace(bytes, nameEnd);
    if (nameEnd < 0 || bytes[colonAt] !== colon) return undefined;
    const value = skipSpace(bytes, colonAt + 1);
    const isData = bytes.subarray(position + 1, nameEnd - 1).equals(dataName);
    if (isData && bytes[value] === openBracket) {
      const first = bytes[skipSpace(bytes, value + 1)];
      if (first === openBrace || first === closeBracket) return value;
    }
    const end = endOfValue(bytes, value);
    if (bytes[end] !== comma) return undefined;
    position = skipSpace(bytes, end + 1);
  }
  return undefined;
}

/** The position of the comma or the bracket behind a value; where the bytes end, if they end before it does. */
function endOfValue(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let position = start; ;) {
    switch (bytes[position]) {
      case quote:
        position = endOfText(bytes, position + 1);
        if (position < 0) return bytes.length;
        continue;
      case openBrace:
      case openBracket:
        depth++;
        break;
      case closeBrace:
      case closeBracket:
        if (depth === 0) return position;
        depth--;
        break;
      case comma:
        if (depth === 0) return position;
        break;
      case undefined:
        return position;
      default:
    }
    position++;
  }
}

function rowsOfList(bytes: Buffer, start: number, max = Infinity): ResponseRow[] {
  let count = 0;
  const rows: ResponseRow[] = [];
  const scanner = new JsonScanner();
  const found = { end: 0, signature: 0 };
  let position = skipSpace(bytes, start + 1);
  if (bytes[position] === closeBracket) return rows;
  for (;;) {
    const row = position;
    if (bytes[row] !== openBrace) throw new RowsError("notARow", "A row of it is no object.");
    if (!findObject(bytes, row, found)) {
      throw new RowsError("cutOff", "It ends in the middle of a row.");
    }
    count++;
    if (count <= max) {
      rows.push(new ResponseRow(bytes, row, found.end, scanner, found.signature));
    } else if (count > max + maxCounted) {
      throw new TooManyRowsError(l10n.t("more than {0}", count - 1));
    }
    position = skipSpace(bytes, found.end);
    if (bytes[position] === closeBracket) {
      if (count > max) throw new TooManyRowsError(String(count));
      return rows;
    }
    if (bytes[position] !== comma) throw new RowsError("cutOff", "It ends before its list does.");
    position = skipSpace(bytes, position + 1);
  }
}

/** A row of a reply. One that turns out to be no JSON has no values. */
export class ResponseRow implements Row {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /**
   * Told by the names, an explanation's included, and by which of its values are null: replies with others have, as good
   * as always, another one. 0 if nobody has looked.
   */
  readonly signature: number;
  readonly line = 1;
  readonly lineStart = 0;
  readonly #scanner: JsonScanner;
  #members: Pick<Row, "shape" | "values" | "at"> | undefined;

  /** Rows with the same scanner share their shapes. */
  constructor(bytes: Buffer, start: number, end: number, scanner: JsonScanner, signature = 0) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.#scanner = scanner;
    this.signature = signature;
  }

  get shape(): Shape {
    return this.#scan().shape;
  }

  get values(): Int32Array {
    return this.#scan().values;
  }

  get at(): number {
    return this.#scan().at;
  }

  #scan(): Pick<Row, "shape" | "values" | "at"> {
    return (this.#members ??= scanRow(this.#scanner, this.bytes, this.start));
  }
}

const noMembers = {
  shape: { names: [], indexOf: new Map<string, number>(), written: [] },
  values: new Int32Array(0),
  at: 0,
};

function scanRow(
  scanner: JsonScanner,
  bytes: Buffer,
  start: number,
): Pick<Row, "shape" | "values" | "at"> {
  if (scanner.bytes !== bytes) scanner.setBytes(bytes, bytes.length);
  try {
    return scanner.row(start) ?? noMembers;
  } catch (error) {
    if (error instanceof JsonProblem) return noMembers;
    throw error;
  }
}

/**
 * Finds the position behind an object, and the signature of its names and of what its explanations say; false if the
 * bytes end before it does.
 */
function findObject(
  bytes: Buffer,
  start: number,
  found: { end: number; signature: number },
): boolean {
  found.signature = 17;
  let depth = 0;
  /** Whether the name that came last is an explanation's, and how deep names count. */
  let explains = false;
  let position = start;
  for (;;) {
    while (isPlain[bytes[position]!] === 1) position++;
    switch (bytes[position]) {
      case quote: {
        const text = position + 1;
        const isExplanation = explains && depth === 1 && bytes[text] === openBrace;
        position = isExplanation ? endOfExplanation(bytes, text, found) : endOfText(bytes, text);
        if (position < 0) return false;
        if (depth > (explains ? 2 : 1)) break;
        const colonAt = skipSpace(bytes, position);
        if (bytes[colonAt] !== colon) break;
        found.signature = withName(found.signature, bytes, text, position - 1);
        if (depth === 2) found.signature = withNull(found.signature, bytes, colonAt);
        if (depth === 1) explains = isExplanationName(bytes, position - 1);
        break;
      }
      case openBrace:
      case openBracket:
        depth++;
        position++;
        break;
      case closeBrace:
      case closeBracket:
        position++;
        if (--depth > 0) break;
        found.end = position;
        return true;
      case undefined:
      default:
        return false;
    }
  }
}

/** Whether a name that ends there ends with `_explain`; two letters tell it well enough. */
function isExplanationName(bytes: Buffer, end: number): boolean {
  return bytes[end - 1] === 0x6e && bytes[end - 8] === 0x5f;
}

/** Names differ in their length, in how they begin, or in how they end. */
function withName(signature: number, bytes: Buffer, start: number, end: number): number {
  let sum = Math.imul(signature, 31) + end - start;
  sum = Math.imul(sum, 31) + bytes[start]!;
  sum = Math.imul(sum, 31) + bytes[(start + end) >> 1]!;
  for (let at = Math.max(start, end - 4); at < end; at++) sum = Math.imul(sum, 31) + bytes[at]!;
  return sum | 0;
}

/** Whether a null follows counts, too: only some explanations may say anything under a name that all of them have. */
function withNull(signature: number, bytes: Buffer, colonAt: number): number {
  const isNull = bytes[skipSpace(bytes, colonAt + 1)] === smallN;
  return isNull ? (Math.imul(signature, 31) + smallN) | 0 : signature;
}

/**
 * The position behind the closing quote of a text that holds JSON; -1 if the bytes end before it. Adds the names in it to
 * the signature: there every quote has a backslash before it.
 */
function endOfExplanation(bytes: Buffer, start: number, found: { signature: number }): number {
  let position = start;
  /** Where the text that is open in the JSON starts; -1 between texts. */
  let open = -1;
  for (;;) {
    position = nextStop(bytes, position);
    if (bytes[position] === quote) return position + 1;
    if (bytes[position] !== backslash) return -1;
    const escaped = bytes[position + 1];
    if (escaped === backslash && bytes[position + 2] !== quote) {
      // A backslash of the JSON itself: what follows is no quote of its, whatever it is.
      position += bytes[position + 2] === backslash ? 4 : 3;
      continue;
    }
    if (escaped === quote) {
      const colonAt = skipSpace(bytes, position + 2);
      if (open >= 0 && bytes[colonAt] === colon) {
        found.signature = withName(found.signature, bytes, open, position);
        found.signature = withNull(found.signature, bytes, colonAt);
      }
      open = open < 0 ? position + 2 : -1;
    }
    position += 2;
  }
}

/** The position behind a text's closing quote; -1 if the bytes end before it. */
function endOfText(bytes: Buffer, start: number): number {
  let position = start;
  for (;;) {
    position = nextStop(bytes, position);
    if (bytes[position] === quote) return position + 1;
    if (bytes[position] !== backslash) return -1;
    position += 2;
  }
}

/** The next quote or backslash, or where the bytes end. */
function nextStop(bytes: Buffer, start: number): number {
  let position = start;
  // Four bytes a turn.
  for (; isPlainInText[bytes[position]!] === 1; position += 4) {
    if (isPlainInText[bytes[position + 1]!] !== 1) return position + 1;
    if (isPlainInText[bytes[position + 2]!] !== 1) return position + 2;
    if (isPlainInText[bytes[position + 3]!] !== 1) return position + 3;
  }
  return position;
}

function skipSpace(bytes: Buffer, start: number): number {
  let position = start;
  while (bytes[position]! <= 0x20) position++;
  return position;
}
