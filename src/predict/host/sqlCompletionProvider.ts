import * as vscode from "vscode";
import { completeSql } from "../completion/completeSql.ts";
import type { SqlCompletion } from "../completion/completeSql.ts";
import type { SqlSuggestion, SuggestionKind } from "../completion/suggestion.ts";
import { maxCheckedText } from "./sqlDiagnostics.ts";
import { completionLabel } from "./languageFeatures.ts";
import type { KnownModels } from "./knownModels.ts";
import { KnownNames } from "./knownNames.ts";
import type { KnownTables } from "./knownTables.ts";

/** Milliseconds that suggestions wait for names that are not known yet. The next key asks again. */
const maxWaitMs = 300;
/** Milliseconds in which names that come later are suggested after all, if nothing was typed meanwhile. */
const maxLateMs = 10_000;

/** What opens the suggestions when it is typed: before a name, an engine, or a key. */
export const sqlTriggers = [".", "`", '"', "'"];

const kinds: Record<SuggestionKind, vscode.CompletionItemKind> = {
  keyword: vscode.CompletionItemKind.Keyword,
  function: vscode.CompletionItemKind.Function,
  column: vscode.CompletionItemKind.Field,
  alias: vscode.CompletionItemKind.Variable,
  database: vscode.CompletionItemKind.Module,
  schema: vscode.CompletionItemKind.Module,
  table: vscode.CompletionItemKind.Struct,
  view: vscode.CompletionItemKind.Interface,
  model: vscode.CompletionItemKind.Value,
  agent: vscode.CompletionItemKind.Event,
  knowledgeBase: vscode.CompletionItemKind.Class,
  object: vscode.CompletionItemKind.Reference,
  option: vscode.CompletionItemKind.Property,
};

/** Kinds of suggestions, most likely first. */
const order: SuggestionKind[] = ["option", "column", "alias", "table", "view", "knowledgeBase"];
const last: SuggestionKind[] = ["keyword", "function"];

/** Where names are looked up. */
export interface NameSource {
  connectionId: string | undefined;
  /** The project of names without one, if it is not the server's default. */
  project: string | undefined;
}

/** Where the names of a text are looked up. The default project can be another one at each position. */
export type FindSource = (
  document: vscode.TextDocument,
  position?: vscode.Position,
) => NameSource | undefined;

/** Completion in the SQL cells of notebooks and in SQL files. */
export class SqlCompletionProvider implements vscode.CompletionItemProvider {
  readonly #models: KnownModels;
  readonly #tables: KnownTables;
  readonly #findSource: FindSource;

  constructor(models: KnownModels, tables: KnownTables, findSource: FindSource) {
    this.#models = models;
    this.#tables = tables;
    this.#findSource = findSource;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionList | undefined> {
    const sql = document.getText();
    if (sql.length > maxCheckedText) return undefined;
    const source = this.#findSource(document, position);
    if (!source) return undefined;
    const grammar = await import("../../mindsdb/sql/parser/caretPosition.ts");
    const { connectionId, project } = source;
    const offset = document.offsetAt(position);
    const deadline = Date.now() + maxWaitMs;
    for (;;) {
      const names = new KnownNames(this.#models, this.#tables, connectionId, project);
      const completion = completeSql(sql, offset, grammar, names);
      const waitMs = deadline - Date.now();
      if (
        !completion ||
        names.pending.length === 0 ||
        waitMs <= 0 ||
        token.isCancellationRequested
      ) {
        const isIncomplete = names.pending.length > 0;
        if (!completion) return undefined;
        if (isIncomplete) {
          const isEmpty = completion.suggestions.length === 0;
          void suggestAgain(document, position, names.pending, isEmpty);
        }
        return toList(document, position, completion, isIncomplete);
      }
      await firstOf(names.pending, waitMs);
    }
  }
}

/**
 * Suggests again once the names are known, if the cursor is where it was. A list that is shown stays as it is, since the user
 * may have moved in it; the next key asks for the names. Where nothing was suggested, "No suggestions." may be shown.
 */
async function suggestAgain(
  document: vscode.TextDocument,
  position: vscode.Position,
  pending: readonly Promise<unknown>[],
  wasEmpty: boolean,
): Promise<void> {
  const { version } = document;
  await firstOf([Promise.all(pending)], maxLateMs);
  const editor = vscode.window.activeTextEditor;
  if (editor?.document !== document || document.version !== version) return;
  if (!editor.selection.isEmpty || !editor.selection.active.isEqual(position)) return;
  // VS Code opens no suggestions (1.139) while it shows any, or that there are none.
  if (wasEmpty) await vscode.commands.executeCommand("hideSuggestWidget");
  await vscode.commands.executeCommand("editor.action.triggerSuggest");
}

/** Waits for one of the answers, or so many milliseconds. */
export async function firstOf(pending: readonly Promise<unknown>[], waitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  await Promise.race([...pending, late]);
  clearTimeout(timer);
}

function toList(
  document: vscode.TextDocument,
  position: vscode.Position,
  { start, end, suggestions }: SqlCompletion,
  isIncomplete: boolean,
): vscode.CompletionList {
  const from = document.positionAt(start);
  const replacing = new vscode.Range(from, document.positionAt(end));
  const [quote = ""] = /^[`'"]/.exec(document.getText(replacing)) ?? [];
  // The editor writes the closing quote together with the opening one.
  const isClosed = quote !== "" && replacing.end.isAfter(position);
  const range = {
    inserting: isClosed ? replacing : new vscode.Range(from, position),
    replacing,
  };
  return new vscode.CompletionList(
    suggestions.map((suggestion) => toItem(suggestion, range, quote)),
    isIncomplete,
  );
}

function toItem(
  { kind, label, text = label, detail }: SqlSuggestion,
  range: vscode.CompletionItem["range"],
  quote: string,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem(completionLabel(label, detail), kinds[kind]);
  const known = order.indexOf(kind);
  const rank = known >= 0 ? known : order.length + last.indexOf(kind) + 1;
  // Tables of the default schema come before those of others.
  item.sortText = `${String(rank)}${label.includes(".") ? "~" : ""}${label}`;
  item.insertText = kind === "function" ? new vscode.SnippetString(text) : text;
  item.filterText = quote === "" && text.startsWith('"') ? text : quote + label;
  item.range = range;
  return item;
}
