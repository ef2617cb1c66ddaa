// The cells of a sheet, from its XML (ECMA-376, 18.3), as MindsDB reads them.
import { truncate } from "../shared/oneLine.ts";
import { decodeXml } from "./decodeXml.ts";

/** Further rows and columns are not read. */
const maxRows = 2_000;
const maxColumns = 500;
/** Many cells may share one text, so that each is read as often as it has cells. In characters; no number is as long. */
const maxCellLength = 1_000;

/** The beginning of a sheet. */
interface SheetStart {
  /** Without the first row. Empty cells are "". */
  columns: { name: string; cells: string[] }[];
  rowCount: number;
  /** Whether a cell of the first row is no text. */
  hasNumberAsName: boolean;
  /** The reference of a cell with a formula but no result, such as B2. */
  openFormula: string | undefined;
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

interface Cell {
  at: number;
  ref: string;
  type: string;
  text: string;
  isFormula: boolean;
}

/** Reads the cells in a sheet's XML, which may be cut. Cells and rows without a value at the end are left out, as servers do. */
export function readSheetStart(xml: string, sharedTexts: readonly string[]): SheetStart {
  const rows: string[][] = [];
  let hasNumberAsName = false;
  let openFormula: string | undefined;
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
      cell = { at, ref, type: cellType.exec(tag)?.[1] ?? "n", text: "", isFormula: false };
    } else if (name === "f" && cell) cell.isFormula = true;
    else if ((name === "v" || name === "t") && cell) cell.text += contentOf(tag);
    else if (tag.startsWith(cdata) && cell) {
      cell.text += tag.slice(cdata.length).split("]]>", 1)[0]!;
    } else if (name === "/c" && cell) {
      const text = cutCell(toText(cell, sharedTexts));
      if (cell.text === "" && cell.isFormula && cell.type !== "str") openFormula ??= cell.ref;
      if (text !== "" && cell.at < maxColumns) {
        while (rows.length < row) rows.push([]);
        const cells = rows[row - 1];
        while (cells && cells.length < cell.at) cells.push("");
        cells?.splice(cell.at, 1, text);
        if (row === 1 && !/s/i.test(cell.type)) hasNumberAsName = true;
      }
      cell = undefined;
    }
  }
  const [header = [], ...others] = rows;
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const columns = Array.from({ length: width }, (_, at) => ({
    name: header[at] ?? "",
    cells: others.map((cells) => cells[at] ?? ""),
  }));
  return { columns, rowCount: others.length, hasNumberAsName, openFormula };
}

const cdata = "![CDATA[";
const rowNumber = /^[^>]*\sr="(\d{1,7})"/;
const cellReference = /^[^>]*\sr="([A-Z]{1,3}\d{1,7})"/;
const cellType = /^[^>]*\st="(\w+)"/;

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
function toText({ type, text }: Cell, sharedTexts: readonly string[]): string {
  switch (type) {
    case "e":
      return "";
    case "b":
      return text === "1" ? "true" : "false";
    case "s":
      // A text that was not read is no number.
      return sharedTexts[Number(text)] ?? `?${text}`;
    case "n":
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
