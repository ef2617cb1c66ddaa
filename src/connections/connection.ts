// What a connection is, and what other features may ask of connections.
import type { Client } from "../mindsdb/client.ts";
import type { ServerStatus } from "../mindsdb/login.ts";

/** The id of the connection to the embedded sample server. */
export const sampleConnectionId = "sample";

/** A server that the user knows by name. The id is fixed for good: chats, tree ids and secrets refer to it. */
export interface Connection {
  readonly id: string;
  readonly name: string;
  /** As `formatAddress` writes it. */
  readonly address: string;
  /** True for a preset from the settings: it is removed there. */
  readonly isPreset: boolean;
}

/** What a connection is called that nobody has named: its address without the scheme. */
export function nameFor(address: string): string {
  return address.replace(/^https?:\/\//, "");
}

/** The connections and a client for each; what explorer, chat and the others need. */
export interface ServerAccess {
  list(): readonly Connection[];
  find(id: string): Connection | undefined;
  /** Throws AppError "notFound" when the connection was removed. */
  client(id: string): Promise<Client>;
  /** Who answers there; never needs a login. */
  status(id: string, signal?: AbortSignal): Promise<ServerStatus>;
}

/** A connection's secret, `connection/<id>` in SecretStorage. Username and password only if the user asked for it. */
export interface ConnectionSecret {
  /** The origin it was saved for; it is never sent to another one. */
  origin: string;
  token?: string;
  cookie?: string;
  username?: string;
  password?: string;
}

/** Reads a stored secret; undefined when it is damaged or was saved for another origin. */
export function readSecret(text: string | undefined, origin: string): ConnectionSecret | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const secret = value as Record<string, unknown>;
  if (secret["origin"] !== origin) return undefined;
  const read: ConnectionSecret = { origin };
  for (const name of ["token", "cookie", "username", "password"] as const) {
    const field = secret[name];
    if (typeof field === "string") read[name] = field;
  }
  return read;
}
