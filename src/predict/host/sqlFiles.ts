// SQL files: their commands. What they do is imported with the first such file.
import * as vscode from "vscode";
import { commands, contextKeys, panels, sqlLanguage, sqlLanguagesKey, views } from "../../ids.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import type { NewItemPlace } from "../../shared/host/newItemTarget.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import { lazy } from "../../shared/lazy.ts";
import type { SqlFilesOptions } from "./predictOptions.ts";
import { isSqlFile, sqlDocuments } from "./sqlDocuments.ts";
import type { SqlFileFeatures } from "./sqlFileFeatures.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<SqlFiles["registration"]> {}
}

const loadFormatter = async () => (await import("./sqlFormatter.ts")).sqlFormatter;

/** VS Code does not wait for a formatter, but says that there is none. */
const formatter: vscode.DocumentFormattingEditProvider &
  vscode.DocumentRangeFormattingEditProvider = {
  provideDocumentFormattingEdits: async (...given) =>
    (await loadFormatter()).provideDocumentFormattingEdits(...given),
  provideDocumentRangeFormattingEdits: async (...given) =>
    (await loadFormatter()).provideDocumentRangeFormattingEdits(...given),
};

const quickFixes: vscode.CodeActionProvider = {
  provideCodeActions: async (...given) =>
    (await import("./sqlQuickFixes.ts")).sqlQuickFixes.provideCodeActions(...given),
};
const quickFixMetadata = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };

const folding: vscode.FoldingRangeProvider = {
  provideFoldingRanges: async (...given) =>
    (await import("./sqlFileLenses.ts")).sqlFolding.provideFoldingRanges(...given),
};

export class SqlFiles implements vscode.Disposable {
  /** The one part that does the work; created with the first call. */
  readonly load = lazy(async () => {
    const { SqlFileFeatures } = await import("./sqlFileFeatures.ts");
    return new SqlFileFeatures(this.#options);
  });
  readonly registration;
  readonly #options: SqlFilesOptions;

  constructor(options: SqlFilesOptions) {
    this.#options = options;
    const call =
      <Given extends unknown[]>(work: (features: SqlFileFeatures, ...given: Given) => unknown) =>
      async (...given: Given): Promise<void> => {
        await work(await this.load(), ...given);
      };
    this.registration = registerCommands(
      {
        [commands.sqlNewFile]: call((sql, given?: NewItemPlace) => sql.newFile(given)),
        [commands.sqlUseLanguage]: call((sql) => sql.useLanguage()),
        [commands.sqlRunStatement]: call((sql, uri?: string, start?: number, text?: string) =>
          sql.runStatement(uri, start, text),
        ),
        [commands.sqlCreateView]: async (cell?: vscode.NotebookCell) =>
          (await import("./createViewFromSql.ts")).createViewFromSql(cell, (document) =>
            this.#findPlace(document),
          ),
        [commands.sqlRunFile]: call((sql) => sql.runFile()),
        [commands.sqlStop]: call((sql) => sql.stop()),
        [commands.sqlChooseConnection]: call((sql) => sql.chooseConnection()),
        [commands.sqlChooseProject]: call((sql) => sql.chooseProject()),
        [commands.sqlGoToDefinition]: () => this.#goToDefinition(),
        [commands.sqlQueryItem]: call((sql, item: ItemRef & { kind?: string }) =>
          sql.queryItem(item),
        ),
        [commands.sqlShowHistory]: call((sql) => sql.showHistory()),
      },
      vscode.window.registerWebviewViewProvider(views.sqlResults, {
        resolveWebviewView: async (view) => (await this.load()).results.resolve(view),
      }),
      restorePanels(panels.sqlResult, async () => {
        // The view with the results may be shown again, too.
        this.#showView();
        return (await this.load()).results.editors;
      }),
      // For files and cells. The rest is registered with the first file, and with the first notebook.
      vscode.languages.registerDocumentFormattingEditProvider(sqlDocuments, formatter),
      vscode.languages.registerDocumentRangeFormattingEditProvider(sqlDocuments, formatter),
      vscode.languages.registerCodeActionsProvider(sqlDocuments, quickFixes, quickFixMetadata),
      vscode.languages.registerFoldingRangeProvider(sqlDocuments, folding),
      vscode.workspace.onDidOpenTextDocument((document) => this.#opened(document)),
    );
    for (const document of vscode.workspace.textDocuments) this.#opened(document);
  }

  dispose(): void {
    this.registration.dispose();
    void this.load.loaded?.then((features) => features.dispose());
  }

  /** Opens the page of what the name at the caret refers to, or goes to where it is defined in the document. */
  async #goToDefinition(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== sqlLanguage) return;
    const { document, selection } = editor;
    const pages = isSqlFile(document) ? await this.load() : this.#options.cells;
    if (await pages.openPage(document, selection.active)) return;
    await vscode.commands.executeCommand("editor.action.revealDefinition");
  }

  /** Where a statement of a file or a cell runs; the user is asked if nothing is chosen. */
  async #findPlace(document: vscode.TextDocument) {
    if (!isSqlFile(document)) {
      const { cells } = this.#options;
      const connectionId = cells.connectionOf(document) ?? (await this.#pickConnection());
      return connectionId === undefined ? undefined : { connectionId };
    }
    const place = await (await this.load()).places.ensure(document.uri);
    return place && { connectionId: place.connection.id, database: place.database };
  }

  async #pickConnection(): Promise<string | undefined> {
    const { pickConnection } = await import("../../shared/host/newItemTarget.ts");
    const title = vscode.l10n.t("Create a View");
    return (await pickConnection(this.#options.servers, undefined, { title }))?.id;
  }

  /** The view with the results is there once SQL files are used. */
  #showView(): void {
    void vscode.commands.executeCommand("setContext", contextKeys.sqlOpened, true);
  }

  #opened(document: vscode.TextDocument): void {
    const isFile = isSqlFile(document);
    if (isFile) this.#showView();
    // Some files of the other language may be remembered as MindsDB's.
    if (isFile || (document.languageId === "sql" && this.#options.state.get(sqlLanguagesKey))) {
      void this.load();
    }
  }
}
