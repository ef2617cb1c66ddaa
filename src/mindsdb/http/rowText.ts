// Takes the rows of an SQL answer out of its JSON without parsing them: numbers keep their text, and nothing is made of
// cells that are sent on as they are.
import { isUtf8 } from "node:buffer";

/** The rows of an answer as the server wrote them. */
export class RowText {
  /** UTF-8, a JSON list of lists: `[[1.0,"a"],[2.0,"b"]]`. Its syntax is checked only as far as brackets match. */
  readonly json: Buffer;
  /** How many rows there are. */
  readonly length: number;

  constructor(json: Buffer, length: number) {
    this.json = json;
    this.length = length;
  }
}

interface CutAnswer {
  /** The answer without its rows: JSON with an empty list in their place. */
  rest: string;
  /** Undefined if the answer has no list called `data`. */
  rows: RowText | undefined;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const rowsName = Buffer.from('"data"');

/**
 * Cuts the list called `data` out of an answer, an object. Undefined if the answer holds more than `maxValues` values,
 * empty lists and objects included.
 */
export function cutRows(answer: Buffer, maxValues: number): CutAnswer | undefined {
  const bytes = isUtf8(answer) ? answer : Buffer.from(answer.toString("utf8"));
  let depth = 0;
  let values = 1;
  let rows = 0;
  let start = -1;
  let end = -1;
  /** Whether what stands last is the name of the rows, or that name and its colon. */
  let isNamed = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte <= 0x20) continue;
    if (byte === quote) {
      const from = at++;
      while (bytes[at] !== quote && at < bytes.length) at += bytes[at] === backslash ? 2 : 1;
      isNamed = depth === 1 && bytes.subarray(from, at + 1).equals(rowsName);
      continue;
    }
    if (byte === openBracket || byte === openBrace) {
      if (++values > maxValues) return undefined;
      if (isNamed && byte === openBracket && start < 0) start = at;
      if (depth === 2 && start >= 0 && end < 0) rows++;
      depth++;
    } else if (byte === comma) {
      if (++values > maxValues) return undefined;
    } else if (byte === closeBracket || byte === closeBrace) {
      depth--;
      if (depth === 1 && start >= 0 && end < 0) end = at + 1;
    }
    if (byte !== colon) isNamed = false;
  }
  if (end < 0) return { rest: bytes.toString("utf8"), rows: undefined };
  return {
    rest: `${bytes.toString("utf8", 0, start)}[]${bytes.toString("utf8", end)}`,
    rows: new RowText(bytes.subarray(start, end), rows),
  };
}
