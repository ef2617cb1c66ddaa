// `New Agent Test File…`: a file with a first test for an agent, to fill in.
import * as vscode from "vscode";
import type { ServerAccess } from "../../../shared/connection.ts";
import type { AgentRef } from "../../../mindsdb/references.ts";
import { toFileName } from "../../../shared/files/fileName.ts";
import { offerConnection } from "../../../shared/host/offerConnection.ts";
import { pickItem } from "../../../shared/host/pickItem.ts";
import { writeFile } from "../../../shared/host/writeFile.ts";
import { createTestFileSnippet } from "../../files/testFileSnippet.ts";
import { listAgentItems } from "../agentItems.ts";
import { openTestDocument } from "./openTestDocument.ts";

/** Asks for the agent, unless it is given, and for the file, and opens it with the question selected. */
export async function createTestFile(
  servers: ServerAccess,
  given: AgentRef | undefined,
): Promise<void> {
  const title = vscode.l10n.t("New Agent Test File");
  const agent = given ?? (await pickAgent(servers, title));
  const uri = agent && (await pickNewTestFile(title, agent));
  if (!agent || !uri) return;
  await writeFile(uri, "");
  const editor = await vscode.window.showTextDocument(await openTestDocument(uri));
  const snippet = createTestFileSnippet(`${agent.project}/${agent.name}`);
  await editor.insertSnippet(new vscode.SnippetString(snippet));
}

/** A file that does not exist yet, or that the user wants to replace; undefined if they cancel. */
export function pickNewTestFile(
  title: string,
  agent: { name: string },
): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${toFileName(agent.name)}.agent-test.yaml`;
  return vscode.window.showSaveDialog({
    title,
    filters: { YAML: ["yaml", "yml"] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
}

async function pickAgent(servers: ServerAccess, title: string): Promise<AgentRef | undefined> {
  if (servers.list().length === 0 && !(await offerConnection(servers))) return undefined;
  const placeHolder = vscode.l10n.t("Select an agent to test");
  return (await pickItem(listAgentItems(servers), { title, placeHolder }))?.agent;
}
