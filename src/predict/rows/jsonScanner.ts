// Checks JSON syntax in a possibly incomplete buffer and records the positions of a row's values. Does not parse values.
import * as l10n from "@vscode/l10n";
import { describeTooManyColumns, type Row, type Shape } from "./row.ts";

/** Maximum nesting of objects and lists; real servers' JSON parsers have a similar limit. */
const maxDepth = 1_000;

/** The most shapes in the cache, and their names; a file with more kinds of rows is read more slowly. */
const maxShapes = 1_000;
export const maxShapeNames = 100_000;

/** Returned by a scan when the bytes end before the value does. */
export const incomplete = -1;

const aName = l10n.t("a property name in double quotes");

/** Not JSON, so it is probably the start of a comment. */
export const slash = 0x2f;
export const noComments = l10n.t(
  "JSON can't have comments. Remove the one that starts with this slash.",
);

/** The symbols that can follow a member of an object or list, for an error message. */
export function commaOr(end: string): string {
  return l10n.t("{0} or {1}", '","', `"${end}"`);
}

/** Bytes that are not JSON, with their position. */
export class JsonProblem extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.name = "JsonProblem";
    this.position = position;
  }
}

/** A row with more values than `maxNames`. */
export class TooManyColumns extends JsonProblem {
  constructor(position: number) {
    super(describeTooManyColumns(), position);
  }
}

const newline = 0x0a;
const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const capitalI = 0x49;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** 1 for bytes that may end a string or are not allowed in it: quote, backslash, control characters. */
const stopsText = new Uint8Array(256).fill(1, 0, 0x20);
stopsText[quote] = 1;
stopsText[backslash] = 1;

/** 1 for bytes that form an escape sequence with the backslash before them. */
const isShortEscape = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrt')) isShortEscape[byte] = 1;

const words = ["true", "false", "null"].map((word) => Buffer.from(word));

/**
 * Scans JSON in a buffer that may end in the middle of a value; its byte at `end` must be 0. Methods take a position and
 * return the one after what they scanned, or `incomplete`. They throw JsonProblem.
 */
export class JsonScanner {
  bytes: Buffer = Buffer.alloc(1);
  end = 0;
  /** The line that the last scan ended in, from 1, and where it starts (see `Row.lineStart`). */
  line = 1;
  lineStart = 0;
  /** Whether a row has to end on its line (JSON Lines). */
  oneLine = false;
  /** The most names of a row. */
  maxNames = Infinity;
  #insideRow = false;

  #values: Int32Array = new Int32Array(64);
  #valuesEnd = 0;
  #names: Int32Array = new Int32Array(64);
  #shape: Shape | undefined;
  readonly #shapes = new Map<string, Shape>();
  #shapeNames = 0;
  /** The shape of the last list. */
  #listShape: Shape | undefined;

  /** Sets the buffer of the next rows. Earlier rows keep their buffers and values. */
  setBytes(bytes: Buffer, end: number): void {
    this.bytes = bytes;
    this.end = end;
    this.#values = new Int32Array(this.#valuesEnd + 64);
    this.#valuesEnd = 0;
  }

  /** The object at `start` as a row; undefined if the bytes end before it does. */
  row(start: number): Row | undefined {
    const { line, lineStart } = this;
    this.#insideRow = true;
    const at = this.#valuesEnd;
    const end = this.#members(start);
    this.#insideRow = false;
    if (end === incomplete) {
      this.#valuesEnd = at;
      this.line = line;
      this.lineStart = lineStart;
      return undefined;
    }
    const shape = this.#shape!;
    return { bytes: this.bytes, start, end, line, lineStart, shape, values: this.#values, at };
  }

  /** The list at `start` as a row whose names are "0", "1", …; undefined if the bytes end before it does. */
  list(start: number): Row | undefined {
    const { line, lineStart } = this;
    const at = this.#valuesEnd;
    const end = this.#items(start);
    if (end === incomplete) {
      this.#valuesEnd = at;
      this.line = line;
      this.lineStart = lineStart;
      return undefined;
    }
    const shape = this.#findListShape((this.#valuesEnd - at) / 2);
    return { bytes: this.bytes, start, end, line, lineStart, shape, values: this.#values, at };
  }

  /** The byte range of a name in the row that was scanned last, with its quotes. */
  nameSpan(index: number): { start: number; end: number } {
    return { start: this.#names[2 * index]! - 1, end: this.#names[2 * index + 1]! };
  }

  #members(start: number): number {
    const { bytes } = this;
    const guess = this.#shape;
    let matches = guess !== undefined;
    let count = 0;
    let position = this.space(start + 1);
    if (bytes[position] !== closeBrace) {
      for (;;) {
        if (bytes[position] !== quote) return this.#expect(position, aName);
        if (count === this.maxNames) throw new TooManyColumns(position);
        const nameStart = position + 1;
        const name: Uint8Array | undefined = matches ? guess!.encoded[count] : undefined;
        if (name !== undefined && isAt(bytes, name, nameStart)) {
          position = nameStart + name.length;
        } else {
          matches = false;
          position = this.text(nameStart);
          if (position === incomplete) return incomplete;
        }
        this.#addName(count, nameStart, position);
        const valueStart = this.#findValue(position);
        if (valueStart === incomplete) return incomplete;
        position = this.value(valueStart);
        if (position === incomplete) return incomplete;
        this.#addValue(valueStart, position);
        count++;
        if (bytes[position]! <= 0x20) position = this.space(position);
        if (bytes[position] === closeBrace) break;
        if (bytes[position] !== comma) return this.#expect(position, commaOr("}"));
        position++;
        if (bytes[position] !== quote) position = this.space(position);
      }
    }
    if (!matches || count !== guess!.names.length) this.#shape = this.#findShape(count);
    return position + 1;
  }

  #items(start: number): number {
    const { bytes } = this;
    let count = 0;
    let position = this.space(start + 1);
    if (bytes[position] === closeBracket) return position + 1;
    for (;;) {
      if (count++ === this.maxNames) throw new TooManyColumns(position);
      const valueStart = position;
      position = this.value(valueStart);
      if (position === incomplete) return incomplete;
      this.#addValue(valueStart, position);
      position = this.space(position);
      if (bytes[position] === closeBracket) return position + 1;
      if (bytes[position] !== comma) return this.#expect(position, commaOr("]"));
      position = this.space(position + 1);
    }
  }

  #addName(index: number, start: number, end: number): void {
    if (2 * index === this.#names.length) this.#names = enlarge(this.#names);
    this.#names[2 * index] = start;
    this.#names[2 * index + 1] = end;
  }

  #addValue(start: number, end: number): void {
    if (this.#valuesEnd === this.#values.length) this.#values = enlarge(this.#values);
    this.#values[this.#valuesEnd++] = start;
    this.#values[this.#valuesEnd++] = end;
  }

  /** The shape of the row that was scanned last. */
  #findShape(count: number): Shape {
    const written = Array.from({ length: count }, (_, index) =>
      this.bytes.subarray(this.#names[2 * index], this.#names[2 * index + 1]),
    );
    const key = Buffer.concat(written).toString("latin1");
    const known = this.#shapes.get(key);
    if (known) return known;
    const names = written.map((name) => JSON.parse(`"${name.toString()}`) as string);
    const indexOf = new Map(names.map((name, index) => [name, index]));
    const shape = { names, indexOf, encoded: written.map((name) => new Uint8Array(name)) };
    this.#shapeNames += count;
    if (this.#shapes.size === maxShapes || this.#shapeNames > maxShapeNames) {
      this.#shapes.clear();
      this.#shapeNames = count;
    }
    this.#shapes.set(key, shape);
    return shape;
  }

  #findListShape(count: number): Shape {
    if (this.#listShape?.names.length === count) return this.#listShape;
    const names = Array.from({ length: count }, (_, index) => String(index));
    const indexOf = new Map(names.map((name, index) => [name, index]));
    return (this.#listShape = { names, indexOf, encoded: [] });
  }

  /** Skips white space and counts lines. */
  space(position: number): number {
    const { bytes } = this;
    for (;;) {
      const byte = bytes[position];
      if (byte === newline) {
        if (this.oneLine && this.#insideRow) {
          throw new JsonProblem(l10n.t("The line ends in the middle of its row."), position);
        }
        this.line++;
        this.lineStart = ++position;
      } else if (byte === 0x20 || byte === 0x0d || byte === 0x09) {
        position++;
      } else {
        return position;
      }
    }
  }

  value(position: number, depth = 0): number {
    const byte = this.bytes[position]!;
    if (byte === quote) return this.text(position + 1);
    if (byte === minus || (byte >= zero && byte <= nine)) return this.#number(position);
    if (byte === openBrace) return this.#object(position, depth);
    if (byte === openBracket) return this.#list(position, depth);
    return this.#word(position);
  }

  /** Scans a string, starting after its opening quote. */
  text(start: number): number {
    const { bytes } = this;
    let position = start;
    for (;;) {
      // The 0 at the end stops the loop.
      while (stopsText[bytes[position]!] === 0) position++;
      const byte = bytes[position];
      if (byte === quote) return position + 1;
      if (byte === backslash) {
        if (isShortEscape[bytes[position + 1]!] === 1) {
          position += 2;
          continue;
        }
        position = this.#escape(position + 1);
        if (position === incomplete) return incomplete;
      } else if (position === this.end) {
        return incomplete;
      } else if (byte === newline && this.oneLine) {
        throw new JsonProblem(l10n.t("The line ends in the middle of its row."), position);
      } else {
        throw new JsonProblem(
          l10n.t(
            "The text contains a line break or another control character. Write \\n for a line break.",
          ),
          position,
        );
      }
    }
  }

  /** Scans a \u escape sequence, starting after its backslash. */
  #escape(position: number): number {
    const { bytes } = this;
    if (position === this.end) return incomplete;
    if (bytes[position] !== 0x75) {
      throw new JsonProblem(l10n.t("Write a backslash in text twice: \\\\."), position - 1);
    }
    for (let digit = position + 1; digit <= position + 4; digit++) {
      if (digit === this.end) return incomplete;
      if (!isHex(bytes[digit]!)) {
        throw new JsonProblem(l10n.t("Expected four hexadecimal digits after \\u."), position - 1);
      }
    }
    return position + 5;
  }

  #number(start: number): number {
    const { bytes } = this;
    let position = bytes[start] === minus ? start + 1 : start;
    if (bytes[position] === capitalI) return this.#word(start);
    if (bytes[position] === zero) position++;
    else if ((position = this.#digits(position)) === incomplete) return incomplete;
    if (bytes[position] === 0x2e) {
      position = this.#digits(position + 1);
      if (position === incomplete) return incomplete;
    }
    const exponent = bytes[position]! | 0x20;
    if (exponent === 0x65) {
      const sign = bytes[position + 1];
      position = this.#digits(position + (sign === 0x2b || sign === minus ? 2 : 1));
    }
    const next = bytes[position]!;
    if (next >= zero && next <= nine) {
      throw new JsonProblem(l10n.t("Numbers can't have leading zeros. Put text in quotes."), start);
    }
    return position === this.end ? incomplete : position;
  }

  #digits(start: number): number {
    const { bytes } = this;
    let position = start;
    while (bytes[position]! >= zero && bytes[position]! <= nine) position++;
    if (position > start) return position;
    return this.#expect(position, l10n.t("a digit"));
  }

  #word(position: number): number {
    const { bytes, end } = this;
    for (const word of words) {
      let length = 0;
      while (length < word.length && bytes[position + length] === word[length]) length++;
      if (length === word.length) return position + length;
      if (position + length === end) return incomplete;
    }
    const text = bytes.toString("latin1", position, Math.min(end, position + 9));
    const wrong = /^(-?Infinity|NaN|None|True|False|undefined|['+.])/.exec(text)?.[0];
    if (wrong === "'") throw new JsonProblem(l10n.t("Put text in double quotes."), position);
    if (wrong === "+" || wrong === ".") {
      throw new JsonProblem(
        l10n.t("Numbers must start with a digit, or with a minus sign and a digit."),
        position,
      );
    }
    if (wrong) {
      const right = wrong === "True" || wrong === "False" ? wrong.toLowerCase() : "null";
      throw new JsonProblem(l10n.t("{0} is not JSON. Use {1}.", wrong, right), position);
    }
    return this.#expect(position, l10n.t("a value"));
  }

  #object(start: number, depth: number): number {
    const { bytes } = this;
    if (depth === maxDepth) throw createDepthProblem(start);
    let position = this.space(start + 1);
    if (bytes[position] === closeBrace) return position + 1;
    for (;;) {
      if (bytes[position] !== quote) return this.#expect(position, aName);
      position = this.text(position + 1);
      if (position === incomplete) return incomplete;
      position = this.#findValue(position);
      if (position === incomplete) return incomplete;
      position = this.value(position, depth + 1);
      if (position === incomplete) return incomplete;
      position = this.space(position);
      if (bytes[position] === closeBrace) return position + 1;
      if (bytes[position] !== comma) return this.#expect(position, commaOr("}"));
      position = this.space(position + 1);
    }
  }

  #list(start: number, depth: number): number {
    const { bytes } = this;
    if (depth === maxDepth) throw createDepthProblem(start);
    let position = this.space(start + 1);
    if (bytes[position] === closeBracket) return position + 1;
    for (;;) {
      position = this.value(position, depth + 1);
      if (position === incomplete) return incomplete;
      position = this.space(position);
      if (bytes[position] === closeBracket) return position + 1;
      if (bytes[position] !== comma) return this.#expect(position, commaOr("]"));
      position = this.space(position + 1);
    }
  }

  /** The position of the value after a name. */
  #findValue(start: number): number {
    const { bytes } = this;
    let position = start;
    if (bytes[position] !== colon) position = this.space(position);
    if (bytes[position] !== colon) return this.#expect(position, '":"');
    position++;
    return bytes[position]! <= 0x20 ? this.space(position) : position;
  }

  /** Throws because `what` is expected at a position, unless the bytes end there. */
  #expect(position: number, what: string): typeof incomplete {
    if (position === this.end) return incomplete;
    throw new JsonProblem(
      this.#explainMistake(position, what) ?? l10n.t("Expected {0}.", what),
      position,
    );
  }

  /** A sentence for a common mistake; undefined for others. */
  #explainMistake(position: number, wanted: string): string | undefined {
    const { bytes } = this;
    if (bytes[position] === slash) return noComments;
    const text = bytes.toString("latin1", position, position + 1);
    let before = position - 1;
    while (before >= 0 && bytes[before]! <= 0x20) before--;
    if (bytes[before] === comma && /[\]}]/.test(text)) {
      return l10n.t("Unexpected comma before this.");
    }
    return wanted === aName && /['\w$]/.test(text)
      ? l10n.t("Property names must be in double quotes.")
      : undefined;
  }
}

function isAt(bytes: Uint8Array, wanted: Uint8Array, position: number): boolean {
  for (let index = 0; index < wanted.length; index++) {
    if (bytes[position + index] !== wanted[index]) return false;
  }
  return true;
}

function isHex(byte: number): boolean {
  return (byte >= zero && byte <= nine) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

function enlarge(numbers: Int32Array): Int32Array {
  const larger = new Int32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

function createDepthProblem(position: number): JsonProblem {
  return new JsonProblem(l10n.t("Nested deeper than {0} levels.", maxDepth), position);
}
