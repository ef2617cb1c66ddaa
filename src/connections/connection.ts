// The connection type, and the interfaces through which other features use connections.
import type { Client } from "../mindsdb/http/client.ts";
import type { ServerStatus } from "../mindsdb/http/login.ts";
import type { ServerObservation } from "../mindsdb/changes/serverChange.ts";
import type { Secrets } from "../mindsdb/redact/redact.ts";

/** The id of the connection to the embedded sample server. */
export const sampleConnectionId = "sample";

/** A server that the user has added. The id never changes: chats, tree ids and secrets refer to it. */
export interface Connection {
  readonly id: string;
  readonly name: string;
  /** As `formatAddress` writes it. */
  readonly address: string;
  /** True for a preset from the settings: it is removed there. */
  readonly isPreset: boolean;
}

/** The default name of a connection: its address without the scheme. */
export function nameFor(address: string): string {
  return address.replace(/^https?:\/\//, "");
}

/** What a request from any feature has shown about a server. */
export type ServerChange = ServerObservation & { connectionId: string };

/** Events about changes on the servers. */
export interface ServerChanges {
  readonly onDidLearn: (listener: (change: ServerChange) => void) => { dispose(): void };
}

/** The connections, and a client for each. */
export interface ServerAccess {
  list(): readonly Connection[];
  find(id: string): Connection | undefined;
  /** Throws AppError "notFound" when the connection was removed. */
  client(id: string): Promise<Client>;
  /** The known secrets of this connection only. */
  secrets(id: string): Secrets;
  /** The server's status; never needs a login. */
  status(id: string, signal?: AbortSignal): Promise<ServerStatus>;
}
