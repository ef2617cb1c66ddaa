import * as vscode from "vscode";
import { showInformation } from "../../shared/host/notifications.ts";
import { writeFile } from "../../shared/host/writeFile.ts";
import { toJUnitXml, type ReportedTest } from "../runs/junitXml.ts";

/** Writes results as JUnit XML to a file that the user picks. */
export async function exportResults(tests: readonly ReportedTest[]): Promise<void> {
  if (tests.length === 0) {
    void showInformation(vscode.l10n.t("No agent test has been run in this window."));
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Export Agent Test Results"),
    filters: { "JUnit XML": ["xml"] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, "agent-test-results.xml") }),
  });
  if (!file) return;
  await writeFile(file, toJUnitXml(tests));
}
