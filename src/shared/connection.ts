// The connection type, and the interfaces through which other features use connections.
import type { Client } from "../mindsdb/http/client.ts";
import type { ProvenServer } from "../mindsdb/http/provenServer.ts";
import type { ServerStatus } from "../mindsdb/http/login.ts";
import type { ServerObservation } from "../mindsdb/changes/serverChange.ts";
import type { Secrets } from "../mindsdb/redact/redact.ts";
import type { Paragraphs } from "./dialogText.ts";

/** The id of the connection to the embedded sample server. */
export const sampleConnectionId = "sample";

/** Whether changes to a server are allowed, allowed after a confirmation, or forbidden. */
export type Protection = "none" | "confirm" | "readOnly";

/** How careful the user wants to be with a connection. */
export interface ConnectionGuard {
  readonly protection: Protection;
  /** Marked in the tree and the status bar; a deletion asks to type the object's name. */
  readonly isProduction: boolean;
}

/** The guard as it stands in settings or in storage. A protection that this version does not know protects most. */
export function readGuard(stored: {
  protection?: unknown;
  isProduction?: unknown;
}): ConnectionGuard {
  const { protection = "none", isProduction } = stored;
  return {
    protection: protection === "none" || protection === "confirm" ? protection : "readOnly",
    isProduction: isProduction === true,
  };
}

/** A server that the user has added. The id never changes: chats, tree ids and secrets refer to it. */
export interface Connection extends ConnectionGuard {
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

/** A fact about a server, learned from a request of any feature. */
export type ServerChange = ServerObservation & { connectionId: string };

/** Events about changes on the servers. */
export interface ServerChanges {
  readonly onDidChangeServer: (listener: (change: ServerChange) => void) => { dispose(): void };
}

/** A change that is about to be made on a server. */
export interface PlannedChange {
  /** Verb and object in a translated sentence without an end mark: "Delete the agent rental_agent in mindsdb". */
  readonly what: string;
  /** The dialog's button that goes ahead: "Delete". */
  readonly button?: string;
  /** Further text of the dialog. */
  readonly detail?: Paragraphs | undefined;
  /** The name of what is deleted. Deletions are confirmed on every connection. */
  readonly deletes?: string;
  /** Asks on every connection, not only on those that ask before each change. */
  readonly isAlwaysAsked?: boolean;
  /** A second button that goes ahead. Not where a name is to be typed. */
  readonly otherButton?: { title: string; onPress: () => void } | undefined;
}

/** Runs the server of a connection (the sample server). */
export interface ServerStarter {
  /** Called before each request. */
  start(): Promise<void>;
  /** How the server proves who it is; undefined if it need not. Called before a connection is opened. */
  provenServer(): Promise<ProvenServer | undefined>;
  /** As `setTokenVariable` of ServerAccess. */
  setTokenVariable?(): Promise<string | undefined>;
}

/** The connections, and a client for each. */
export interface ServerAccess {
  list(): readonly Connection[];
  find(id: string): Connection | undefined;
  /** Throws AppError "notFound" when the connection was removed. */
  client(id: string): Promise<Client>;
  /**
   * Whether a change may be made: the one question before every request that changes a server. Asks the user where the
   * connection or the change demands it, and says so where the connection is read-only.
   */
  allowWrite(id: string, change: PlannedChange): Promise<boolean>;
  /** The known secrets of this connection only. */
  secrets(id: string): Secrets;
  /** The server's status; never needs a login. */
  status(id: string, signal?: AbortSignal): Promise<ServerStatus>;
  /**
   * The name of an environment variable with a token for the server, which new terminals of this window have from now on.
   * Undefined if VS Code has none that may be given to other programs.
   */
  setTokenVariable?(id: string): Promise<string | undefined>;
}
