// Commands that change a recipe: another model, another file of rows.
import * as vscode from "vscode";
import type { ModelRef } from "../../mindsdb/references.ts";
import { formatModelName } from "../notebook/modelName.ts";
import type { RecipeKey } from "../notebook/recipe.ts";
import { rowsFileEndings } from "../rows/readRows.ts";
import { setProperty } from "../notebook/recipeEdits.ts";
import { rangeOf } from "./cellText.ts";
import { nameForRecipe } from "./findRowsFile.ts";

/** Sets a recipe's model to one that the user picks. */
export async function changeModel(
  { document }: vscode.NotebookCell,
  pickModel: (title: string) => Promise<ModelRef | undefined>,
): Promise<void> {
  const model = await pickModel(vscode.l10n.t("Change the Model"));
  if (!model) return;
  await set(document, "model", formatModelName({ project: model.project, name: model.name }));
}

/** Sets a recipe's rows to a file that the user picks. */
export async function chooseRowsFile({ document, notebook }: vscode.NotebookCell): Promise<void> {
  const folder =
    notebook.uri.scheme === "untitled"
      ? vscode.workspace.workspaceFolders?.[0]?.uri
      : vscode.Uri.joinPath(notebook.uri, "..");
  const file = await pickRowsFile(folder);
  if (file) await set(document, "rows", nameForRecipe(notebook.uri, file));
}

/** Asks for a file of rows; undefined when cancelled. */
export async function pickRowsFile(folder?: vscode.Uri): Promise<vscode.Uri | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t("Rows to Predict"),
      filters: { [vscode.l10n.t("Rows")]: [...rowsFileEndings] },
      defaultUri: folder,
    })) ?? [];
  return file;
}

/** The text may have changed while the user picked. */
async function set(document: vscode.TextDocument, key: RecipeKey, value: string): Promise<void> {
  const change = setProperty(document.getText(), key, JSON.stringify(value));
  if (!change) return;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, rangeOf(document, change), change.text);
  await vscode.workspace.applyEdit(edit);
}
