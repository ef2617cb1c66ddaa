// Help while a recipe is written: what fits in, what it means, what is wrong, and buttons below the cell.
import path from "node:path";
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import type { ModelNode } from "../../explorer/node.ts";
import { AppError } from "../../mindsdb/errors.ts";
import { listModels, type Model } from "../../mindsdb/models.ts";
import { listProjects } from "../../mindsdb/projects.ts";
import { formatModelName, parseModelName } from "../modelName.ts";
import { parseRecipe, type Span } from "../recipe.ts";
import { findRowsFile, nameForRecipe } from "./rowsFile.ts";

/** A server's models are asked for once in this time, in ms. */
const modelsAge = 30_000;
/** Files to offer; a folder with more is searched in better ways. */
const maxFiles = 200;

interface NamedModel {
  project: string;
  model: Model;
}

export class RecipeAssistant {
  readonly #servers: ServerAccess;
  readonly #known = new Map<string, { at: number; models: Promise<NamedModel[]> }>();

  constructor(servers: ServerAccess) {
    this.#servers = servers;
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
    const text = textOf(document.getText(value.range));
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
    const found = (await this.#models(connectionId)).find(
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
    return (await this.#models(connectionId)).map(({ project, model: { name, current } }) => ({
      name: formatModelName({ project, name }),
      detail: current.target === undefined ? current.status : `→ ${current.target}`,
    }));
  }

  /** A server that cannot be asked offers nothing; the run will say why. */
  #models(connectionId: string | undefined): Promise<NamedModel[]> {
    if (connectionId === undefined) return Promise.resolve([]);
    const known = this.#known.get(connectionId);
    if (known && Date.now() - known.at < modelsAge) return known.models;
    const models = this.#load(connectionId).catch(() => []);
    this.#known.set(connectionId, { at: Date.now(), models });
    return models;
  }

  async #load(connectionId: string): Promise<NamedModel[]> {
    const client = await this.#servers.client(connectionId);
    const projects = await listProjects(client);
    const lists = await Promise.all(
      projects.map(async ({ name: project }) =>
        (await listModels(client, project)).map((model) => ({ project, model })),
      ),
    );
    return lists.flat();
  }
}

/** What is wrong with a recipe, beside what every editor of JSON marks by itself. */
export function problemsOf(document: vscode.TextDocument): vscode.Diagnostic[] {
  return parseRecipe(document.getText())
    .problems.filter(({ kind }) => kind === "recipe")
    .map((problem) => {
      const diagnostic = new vscode.Diagnostic(rangeOf(document, problem), problem.message);
      diagnostic.source = "MindsDB";
      return diagnostic;
    });
}

/** Replaces a recipe's model by one that the user picks. */
export async function changeModel(
  cell: vscode.NotebookCell,
  pickModel: (title: string) => Promise<ModelNode | undefined>,
): Promise<void> {
  const { document } = cell;
  const span = parseRecipe(document.getText()).values.model;
  const model = span && (await pickModel(vscode.l10n.t("Change the Model")));
  if (!model) return;
  const name = formatModelName({ project: model.project, name: model.name });
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, rangeOf(document, span), JSON.stringify(name));
  await vscode.workspace.applyEdit(edit);
}

/** The texts on the buttons below a cell: its model, and its file if it names one. */
export function buttonTexts(document: vscode.TextDocument): { model?: string; file?: string } {
  const text = document.getText();
  const { model, rows } = parseRecipe(text).values;
  const read = (span: Span | undefined): string | undefined => {
    const written = span && text.slice(span.start, span.end);
    return written?.startsWith('"') ? textOf(written) : undefined;
  };
  const [name, file] = [read(model), read(rows)];
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

function rangeOf(document: vscode.TextDocument, { start, end }: Span): vscode.Range {
  // A recipe is counted with its own line ends, which are the document's.
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

function textOf(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return "";
  }
}

/** The notebook that a cell's document is in. */
export function notebookOf(document: vscode.TextDocument): vscode.NotebookDocument | undefined {
  return vscode.workspace.notebookDocuments.find((notebook) =>
    notebook.getCells().some((cell) => cell.document === document),
  );
}

async function rowsFiles(
  document: vscode.TextDocument,
): Promise<{ name: string; detail: string }[]> {
  const notebook = notebookOf(document);
  if (!notebook || !vscode.workspace.isTrusted) return [];
  const files = await vscode.workspace.findFiles(
    "**/*.{json,jsonl,csv}",
    "{**/node_modules/**,**/.vscode/**}",
    maxFiles,
  );
  return files.map((uri) => ({
    name: nameForRecipe(notebook.uri, uri),
    detail: path.posix.extname(uri.path).slice(1),
  }));
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
