// SQL files: their commands. What they do is imported with the first such file.
import * as vscode from "vscode";
import { commands, contextKeys, sqlLanguage, sqlLanguagesKey, views } from "../../ids.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import type { NewItemPlace } from "../../shared/host/newItemTarget.ts";
import { lazy } from "../../shared/lazy.ts";
import type { SqlFilesOptions } from "./predictOptions.ts";
import type { SqlFileFeatures } from "./sqlFileFeatures.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<SqlFiles["registration"]> {}
}

const files: vscode.DocumentSelector = { language: sqlLanguage };

const loadFormatter = async () => (await import("./sqlFormatter.ts")).sqlFormatter;

/** Registered with the extension: VS Code does not wait for a formatter, but says that there is none. */
const formatter: vscode.DocumentFormattingEditProvider &
  vscode.DocumentRangeFormattingEditProvider = {
  provideDocumentFormattingEdits: async (...given) =>
    (await loadFormatter()).provideDocumentFormattingEdits(...given),
  provideDocumentRangeFormattingEdits: async (...given) =>
    (await loadFormatter()).provideDocumentRangeFormattingEdits(...given),
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
        [commands.sqlRunFile]: call((sql) => sql.runFile()),
        [commands.sqlStop]: call((sql) => sql.stop()),
        [commands.sqlChooseConnection]: call((sql) => sql.chooseConnection()),
        [commands.sqlGoToDefinition]: call((sql) => sql.goToDefinition()),
        [commands.sqlQueryItem]: call((sql, item: ItemRef & { kind?: string }) =>
          sql.queryItem(item),
        ),
        [commands.sqlShowHistory]: call((sql) => sql.showHistory()),
      },
      vscode.window.registerWebviewViewProvider(views.sqlResults, {
        resolveWebviewView: async (view) => (await this.load()).results.resolve(view),
      }),
      vscode.languages.registerDocumentFormattingEditProvider(files, formatter),
      vscode.languages.registerDocumentRangeFormattingEditProvider(files, formatter),
      vscode.workspace.onDidOpenTextDocument((document) => this.#opened(document)),
    );
    for (const document of vscode.workspace.textDocuments) this.#opened(document);
  }

  dispose(): void {
    this.registration.dispose();
    void this.load.loaded?.then((features) => features.dispose());
  }

  #opened({ languageId }: vscode.TextDocument): void {
    if (languageId === sqlLanguage) {
      void vscode.commands.executeCommand("setContext", contextKeys.sqlOpened, true);
    }
    // Some files of the other language may be remembered as MindsDB's.
    if (
      languageId === sqlLanguage ||
      (languageId === "sql" && this.#options.state.get(sqlLanguagesKey))
    ) {
      void this.load();
    }
  }
}
