import * as vscode from "vscode";
import { providerPrefix } from "../readProviders.ts";
import { testFileGlob } from "../testFileNames.ts";

/** Completes the agents of a server after `mindsdb:`. */
export function registerAgentCompletion(
  list: () => Promise<string[] | undefined>,
): vscode.Disposable {
  return vscode.languages.registerCompletionItemProvider(
    { pattern: testFileGlob },
    {
      provideCompletionItems: async (document, position) => {
        const before = document.lineAt(position.line).text.slice(0, position.character);
        const start = before.lastIndexOf(providerPrefix) + providerPrefix.length;
        const written = before.slice(start);
        if (start < providerPrefix.length || /["'\s,\]]/.test(written)) return [];
        const range = new vscode.Range(position.with(undefined, start), position);
        return ((await list()) ?? []).map((name) => {
          const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Value);
          item.range = range;
          return item;
        });
      },
    },
    ":",
    "/",
  );
}
