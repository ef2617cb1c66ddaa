// Reads what a knowledge base is filled from, as rows: files, folders, tables and SELECTs.
import path from "node:path";
import * as vscode from "vscode";
import type { ServerAccess } from "../../../shared/connection.ts";
import { splitEntry } from "../../../mindsdb/dataPatterns.ts";
import { AppError, isAppError } from "../../../mindsdb/errors.ts";
import { CostConsent } from "../../../mindsdb/http/costConsent.ts";
import { readRowPages, type RowSource } from "../../../mindsdb/rowPages.ts";
import { kindOfSql } from "../../../mindsdb/sql/statementKind.ts";
import { nameInSql } from "../../../mindsdb/sql/nameInSql.ts";
import { detectRowsFormat, readRows } from "../../../predict/rows/readRows.ts";
import { describeRowsError, RowsError, type Row } from "../../../predict/rows/row.ts";
import { RowTotal } from "../../../predict/rows/rowTotal.ts";
import { readSmallFile } from "../../../shared/host/readFileChunks.ts";
import { presentStatement } from "../../../shared/host/presentStatement.ts";
import { readUtf8Chunks, toUtf8 } from "../../../shared/host/readUtf8Chunks.ts";
import { truncate } from "../../../shared/oneLine.ts";
import { findInexactNumber } from "../../fill/inexactNumber.ts";
import type { SourceRef } from "../../fill/sourceRef.ts";
import { toRows } from "../../fill/tableRows.ts";
import {
  createLeftOutFiles,
  findRelativePaths,
  isSearchedFolder,
  isTextFileName,
  maxTextFileBytes,
  toTextFileRow,
  type LeftOutFiles,
} from "../../fill/textFiles.ts";
import { formatLeftOutFiles, formatReading } from "./fillTexts.ts";
import { askConsent } from "../../../shared/host/consent.ts";

/** The rows at the beginning of the source that the form shows columns and documents of. */
const headRows = 200;
/** Rows of text files are large: fewer of them are enough. */
const maxHeadBytes = 4 * 1024 * 1024;

export interface FillSource {
  readonly ref: SourceRef;
  /** The source for the page. */
  readonly label: string;
  /** The ids of rows without one begin with it. */
  readonly name: string;
  /** All rows, some at a time; `idColumn` is the column that becomes the id. Throws AppError. */
  read(idColumn: string | undefined, signal?: AbortSignal): AsyncGenerator<Row[]>;
  /** Sentences about rows and files that the last read skipped. */
  notes(): string[];
}

export function createFillSource(
  ref: SourceRef,
  servers: ServerAccess,
  connectionId: string,
): FillSource {
  const noNotes = (): string[] => [];
  switch (ref.kind) {
    case "rowsFile": {
      const uri = vscode.Uri.parse(ref.uri);
      let total = new RowTotal(0);
      return {
        ref,
        label: vscode.workspace.asRelativePath(uri),
        name: nameOf(uri),
        read: (_, signal) => {
          total = new RowTotal(0);
          return readRowsFile(uri, total, signal);
        },
        notes: () => formatReading(total),
      };
    }
    case "textFiles": {
      const uris = ref.uris.map((uri) => vscode.Uri.parse(uri));
      const label = uris.map((uri) => vscode.workspace.asRelativePath(uri)).join(", ");
      const paths = findRelativePaths(uris.map((uri) => uri.path));
      return createTextSource(ref, truncate(label, 400), (left, signal) =>
        readFiles(
          uris.map((uri, at) => ({ uri, relativePath: paths[at] ?? nameOf(uri) })),
          left,
          signal,
        ),
      );
    }
    case "folder": {
      const uri = vscode.Uri.parse(ref.uri);
      return createTextSource(ref, vscode.workspace.asRelativePath(uri), (left, signal) =>
        readFiles(listFiles(uri, "", left, signal), left, signal, uri.fsPath),
      );
    }
    case "table": {
      const consent = createConsent(nameInSql([ref.project, ...splitEntry(ref.name)]));
      const table = [ref.project, ...splitEntry(ref.name)];
      const label = nameInSql(table);
      const read: FillSource["read"] = (idColumn, signal) =>
        readFromServer({ table }, servers, connectionId, { idColumn, signal, consent });
      return { ref, label, name: label, read, notes: noNotes };
    }
    case "select": {
      const consent = createConsent(ref.query);
      const read: FillSource["read"] = (idColumn, signal) =>
        readFromServer({ select: ref.query }, servers, connectionId, { idColumn, signal, consent });
      return { ref, label: truncate(ref.query, 400), name: "select", read, notes: noNotes };
    }
  }
}

function nameOf(uri: vscode.Uri): string {
  return path.posix.basename(uri.path);
}

async function* readRowsFile(
  uri: vscode.Uri,
  total: RowTotal,
  signal?: AbortSignal,
): AsyncGenerator<Row[]> {
  const name = nameOf(uri);
  const format = detectRowsFormat(name);
  if (!format) {
    throw new AppError(
      "refused",
      vscode.l10n.t("{0} is not a file of rows. Use JSON, JSON Lines, or CSV.", name),
    );
  }
  try {
    yield* readRows(readUtf8Chunks(uri, signal), format, total);
  } catch (error) {
    if (error instanceof RowsError) throw new AppError("refused", describeRowsError(error, name));
    throw error;
  }
}

interface TextFile {
  uri: vscode.Uri;
  /** With slashes. */
  relativePath: string;
}

function createTextSource(
  ref: SourceRef,
  label: string,
  read: (left: LeftOutFiles, signal?: AbortSignal) => AsyncGenerator<Row[]>,
): FillSource {
  let leftOut = createLeftOutFiles();
  return {
    ref,
    label,
    name: label,
    read: (_, signal) => {
      leftOut = createLeftOutFiles();
      return read(leftOut, signal);
    },
    notes: () => formatLeftOutFiles(leftOut, maxTextFileBytes),
  };
}

/**
 * The text files in a folder and below it, by name. Links to folders are not followed: they may lead in a circle, or out of
 * what the user picked.
 */
async function* listFiles(
  folder: vscode.Uri,
  prefix: string,
  left: LeftOutFiles,
  signal?: AbortSignal,
): AsyncGenerator<TextFile> {
  signal?.throwIfAborted();
  const entries = await readFolder(folder);
  for (const [name, type] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const uri = vscode.Uri.joinPath(folder, name);
    const relativePath = `${prefix}${name}`;
    if (type === vscode.FileType.Directory) {
      if (isSearchedFolder(name)) yield* listFiles(uri, `${relativePath}/`, left, signal);
    } else if ((type & vscode.FileType.File) !== 0) {
      if (isTextFileName(name)) yield { uri, relativePath };
      else left.otherEnding.push(relativePath);
    } else if ((type & vscode.FileType.SymbolicLink) !== 0) left.link.push(relativePath);
  }
}

async function readFolder(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const name = nameOf(folder);
    throw new AppError("notFound", vscode.l10n.t("{0} could not be read: {1}.", name, why));
  }
}

async function* readFiles(
  files: Iterable<TextFile> | AsyncIterable<TextFile>,
  left: LeftOutFiles,
  signal?: AbortSignal,
  folder?: string,
): AsyncGenerator<Row[]> {
  for await (const { uri, relativePath } of files) {
    signal?.throwIfAborted();
    const bytes = await readTextFile(uri, folder);
    if (typeof bytes === "string") {
      left[bytes].push(relativePath);
      continue;
    }
    const text = await toUtf8(uri, bytes);
    const rows = text && toTextFileRow(relativePath, text);
    if (rows) yield rows;
    else left.notText.push(relativePath);
  }
}

async function readTextFile(
  uri: vscode.Uri,
  folder?: string,
): Promise<Uint8Array | "tooLarge" | "notRead" | "link"> {
  try {
    return (await readSmallFile(uri, maxTextFileBytes, folder)) ?? "tooLarge";
  } catch (error) {
    return isAppError(error, "refused") ? "link" : "notRead";
  }
}

/** Asks once for all that is read from a source. */
function createConsent(source: string): CostConsent {
  return new CostConsent(async () => {
    const detail = await presentStatement(source);
    if (detail === undefined) return false;
    const run = vscode.l10n.t("Run");
    const message = vscode.l10n.t(
      "This SELECT may call a paid model and runs again for every 1,000 rows.",
    );
    return (await askConsent(message, detail, run)) === run;
  });
}

async function* readFromServer(
  source: RowSource,
  servers: ServerAccess,
  connectionId: string,
  {
    idColumn,
    signal,
    consent,
  }: { idColumn: string | undefined; signal: AbortSignal | undefined; consent: CostConsent },
): AsyncGenerator<Row[]> {
  // The statement may come from the state of a page.
  if ("select" in source && kindOfSql(source.select) === "write") {
    throw new AppError(
      "refused",
      vscode.l10n.t("Only a SELECT that can't change anything is run."),
    );
  }
  const client = await servers.client(connectionId);
  const options = { orderBy: idColumn, timeoutMs: 120_000, signal, cost: consent };
  for await (const page of readRowPages(client, source, options)) {
    if (idColumn !== undefined && findInexactNumber(page, idColumn) !== undefined) {
      throw new AppError(
        "refused",
        vscode.l10n.t(
          "{0} has numbers that are too large to be read exactly. Use a SELECT with CAST({0} AS VARCHAR).",
          idColumn,
        ),
      );
    }
    yield toRows(page);
  }
}

/** The first rows of a source. */
export async function readHead(source: FillSource, signal?: AbortSignal): Promise<Row[]> {
  const head: Row[] = [];
  let bytes = 0;
  for await (const rows of source.read(undefined, signal)) {
    signal?.throwIfAborted();
    for (const row of rows) {
      if (head.length >= headRows || bytes >= maxHeadBytes) return head;
      head.push(row);
      bytes += row.end - row.start;
    }
  }
  return head;
}
