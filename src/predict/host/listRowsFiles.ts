import * as vscode from "vscode";
import { detectRowsFormat, rowsFileGlob } from "../rows/readRows.ts";
import { folderOf, nameForRecipe } from "./findRowsFile.ts";

/** Files that are offered at most. */
const maxFiles = 200;

/** Rows files beside a notebook and in the workspace, as a recipe names them. None in a workspace that is not trusted. */
export async function listRowsFiles(notebook: vscode.NotebookDocument): Promise<string[]> {
  if (!vscode.workspace.isTrusted) return [];
  const [beside, found] = await Promise.all([
    listFilesBeside(notebook.uri),
    vscode.workspace.findFiles(rowsFileGlob, "{**/node_modules/**,**/.vscode/**}", maxFiles),
  ]);
  const others = found.filter(({ path: file }) => detectRowsFormat(file));
  const names = [...beside, ...others].map((uri) => nameForRecipe(notebook.uri, uri));
  return [...new Set(names)];
}

async function listFilesBeside(notebook: vscode.Uri): Promise<vscode.Uri[]> {
  const folder = folderOf(notebook);
  if (!folder) return [];
  try {
    return (await vscode.workspace.fs.readDirectory(folder))
      .filter(([name, type]) => type !== vscode.FileType.Directory && detectRowsFormat(name))
      .slice(0, maxFiles)
      .map(([name]) => vscode.Uri.joinPath(folder, name));
  } catch {
    return [];
  }
}
