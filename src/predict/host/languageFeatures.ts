import * as vscode from "vscode";
import { AppError } from "../../mindsdb/errors.ts";
import { formatModelName, parseModelName } from "../notebook/modelName.ts";
import { parseRecipe } from "../notebook/recipe.ts";
import { findNotebook, toRange, parseJsonText, findTextValue } from "./cellText.ts";
import type { KnownModels } from "./knownModels.ts";
import { findRowsFile } from "./findRowsFile.ts";
import { fileExtension, listRowsFiles } from "./listRowsFiles.ts";

/** Completion and hover for the models and files in recipes. */
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
    const value = findValueAt(document, position);
    if (!value) return [];
    const texts =
      value.key === "model"
        ? await this.#completeModels(connectionId)
        : await completeFiles(document);
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
    const value = findValueAt(document, position);
    if (!value) return undefined;
    const text = parseJsonText(document.getText(value.range));
    const lines =
      value.key === "model"
        ? await this.#describeModel(text, connectionId)
        : await describeFile(document, text);
    if (lines.length === 0) return undefined;
    // Names from servers and folders must not be read as Markdown.
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

  async #completeModels(connectionId?: string): Promise<{ name: string; detail: string }[]> {
    return (await this.#models.list(connectionId)).map(({ project, model: { name, current } }) => ({
      name: formatModelName({ project, name }),
      detail: current.target === undefined ? current.status : `→ ${current.target}`,
    }));
  }
}

/** The model and the file that a cell names, for the buttons below it. */
export function readButtonTexts(document: vscode.TextDocument): { model?: string; file?: string } {
  const text = document.getText();
  const parsed = parseRecipe(text);
  const read = (key: "model" | "rows"): string | undefined =>
    findTextValue(text, key, parsed)?.text;
  const [name, file] = [read("model"), read("rows")];
  return { model: name || undefined, file: file || undefined };
}

/** Opens the file that a cell names. Throws AppError "notFound" or "refused". */
export async function openRowsFile(cell: vscode.NotebookCell): Promise<void> {
  const { file } = readButtonTexts(cell.document);
  if (file === undefined) return;
  if (!vscode.workspace.isTrusted) {
    const message = vscode.l10n.t("Files that a notebook names open only in a trusted workspace.");
    throw new AppError("refused", message);
  }
  const { uri } = await findRowsFile(cell.notebook.uri, file);
  await vscode.commands.executeCommand("vscode.open", uri);
}

/** The value of "model" or "rows" at a position, if it is a string. */
function findValueAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): { key: "model" | "rows"; range: vscode.Range } | undefined {
  const { values } = parseRecipe(document.getText());
  for (const key of ["model", "rows"] as const) {
    const span = values[key];
    if (!span) continue;
    const range = toRange(document, span);
    if (range.contains(position) && document.getText(range).startsWith('"')) return { key, range };
  }
  return undefined;
}

async function completeFiles(
  document: vscode.TextDocument,
): Promise<{ name: string; detail: string }[]> {
  const notebook = findNotebook(document);
  if (!notebook) return [];
  return (await listRowsFiles(notebook)).map((name) => ({ name, detail: fileExtension(name) }));
}

async function describeFile(document: vscode.TextDocument, file: string): Promise<string[]> {
  const notebook = findNotebook(document);
  // A notebook in a workspace that is not trusted must not cause file access.
  if (!notebook || !vscode.workspace.isTrusted) return [];
  try {
    const { uri, bytes } = await findRowsFile(notebook.uri, file);
    const size = (bytes / 1024).toLocaleString(vscode.env.language, { maximumFractionDigits: 0 });
    return [vscode.workspace.asRelativePath(uri), vscode.l10n.t("{0} kB", size)];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
