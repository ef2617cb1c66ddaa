// Where something new is created: the connection and the project.
import * as vscode from "vscode";
import type { Connection, ServerAccess } from "../connection.ts";
import { addressWithMarks } from "../guardMarks.ts";
import { AppError } from "../../mindsdb/errors.ts";
import { isListAbsent } from "../../mindsdb/isListAbsent.ts";
import { listProjects, defaultProjectName } from "../../mindsdb/projects.ts";
import { attempt } from "./attempt.ts";
import type { Log } from "./log.ts";
import { askChoice, back } from "./quickInput.ts";
import { offerConnection } from "./offerConnection.ts";

/**
 * Returns the given connection, the only one, or the one that the user picks. `title` says what for; `offer` is the
 * sentence for users without any connection.
 */
export async function pickConnection(
  servers: ServerAccess,
  given: { connectionId: string } | undefined,
  { title, offer }: { title: string; offer?: string },
): Promise<Connection | undefined> {
  if (given) return servers.find(given.connectionId);
  if (servers.list().length === 0) {
    if (!(await offerConnection(servers, offer))) return undefined;
  }
  const connections = servers.list();
  if (connections.length === 1) return connections[0];
  const item = await askChoice({
    title,
    placeholder: vscode.l10n.t("Which connection?"),
    items: connections.map((connection) => {
      return { label: connection.name, description: addressWithMarks(connection), connection };
    }),
  });
  return item === undefined || item === back ? undefined : item.connection;
}

/** Returns the default project's name. Throws AppError "notFound" if the server has no project. */
export async function readDefaultProject(
  servers: ServerAccess,
  connectionId: string,
): Promise<string> {
  const client = await servers.client(connectionId);
  const projects = await listProjects(client).catch((error: unknown) => {
    if (!isListAbsent(error)) throw error;
    // The form shows the error.
    return [{ name: defaultProjectName, isDefault: true }];
  });
  const project = projects.find(({ isDefault }) => isDefault) ?? projects[0];
  if (!project) throw new AppError("notFound", vscode.l10n.t("The server has no projects."));
  return project.name;
}

/** Where something new is wanted. */
export interface NewItemPlace {
  connectionId: string;
  project?: string | undefined;
}

interface NewItemTexts {
  title: string;
  /** For users without any connection. */
  offer: string;
  /** For the log. */
  task: string;
}

/**
 * Creates something where the user wants it: on the given connection or as `pickConnection` does, in the given project or
 * the default one. Errors are shown.
 */
export async function createOnServer(
  options: { servers: ServerAccess; log: Log },
  given: NewItemPlace | undefined,
  { title, offer, task }: NewItemTexts,
  create: (connectionId: string, project: string) => unknown,
): Promise<void> {
  const { servers } = options;
  const connection = await pickConnection(servers, given, { title, offer });
  if (!connection) return;
  const { id } = connection;
  await attempt(options, task, id, async () => {
    await create(id, given?.project ?? (await readDefaultProject(servers, id)));
  });
}
