// Rows of a source as documents of a knowledge base.
import type { JsonObject } from "../../mindsdb/json.ts";
import { parseStringLiteral } from "../../predict/rows/jsonLiteral.ts";
import { readTextAt, type Row } from "../../predict/rows/row.ts";
import { findIdColumn, type ColumnMapping, type FillTarget } from "./columnMapping.ts";

/** A row to insert. */
export interface FillDocument {
  id: string;
  row: JsonObject;
  /** About its length as JSON. */
  length: number;
}

/** Why rows of the file are not sent, by number of rows. */
interface LeftOutRows {
  /** Rows that repeat an id: the first row of an id is sent. */
  repeatedId: number;
  noId: number;
  noContent: number;
}

/** How many rows there are, and how many of them become documents. */
export interface RowCount extends LeftOutRows {
  rows: number;
  documents: number;
}

/**
 * Turns rows into documents, in their order. Servers say nothing about rows that they leave out, so these are found and
 * counted here: rows without content, and all but the first row of an id.
 */
export class DocumentReader {
  readonly count: RowCount = { rows: 0, documents: 0, repeatedId: 0, noId: 0, noContent: 0 };
  readonly #columns: { column: string; kind: string; name: string }[];
  readonly #target: FillTarget;
  readonly #idColumn: string | undefined;
  readonly #sourceName: string;
  readonly #ids = new Set<string>();

  /** Without a column for ids, a row's id is the source's name and the row's number. */
  constructor(mapping: ColumnMapping, target: FillTarget, sourceName: string) {
    this.#columns = Object.entries(mapping).flatMap(([column, role]) => {
      const at = role.indexOf(":");
      return at < 0 ? [] : [{ column, kind: role.slice(0, at), name: role.slice(at + 1) }];
    });
    this.#target = target;
    this.#idColumn = findIdColumn(mapping);
    this.#sourceName = sourceName;
  }

  read(rows: readonly Row[]): FillDocument[] {
    return rows.flatMap((row) => {
      const document = this.#toDocument(row);
      return document ? [document] : [];
    });
  }

  #toDocument(row: Row): FillDocument | undefined {
    const { count } = this;
    count.rows++;
    const id = this.#idColumn === undefined ? this.#numberedId() : readText(row, this.#idColumn);
    if (id.trim() === "") {
      count.noId++;
      return undefined;
    }
    const { contents, metadata } = this.#readValues(row);
    if (contents.size === 0) {
      count.noContent++;
      return undefined;
    }
    if (this.#ids.has(id)) {
      count.repeatedId++;
      return undefined;
    }
    this.#ids.add(id);
    count.documents++;
    const content = Object.fromEntries(
      [...contents].map(([name, texts]) => [name, texts.join("\n\n")]),
    );
    return {
      id,
      row: { ...metadata, ...content, [this.#target.idColumn]: id },
      length: row.end - row.start,
    };
  }

  #numberedId(): string {
    return `${this.#sourceName}#${String(this.count.rows)}`;
  }

  /** Texts by content column, blank ones left out, and metadata. Several columns can become one content. */
  #readValues(row: Row): { contents: Map<string, string[]>; metadata: JsonObject } {
    const contents = new Map<string, string[]>();
    const metadata = new Map<string, unknown>();
    for (const { column, kind, name } of this.#columns) {
      if (kind === "content") {
        const text = readText(row, column);
        if (text.trim() === "") continue;
        const texts = contents.get(name);
        if (texts) texts.push(text);
        else contents.set(name, [text]);
      } else {
        const value = readMetadata(row, column);
        if (value !== undefined) metadata.set(name, value);
      }
    }
    return { contents, metadata: Object.fromEntries(metadata) };
  }
}

/** A value as text: ids and contents are sent as texts, whatever they are in the file. */
export function readText(row: Row, column: string): string {
  const index = row.shape.indexOf.get(column);
  if (index === undefined) return "";
  const json = readTextAt(row, index);
  return json === "null" ? "" : parseStringLiteral(json);
}

/** Texts, numbers and truth values as they are, anything else as JSON; undefined if there is none. */
function readMetadata(row: Row, column: string): string | number | boolean | undefined {
  const index = row.shape.indexOf.get(column);
  if (index === undefined) return undefined;
  const json = readTextAt(row, index);
  if (json === "null") return undefined;
  if (json === "true" || json === "false") return json === "true";
  const first = json.charCodeAt(0);
  // A number that JavaScript would change goes as text.
  const isNumber = first === 0x2d || (first >= 0x30 && first <= 0x39);
  if (!isNumber) return parseStringLiteral(json);
  const number = Number(json);
  return Number.isFinite(number) && !(Number.isInteger(number) && !Number.isSafeInteger(number))
    ? number
    : json;
}
