import path from "node:path";
import * as vscode from "vscode";
import { sqlTemplateFor, type EmptyList } from "../../explorer/sqlTemplates.ts";
import { notebooks, sqlLanguage } from "../../ids.ts";
import type { ModelColumns } from "../../mindsdb/predict.ts";
import { splitEntry } from "../../mindsdb/dataPatterns.ts";
import type { ModelRef, TableRef } from "../../mindsdb/references.ts";
import type { TrainingRow } from "../../mindsdb/trainingRow.ts";
import { formatExampleRows, escapeMarkdownName } from "../notebook/exampleRow.ts";
import { formatName, type ModelName } from "../notebook/modelName.ts";
import { formatRecipe } from "../notebook/recipe.ts";
import { readExample } from "../readExample.ts";
import { nameForRecipe } from "./findRowsFile.ts";
import type { PredictOptions } from "./predictOptions.ts";
import { pickRowsFile } from "./recipeCommands.ts";
import { withStatusBar } from "../../shared/host/withCancelButton.ts";

/** Shows a notebook whose cells run on one connection from the start. */
type ShowNotebook = (notebook: vscode.NotebookDocument, connectionId: string) => Promise<void>;
type FromModel = Pick<PredictOptions, "servers" | "descriptions" | "pickModel">;
type PickModel = PredictOptions["pickModel"];

/** A cell with a title, in which names have no markup, and Markdown below it. */
function introduction(title: string, more?: string): vscode.NotebookCellData {
  const text = `# ${escapeMarkdownName(title)}${more === undefined ? "" : `\n\n${more}`}`;
  return new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, text, "markdown");
}

function titleOf(model: string, rows: string): vscode.NotebookCellData {
  return introduction(vscode.l10n.t("{0} for {1}", model, rows));
}

/** Creates a notebook for a model that the user picks. */
export async function newNotebook(from: FromModel, show: ShowNotebook): Promise<void> {
  const model = await from.pickModel(vscode.l10n.t("New Predict Notebook"));
  if (model) await fromModel(model, from, show);
}

/** Creates a notebook for a table, or a rows file: the one clicked, the active editor's, or one that the user picks. */
export async function fromRows(
  given: vscode.Uri | TableRef | undefined,
  pickModel: PickModel,
  show: ShowNotebook,
): Promise<void> {
  if (given && "connectionId" in given) await fromTable(given, pickModel, show);
  else await fromFile(given, pickModel, show);
}

async function fromTable(table: TableRef, pickModel: PickModel, show: ShowNotebook): Promise<void> {
  const parts = [table.project, ...splitEntry(table.name)];
  const stem = parts.at(-1) ?? "";
  const model = await pickModel(
    vscode.l10n.t("Predict {0} with a Model", stem),
    table.connectionId,
  );
  if (!model) return;
  const rows = `{ "table": ${JSON.stringify(formatName(parts))} }`;
  const { connectionId, project, name } = model;
  await createNotebook(stem.replace(/[/\\]/g, "_"), connectionId, show, () => [
    titleOf(name, stem),
    recipeCell({ project, name }, rows),
  ]);
}

async function fromFile(
  file: vscode.Uri | undefined,
  pickModel: PickModel,
  show: ShowNotebook,
): Promise<void> {
  const uri = file ?? vscode.window.activeTextEditor?.document.uri ?? (await pickRowsFile());
  if (!uri) return;
  const fileName = path.posix.basename(uri.path);
  const model = await pickModel(vscode.l10n.t("Predict {0} with a Model", fileName));
  if (!model) return;
  const { connectionId, project, name } = model;
  await createNotebook(fileName.replace(/\.[^.]+$/, ""), connectionId, show, (notebook) => [
    titleOf(name, fileName),
    recipeCell({ project, name }, JSON.stringify(nameForRecipe(notebook, uri))),
  ]);
}

/** Creates a notebook with an example row for a model. */
export async function fromModel(
  given: ModelRef | undefined,
  { servers, descriptions, pickModel }: FromModel,
  show: ShowNotebook,
): Promise<void> {
  const model = given ?? (await pickModel(vscode.l10n.t("Predict with a Model")));
  if (!model) return;
  const { connectionId, project, name, version } = model;
  const modelName = { project, name, version };
  const example = await withStatusBar(
    vscode.l10n.t("Reading the inputs of {0}", name),
    async () => {
      // A notebook without example values is better than none.
      try {
        const client = await servers.client(connectionId);
        return await readExample({ client, connectionId, descriptions }, modelName);
      } catch {
        return undefined;
      }
    },
  );
  const { columns, row } = example ?? {};
  const rows = formatExampleRows(columns?.inputs ?? [{ name: "column" }], row?.values);
  await createNotebook(name, connectionId, show, () => [
    introduction(name, describeExample(columns, row)),
    recipeCell(modelName, rows),
  ]);
}

/** Creates a notebook with cells of SQL: for each statement that creates the first item of an empty list, or a given one. */
export async function fromSqlTemplate(list: EmptyList, show: ShowNotebook): Promise<void> {
  const { name, statements } = sqlTemplateFor(list);
  const isWhole = list.job !== undefined || list.statement !== undefined;
  const hasGaps = !isWhole && statements.some((statement) => statement.includes("<"));
  const help = hasGaps
    ? vscode.l10n.t("Replace the placeholders in angle brackets, then run the cells in order.")
    : undefined;
  await createNotebook(name, list.connectionId, show, () => [
    introduction(name, help),
    ...statements.map(
      (text) => new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, sqlLanguage),
    ),
  ]);
}

function describeExample(columns: ModelColumns | undefined, row: TrainingRow | undefined): string {
  if (row) {
    const table = escapeMarkdownName(row.table.join("."));
    return vscode.l10n.t(
      "The row below is from {0}. Change it, or use a file of rows instead.",
      table,
    );
  }
  return columns?.inputs
    ? vscode.l10n.t("Replace the placeholder values before you run the cell.")
    : vscode.l10n.t(
        "The server doesn't list the model's inputs. Replace the column below with yours.",
      );
}

function recipeCell(model: ModelName, rows: string): vscode.NotebookCellData {
  const text = formatRecipe(model, rows);
  return new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, "json");
}

/** Shows an untitled notebook, and then gives it its cells, so that none can run on another connection. */
async function createNotebook(
  stem: string,
  connectionId: string,
  show: ShowNotebook,
  createCells: (notebook: vscode.Uri) => vscode.NotebookCellData[],
): Promise<void> {
  const notebook = await vscode.workspace.openNotebookDocument(createUri(stem));
  await show(notebook, connectionId);
  const cells = createCells(notebook.uri);
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.NotebookRange(0, notebook.cellCount);
  edit.set(notebook.uri, [vscode.NotebookEdit.replaceCells(all, cells)]);
  await vscode.workspace.applyEdit(edit);
}

/** A URI that no open notebook has. It holds the name, because Save proposes that. */
export function createUri(stem: string): vscode.Uri {
  const taken = new Set(vscode.workspace.notebookDocuments.map(({ uri }) => uri.toString()));
  for (let number = 1; ; number++) {
    const name = number === 1 ? stem : `${stem}-${number}`;
    const uri = vscode.Uri.from({ scheme: "untitled", path: `${name}${notebooks.ending}` });
    if (!taken.has(uri.toString())) return uri;
  }
}
