// Picks and reads files of rows.
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { AppError } from "../../mindsdb/errors.ts";
import {
  detectRowsFormat,
  readRows,
  rowsFileEndings,
  rowsFileGlob,
} from "../../predict/rows/readRows.ts";
import { describeRowsError, RowsError, type Row } from "../../predict/rows/row.ts";

const maxOffered = 200;
/** VS Code cannot stream files that are not on this machine's disk: they are read into memory. */
const maxVirtualBytes = 64 * 1024 * 1024;

/** Asks for a rows file: one of the workspace, or any other. */
export async function pickFile(title: string): Promise<vscode.Uri | undefined> {
  const found = vscode.workspace.isTrusted
    ? await vscode.workspace.findFiles(
        rowsFileGlob,
        "{**/node_modules/**,**/.vscode/**}",
        maxOffered,
      )
    : [];
  const items = found
    .map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));
  const other = { label: vscode.l10n.t("Another File…"), uri: undefined, alwaysShow: true };
  const picked =
    items.length === 0
      ? other
      : await vscode.window.showQuickPick([...items, other], {
          title,
          placeHolder: vscode.l10n.t("A file of rows: JSON, JSON Lines or CSV"),
        });
  if (!picked) return undefined;
  if (picked.uri) return picked.uri;
  const [file] =
    (await vscode.window.showOpenDialog({
      title,
      filters: { [vscode.l10n.t("Rows")]: [...rowsFileEndings] },
    })) ?? [];
  return file;
}

export function nameOfFile(uri: vscode.Uri): string {
  return path.posix.basename(uri.path);
}

/** The rows of a file, some thousands at a time. Throws AppError. */
export async function* rowsOfFile(uri: vscode.Uri): AsyncGenerator<Row[]> {
  const name = nameOfFile(uri);
  const format = detectRowsFormat(name);
  if (!format) {
    throw new AppError(
      "refused",
      vscode.l10n.t("{0} is not a file of rows. Rows come as JSON, JSON Lines or CSV.", name),
    );
  }
  try {
    yield* readRows(readChunks(uri), format);
  } catch (error) {
    if (error instanceof RowsError) throw new AppError("refused", describeRowsError(error, name));
    if (error instanceof AppError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError("notFound", vscode.l10n.t("{0} could not be read: {1}.", name, why));
  }
}

async function* readChunks(uri: vscode.Uri): AsyncGenerator<Uint8Array> {
  if (uri.scheme === "file") {
    yield* fs.createReadStream(uri.fsPath, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>;
    return;
  }
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > maxVirtualBytes) {
    throw new AppError(
      "tooLarge",
      vscode.l10n.t(
        "{0} is larger than 64 MB and not on this machine's disk. Copy it there first.",
        nameOfFile(uri),
      ),
    );
  }
  yield await vscode.workspace.fs.readFile(uri);
}
