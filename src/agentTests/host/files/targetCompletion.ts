import * as vscode from "vscode";
import { plainLabel, visibleLine } from "../../../shared/oneLine.ts";
import { testFileGlob } from "../../files/testFileNames.ts";
import { providerPrefix, searchPrefix, type TestTarget } from "../../runs/testTarget.ts";

/** Completes the agents of a server after `mindsdb:`, and its knowledge bases after `mindsdb-search:`. */
export function registerTargetCompletion(
  list: (kind: TestTarget["kind"]) => Promise<ReadonlySet<string> | undefined>,
): vscode.Disposable {
  return vscode.languages.registerCompletionItemProvider(
    { pattern: testFileGlob },
    {
      provideCompletionItems: async (document, position) => {
        const before = document.lineAt(position.line).text.slice(0, position.character);
        const [prefix, written] =
          [providerPrefix, searchPrefix]
            .map((one) => [one, before.split(one).at(-1) ?? ""] as const)
            .find(([one, rest]) => before.endsWith(one + rest)) ?? [];
        if (!vscode.workspace.isTrusted) return [];
        if (prefix === undefined || written === undefined || /["'\s,\]]/.test(written)) return [];
        const start = position.character - written.length;
        const range = new vscode.Range(position.with(undefined, start), position);
        const kind = prefix === searchPrefix ? "knowledgeBase" : "agent";
        // Other names would add lines of their own to the file, or text that nobody sees.
        const names = [...((await list(kind)) ?? [])].filter((name) => visibleLine(name) === name);
        return names.map((name) => {
          const item = new vscode.CompletionItem(plainLabel(name), vscode.CompletionItemKind.Value);
          item.insertText = name;
          item.filterText = name;
          item.range = range;
          return item;
        });
      },
    },
    ":",
    "/",
  );
}
