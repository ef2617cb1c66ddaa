import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { AppError } from "../../mindsdb/errors.ts";
import { followLinks, isNetworkPath, isWithin } from "../../shared/files/localPaths.ts";

interface RowsFile {
  /** With symbolic links resolved. */
  uri: vscode.Uri;
  bytes: number;
  /** When it was last changed, in ms since 1970. */
  modified: number;
}

/** A file that a notebook may refer to. */
interface Candidate {
  /** With symbolic links on this machine resolved. */
  uri: vscode.Uri;
  /** "network": on another machine, or behind a link that leads there; not accessed yet. */
  place: "workspace" | "outside" | "network";
}

/** Whether a file outside of the workspace may be read. */
export type AllowFile = (uri: vscode.Uri) => Promise<boolean>;

/** The folder of a notebook; undefined for one without a file. */
export function folderOf(notebook: vscode.Uri): vscode.Uri | undefined {
  return notebook.scheme === "untitled" ? undefined : vscode.Uri.joinPath(notebook, "..");
}

/** The folders to search for a notebook's rows files: its own, then its workspace folder, then the others. */
function listFolders(notebook: vscode.Uri): vscode.Uri[] {
  const own = vscode.workspace.getWorkspaceFolder(notebook)?.uri;
  const all = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const folders = [folderOf(notebook), own, ...all].filter((folder) => folder !== undefined);
  return [...new Map(folders.map((folder) => [folder.toString(), folder])).values()];
}

/**
 * Finds a file by a path relative to the notebook, an absolute path, or a `file:` URI, with slashes or backslashes. Calls
 * `allow` before it reads a file outside of the workspace folders, and before it accesses another machine; without
 * `allow`, the latter is refused. Throws AppError "notFound" or "refused", and an AbortError for a file that is not
 * allowed.
 */
export async function findRowsFile(
  notebook: vscode.Uri,
  file: string,
  allow?: AllowFile,
): Promise<RowsFile> {
  const folders = listFolders(notebook);
  const isAbsolute = path.isAbsolute(file) || /^file:/i.test(file) || isNetworkPath(file);
  const beside = [...new Set([file, file.replaceAll("\\", "/")])].flatMap((name) =>
    folders.map((folder) => vscode.Uri.joinPath(folder, name)),
  );
  const absolute = () => (/^file:/i.test(file) ? vscode.Uri.parse(file) : vscode.Uri.file(file));
  for (const named of isAbsolute ? [absolute()] : beside) {
    const { uri, place } = isNetworkPath(file)
      ? ({ uri: named, place: "network" } as const)
      : await locate(named);
    if (place === "network") await allowOrThrow(uri, file, allow);
    const stat = await readStat(uri).catch(() => undefined);
    if (!stat) continue;
    if (stat.isFolder) {
      throw new AppError("notFound", vscode.l10n.t("{0} is a folder. Enter a file of rows.", file));
    }
    if (place === "outside" && allow) await allowOrThrow(uri, file, allow);
    return { uri, bytes: stat.bytes, modified: stat.modified };
  }
  if (isAbsolute) throw new AppError("notFound", vscode.l10n.t("There is no {0}.", file));
  const places = folders.map((folder) => vscode.workspace.asRelativePath(folder, true));
  const message =
    folders.length > 0
      ? vscode.l10n.t("There is no {0} in {1}.", file, [...new Set(places)].join(", "))
      : vscode.l10n.t(
          "{0} was not found. Save the notebook in the folder that contains it, or open that folder.",
          file,
        );
  throw new AppError("notFound", message);
}

/** Without VS Code for a file of this machine: it asks its window first, which may be busy for 300 ms. */
async function readStat(uri: vscode.Uri): Promise<Omit<RowsFile, "uri"> & { isFolder: boolean }> {
  if (uri.scheme === "file") {
    const stat = await fs.promises.stat(uri.fsPath);
    return { bytes: stat.size, modified: stat.mtime.getTime(), isFolder: stat.isDirectory() };
  }
  const { type, size, mtime } = await vscode.workspace.fs.stat(uri);
  return { bytes: size, modified: mtime, isFolder: (type & vscode.FileType.Directory) !== 0 };
}

async function allowOrThrow(uri: vscode.Uri, file: string, allow?: AllowFile): Promise<void> {
  if (!allow) {
    const message = vscode.l10n.t(
      "{0} is on another machine. It is opened only when the cell runs.",
      file,
    );
    throw new AppError("refused", message);
  }
  if (!(await allow(uri))) throw new DOMException("The file is not to be read.", "AbortError");
}

/** Resolves the links of a path and finds out whether it is in a workspace folder. Does not access other machines. */
async function locate(uri: vscode.Uri): Promise<Candidate> {
  const roots = (vscode.workspace.workspaceFolders ?? [])
    .map((folder) => folder.uri)
    .filter(({ scheme, authority }) => scheme === uri.scheme && authority === uri.authority);
  const around = roots.find((root) => isWithin(root.path, path.posix.normalize(uri.path)));
  if (uri.scheme !== "file") return { uri, place: around ? "workspace" : "outside" };
  if (!around && isNetworkPath(uri.fsPath)) return { uri, place: "network" };

  const realRoots = await Promise.all(roots.map(({ fsPath }) => realFolder(fsPath)));
  const start = around ? realRoots[roots.indexOf(around)]! : path.parse(uri.fsPath).root;
  const named = around ? path.join(start, path.relative(around.fsPath, uri.fsPath)) : uri.fsPath;
  const real = await followLinks(start, named);
  if (real === undefined) return { uri, place: "network" };
  const isInside = realRoots.some((root) => isWithin(root, real));
  return { uri: vscode.Uri.file(real), place: isInside ? "workspace" : "outside" };
}

/** The user opened the workspace folder, so it may be accessed even on another machine. */
async function realFolder(folder: string): Promise<string> {
  return fs.promises.realpath(folder).catch(() => folder);
}

/** The path by which a recipe of this notebook finds a file; absolute if the file is in none of its folders. */
export function nameForRecipe(notebook: vscode.Uri, file: vscode.Uri): string {
  for (const folder of listFolders(notebook)) {
    const relative = path.posix.relative(folder.path, file.path);
    if (folder.scheme === file.scheme && !relative.startsWith("..")) return relative;
  }
  return file.fsPath;
}
