import { createHash } from "node:crypto";
import * as vscode from "vscode";
import { summarizeRuns, type RunHistory, type TestRuns } from "../../runs/runHistory.ts";
import { testFileGlob } from "../../files/testFileNames.ts";
import { plainLabel } from "../../../shared/oneLine.ts";

/** A test with lists of variables is several tests on one line: the most that are shown. */
const maxShownTests = 10;

/**
 * The name of a test in the history: it stays when other tests are added or removed. Hashed, since a question can be
 * long and hold a secret.
 */
export function historyKey({ uri, label }: vscode.TestItem): string {
  const path = uri ? vscode.workspace.asRelativePath(uri) : "";
  return createHash("sha256")
    .update(JSON.stringify([path, label]))
    .digest("hex");
}

/** Shows on the first line of a test what became of its last runs. */
export function registerTestHover(
  findTests: (uri: vscode.Uri, line: number) => vscode.TestItem[],
  history: RunHistory,
): vscode.Disposable {
  return vscode.languages.registerHoverProvider(
    { pattern: testFileGlob },
    {
      provideHover: ({ uri }, { line }) => {
        const tests = findTests(uri, line);
        const texts = tests.slice(0, maxShownTests).flatMap((item) => {
          const runs = history.find(historyKey(item));
          return runs ? [describeRuns(runs, tests.length > 1 ? item.label : undefined)] : [];
        });
        return texts.length > 0 ? new vscode.Hover(texts) : undefined;
      },
    },
  );
}

/** Names and reasons are texts of files and servers: nothing in them is Markdown. */
function describeRuns(runs: TestRuns, name: string | undefined): vscode.MarkdownString {
  const { count, passed, medianMs } = summarizeRuns(runs);
  const seconds = (medianMs / 1_000).toFixed(1);
  const lines = [
    ...(name === undefined ? [] : [name]),
    vscode.l10n.t("Last runs: {0} of {1} passed, median time {2} s.", passed, count, seconds),
    ...(runs.reason === undefined ? [] : [vscode.l10n.t("Last failure: {0}", runs.reason)]),
  ];
  return new vscode.MarkdownString().appendText(lines.map((line) => plainLabel(line)).join("\n"));
}
