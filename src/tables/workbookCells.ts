// The cells of a sheet, from its XML (ECMA-376, 18.3), as MindsDB reads them.
import { truncate } from "../shared/oneLine.ts";
import { isNoValue, type Change, type Column } from "./csvChecks.ts";
import { decodeXml } from "./decodeXml.ts";

/** Further rows and columns are not read. */
const maxRows = 2_000;
const maxColumns = 500;
/** Many cells may share one text, so that each is read as often as it has cells. In characters; no number is as long. */
const maxCellLength = 1_000;

/** The beginning of a sheet. */
interface SheetStart {
  /** Without the first row. Empty cells are "". */
  columns: Column[];
  rowCount: number;
  /** The number of the first row of the sheet without a value, after the first one; rows at the end do not count. */
  emptyRow: number | undefined;
  /** Whether a cell of the first row is no text. */
  hasNumberAsName: boolean;
  /** The reference of a cell with a formula but no result, such as B2. */
  openFormula: string | undefined;
  /** The first cell in whose text a code such as _x000D_ stands for a character, which servers do not decode. */
  escaped: { ref: string; code: string } | undefined;
}

/** The texts that cells share, from their XML, which may be cut. */
export function readSharedTexts(xml: string): string[] {
  const texts: string[] = [];
  let isPhonetic = false;
  for (const tag of xml.split("<")) {
    const name = tagName(tag);
    if (name === "si") texts.push("");
    // How a text is pronounced is no part of it.
    else if (name === "rPh") isPhonetic = !isClosed(tag);
    else if (name === "/rPh") isPhonetic = false;
    else if (name === "t" && !isPhonetic && texts.length > 0) {
      texts[texts.length - 1] += contentOf(tag);
    }
  }
  return texts.map(cutCell);
}

/** What the format of a number makes of it: a date or time, a duration, or at least so many digits. */
export type NumberFormat = "date" | "duration" | number;

/** The formats of the styles of cells, from the XML of a workbook's styles, as openpyxl 3.1 tells them. */
export function readNumberFormats(xml: string): NumberFormat[] {
  const known = new Map<string, NumberFormat>();
  const formats: NumberFormat[] = [];
  let isInCells = false;
  for (const tag of xml.split("<")) {
    const name = tagName(tag);
    if (name === "numFmt") {
      const code = attributeOf(tag, formatCode).slice(0, maxFormatLength);
      known.set(attributeOf(tag, formatId), toFormat(decodeXml(code)));
    } else if (name === "cellXfs" || name === "/cellXfs") isInCells = name === "cellXfs";
    else if (name === "xf" && isInCells) {
      const id = attributeOf(tag, formatId);
      formats.push(known.get(id) ?? toFormat(builtInFormats.get(id) ?? ""));
    }
  }
  return formats;
}

/** No spreadsheet program writes longer ones, in characters: thousands of cells and styles can have the same. */
const maxFormatLength = 255;

const formatId = /\snumFmtId="(\d+)"/;
const formatCode = /\sformatCode="([^"]*)"/;
/** Those of dates and times (ECMA-376, 18.8.30). */
const builtInFormats = new Map([
  ...[14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 47].map((id) => [String(id), "d"] as const),
  ["46", "[h]"],
]);

function toFormat(code: string): NumberFormat {
  const [first = ""] = code.split(";", 1);
  if (/\[(?:hh?|mm?|ss?)\]/i.test(first)) return "duration";
  const plain = first.replace(/"[^"]*"|\[[^[\]]*\]|[\\_]./g, "");
  if (/[dmyhs]/i.test(plain)) return "date";
  return /^0{2,}$/.test(plain) ? plain.length : 0;
}

interface Cell {
  at: number;
  ref: string;
  type: string;
  format: NumberFormat;
  text: string;
  isFormula: boolean;
}

/** Reads the cells in a sheet's XML, which may be cut. Cells and rows without a value at the end are left out, as servers do. */
export function readSheetStart(
  xml: string,
  sharedTexts: readonly string[],
  formats: readonly NumberFormat[] = [],
): SheetStart {
  const rows: string[][] = [];
  const typesByColumn: CellTypes[] = [];
  let hasNumberAsName = false;
  let openFormula: string | undefined;
  let escaped: SheetStart["escaped"];
  let row = 0;
  let cell: Cell | undefined;
  let nextAt = 0;
  for (const tag of xml.split("<")) {
    const name = tagName(tag);
    if (name === "/sheetData" || row > maxRows) break;
    if (name === "row") {
      row = Number(rowNumber.exec(tag)?.[1] ?? row + 1);
      nextAt = 0;
    } else if (name === "c") {
      const [, ref = ""] = cellReference.exec(tag) ?? [];
      const at = columnOf(ref) ?? nextAt;
      nextAt = at + 1;
      const type = cellType.exec(tag)?.[1] ?? "n";
      const format = formats[Number(cellStyle.exec(tag)?.[1] ?? 0)] ?? 0;
      cell = { at, ref, type, format, text: "", isFormula: false };
    } else if (name === "f" && cell) cell.isFormula = true;
    else if ((name === "v" || name === "t") && cell) cell.text += contentOf(tag);
    else if (tag.startsWith(cdata) && cell) {
      cell.text += tag.slice(cdata.length).split("]]>", 1)[0]!;
    } else if (name === "/c" && cell) {
      const text = cutCell(toText(cell, sharedTexts));
      if (cell.type === "e" && row > 1 && cell.at < maxColumns) {
        (typesByColumn[cell.at] ??= {}).error ??= cutCell(cell.text);
      }
      if (cell.text === "" && cell.isFormula && cell.type !== "str") openFormula ??= cell.ref;
      const [code] = escapedCharacter.exec(text) ?? [];
      if (code !== undefined) escaped ??= { ref: cell.ref, code };
      if (text !== "" && cell.at < maxColumns) {
        while (rows.length < row) rows.push([]);
        const cells = rows[row - 1];
        while (cells && cells.length < cell.at) cells.push("");
        cells?.splice(cell.at, 1, text);
        if (row === 1 && !/s/i.test(cell.type)) hasNumberAsName = true;
        if (row > 1 && !isNoValue(text)) noteType((typesByColumn[cell.at] ??= {}), cell, text);
      }
      cell = undefined;
    }
  }
  const [header = [], ...others] = rows;
  const width = rows.reduce((most, { length }) => Math.max(most, length), typesByColumn.length);
  const columns = Array.from({ length: width }, (_, at): Column => {
    const cells = others.map((row) => row[at] ?? "");
    const types = typesByColumn[at] ?? {};
    const changes = findChangesByType(types, cells);
    if (types.error !== undefined) {
      changes.push({ kind: "null", cell: types.error, becomes: "null" });
    }
    return { name: header[at] ?? "", cells, changes };
  });
  const empty = others.findIndex((row) => row.every((text) => text === ""));
  const emptyRow = empty < 0 ? undefined : empty + 2;
  return { columns, rowCount: others.length, emptyRow, hasNumberAsName, openFormula, escaped };
}

/** The first cell of each type in a column, as a text. What is noted of errors does not count as `first`. */
interface CellTypes {
  error?: string;
  first?: Exclude<keyof CellTypes, "error">;
  number?: string;
  boolean?: string;
  date?: string;
  duration?: string;
  text?: string;
}

function noteType(types: CellTypes, { type, format }: Cell, text: string): void {
  const ofNumber = typeof format === "number" ? "number" : format;
  const found = type === "b" ? "boolean" : type === "n" ? ofNumber : "text";
  types.first ??= found;
  types[found] ??= text;
}

/** What pandas 2.3 makes of numbers of several types in one column; with texts in it, servers refuse most. */
function findChangesByType(
  { first, number, boolean, date, duration, text }: CellTypes,
  cells: readonly string[],
): Change[] {
  const hasGap = cells.some(isNoValue);
  if (text !== undefined && !/^[+-]?[\d.]+$/.test(text)) return [];
  if (boolean !== undefined && (hasGap || number !== undefined || text !== undefined)) {
    return [{ kind: "number", cell: boolean, becomes: boolean === "true" ? "1" : "0" }];
  }
  if (first === "date" && date !== undefined && number !== undefined) {
    // A date is a number of days, and a time a part of one.
    const becomes = Number(date.replace("date", "")) < 1 ? "00:00:00" : "1970-01-01";
    return [{ kind: "number", cell: number, becomes }];
  }
  if (duration !== undefined && !hasGap) {
    return [{ kind: "duration", cell: duration, becomes: "" }];
  }
  return [];
}

const cdata = "![CDATA[";
/** ECMA-376, 22.9.2.19; with _x005F_ before it, it is text. */
const escapedCharacter = /(?<!_x005F)_x(?!005F)[\dA-F]{4}_/;
const rowNumber = /^[^>]*\sr="(\d{1,7})"/;
const cellReference = /^[^>]*\sr="([A-Z]{1,3}\d{1,7})"/;
const cellType = /^[^>]*\st="(\w+)"/;
const cellStyle = /^[^>]*\ss="(\d{1,6})"/;

function attributeOf(tag: string, attribute: RegExp): string {
  return attribute.exec(tag.split(">", 1)[0] ?? "")?.[1] ?? "";
}

/** The name of a tag without its prefix, with the slash of a closing one. `tag` is what follows a "<". */
function tagName(tag: string): string | undefined {
  const [, slash = "", name] = /^(\/?)(?:\w+:)?(\w+)/.exec(tag) ?? [];
  return name === undefined ? undefined : slash + name;
}

function isClosed(tag: string): boolean {
  return tag.split(">", 1)[0]?.endsWith("/") === true;
}

function contentOf(tag: string): string {
  return decodeXml(tag.slice(tag.indexOf(">") + 1));
}

/** The column of a reference like AB12, counted from 0. */
function columnOf(ref: string): number | undefined {
  const letters = ref.replace(/\d/g, "");
  if (letters === "") return undefined;
  return [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The text that stands for what servers read; "" for none, as of errors. */
function toText({ type, text, format }: Cell, sharedTexts: readonly string[]): string {
  switch (type) {
    case "e":
      return "";
    case "b":
      return text === "1" ? "true" : "false";
    case "s":
      // A text that was not read is no number.
      return sharedTexts[Number(text)] ?? `?${text}`;
    case "n":
      if (typeof format === "string") return text && `${format} ${text}`;
      if (/^\d+$/.test(text)) return text.padStart(format, "0");
      return /^-?\d+$/.test(text) || text === "" ? text : formatNumber(Number(text));
    default:
      return text;
  }
}

function cutCell(text: string): string {
  return truncate(text, maxCellLength);
}

/** Fractions are written with more digits than they have. */
function formatNumber(number: number): string {
  // The digits of a larger one take long to write, and servers read none of them as a whole number.
  const isWhole = Number.isInteger(number) && Math.abs(number) < 1e21;
  return isWhole ? String(BigInt(number)) : String(number);
}
