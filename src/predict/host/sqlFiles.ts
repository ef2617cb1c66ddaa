// SQL files: their commands. What they do is imported with the first such file.
import * as vscode from "vscode";
import { commands, contextKeys, sqlLanguage, sqlLanguagesKey, views } from "../../ids.ts";
import type { SqlFilesOptions } from "./predictOptions.ts";
import type { SqlFileFeatures } from "./sqlFileFeatures.ts";

type Method =
  | "newFile"
  | "useLanguage"
  | "runStatement"
  | "runFile"
  | "stop"
  | "chooseConnection"
  | "goToDefinition"
  | "queryItem"
  | "showHistory";

export class SqlFiles implements vscode.Disposable {
  readonly #options: SqlFilesOptions;
  readonly #subscriptions: vscode.Disposable[];
  #features: Promise<SqlFileFeatures> | undefined;

  constructor(options: SqlFilesOptions) {
    this.#options = options;
    const register = vscode.commands.registerCommand;
    const call =
      (method: Method) =>
      async (...given: never[]) => {
        const features: Record<Method, (...given: never[]) => unknown> = await this.load();
        await features[method](...given);
      };
    this.#subscriptions = [
      register(commands.sqlNewFile, call("newFile")),
      register(commands.sqlUseLanguage, call("useLanguage")),
      register(commands.sqlRunStatement, call("runStatement")),
      register(commands.sqlRunFile, call("runFile")),
      register(commands.sqlStop, call("stop")),
      register(commands.sqlChooseConnection, call("chooseConnection")),
      register(commands.sqlGoToDefinition, call("goToDefinition")),
      register(commands.sqlQueryItem, call("queryItem")),
      register(commands.sqlShowHistory, call("showHistory")),
      vscode.window.registerWebviewViewProvider(views.sqlResults, {
        resolveWebviewView: async (view) => (await this.load()).results.resolve(view),
      }),
      vscode.workspace.onDidOpenTextDocument((document) => this.#opened(document)),
    ];
    for (const document of vscode.workspace.textDocuments) this.#opened(document);
  }

  /** The one part that does the work; created with the first call. */
  load(): Promise<SqlFileFeatures> {
    this.#features ??= import("./sqlFileFeatures.ts").then(
      ({ SqlFileFeatures }) => new SqlFileFeatures(this.#options),
    );
    return this.#features;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    void this.#features?.then((features) => features.dispose());
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
