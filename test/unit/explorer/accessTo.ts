import { readGuard, type Connection, type ServerAccess } from "../../../src/shared/connection.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";

/** Connections by id, each with its client. */
export function accessTo(clients: Record<string, Client>): ServerAccess {
  const list = Object.keys(clients).map((id): Connection => {
    return { id, name: id, address: `http://${id}.test`, isPreset: false, ...readGuard({}) };
  });
  const secrets = new Secrets();
  return {
    list: () => list,
    find: (id) => list.find((connection) => connection.id === id),
    client: (id) => Promise.resolve(clients[id]!),
    allowWrite: () => Promise.resolve(true),
    secrets: () => secrets,
    status: () => Promise.reject(new Error("not asked")),
  };
}
