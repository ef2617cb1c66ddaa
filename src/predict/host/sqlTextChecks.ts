// Checks the statements of SQL files and cells, and their names by what is known of the server.
import * as vscode from "vscode";
import type { Span } from "../notebook/recipe.ts";
import type { SqlFix } from "../notebook/sqlMisreadings.ts";
import type { KnownContext, SqlChecker, SqlTextProblem } from "../sqlFile/sqlChecker.ts";
import type { KnownServerNames } from "./knownServerNames.ts";
import type { KnownTables } from "./knownTables.ts";
import type { NameSource } from "./sqlCompletionProvider.ts";

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
  /** Where a text was edited last: columns of the tables there are requested, as completion does. */
  readonly #edits = new WeakMap<vscode.TextDocument, number>();
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
        if (last) this.#edits.set(document, last.rangeOffset);
      }),
    );
  }

  async check(document: vscode.TextDocument, checked: CheckedText): Promise<SqlTextProblem[]> {
    const { text, statements, limit, source, other } = checked;
    const [{ SqlChecker }, { KnownServerNames }] = await Promise.all([
      import("../sqlFile/sqlChecker.ts"),
      import("./knownServerNames.ts"),
    ]);
    const kept = keptChecks.get(document) ?? { checker: new SqlChecker() };
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
    return kept.checker.check(text, statements, limit, {
      ...others,
      server: kept.server,
      editedAt: this.#edits.get(document),
    });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
