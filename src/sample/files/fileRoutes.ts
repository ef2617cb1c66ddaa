// The handler that makes a table of an uploaded file. Only CSV and JSON: no file needs more to try it out.
import Papa from "papaparse";
import type { Call } from "../server/call.ts";
import { crash, json, problem } from "../server/replies.ts";
import type { Reply } from "../server/replies.ts";
import { createRelation } from "../sql/select.ts";
import type { Cell, State, Table } from "../server/state.ts";

type Rows = Pick<Table, "columns" | "rows">;

/** `PUT /api/files/{name}` with the file as a part of a form. */
export function uploadFile({ state, params, message, body }: Call): Reply {
  const name = (params["name"] ?? "").toLowerCase();
  if (!isTableName(name)) {
    throw problem(400, "Error", "File name cannot contain extension.");
  }
  if (state.tables.some((table) => table.name === name)) {
    throw problem(400, "File already exists", `File with name '${name}' already exists`);
  }
  const file = readFilePart(message.headers["content-type"] ?? "", body);
  state.tables.push(createTable(name, readRows(file)));
  return json("");
}

/** Whether an uploaded table can have this name. Other names could not be written in questions and statements. */
export function isTableName(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name);
}

/** Removes an uploaded table or one of the seed; false if there is none. */
export function dropTable(state: State, name: string): boolean {
  const at = state.tables.findIndex((table) => table.name === name.toLowerCase());
  if (at >= 0) state.tables.splice(at, 1);
  return at >= 0;
}

/** A table of uploaded rows. Questions find it by its name. */
export function createTable(name: string, { columns, rows }: Rows): Table {
  return { name, columns, rows, noun: [name], words: {} };
}

/** The file in a form's body. Its name decides how it is read. */
function readFilePart(type: string, body: Buffer): { fileName: string; text: string } {
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1];
  if (boundary === undefined) throw crash("Unsupported Media Type", "No form was sent.", 415);
  const head = body.indexOf("\r\n\r\n");
  const end = body.lastIndexOf(`\r\n--${boundary}--`);
  const fileName = /filename="([^"]*)"/.exec(body.subarray(0, Math.max(0, head)).toString("utf8"));
  if (head < 0 || end < head || fileName?.[1] === undefined) {
    throw problem(400, "Error", "No file was sent.");
  }
  const text = body.subarray(head + 4, end).toString("utf8");
  return { fileName: fileName[1], text: text.replace(/^\ufeff/, "") };
}

function readRows({ fileName, text }: { fileName: string; text: string }): Rows {
  const extension = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? "";
  if (extension === "json") return readObjects(text);
  if (extension !== "csv") throw problem(400, "Error", `Not supported format: ${extension}`);
  const parsed = Papa.parse<string[]>(text, { delimiter: ",", skipEmptyLines: true });
  const [columns = [], ...rows] = parsed.data;
  if (columns.length === 0) throw problem(400, "Error", "The file is empty.");
  // As on real servers, what is beyond the header is cut, and what is missing is null.
  const numeric = columns.map((_, at) => rows.every((row) => isNumberOrEmpty(row[at])));
  return {
    columns,
    rows: rows.map((row) =>
      columns.map((_, at) => {
        const cell = row[at] ?? "";
        if (cell === "") return null;
        return numeric[at] ? Number(cell) : cell;
      }),
    ),
  };
}

function isNumberOrEmpty(cell: string | undefined): boolean {
  return cell === undefined || cell === "" || Number.isFinite(Number(cell));
}

function readObjects(text: string): Rows {
  try {
    const parsed = [JSON.parse(text) as unknown].flat();
    const { columns, rows } = createRelation(parsed as Record<string, unknown>[]);
    return { columns, rows: rows.map((row) => row.map(toCell)) };
  } catch (error) {
    const { message } = error as Error;
    if (!(error instanceof SyntaxError)) throw problem(400, "Error", message);
    // In the words of Python, as real servers say it.
    const isSeveral = message.includes("after JSON");
    throw problem(400, "Error", `${isSeveral ? "Extra data" : "Expecting value"}: ${message}`);
  }
}

function toCell(value: unknown): Cell {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value as Cell);
}
