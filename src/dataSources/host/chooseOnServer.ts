// Choosing one of the data sources or ML engines of a server.
import type { ServerAccess } from "../../shared/connection.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { attempt } from "../../shared/host/attempt.ts";
import type { Log } from "../../shared/host/log.ts";
import { pickConnection } from "../../shared/host/newItemTarget.ts";
import { showInformation } from "../../shared/host/notifications.ts";
import { askChoice, back } from "../../shared/host/quickInput.ts";
import type { DataSourceRef } from "./dataSourceFormPage.ts";

export interface ChooseOptions {
  servers: ServerAccess;
  log: Log;
}

interface Choice {
  title: string;
  placeholder: string;
  /** Shown if there is nothing to choose from. */
  none: string;
  /** For the log. */
  task: string;
  list: (client: Client) => Promise<{ name: string; description: string }[]>;
}

/** The given one, or one that the user picks. */
export async function chooseOnServer(
  options: ChooseOptions,
  given: DataSourceRef | undefined,
  { title, placeholder, none, task, list }: Choice,
): Promise<DataSourceRef | undefined> {
  if (given) return { connectionId: given.connectionId, name: given.name };
  const { servers } = options;
  const connection = await pickConnection(servers, undefined, { title });
  if (!connection) return undefined;
  const { id: connectionId } = connection;
  let chosen: DataSourceRef | undefined;
  await attempt(options, task, connectionId, async () => {
    const listed = await list(await servers.client(connectionId));
    if (listed.length === 0) {
      void showInformation(none);
      return;
    }
    const items = listed.map(({ name, description }) => ({ label: name, description, name }));
    const picked = await askChoice({ title, placeholder, items });
    if (picked && picked !== back) chosen = { connectionId, name: picked.name };
  });
  return chosen;
}
