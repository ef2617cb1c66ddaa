import * as vscode from "vscode";
import type { ModelRef } from "../../mindsdb/references.ts";
import { formatModelName } from "../notebook/modelName.ts";
import type { RecipeKey } from "../notebook/recipe.ts";
import { rowsFileEndings } from "../rows/readRows.ts";
import { setProperty } from "../notebook/recipeEdits.ts";
import { toRange } from "./cellText.ts";
import { folderOf, nameForRecipe } from "./findRowsFile.ts";

/** Replaces a recipe's model by one that the user picks. */
export async function changeModel(
  cell: vscode.NotebookCell,
  pickModel: (title: string) => Promise<ModelRef | undefined>,
): Promise<void> {
  const model = await pickModel(vscode.l10n.t("Change the Model"));
  if (!model) return;
  await setModel(cell, formatModelName({ project: model.project, name: model.name }));
}

/** Replaces a recipe's model by one with this name. */
export function setModel({ document }: vscode.NotebookCell, name: string): Promise<void> {
  return setRecipeProperty(document, "model", name);
}

/** Replaces a recipe's rows by a file that the user picks. */
export async function chooseRowsFile({ document, notebook }: vscode.NotebookCell): Promise<void> {
  const folder = folderOf(notebook.uri) ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = await pickRowsFile(folder);
  if (file) await setRecipeProperty(document, "rows", nameForRecipe(notebook.uri, file));
}

/** Asks for a rows file; undefined if the user cancels. */
export async function pickRowsFile(folder?: vscode.Uri): Promise<vscode.Uri | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t("Rows to Predict"),
      filters: { [vscode.l10n.t("Rows")]: [...rowsFileEndings] },
      defaultUri: folder,
    })) ?? [];
  return file;
}

// Reads the text again, because it may have changed while the user picked.
async function setRecipeProperty(
  document: vscode.TextDocument,
  key: RecipeKey,
  value: string,
): Promise<void> {
  const change = setProperty(document.getText(), key, JSON.stringify(value));
  if (!change) return;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, toRange(document, change), change.text);
  await vscode.workspace.applyEdit(edit);
}
