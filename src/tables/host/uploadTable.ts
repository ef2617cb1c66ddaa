// `Upload as Table…`: a file becomes a table of the data source `files`, is shown in the tree, and previewed.
import path from "node:path";
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { commands } from "../../ids.ts";
import { listTables } from "../../mindsdb/dataSources.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import { uploadFile } from "../../mindsdb/files.ts";
import { filesSource } from "../../mindsdb/filesSource.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { showWarning } from "../../shared/host/notifications.ts";
import { askText } from "../../shared/host/quickInput.ts";
import { readFileChunks, readFileSize } from "../../shared/host/readFileChunks.ts";
import { openUtf8File } from "../../shared/host/readUtf8Chunks.ts";
import { withCancelButton } from "../../shared/host/withCancelButton.ts";
import { checkedBytes } from "../csvChecks.ts";
import { listCsvWarnings } from "../csvWarnings.ts";
import { ReplaceError, replaceTable } from "../replaceTable.ts";
import {
  createUpload,
  explainUploadError,
  isTableName,
  proposeTableName,
  readStart,
  uploadEndings,
  type SourceFile,
} from "../uploadSource.ts";
import { pickConnection } from "../../shared/host/newItemTarget.ts";

export interface UploadOptions {
  servers: ServerAccess;
  reveal: (table: TableRef) => Promise<void>;
}

/** A file of VS Code's menus, a node of the tree, or both for a file that was dropped there. */
export type UploadPlace = vscode.Uri | { connectionId: string; uri?: vscode.Uri };

/** Asks for what is not given, and uploads. Throws AppError. */
export async function uploadTable(options: UploadOptions, given?: UploadPlace): Promise<void> {
  const { servers } = options;
  const uri = given instanceof vscode.Uri ? given : (given?.uri ?? (await pickFile()));
  if (!uri) return;
  const file = await openFile(uri);
  const title = vscode.l10n.t("Upload {0} as a Table", file.name);
  const connectionId =
    given && "connectionId" in given
      ? given.connectionId
      : (await pickConnection(servers, undefined, { title }))?.id;
  if (connectionId === undefined) return;
  const client = await servers.client(connectionId);
  const tables = (await listTables(client, filesSource)).map(({ name }) => name);
  const name = await askForName(title, file);
  if (name === undefined) return;
  const exists = tables.includes(name);
  if (!(await mayUpload(options, connectionId, { file, name, exists }))) return;
  if (!(await send(client, file, name, exists))) return;
  const table: TableRef = { connectionId, project: filesSource, name };
  await options.reveal(table);
  await executeCommand(commands.tablePreview, table);
}

async function pickFile(): Promise<vscode.Uri | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t("Upload as Table"),
      filters: { [vscode.l10n.t("Tables")]: uploadEndings },
    })) ?? [];
  return uri;
}

/** A file to upload. */
interface OpenedFile extends SourceFile {
  /** Whether it is a text in an encoding that nobody has named. */
  isUndecoded?: boolean;
}

async function openFile(uri: vscode.Uri): Promise<OpenedFile> {
  const name = path.posix.basename(uri.path);
  const raw = async () => ({
    name,
    size: await readFileSize(uri),
    read: () => readFileChunks(uri),
  });
  if (/\.(?:xls[xmb]?|ods|parquet|pdf)$/i.test(name)) return raw();
  try {
    const text = await openUtf8File(uri);
    return { ...text, name, read: () => text.read() };
  } catch (error) {
    if (!isAppError(error, "notUtf8")) throw error;
    return { ...(await raw()), isUndecoded: true };
  }
}

async function askForName(title: string, { name, size }: SourceFile): Promise<string | undefined> {
  const typed = await askText({
    title,
    prompt: vscode.l10n.t("The table's name. {0} will be sent.", formatSize(size)),
    value: proposeTableName(name),
    placeholder: vscode.l10n.t("Table name, such as sales_2024"),
    accept: (value) =>
      Promise.resolve(
        isTableName(value.trim())
          ? undefined
          : vscode.l10n.t(
              "Use lowercase letters, digits, and underscores, with at least one letter.",
            ),
      ),
  });
  return typeof typed === "string" ? typed.trim() : undefined;
}

/** Asks before a table is replaced, and before rows are lost. */
async function mayUpload(
  { servers }: UploadOptions,
  connectionId: string,
  { file, name, exists }: { file: OpenedFile; name: string; exists: boolean },
): Promise<boolean> {
  const warnings = await listWarnings(file, name);
  if (file.isUndecoded) {
    const warning = vscode.l10n.t(
      "{0} is not UTF-8, and MindsDB would guess its encoding. Reopen the file with its encoding, or save it as UTF-8.",
      file.name,
    );
    warnings.unshift(warning);
  }
  if (exists) {
    const replaced = vscode.l10n.t(
      "The rows of the old table are lost. It is deleted once the server has read the file.",
    );
    return servers.allowWrite(connectionId, {
      what: vscode.l10n.t("Replace the table {0} in {1}", name, filesSource),
      button: vscode.l10n.t("Replace"),
      detail: [replaced, ...warnings],
      deletes: name,
    });
  }
  return servers.allowWrite(connectionId, {
    what: vscode.l10n.t("Upload {0} as the table {1}", file.name, name),
    button: vscode.l10n.t("Upload"),
    detail: warnings,
    isAlwaysAsked: warnings.length > 0,
  });
}

/** Larger workbooks are not read to look for their sheets, in bytes. */
const maxWorkbookSize = 50_000_000;

async function listWarnings(file: SourceFile, table: string): Promise<string[]> {
  if (/\.[ct]sv$/i.test(file.name)) {
    return listCsvWarnings(file, await readStart(file, checkedBytes));
  }
  if (/\.(jsonl?|ndjson)$/i.test(file.name)) {
    const { listJsonWarnings } = await import("../jsonWarnings.ts");
    const start = await readStart(file, checkedBytes);
    return listJsonWarnings(file.name, start, { isWhole: start.length >= file.size });
  }
  if (!/\.xlsx?$/i.test(file.name) || file.size > maxWorkbookSize) return [];
  const { listWorkbookWarnings } = await import("../workbookSheets.ts");
  const bytes = await readStart(file, maxWorkbookSize);
  return listWorkbookWarnings(file.name, `${filesSource}.${table}`, bytes);
}

/** Uploads with progress and Cancel; false if the user has cancelled. */
async function send(
  client: Client,
  file: SourceFile,
  name: string,
  exists: boolean,
): Promise<boolean> {
  const title = vscode.l10n.t("Uploading {0}", file.name);
  return withCancelButton(title, async (signal, report) => {
    // A table that is replaced is sent twice.
    const passes = exists ? 2 : 1;
    let pass = 0;
    let shown = 0;
    try {
      const upload = await createUpload(file, onSent, signal);
      const total = upload.length;
      function onSent(bytes: number): void {
        if (bytes === 0) pass++;
        const sent = total === 0 ? 100 : Math.floor((100 * bytes) / total);
        const percent = Math.floor(((pass - 1) * 100 + sent) / passes);
        const message =
          sent < 100
            ? vscode.l10n.t("{0} of {1}", formatSize(bytes), formatSize(total))
            : vscode.l10n.t("waiting for the server");
        if (percent > shown || bytes === 0) {
          report({ message, increment: percent - shown });
        }
        shown = percent;
      }
      if (exists) await replaceTable(client, name, upload, signal);
      else await uploadFile(client, name, upload, { signal });
      return true;
    } catch (error) {
      if (error instanceof ReplaceError) {
        const { copy, isOldDeleted } = error;
        const message = isOldDeleted
          ? vscode.l10n.t(
              "The old table {0} was deleted, and the upload of the new one failed. The new rows are in the table {1}.",
              name,
              copy,
            )
          : vscode.l10n.t(
              "The connection was lost while the old table {0} was deleted. The new rows are in the table {1}.",
              name,
              copy,
            );
        void showWarning(message);
        throw error.cause;
      }
      if (signal.aborted) return false;
      throw await explainUploadError(error, file);
    }
  });
}

function formatSize(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let [value, at] = [bytes, 0];
  for (; value >= 1000 && at < units.length - 1; at++) value /= 1000;
  const digits = { maximumFractionDigits: value < 10 && at > 0 ? 1 : 0 };
  return `${value.toLocaleString(vscode.env.language, digits)} ${units[at] ?? ""}`;
}
