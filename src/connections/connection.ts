// What a connection is, and what other features may ask of connections.
import type { Client } from "../mindsdb/http/client.ts";
import type { ServerStatus } from "../mindsdb/http/login.ts";
import type { ServerObservation } from "../mindsdb/changes/serverChange.ts";
import type { Secrets } from "../mindsdb/redact/redact.ts";

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

/** What a request of any part of the product has taught about a server. */
export type ServerChange = ServerObservation & { connectionId: string };

/** The one place that hears of every change on the servers; whatever shows their things follows it. */
export interface ServerChanges {
  readonly onDidLearn: (listener: (change: ServerChange) => void) => { dispose(): void };
}

/** The connections and a client for each; what explorer, chat and the others need. */
export interface ServerAccess {
  list(): readonly Connection[];
  find(id: string): Connection | undefined;
  /** Throws AppError "notFound" when the connection was removed. */
  client(id: string): Promise<Client>;
  /** What is known of the connection's secrets; nothing of another's, and nothing before something was learned. */
  secrets(id: string): Secrets;
  /** Who answers there; never needs a login. */
  status(id: string, signal?: AbortSignal): Promise<ServerStatus>;
}
