// The files of rows that a notebook can name.
import path from "node:path";
import * as vscode from "vscode";
import { formatOf, rowsFileGlob } from "../rows/readRows.ts";
import { nameForRecipe } from "./findRowsFile.ts";

/** Files to offer; a folder with more is searched in better ways. */
const maxFiles = 200;

/** Files of rows beside a notebook and in the workspace, as a recipe names them. None in a workspace that is not trusted. */
export async function rowsFileNames(notebook: vscode.NotebookDocument): Promise<string[]> {
  if (!vscode.workspace.isTrusted) return [];
  const [beside, others] = await Promise.all([
    filesBeside(notebook.uri),
    vscode.workspace.findFiles(rowsFileGlob, "{**/node_modules/**,**/.vscode/**}", maxFiles),
  ]);
  return [...new Set([...beside, ...others].map((uri) => nameForRecipe(notebook.uri, uri)))];
}

async function filesBeside(notebook: vscode.Uri): Promise<vscode.Uri[]> {
  if (notebook.scheme === "untitled") return [];
  const folder = vscode.Uri.joinPath(notebook, "..");
  try {
    return (await vscode.workspace.fs.readDirectory(folder))
      .filter(([name, type]) => type !== vscode.FileType.Directory && formatOf(name) !== undefined)
      .slice(0, maxFiles)
      .map(([name]) => vscode.Uri.joinPath(folder, name));
  } catch {
    return [];
  }
}

/** What tells a file's kind: `csv`. */
export function endingOf(name: string): string {
  return path.posix.extname(name).slice(1);
}
