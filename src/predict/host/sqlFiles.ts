// SQL files: their commands. What they do is imported with the first such file.
import * as vscode from "vscode";
import { commands, contextKeys, sqlLanguage, views } from "../../ids.ts";
import type { SqlFilesOptions } from "./predictOptions.ts";
import type { SqlFileFeatures } from "./sqlFileFeatures.ts";

/** What each command calls, with its arguments. */
const methods = {
  [commands.sqlNewFile]: "newFile",
  [commands.sqlUseLanguage]: "useLanguage",
  [commands.sqlRunStatement]: "runStatement",
  [commands.sqlRunFile]: "runFile",
  [commands.sqlStop]: "stop",
  [commands.sqlChooseConnection]: "chooseConnection",
} as const;

type Methods = Record<(typeof methods)[keyof typeof methods], (...given: never[]) => unknown>;

export class SqlFiles implements vscode.Disposable {
  readonly #options: SqlFilesOptions;
  readonly #subscriptions: vscode.Disposable[];
  #features: Promise<SqlFileFeatures> | undefined;

  constructor(options: SqlFilesOptions) {
    this.#options = options;
    this.#subscriptions = [
      ...Object.entries(methods).map(([command, method]) =>
        vscode.commands.registerCommand(command, async (...given: unknown[]) => {
          const features: Methods = await this.load();
          await features[method](...(given as never[]));
        }),
      ),
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
      (languageId === "sql" && this.#options.state.get("sql.languages"))
    ) {
      void this.load();
    }
  }
}
