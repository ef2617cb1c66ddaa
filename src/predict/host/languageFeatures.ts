import path from "node:path";
import * as vscode from "vscode";
import { AppError } from "../../mindsdb/errors.ts";
import { formatModelName, parseModelName } from "../notebook/modelName.ts";
import { parseRecipe } from "../notebook/recipe.ts";
import { parseTableName } from "../notebook/serverSource.ts";
import { findCell, findNames, toRange, type NamedValue } from "./cellText.ts";
import type { KnownModels } from "./knownModels.ts";
import type { KnownTables } from "./knownTables.ts";
import { findRowsFile } from "./findRowsFile.ts";
import { listRowsFiles } from "./listRowsFiles.ts";
import { plainLabel, visibleLine } from "../../shared/oneLine.ts";

/** Of names and details of suggestions, in characters. */
const maxLabel = 200;
/** Of all names that are suggested, in characters: each repeats that of its project or schema, and VS Code gets it thrice. */
const maxNamesLength = 4_000_000;
/** Columns that a hover lists at most. */
const maxColumns = 40;

/** A name to complete, with what is shown beside it. */
interface Suggestion {
  name: string;
  detail?: string | undefined;
}

const suggestionKinds: Record<NamedValue["key"], vscode.CompletionItemKind> = {
  model: vscode.CompletionItemKind.Value,
  rows: vscode.CompletionItemKind.File,
  table: vscode.CompletionItemKind.Struct,
  into: vscode.CompletionItemKind.Struct,
};

/** Completion and hover for the models, files and tables in recipes. */
export class RecipeLanguageFeatures {
  readonly #models: KnownModels;
  readonly #tables: KnownTables;

  constructor(models: KnownModels, tables: KnownTables) {
    this.#models = models;
    this.#tables = tables;
  }

  async complete(
    document: vscode.TextDocument,
    position: vscode.Position,
    connectionId: string | undefined,
  ): Promise<vscode.CompletionItem[]> {
    // VS Code takes no suggestion for several lines.
    if (["", "{", "{}"].includes(document.getText().replaceAll(/[ \t]/g, ""))) {
      return this.#completeRecipes(document, connectionId);
    }
    const value = findNameAt(document, position);
    if (!value) return [];
    const found = limitSuggestions(await this.#suggest(value, document, connectionId));
    return found.map(({ name, detail }) => {
      const item = new vscode.CompletionItem(
        completionLabel(name, detail),
        suggestionKinds[value.key],
      );
      item.insertText = JSON.stringify(name);
      item.filterText = JSON.stringify(name);
      item.range = toRange(document, value.span);
      return item;
    });
  }

  /** Whole recipes for an empty cell: one for each model, with the rows to be written. */
  async #completeRecipes(
    document: vscode.TextDocument,
    connectionId: string | undefined,
  ): Promise<vscode.CompletionItem[]> {
    // Each suggestion repeats the text: VS Code compares what it replaces with it.
    if (document.getText().length > maxLabel) return [];
    const all = new vscode.Range(new vscode.Position(0, 0), document.positionAt(Infinity));
    return limitSuggestions(await this.#completeModels(connectionId)).map(({ name, detail }) => {
      const item = new vscode.CompletionItem(
        completionLabel(name, detail),
        vscode.CompletionItemKind.Snippet,
      );
      item.insertText = new vscode.SnippetString('{\n  "model": ')
        .appendText(JSON.stringify(name))
        .appendText(',\n  "rows": "')
        .appendPlaceholder("rows.jsonl")
        .appendText('"\n}');
      item.filterText = document.getText() + name;
      item.range = all;
      item.command = { command: "editor.action.triggerSuggest", title: "" };
      return item;
    });
  }

  async hover(
    document: vscode.TextDocument,
    position: vscode.Position,
    connectionId: string | undefined,
  ): Promise<vscode.Hover | undefined> {
    const value = findNameAt(document, position);
    const lines = value ? await this.#describe(value, document, connectionId) : [];
    if (!value || lines.length === 0) return undefined;
    // Names from servers and folders must not be read as Markdown.
    const content = new vscode.MarkdownString();
    for (const line of lines) content.appendText(plainLabel(line)).appendMarkdown("\n\n");
    return new vscode.Hover(content, toRange(document, value.span));
  }

  async #suggest(
    { key, text }: NamedValue,
    document: vscode.TextDocument,
    connectionId: string | undefined,
  ): Promise<Suggestion[]> {
    switch (key) {
      case "model":
        return this.#completeModels(connectionId);
      case "rows":
        return completeFiles(document);
      case "table":
      case "into":
        return (await this.#tables.list(connectionId, text)).map((name) => ({ name }));
    }
  }

  async #describe(
    { key, text }: NamedValue,
    document: vscode.TextDocument,
    connectionId: string | undefined,
  ): Promise<string[]> {
    switch (key) {
      case "model":
        return this.#describeModel(text, connectionId);
      case "rows":
        return describeFile(document, text);
      case "table":
        return this.#describeTable(text, connectionId);
      case "into":
        return this.#describeTarget(text, connectionId);
    }
  }

  async #describeTarget(text: string, connectionId: string | undefined): Promise<string[]> {
    const parts = parseTableName(text);
    if (!parts || connectionId === undefined) return [];
    switch (await this.#tables.checkTable(connectionId, parts)) {
      case "noTable":
        return [vscode.l10n.t("A new table. It is created when the cell runs.")];
      case "exists":
        return [
          vscode.l10n.t("This table exists. The cell asks before replacing it."),
          ...(await this.#describeTable(text, connectionId)),
        ];
      case "noSource":
      case "unclear":
        return [];
    }
  }

  async #describeTable(text: string, connectionId: string | undefined): Promise<string[]> {
    const parts = parseTableName(text);
    const columns =
      parts && connectionId !== undefined
        ? await this.#tables.columns(connectionId, parts)
        : undefined;
    if (!columns) return [];
    const shown = columns.slice(0, maxColumns);
    return [
      ...shown.map(({ name, type }) => (type === undefined ? name : `${name}: ${type}`)),
      ...(columns.length > shown.length
        ? [vscode.l10n.t("{0} columns in all.", columns.length)]
        : []),
    ];
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

  async #completeModels(connectionId?: string): Promise<Suggestion[]> {
    return (await this.#models.list(connectionId)).map(({ project, model: { name, current } }) => ({
      name: formatModelName({ project, name }),
      detail: current.target === undefined ? current.status : `→ ${current.target}`,
    }));
  }
}

/** The model, and the file or the table, that a cell names, for the buttons below it. */
export function readButtonTexts(document: vscode.TextDocument): {
  model?: string;
  file?: string;
  table?: string;
} {
  const text = document.getText();
  const parsed = parseRecipe(text);
  const names = findNames(text, parsed);
  const find = (key: NamedValue["key"]): string | undefined =>
    names.find((name) => name.key === key)?.text || undefined;
  // A cell that compares two models has no button.
  const model = parsed.values.model && find("model");
  return { model, file: find("rows"), table: find("table") };
}

/** Opens the file that a cell names. Throws AppError "notFound" or "refused". */
export async function openRowsFile(cell: vscode.NotebookCell): Promise<void> {
  const { file } = readButtonTexts(cell.document);
  if (file === undefined) return;
  if (!vscode.workspace.isTrusted) {
    const message = vscode.l10n.t("Files named in a notebook open only in a trusted workspace.");
    throw new AppError("refused", message);
  }
  const { uri } = await findRowsFile(cell.notebook.uri, file);
  await vscode.commands.executeCommand("vscode.open", uri);
}

export function completionLabel(name: string, detail = ""): vscode.CompletionItemLabel {
  const description = detail === "" ? undefined : visibleLine(detail, maxLabel);
  // VS Code draws icons in labels.
  return { label: plainLabel(name, maxLabel), description };
}

function limitSuggestions(all: Suggestion[]): Suggestion[] {
  let left = maxNamesLength;
  return all.filter(({ name }) => (left -= name.length) >= 0);
}

function findNameAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): NamedValue | undefined {
  const recipe = document.getText();
  return findNames(recipe, parseRecipe(recipe)).find(({ span }) =>
    toRange(document, span).contains(position),
  );
}

async function completeFiles(document: vscode.TextDocument): Promise<Suggestion[]> {
  const cell = findCell(document);
  if (!cell) return [];
  const names = await listRowsFiles(cell.notebook);
  return names.map((name) => ({ name, detail: path.posix.extname(name).slice(1) }));
}

async function describeFile(document: vscode.TextDocument, file: string): Promise<string[]> {
  const cell = findCell(document);
  // A notebook in a workspace that is not trusted must not cause file access.
  if (!cell || !vscode.workspace.isTrusted) return [];
  try {
    const { uri, bytes } = await findRowsFile(cell.notebook.uri, file);
    const size = (bytes / 1024).toLocaleString(vscode.env.language, { maximumFractionDigits: 0 });
    return [vscode.workspace.asRelativePath(uri), vscode.l10n.t("{0} kB", size)];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
