// Checks the statements of SQL files and cells, and their names by what is known of the server.
import * as vscode from "vscode";
import type { Span } from "../notebook/recipe.ts";
import type { SqlFix } from "../notebook/sqlMisreading.ts";
import { placesAfterEdit, placesAfterRun } from "../sqlFile/editedPlaces.ts";
import type { KnownContext, SqlChecker, SqlTextProblem } from "../sqlFile/sqlChecker.ts";
import type { KnownServerNames } from "./knownServerNames.ts";
import type { KnownTables } from "./knownTables.ts";
import type { NameSource } from "./sqlCompletionProvider.ts";
import { isSqlFile } from "./sqlDocuments.ts";

interface CheckedText {
  text: string;
  statements: readonly { text: string; start: number }[];
  /** Problems that are returned. */
  limit: number;
  source: NameSource | undefined;
  /** The names that statements outside of the text create and choose. */
  other?: () => Promise<Pick<KnownContext, "created" | "used">>;
}

interface Kept {
  checker: SqlChecker;
  /** The names that were known at the last check, and their server. */
  server?: KnownServerNames;
  sourceKey?: string;
}

/** Of files and cells, whoever checks them: fixes are found by the document. */
const keptChecks = new WeakMap<vscode.TextDocument, Kept>();

/** The fixes for an unknown name of a document, which was marked there. */
export function findNameFixes(document: vscode.TextDocument, place: Span): SqlFix[] {
  return keptChecks.get(document)?.checker.findNameFixes(place) ?? [];
}

export class SqlTextChecks implements vscode.Disposable {
  readonly #tables: KnownTables;
  readonly #subscriptions: vscode.Disposable;
  /** Where a text was edited, or has run. */
  readonly #used = new WeakMap<vscode.TextDocument, readonly number[]>();
  /** Where the last edit of a text ended, as long as the caret has stayed there. */
  readonly #typedAt = new WeakMap<vscode.TextDocument, number>();
  /** Texts with a name at the caret that is unknown, and perhaps not complete. */
  readonly #withheld = new WeakSet<vscode.TextDocument>();
  /** Counts what was learned or forgotten. */
  #version = 0;

  /** `onChange` is called when the names of a server have arrived, or were forgotten. */
  constructor(tables: KnownTables, onChange: () => void) {
    this.#tables = tables;
    this.#subscriptions = vscode.Disposable.from(
      tables.onDidChange(() => {
        this.#version++;
        onChange();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const last = contentChanges.at(-1);
        if (!last) return;
        this.#used.set(document, contentChanges.reduce(placesAfterEdit, this.#usedOf(document)));
        this.#typedAt.set(document, last.rangeOffset + last.text.length);
      }),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#readAgain();
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.#readAgain()),
      vscode.window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
        if (kind === vscode.TextEditorSelectionChangeKind.Mouse) this.#readAgain();
        const { document, selection } = textEditor;
        // Not before a check: while the user types, events of the cursor may come late.
        if (!this.#withheld.has(document)) return;
        if (document.offsetAt(selection.active) === this.#typedAt.get(document)) return;
        this.#typedAt.delete(document);
        this.#withheld.delete(document);
        onChange();
      }),
    );
  }

  async check(document: vscode.TextDocument, checked: CheckedText): Promise<SqlTextProblem[]> {
    const { text, statements, limit, source, other } = checked;
    const [{ SqlChecker }, { KnownServerNames }] = await Promise.all([
      import("../sqlFile/sqlChecker.ts"),
      import("./knownServerNames.ts"),
    ]);
    const kept = keptChecks.get(document) ?? {
      checker: new SqlChecker({ hasParameters: isSqlFile(document) }),
    };
    keptChecks.set(document, kept);
    if (source?.connectionId === undefined) return kept.checker.check(text, statements, limit);
    const { connectionId, project } = source;
    const others = await other?.();
    const sourceKey = JSON.stringify([connectionId, project, this.#version]);
    if (!kept.server || kept.sourceKey !== sourceKey) {
      kept.server = new KnownServerNames(this.#tables, connectionId, project);
      kept.sourceKey = sourceKey;
    }
    kept.server.renew();
    const found = kept.checker.check(text, statements, limit, {
      ...others,
      server: kept.server,
      usedAt: this.#usedOf(document),
      connectionId,
    });
    return this.#withoutTyped(document, found);
  }

  /** Remembers that a statement has run, which starts there. */
  ran(document: vscode.TextDocument, start: number): void {
    this.#used.set(document, placesAfterRun(this.#usedOf(document), start));
  }

  #usedOf(document: vscode.TextDocument): readonly number[] {
    return this.#used.get(document) ?? [];
  }

  /** Without an unknown name that ends at the caret, because it is still being typed. */
  #withoutTyped(document: vscode.TextDocument, problems: SqlTextProblem[]): SqlTextProblem[] {
    this.#withheld.delete(document);
    const typedAt = this.#typedAt.get(document);
    const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
    if (!editor || document.offsetAt(editor.selection.active) !== typedAt) return problems;
    const others = problems.filter(({ code, end }) => code !== "sqlUnknownName" || end !== typedAt);
    if (others.length < problems.length) this.#withheld.add(document);
    return others;
  }

  /** The user has come back, perhaps from another client that has created what is marked. */
  #readAgain(): void {
    for (const { document } of vscode.window.visibleTextEditors) {
      keptChecks.get(document)?.checker.readAgain();
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
