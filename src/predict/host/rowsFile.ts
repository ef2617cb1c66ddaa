// Where a recipe's rows file is, and its bytes.
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { AppError, isCancelled } from "../../mindsdb/errors.ts";

/** Files that are not on this machine's disk come whole: VS Code cannot stream them. */
const maxVirtualBytes = 64 * 1024 * 1024;

export interface RowsFile {
  uri: vscode.Uri;
  bytes: number;
}

/** Where a notebook's rows files are looked for: beside it, then in its workspace folder, then in the others. */
function rowsFolders(notebook: vscode.Uri): vscode.Uri[] {
  const beside = notebook.scheme === "untitled" ? [] : [vscode.Uri.joinPath(notebook, "..")];
  const own = vscode.workspace.getWorkspaceFolder(notebook)?.uri;
  const all = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const folders = [...beside, ...(own ? [own] : []), ...all];
  return [...new Map(folders.map((folder) => [folder.toString(), folder])).values()];
}

/**
 * A file by its path beside the notebook, by its whole path, or as a `file:` address; written with slashes or, as on
 * Windows, with backslashes. Throws AppError "notFound".
 */
export async function findRowsFile(notebook: vscode.Uri, file: string): Promise<RowsFile> {
  const folders = rowsFolders(notebook);
  const isWhole = path.isAbsolute(file) || /^file:/i.test(file);
  const beside = [...new Set([file, file.replaceAll("\\", "/")])].flatMap((name) =>
    folders.map((folder) => vscode.Uri.joinPath(folder, name)),
  );
  const whole = () => (path.isAbsolute(file) ? vscode.Uri.file(file) : vscode.Uri.parse(file));
  for (const uri of isWhole ? [whole()] : beside) {
    const stat = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
    if (!stat) continue;
    if ((stat.type & vscode.FileType.Directory) === 0) return { uri, bytes: stat.size };
    throw new AppError("notFound", vscode.l10n.t("{0} is a folder. Name a file of rows.", file));
  }
  if (isWhole) throw new AppError("notFound", vscode.l10n.t("There is no {0}.", file));
  const places = folders.map((folder) => vscode.workspace.asRelativePath(folder, true));
  const message =
    folders.length > 0
      ? vscode.l10n.t("There is no {0} in {1}.", file, [...new Set(places)].join(", "))
      : vscode.l10n.t("There is no {0}: save the notebook beside it, or open its folder.", file);
  throw new AppError("notFound", message);
}

/** How a recipe names a file so that this notebook finds it; its whole path if no folder helps. */
export function nameForRecipe(notebook: vscode.Uri, file: vscode.Uri): string {
  for (const folder of rowsFolders(notebook)) {
    const relative = path.posix.relative(folder.path, file.path);
    if (folder.scheme === file.scheme && !relative.startsWith("..")) return relative;
  }
  return file.fsPath;
}

/** The file's bytes, a megabyte at a time. Throws AppError, or the signal's reason. */
export async function* readFile(
  { uri, bytes }: RowsFile,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (uri.scheme !== "file") {
    if (bytes > maxVirtualBytes) {
      throw new AppError(
        "tooLarge",
        vscode.l10n.t(
          "{0} is larger than 64 MB and not on this machine's disk. Copy it there first.",
          path.posix.basename(uri.path),
        ),
      );
    }
    yield await vscode.workspace.fs.readFile(uri);
    return;
  }
  const stream = fs.createReadStream(uri.fsPath, { highWaterMark: 1024 * 1024, signal });
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    if (isCancelled(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const name = path.posix.basename(uri.path);
    throw new AppError("notFound", vscode.l10n.t("{0} could not be read: {1}.", name, why));
  }
}
