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

/** The connections with other clients, which may change everything. */
export function connectionsWith(
  connections: ServerAccess,
  client: ServerAccess["client"],
): ServerAccess {
  return {
    list: () => connections.list(),
    find: (id) => connections.find(id),
    client,
    allowWrite: () => Promise.resolve(true),
    secrets: (id) => connections.secrets(id),
    status: (id) => connections.status(id),
  };
}

/** The client with another way to post. */
export function postingWith(client: Client, post: Client["post"]): Client {
  return new Proxy(client, {
    get: (target, key) => {
      if (key === "post") return post;
      const value: unknown = Reflect.get(target, key);
      // Its private fields are not the proxy's.
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** The client with another way to post the statements that match. */
export function answering(client: Client, statement: RegExp, post: Client["post"]): Client {
  return postingWith(client, (path, body, ...rest) =>
    statement.test(JSON.stringify(body))
      ? post(path, body, ...rest)
      : client.post(path, body, ...rest),
  );
}
