// The sheets of a workbook, from the parts of its zip archive (PKWARE's APPNOTE 4.3, without ZIP64).
import * as l10n from "@vscode/l10n";
import { constants, inflateRawSync } from "node:zlib";
import { AppError } from "../mindsdb/errors.ts";
import { cut, describeEmptyRow, kinds, listChanges } from "./csvWarnings.ts";
import { decodeXml } from "./decodeXml.ts";
import { describeNumberAsName } from "./uploadSource.ts";
import { readNumberFormats, readSharedTexts, readSheetStart } from "./workbookCells.ts";

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
/** The part that lists the sheets is in `xl`, or where else the program that wrote it likes. */
const workbookPart = /(?:^|\/)workbook\.xml$/;
/** The part with the relations from sheets to their parts. */
const relationsPart = /(?:^|\/)workbook\.xml\.rels$/;
const sharedTextsPart = /(?:^|\/)sharedStrings\.xml$/i;
const stylesPart = /(?:^|\/)styles\.xml$/i;
const strictNamespace = '"http://purl.oclc.org/ooxml/spreadsheetml/main"';
/** In bytes, of each of these parts. */
const maxPartSize = 1_000_000;
/** In bytes, of a part's name: the paths of thousands of sheets begin with a folder. */
const maxPathLength = 1_000;
/** In bytes: larger sheets have cells. */
const maxEmptySheetSize = 100_000;
/** Of more sheets than these it is not known whether they are empty. */
const maxCheckedSheets = 500;

/** Of so many sheets the cells are checked. */
const maxReadSheets = 5;
/** In bytes, of a part whose beginning is read: compressed, and not. */
const maxStartSize = 200_000;
const maxStartLength = 1_000_000;

interface Sheet {
  name: string;
  /** True if it is known to have no value. */
  isEmpty: boolean;
}

interface Book {
  sheets: (Sheet & { part: Part | undefined })[];
  /** The texts that its cells share. */
  texts: Part | undefined;
  styles: Part | undefined;
  /** Whether it is in the strict variant of the format, in which servers find no sheets (pandas 2.3, openpyxl 3.1). */
  isStrict: boolean;
}

/** A part of the archive: its compressed bytes. */
interface Part {
  name: string;
  bytes: Buffer;
  isStored: boolean;
}

/**
 * Returns the sheets with cells: a chart may have a sheet of its own. Undefined if these bytes are no workbook. Never
 * throws.
 */
export function readSheets(file: Buffer): Sheet[] | undefined {
  return readBook(file)?.sheets.map(({ name, isEmpty }) => ({ name, isEmpty }));
}

function readBook(file: Buffer): Book | undefined {
  try {
    const parts = listParts(file);
    const workbook = parts?.find(({ name }) => workbookPart.test(name));
    const text = workbook && readPart(workbook, maxPartSize);
    if (parts === undefined || text === undefined) return undefined;
    const relationsOf = parts.find(({ name }) => relationsPart.test(name));
    const folder = workbook!.name.replace(workbookPart, "");
    const partsByName = new Map(parts.map((part) => [part.name, part]));
    const relations = readRelations(
      (relationsOf && readPart(relationsOf, maxPartSize)) ?? "",
      (target) =>
        partsByName.get(
          target.startsWith("/") ? target.slice(1) : [folder, target].filter(Boolean).join("/"),
        ),
    );
    let checked = 0;
    const sheets = text.split("<").flatMap((tag): Book["sheets"] => {
      if (!/^(?:\w+:)?sheet\s/.test(tag)) return [];
      const name = readAttribute(tag, /\sname="([^"]*)"/);
      const relation = relations.get(readAttribute(tag, /\s\w+:id="([^"]*)"/) ?? "");
      if (name === undefined || relation?.isChart === true) return [];
      const { part } = relation ?? {};
      const isEmpty = part !== undefined && ++checked <= maxCheckedSheets && hasNoValue(part);
      return [{ name: cut(decodeXml(name)), isEmpty, part }];
    });
    const texts = parts.find(({ name }) => sharedTextsPart.test(name));
    const styles = parts.find(({ name }) => stylesPart.test(name));
    return { sheets, texts, styles, isStrict: text.includes(strictNamespace) };
  } catch {
    return undefined;
  }
}

/**
 * Says what to know about the tables that MindsDB makes of a workbook: of several sheets it makes one each, and one of
 * their names. It also reads texts as numbers. Throws AppError "refused" if it would find no value.
 */
export function listWorkbookWarnings(fileName: string, table: string, file: Buffer): string[] {
  if (/\.xls$/i.test(fileName)) {
    const warning = l10n.t(
      "The cells of .xls files aren't checked for values that MindsDB changes. To check them, save the workbook as .xlsx.",
    );
    return [warning];
  }
  const book = readBook(file);
  if (book?.isStrict) {
    const message = l10n.t(
      "{0} is a Strict Open XML workbook, in which MindsDB finds no sheets. Save it as Excel Workbook (.xlsx).",
      fileName,
    );
    throw new AppError("refused", message);
  }
  const sheets = book?.sheets ?? [];
  const filled = sheets.filter(({ isEmpty }) => !isEmpty);
  if (sheets.length > 0 && filled.length === 0) {
    throw new AppError("refused", l10n.t("{0} is empty.", fileName));
  }
  const ofCells = book ? listCellWarnings(fileName, book) : [];
  if (sheets.length < 2) return ofCells;
  const warnings: string[] = [];
  const example = filled.find(({ name }) => !name.includes("`"));
  if (example) {
    const warning = l10n.t(
      "{0} has {1} sheets. MindsDB creates one table that lists them, and one table per sheet, like {2}.",
      fileName,
      sheets.length,
      `${table}.\`${example.name}\``,
    );
    warnings.push(warning);
  }
  const empty = sheets.filter(({ isEmpty }) => isEmpty).map(({ name }) => name);
  if (empty.length === 1) {
    warnings.push(l10n.t("The sheet {0} is empty. Its table can't be read.", empty[0]!));
  } else if (empty.length > 1) {
    const warning = l10n.t(
      "{0} sheets are empty, such as {1}. Their tables can't be read.",
      empty.length,
      empty[0]!,
    );
    warnings.push(warning);
  }
  return [...warnings, ...ofCells];
}

/** Throws AppError "refused" for a sheet whose columns have no names. */
function listCellWarnings(fileName: string, { sheets, texts, styles }: Book): string[] {
  const sharedTexts = readSharedTexts(readStart(texts));
  const formats = readNumberFormats(readStart(styles));
  return sheets.slice(0, maxReadSheets).flatMap(({ name, part }) => {
    const xml = readStart(part);
    const start = readSheetStart(xml, sharedTexts, formats);
    const { hasNumberAsName, openFormula, emptyRow, escaped, ...cells } = start;
    if (hasNumberAsName) {
      const table = sheets.length > 1 ? `${fileName}, ${name},` : fileName;
      throw new AppError("refused", describeNumberAsName(table));
    }
    const place = (inside: string): string => (sheets.length > 1 ? `${name}: ${inside}` : inside);
    const warnings = listChanges(cells, kinds, place);
    if (emptyRow !== undefined) warnings.push(describeEmptyRow(place(String(emptyRow))));
    if (openFormula !== undefined) {
      const warning = l10n.t(
        "The formula in {0} has no stored result, so MindsDB reads no value. Save the workbook in a spreadsheet program first.",
        place(openFormula),
      );
      warnings.push(warning);
    }
    if (escaped !== undefined) {
      const warning = l10n.t(
        "The text in {0} has a character that the workbook stores as {1}. MindsDB keeps {1} in the text.",
        place(escaped.ref),
        escaped.code,
      );
      warnings.push(warning);
    }
    const [, merged] = /<(?:\w+:)?mergeCell ref="([^"]*)"/.exec(xml) ?? [];
    if (merged !== undefined) {
      const warning = l10n.t(
        "The cells {0} are merged. MindsDB reads a value in the first one only.",
        place(cut(merged)),
      );
      warnings.push(warning);
    }
    return warnings;
  });
}

/** The beginning of a part's text; empty if it is damaged. */
function readStart(part: Part | undefined): string {
  const start = part?.bytes.subarray(0, maxStartSize) ?? Buffer.alloc(0);
  if (part?.isStored) return start.toString("utf8");
  // What grows too much throws, so less of it is tried.
  for (let size = start.length; size > 0; size >>= 1) {
    try {
      const content = inflateRawSync(start.subarray(0, size), {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: maxStartLength,
      });
      return content.toString("utf8");
    } catch {
      continue;
    }
  }
  return "";
}

interface Relation {
  isChart: boolean;
  part: Part | undefined;
}

/** The relations by their ids. Those to charts lead to sheets without cells. */
function readRelations(
  relations: string,
  findPart: (target: string) => Part | undefined,
): Map<string, Relation> {
  const tags = relations.split("<").filter((tag) => /^(?:\w+:)?Relationship\s/.test(tag));
  return new Map(
    tags.map((tag) => {
      const isChart = /\sType="[^"]*\/chartsheet"/.test(openingTag(tag));
      const part = findPart(decodeXml(readAttribute(tag, /\sTarget="([^"]*)"/) ?? ""));
      return [readAttribute(tag, /\sId="([^"]*)"/) ?? "", { isChart, part }];
    }),
  );
}

/** Whether a sheet has no cell with a value, formula or text; cells may have a style alone. */
function hasNoValue(part: Part): boolean {
  if (part.bytes.length > maxEmptySheetSize) return false;
  try {
    const text = readPart(part, maxEmptySheetSize) ?? "";
    return /<(?:\w+:)?sheetData[\s/>]/.test(text) && !/<(?:\w+:)?(?:v|f|is)[\s/>]/.test(text);
  } catch {
    // It is larger, or damaged.
    return false;
  }
}

/** The value of an attribute in what follows a "<"; not decoded. */
function readAttribute(tag: string, attribute: RegExp): string | undefined {
  return attribute.exec(openingTag(tag))?.[1];
}

function openingTag(tag: string): string {
  return tag.split(">", 1)[0] ?? "";
}

function listParts(file: Buffer): Part[] | undefined {
  const end = file.lastIndexOf(Buffer.from("PK\x05\x06"));
  if (end < 0 || file.readUInt32LE(end) !== endSignature) return undefined;
  const parts: Part[] = [];
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    if (file.readUInt32LE(at) !== entrySignature) return undefined;
    const nameLength = file.readUInt16LE(at + 28);
    const name = file.toString("utf8", at + 46, at + 46 + Math.min(nameLength, maxPathLength));
    const start = file.readUInt32LE(at + 42);
    const body = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28);
    const bytes = file.subarray(body, body + file.readUInt32LE(at + 20));
    parts.push({ name, bytes, isStored: file.readUInt16LE(at + 10) === 0 });
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return parts;
}

/** The text of a part; undefined if it is too large. Throws if it is damaged, or too large without compression. */
function readPart({ bytes, isStored }: Part, maxSize: number): string | undefined {
  if (bytes.length > maxSize) return undefined;
  const content = isStored ? bytes : inflateRawSync(bytes, { maxOutputLength: maxSize });
  return content.toString("utf8");
}
