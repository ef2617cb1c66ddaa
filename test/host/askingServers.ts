import type { PlannedChange, ServerAccess } from "../../src/shared/connection.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";

/** Connections of which all lead to the client. What they ask before a change is added to `asked`. */
export function askingServers(
  client: () => Client,
  asked: PlannedChange[],
  answer: () => boolean,
): ServerAccess {
  return {
    find: () => undefined,
    client: () => Promise.resolve(client()),
    allowWrite: (_: string, change: PlannedChange) => {
      asked.push(change);
      return Promise.resolve(answer());
    },
  } as unknown as ServerAccess;
}
