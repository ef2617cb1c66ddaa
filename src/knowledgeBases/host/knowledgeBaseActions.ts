// Commands on a knowledge base, other than those that show its pages.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { dropStatement } from "../../mindsdb/deleteItem.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { inParallel } from "../../mindsdb/http/inParallel.ts";
import { deleteKnowledgeBase } from "../../mindsdb/knowledgeBaseChanges.ts";
import { getKnowledgeBase, listKnowledgeBases } from "../../mindsdb/knowledgeBases.ts";
import { listProjects } from "../../mindsdb/projects.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import { attempt } from "../../shared/host/attempt.ts";
import type { Log } from "../../shared/host/log.ts";
import { createOnServer } from "../../shared/host/newItemTarget.ts";
import { showInformation, showStatus } from "../../shared/host/notifications.ts";
import { createKnowledgeBaseStatement, readCreateFields } from "../form/createStatement.ts";
import { readStorage } from "../form/knowledgeBaseDraft.ts";
import type { KnowledgeBaseForms } from "./form/knowledgeBaseForms.ts";
import { copyStatement } from "./form/saveForm.ts";
import type { KnowledgeBaseWriters } from "./knowledgeBaseWriters.ts";

interface Options {
  servers: ServerAccess;
  log: Log;
}

/** Modules imported with their first use. */
interface Loaders {
  loadForms: () => Promise<KnowledgeBaseForms>;
  loadWriters: () => Promise<KnowledgeBaseWriters>;
}

const actions = { editInForm, confirmAndDelete, copyCreateStatement };

/** Runs an action of a command. Shows and logs its errors. */
export async function runAction(
  action: keyof typeof actions,
  options: Options,
  item: KnowledgeBaseRef,
  loaders: Loaders,
): Promise<void> {
  const { connectionId, project, name } = item;
  await attempt(options, "A command for knowledge bases", connectionId, () =>
    actions[action](options.servers, { connectionId, project, name }, loaders),
  );
}

/** Opens a form for a new knowledge base; asks for the connection unless it is given or the only one. */
export async function createInForm(
  options: Options,
  given: { connectionId: string; project?: string } | undefined,
  loadForms: () => Promise<KnowledgeBaseForms>,
): Promise<void> {
  const texts = {
    title: vscode.l10n.t("Create a Knowledge Base"),
    offer: vscode.l10n.t("Knowledge bases need a MindsDB server, and none is connected yet."),
    task: "A command for knowledge bases",
  };
  await createOnServer(options, given, texts, async (connectionId, project) => {
    await (await loadForms()).create(connectionId, project);
  });
}

/** Only MindsDB 26 and newer can change a knowledge base. */
async function editInForm(
  servers: ServerAccess,
  item: KnowledgeBaseRef,
  { loadForms }: Loaders,
): Promise<void> {
  const { version = "26" } = await servers.status(item.connectionId);
  if (Number.parseInt(version, 10) >= 26) return (await loadForms()).edit(item);
  void showInformation(
    vscode.l10n.t("MindsDB {0} can't change a knowledge base. MindsDB 26 can.", version),
  );
}

/** Copies the statement that would create the knowledge base, with placeholders for keys. */
async function copyCreateStatement(
  servers: ServerAccess,
  { connectionId, project, name }: KnowledgeBaseRef,
): Promise<void> {
  const client = await servers.client(connectionId);
  const row = await getKnowledgeBase(client, project, name);
  const fields = client.secrets.redactKnownValue(readCreateFields(row));
  const statement = createKnowledgeBaseStatement(project, name, fields);
  showStatus(await copyStatement(statement), 5_000);
}

async function confirmAndDelete(
  servers: ServerAccess,
  item: KnowledgeBaseRef,
  { loadWriters }: Loaders,
): Promise<void> {
  const { connectionId, project, name } = item;
  // Throws for a name that neither HTTP nor SQL can say, before anybody is asked.
  dropStatement("KNOWLEDGE_BASE", project, name);
  const client = await servers.client(connectionId);
  const isAllowed = await servers.allowWrite(connectionId, {
    what: vscode.l10n.t("Delete the knowledge base {0} in {1}", name, project),
    button: vscode.l10n.t("Delete"),
    detail: await describeLoss(client, project, name),
    deletes: name,
  });
  if (!isAllowed) return;
  try {
    const writers = await loadWriters();
    await writers.run(item, () => deleteKnowledgeBase(client, { project, name }));
  } catch (error) {
    if (!(await isGone(client, project, name, error))) throw error;
    client.observe({ kind: "changed", list: "knowledgeBases", project, name });
  }
  showStatus(vscode.l10n.t("Deleted {0}", name));
}

/** Servers delete a knowledge base before its storage, and answer with an error if the storage is still in use. */
async function isGone(
  client: Client,
  project: string,
  name: string,
  error: unknown,
): Promise<boolean> {
  if (isAppError(error, "notFound")) return true;
  if (!isAppError(error, "serverFault")) return false;
  return getKnowledgeBase(client, project, name).then(
    () => false,
    (reason: unknown) => isAppError(reason, "notFound"),
  );
}

/** Returns what is lost with a knowledge base, as far as it can be read. */
async function describeLoss(client: Client, project: string, name: string): Promise<string> {
  const row = await getKnowledgeBase(client, project, name).catch(() => ({}));
  const storage = readStorage(row);
  if (storage !== "") {
    return vscode.l10n.t(
      "It is deleted for everyone. Its content stays in the table {0}, but can no longer be searched.",
      storage,
    );
  }
  const others = await listSharingStorage(client, project, name).catch(() => []);
  const loss = vscode.l10n.t("It is deleted for everyone, and its content is lost.");
  if (others.length === 0) return loss;
  const shared = vscode.l10n.t(
    "Other knowledge bases with the same storage also lose their content: {0}",
    others.join(", "),
  );
  return `${loss} ${shared}`;
}

/** Knowledge bases of one name in several projects have the same storage, unless it was chosen. */
async function listSharingStorage(
  client: Client,
  project: string,
  name: string,
): Promise<string[]> {
  const lists = await inParallel(await listProjects(client), async (one) => {
    const items = await listKnowledgeBases(client, one.name);
    return items.map((item) => ({ ...item, project: one.name }));
  });
  const all = lists.flat();
  const storage = all.find((item) => item.project === project && item.name === name)?.storage;
  return all
    .filter((item) => item.storage !== undefined && item.storage === storage)
    .filter((item) => item.project !== project || item.name !== name)
    .map((item) => `${item.project}.${item.name}`);
}
