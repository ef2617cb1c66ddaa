import * as vscode from "vscode";
import { showInformation } from "../../../shared/host/notifications.ts";
import {
  ignoredFolders,
  isAgentTestFile,
  isTestFile,
  testFileGlob,
} from "../../files/testFileNames.ts";
import { pickItem } from "../../../shared/host/pickItem.ts";

/** The most files that are listed. */
const maxFiles = 100;

/** The test file in the active editor, the only one of the workspace, or the one that the user picks. */
export async function pickTestFile(title: string): Promise<vscode.Uri | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active && isTestFile(active.path)) return active;
  const files = await findTestFiles();
  const [only] = files;
  if (!only) {
    void showInformation(vscode.l10n.t("The workspace has no agent test file."));
    return undefined;
  }
  if (files.length === 1) return only;
  const items = files.map((uri) => ({
    label: vscode.workspace.asRelativePath(uri),
    uri,
  }));
  const placeHolder = vscode.l10n.t("Select a test file");
  return (await pickItem(items, { title, placeHolder }))?.uri;
}

/** The workspace's files that are for agents only. */
export async function findTestFiles(): Promise<vscode.Uri[]> {
  const uris = await vscode.workspace.findFiles(testFileGlob, ignoredFolders, maxFiles);
  return uris.filter(({ path }) => isAgentTestFile(path));
}
