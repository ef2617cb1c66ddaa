// Which `.sql` files are MindsDB's because the user has said so. All others are left to other extensions.
import * as vscode from "vscode";
import { sqlLanguage, sqlLanguagesKey } from "../../ids.ts";

/** Files that are remembered. */
const maxFiles = 200;

export class SqlFileLanguages implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #subscriptions: vscode.Disposable[];
  /** The file that was closed in this very moment: VS Code closes and opens a file whose language changes. */
  #justClosed: string | undefined;

  constructor(state: vscode.Memento) {
    this.#state = state;
    const { workspace } = vscode;
    this.#subscriptions = [
      workspace.onDidOpenTextDocument((document) => this.#opened(document)),
      workspace.onDidCloseTextDocument(({ uri, languageId }) => {
        if (languageId !== sqlLanguage) return;
        this.#justClosed = uri.toString();
        queueMicrotask(() => (this.#justClosed = undefined));
      }),
    ];
    for (const document of workspace.textDocuments) this.#opened(document);
  }

  /** The addresses of the files. */
  get remembered(): string[] {
    return this.#state.get<string[]>(sqlLanguagesKey, []);
  }

  /** Makes the file of the active editor one of MindsDB's. */
  async use(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "sql" || document.uri.scheme === "vscode-notebook-cell") return;
    await vscode.languages.setTextDocumentLanguage(document, sqlLanguage);
    if (!document.isUntitled) await this.#remember(document.uri.toString(), true);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #opened(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    if (document.languageId !== "sql" || !this.remembered.includes(uri)) return;
    // The user may have chosen the other language again.
    if (this.#justClosed === uri) void this.#remember(uri, false);
    else void vscode.languages.setTextDocumentLanguage(document, sqlLanguage);
  }

  async #remember(uri: string, isOurs: boolean): Promise<void> {
    const others = this.remembered.filter((one) => one !== uri);
    const files = isOurs ? [...others, uri].slice(-maxFiles) : others;
    await this.#state.update(sqlLanguagesKey, files);
  }
}
