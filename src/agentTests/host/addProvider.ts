// `Add promptfoo Provider…`: promptfoo can run a test file too, for example on a build server.
import fs from "node:fs/promises";
import * as vscode from "vscode";
import { isAppError } from "../../mindsdb/errors.ts";
import { showInformation, showWarning } from "../../shared/host/notifications.ts";
import { readSmallFile } from "../../shared/host/readFileChunks.ts";
import { folderAround } from "../../shared/host/folderAround.ts";
import { writeFile } from "../../shared/host/writeFile.ts";
import { getShell } from "../../shared/shells.ts";
import { isTestFile } from "../files/testFileNames.ts";
import { providerFileName } from "../promptfoo/providerFile.ts";
import { writePromptfooCommand, type PromptfooServer } from "../promptfoo/promptfooCommand.ts";
import { pickTestFile } from "./files/pickTestFile.ts";
import { replaceText } from "./files/replaceText.ts";
import { askConsent } from "../../shared/host/consent.ts";
import { openTestDocument } from "./files/openTestDocument.ts";
import { parseTestFile } from "./files/parseTestFile.ts";
import { TestConnections } from "./files/testConnections.ts";
import type { AgentTestOptions } from "./testController.ts";
import type { Connection, ServerAccess } from "../../shared/connection.ts";
import { showError } from "../../shared/host/errorMessages.ts";

/** Writes the provider beside a test file, which then names it. Asks before it replaces a provider that is different. */
export async function addProvider(
  given: unknown,
  { extensionUri, servers, state }: AgentTestOptions,
): Promise<void> {
  const title = vscode.l10n.t("Add promptfoo Provider");
  const uri =
    given instanceof vscode.Uri && isTestFile(given.path) ? given : await pickTestFile(title);
  if (!uri) return;
  const document = await openTestDocument(uri).catch(showError);
  if (!document) return;
  const text = await parseTestFile("useProviderFile", [document.getText()]);
  if (text === undefined) {
    void showWarning(
      vscode.l10n.t("Fix the problems in {0} first.", vscode.workspace.asRelativePath(uri)),
    );
    return;
  }
  const target = vscode.Uri.joinPath(uri, "..", providerFileName);
  const source = vscode.Uri.joinPath(extensionUri, "dist", "promptfooProvider.js");
  const code = await vscode.workspace.fs.readFile(source);
  if (!(await mayWrite(target, code))) return;
  await writeFile(target, code, folderAround(uri));
  await replaceText(document, text);
  await vscode.window.showTextDocument(document);
  const name = uri.path.split("/").at(-1) ?? "";
  const shell = getShell(vscode.env.shell);
  const server =
    shell === "other"
      ? undefined
      : await findServer(servers, new TestConnections(servers, state).current);
  const command = writePromptfooCommand(name, shell, server);
  if (command === undefined) {
    void showWarning(
      vscode.l10n.t(
        "promptfoo can run this file, but its name can't be pasted safely into the shell of your terminal. To get a command, rename the file with only letters, digits, dots, and hyphens.",
      ),
    );
    return;
  }
  const copy = vscode.l10n.t("Copy Command");
  const message = server
    ? vscode.l10n.t(
        "promptfoo can run this file in a new terminal in this window, where {0} contains the sample server's token: {1}",
        server.variable,
        command,
      )
    : vscode.l10n.t(
        "promptfoo can run this file: {0}. Set the environment variables MINDSDB_URL and MINDSDB_TOKEN to the server's address and token.",
        command,
      );
  if ((await showInformation(message, copy)) === copy) {
    await vscode.env.clipboard.writeText(command);
  }
}

/** The server of the tests, if new terminals have a token for it. */
async function findServer(
  servers: ServerAccess,
  connection: Connection | undefined,
): Promise<PromptfooServer | undefined> {
  if (!connection) return undefined;
  const variable = await servers.setTokenVariable?.(connection.id).catch(() => undefined);
  // The request for the token may have started the server elsewhere.
  const { address } = servers.find(connection.id) ?? connection;
  return variable === undefined ? undefined : { address, variable };
}

async function isLink(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== "file") return false;
  return fs.lstat(uri.fsPath).then(
    (stat) => stat.isSymbolicLink(),
    () => false,
  );
}

async function mayWrite(target: vscode.Uri, code: Uint8Array): Promise<boolean> {
  try {
    const present = await readSmallFile(target, 2 * code.length);
    if (present && Buffer.compare(present, code) === 0) return true;
  } catch (error) {
    // A link that leads out of the workspace is there too, wherever it leads.
    if (isAppError(error, "notFound") && !(await isLink(target))) return true;
  }
  const replace = vscode.l10n.t("Replace");
  const message = vscode.l10n.t("Replace {0}?", vscode.workspace.asRelativePath(target));
  const detail = vscode.l10n.t("The existing file is from another version, or it was changed.");
  return (await askConsent(message, detail, replace)) === replace;
}
