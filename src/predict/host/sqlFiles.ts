// SQL files: their language and their commands. What they do is imported with the first such file.
import * as vscode from "vscode";
import { commands, contextKeys, sqlLanguage, views } from "../../ids.ts";
import type { SqlFilesOptions } from "./predictOptions.ts";
import type { SqlFileFeatures } from "./sqlFileFeatures.ts";

const languagesKey = "sql.languages";
/** The `.sql` files that are remembered as MindsDB's. */
const maxFiles = 200;

export class SqlFiles implements vscode.Disposable {
  readonly #options: SqlFilesOptions;
  readonly #subscriptions: vscode.Disposable[];
  #features: Promise<SqlFileFeatures> | undefined;
  /** The file that was closed in this very moment: VS Code closes and opens a file whose language changes. */
  #justClosed: string | undefined;

  constructor(options: SqlFilesOptions) {
    this.#options = options;
    const register = vscode.commands.registerCommand;
    const { workspace } = vscode;
    this.#subscriptions = [
      register(commands.sqlNewFile, async (given?: { connectionId: string; project?: string }) =>
        (await this.load()).newFile(given),
      ),
      register(commands.sqlUseLanguage, () => this.#useLanguage()),
      register(commands.sqlRunStatement, async (uri?: string, start?: number, text?: string) =>
        (await this.load()).runStatement(uri, start, text),
      ),
      register(commands.sqlRunFile, async () => (await this.load()).runFile()),
      register(commands.sqlStop, async () => (await this.load()).stop()),
      register(commands.sqlChooseConnection, async () => (await this.load()).chooseConnection()),
      vscode.window.registerWebviewViewProvider(views.sqlResults, {
        resolveWebviewView: async (view) => (await this.load()).results.resolve(view),
      }),
      workspace.onDidOpenTextDocument((document) => this.#opened(document)),
      workspace.onDidCloseTextDocument(({ uri, languageId }) => {
        if (languageId !== sqlLanguage) return;
        this.#justClosed = uri.toString();
        queueMicrotask(() => (this.#justClosed = undefined));
      }),
    ];
    for (const document of workspace.textDocuments) this.#opened(document);
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

  #opened(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    if (document.languageId === sqlLanguage) {
      void vscode.commands.executeCommand("setContext", contextKeys.sqlOpened, true);
      void this.load();
    } else if (document.languageId === "sql" && this.#remembered.includes(uri)) {
      // The user may have chosen the other language again.
      if (this.#justClosed === uri) void this.#remember(uri, false);
      else void vscode.languages.setTextDocumentLanguage(document, sqlLanguage);
    }
  }

  async #useLanguage(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "sql" || document.uri.scheme === "vscode-notebook-cell") return;
    await vscode.languages.setTextDocumentLanguage(document, sqlLanguage);
    if (!document.isUntitled) await this.#remember(document.uri.toString(), true);
  }

  get #remembered(): string[] {
    return this.#options.state.get<string[]>(languagesKey, []);
  }

  async #remember(uri: string, isOurs: boolean): Promise<void> {
    const others = this.#remembered.filter((one) => one !== uri);
    const files = isOurs ? [...others, uri].slice(-maxFiles) : others;
    await this.#options.state.update(languagesKey, files);
  }
}
