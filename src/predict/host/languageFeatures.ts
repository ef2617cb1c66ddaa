// Help while a recipe is written: what fits in, what it means, what is wrong, and buttons below the cell.
import * as vscode from "vscode";
import { AppError } from "../../mindsdb/errors.ts";
import { formatModelName, parseModelName } from "../notebook/modelName.ts";
import { parseRecipe } from "../notebook/recipe.ts";
import { notebookOf, rangeOf, parseJsonText, findTextValue } from "./cellText.ts";
import type { KnownModels } from "./knownModels.ts";
import { findRowsFile } from "./findRowsFile.ts";
import { endingOf, rowsFileNames } from "./listRowsFiles.ts";

export class RecipeLanguageFeatures {
  readonly #models: KnownModels;

  constructor(models: KnownModels) {
    this.#models = models;
  }

  async complete(
    document: vscode.TextDocument,
    position: vscode.Position,
    connectionId: string | undefined,
  ): Promise<vscode.CompletionItem[]> {
    const value = valueAt(document, position);
    if (!value) return [];
    const texts =
      value.key === "model" ? await this.#modelNames(connectionId) : await rowsFiles(document);
    return texts.map(({ name, detail }) => {
      const kind =
        value.key === "model" ? vscode.CompletionItemKind.Value : vscode.CompletionItemKind.File;
      const item = new vscode.CompletionItem({ label: name, description: detail }, kind);
      item.insertText = JSON.stringify(name);
      item.filterText = JSON.stringify(name);
      item.range = value.range;
      return item;
    });
  }

  async hover(
    document: vscode.TextDocument,
    position: vscode.Position,
    connectionId: string | undefined,
  ): Promise<vscode.Hover | undefined> {
    const value = valueAt(document, position);
    if (!value) return undefined;
    const text = parseJsonText(document.getText(value.range));
    const lines =
      value.key === "model"
        ? await this.#describeModel(text, connectionId)
        : await describeFile(document, text);
    if (lines.length === 0) return undefined;
    // What a server or a folder calls things is text, whatever it looks like.
    const content = new vscode.MarkdownString();
    for (const line of lines) content.appendText(line).appendMarkdown("\n\n");
    return new vscode.Hover(content, value.range);
  }

  async #describeModel(text: string, connectionId: string | undefined): Promise<string[]> {
    const name = parseModelName(text);
    const found = (await this.#models.list(connectionId)).find(
      ({ project, model }) => project === name?.project && model.name === name.name,
    );
    if (!found) return [];
    const { current, versions } = found.model;
    const version = versions.find((one) => one.version === name?.version) ?? current;
    const { target, status, engine, accuracy } = version;
    return [
      target === undefined ? text : vscode.l10n.t("Predicts {0}", target),
      [vscode.l10n.t("version {0}", version.version), status, engine].filter(Boolean).join(" · "),
      ...(accuracy === undefined ? [] : [vscode.l10n.t("accuracy {0}", accuracy.toFixed(3))]),
    ];
  }

  async #modelNames(connectionId?: string): Promise<{ name: string; detail: string }[]> {
    return (await this.#models.list(connectionId)).map(({ project, model: { name, current } }) => ({
      name: formatModelName({ project, name }),
      detail: current.target === undefined ? current.status : `→ ${current.target}`,
    }));
  }
}

/** The texts on the buttons below a cell: its model, and its file if it names one. */
export function buttonTexts(document: vscode.TextDocument): { model?: string; file?: string } {
  const text = document.getText();
  const parsed = parseRecipe(text);
  const read = (key: "model" | "rows"): string | undefined =>
    findTextValue(text, key, parsed)?.text;
  const [name, file] = [read("model"), read("rows")];
  return { ...(name ? { model: name } : {}), ...(file ? { file } : {}) };
}

/** Opens the file that a cell names. Throws AppError "notFound". */
export async function openRowsFile(cell: vscode.NotebookCell): Promise<void> {
  const { file } = buttonTexts(cell.document);
  if (file === undefined) return;
  if (!vscode.workspace.isTrusted) {
    const message = vscode.l10n.t("Files that a notebook names open only in a trusted workspace.");
    throw new AppError("refused", message);
  }
  const { uri } = await findRowsFile(cell.notebook.uri, file);
  await vscode.commands.executeCommand("vscode.open", uri);
}

/** The value of "model" or "rows" that a position is in, if it is a text. */
function valueAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): { key: "model" | "rows"; range: vscode.Range } | undefined {
  const { values } = parseRecipe(document.getText());
  for (const key of ["model", "rows"] as const) {
    const span = values[key];
    if (!span) continue;
    const range = rangeOf(document, span);
    if (range.contains(position) && document.getText(range).startsWith('"')) return { key, range };
  }
  return undefined;
}

async function rowsFiles(
  document: vscode.TextDocument,
): Promise<{ name: string; detail: string }[]> {
  const notebook = notebookOf(document);
  if (!notebook) return [];
  return (await rowsFileNames(notebook)).map((name) => ({ name, detail: endingOf(name) }));
}

async function describeFile(document: vscode.TextDocument, file: string): Promise<string[]> {
  const notebook = notebookOf(document);
  // In a workspace that is not trusted, no file is looked for because a notebook names it.
  if (!notebook || !vscode.workspace.isTrusted) return [];
  try {
    const { uri, bytes } = await findRowsFile(notebook.uri, file);
    const size = (bytes / 1024).toLocaleString(vscode.env.language, { maximumFractionDigits: 0 });
    return [vscode.workspace.asRelativePath(uri), vscode.l10n.t("{0} kB", size)];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
