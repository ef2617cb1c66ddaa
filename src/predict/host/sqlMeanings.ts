// Hover and definition in SQL files and cells, and the page of what a name refers to.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { formatEntry } from "../../mindsdb/dataPatterns.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import { readModelColumns } from "../../models/modelColumns.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { plainLabel } from "../../shared/oneLine.ts";
import type { SqlColumn } from "../completion/queryColumns.ts";
import type { SqlMeaning } from "../completion/sqlMeaning.ts";
import { maxCheckedText } from "./sqlDiagnostics.ts";
import { toRange } from "./cellText.ts";
import { KnownNames } from "./knownNames.ts";
import type { KnownModels } from "./knownModels.ts";
import type { KnownTables } from "./knownTables.ts";
import type { PredictOptions } from "./predictOptions.ts";
import { firstOf, type FindSource } from "./sqlCompletionProvider.ts";

/** Milliseconds that a hover waits for names, columns, and a model's inputs: some engines take half a minute. */
const maxWaitMs = 3_000;
/** Columns that a hover lists at most. */
const maxColumns = 40;
/** Of a name or a type, in characters. */
const maxName = 200;

type SqlObjectMeaning = Extract<SqlMeaning, { kind: "object" }>;

interface Found {
  meaning: SqlMeaning;
  connectionId: string | undefined;
}

interface ObjectPage {
  command: (typeof commands)["agentShow" | "knowledgeBaseShow" | "modelShow" | "tablePreview"];
  ref: ItemRef;
}

export class SqlMeanings implements vscode.HoverProvider, vscode.DefinitionProvider {
  readonly #options: Pick<PredictOptions, "servers" | "descriptions">;
  readonly #models: KnownModels;
  readonly #tables: KnownTables;
  readonly #findSource: FindSource;

  constructor(
    options: Pick<PredictOptions, "servers" | "descriptions">,
    models: KnownModels,
    tables: KnownTables,
    findSource: FindSource,
  ) {
    this.#options = options;
    this.#models = models;
    this.#tables = tables;
    this.#findSource = findSource;
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token?: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const found = await this.#find(document, position, token);
    if (!found) return undefined;
    const { meaning } = found;
    const content = new vscode.MarkdownString();
    for (const line of await this.#describe(found)) {
      // Names from servers and files must not be read as Markdown.
      content.appendText(plainLabel(line)).appendMarkdown("\n\n");
    }
    const page = pageOf(found);
    const contents = page ? [content, linkTo(page)] : [content];
    return new vscode.Hover(contents, toRange(document, meaning.span));
  }

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
    token?: vscode.CancellationToken,
  ): Promise<vscode.Location | undefined> {
    const found = await this.#find(document, position, token);
    if (found?.meaning.kind !== "alias") return undefined;
    return new vscode.Location(document.uri, toRange(document, found.meaning.definition));
  }

  /** Opens the page of the object at a position. Returns false if there is none. */
  async openPage(document: vscode.TextDocument, position: vscode.Position): Promise<boolean> {
    const found = await this.#find(document, position);
    const page = found && pageOf(found);
    if (!page) return false;
    await executeCommand(page.command, page.ref);
    return true;
  }

  async #find(
    document: vscode.TextDocument,
    position: vscode.Position,
    token?: vscode.CancellationToken,
  ): Promise<Found | undefined> {
    const sql = document.getText();
    if (sql.length > maxCheckedText) return undefined;
    const source = this.#findSource(document, position);
    if (!source) return undefined;
    const [grammar, { findMeaning }] = await Promise.all([
      import("../../mindsdb/sql/parser/caretPosition.ts"),
      import("../completion/sqlMeaning.ts"),
    ]);
    const { connectionId, project } = source;
    const deadline = Date.now() + maxWaitMs;
    for (;;) {
      const names = new KnownNames(this.#models, this.#tables, connectionId, project);
      const meaning = findMeaning(sql, document.offsetAt(position), grammar, names);
      const waitMs = deadline - Date.now();
      if (names.pending.length === 0 || waitMs <= 0 || token?.isCancellationRequested) {
        return meaning && { meaning, connectionId };
      }
      await firstOf(names.pending, waitMs);
    }
  }

  async #describe({ meaning, connectionId }: Found): Promise<string[]> {
    const { l10n } = vscode;
    switch (meaning.kind) {
      case "function":
        return [meaning.signature];
      case "column": {
        const { column, table } = meaning;
        const name = formatColumn(column);
        return [
          table === undefined
            ? l10n.t("Column {0}", name)
            : l10n.t("Column {0} of {1}", name, cut(table)),
        ];
      }
      case "alias":
        return [
          meaning.path
            ? l10n.t("Alias of {0}", cut(meaning.path.join(".")))
            : l10n.t("A query in this statement"),
          ...listColumns(meaning.columns),
        ];
      case "database": {
        const name = cut(meaning.name);
        return [meaning.isProject ? l10n.t("Project {0}", name) : l10n.t("Data source {0}", name)];
      }
      case "object": {
        const inputs =
          meaning.type === "model" && connectionId !== undefined
            ? await this.#describeModel(connectionId, meaning)
            : undefined;
        return [describeKind(meaning), ...(inputs ?? listColumns(meaning.columns))];
      }
    }
  }

  /** Describes a model: its target, its inputs, and its accuracy. */
  async #describeModel(connectionId: string, { path }: SqlObjectMeaning): Promise<string[]> {
    const [project = "", name = ""] = path;
    const model = this.#models
      .know(connectionId, project)
      .value?.find((one) => one.name === name)?.current;
    if (!model) return [];
    const { target, status, engine, accuracy, version } = model;
    const inputs = await this.#readInputs(connectionId, { project, name });
    return [
      ...(target === undefined ? [] : [vscode.l10n.t("Predicts {0}", cut(target))]),
      ...(inputs.length > 0
        ? [vscode.l10n.t("From {0}", inputs.slice(0, maxColumns).map(formatColumn).join(", "))]
        : []),
      [vscode.l10n.t("version {0}", version), status, engine].filter(Boolean).join(" · "),
      ...(accuracy === undefined ? [] : [vscode.l10n.t("accuracy {0}", accuracy.toFixed(3))]),
    ];
  }

  async #readInputs(
    connectionId: string,
    model: { project: string; name: string },
  ): Promise<readonly SqlColumn[]> {
    if (!vscode.workspace.isTrusted) return [];
    const { servers, descriptions } = this.#options;
    const read = async (): Promise<readonly SqlColumn[]> => {
      const client = await servers.client(connectionId);
      const { inputs = [] } = await readModelColumns(
        { client, connectionId, descriptions },
        { ...model, version: undefined },
      );
      return inputs;
    };
    const reading = read().catch(() => []);
    let inputs: readonly SqlColumn[] = [];
    // Not canceled: the answer is kept for the next hover.
    await firstOf([reading.then((found) => (inputs = found))], maxWaitMs);
    return inputs;
  }
}

/** A link to a page. Foreign names are only in the argument of its command, and in no text that is trusted. */
function linkTo({ command, ref }: ObjectPage): vscode.MarkdownString {
  const argument = encodeURIComponent(JSON.stringify([ref])).replaceAll(/[()]/g, (bracket) =>
    bracket === "(" ? "%28" : "%29",
  );
  const link = new vscode.MarkdownString();
  link.value = `[${vscode.l10n.t("Open Page")}](command:${command}?${argument})`;
  link.isTrusted = { enabledCommands: [command] };
  return link;
}

/** The page that shows an object, and the reference to it. */
function pageOf({ meaning, connectionId }: Found): ObjectPage | undefined {
  if (meaning.kind !== "object" || connectionId === undefined) return undefined;
  const [project = "", ...path] = meaning.path;
  const ref = { connectionId, project, name: path.at(-1) ?? "" };
  switch (meaning.type) {
    case "agent":
      return { command: commands.agentShow, ref };
    case "knowledge_base":
      return { command: commands.knowledgeBaseShow, ref };
    case "model":
      return { command: commands.modelShow, ref };
    case "table":
    case "view": {
      const table = { ...ref, name: formatEntry(path), isView: meaning.type === "view" };
      return { command: commands.tablePreview, ref: table };
    }
    default:
      return undefined;
  }
}

function describeKind({ type, path }: SqlObjectMeaning): string {
  const name = cut(path.join("."));
  switch (type) {
    case "agent":
      return vscode.l10n.t("Agent {0}", name);
    case "knowledge_base":
      return vscode.l10n.t("Knowledge base {0}", name);
    case "model":
      return vscode.l10n.t("Model {0}", name);
    case "view":
      return vscode.l10n.t("View {0}", name);
    case "table":
      return vscode.l10n.t("Table {0}", name);
    default:
      return `${type} ${name}`;
  }
}

function listColumns(columns: readonly SqlColumn[]): string[] {
  return [
    ...columns.slice(0, maxColumns).map(formatColumn),
    ...(columns.length > maxColumns ? [vscode.l10n.t("{0} columns in all.", columns.length)] : []),
  ];
}

function formatColumn({ name, type }: SqlColumn): string {
  return type === undefined ? cut(name) : `${cut(name)}: ${cut(type)}`;
}

function cut(text: string): string {
  return plainLabel(text, maxName);
}
