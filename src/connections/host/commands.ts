// The commands about connections: add, connect to the local server, sign in, sign out, remove.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import {
  addressCandidates,
  defaultPort,
  formatAddress,
  type ServerAddress,
} from "../../mindsdb/address.ts";
import { AppError } from "../../mindsdb/errors.ts";
import type { ServerStatus } from "../../mindsdb/login.ts";
import { askText } from "../../shared/host/askText.ts";
import { explain, showError } from "../../shared/host/explain.ts";
import type { Log } from "../../shared/host/log.ts";
import { networkOptions } from "../../shared/host/settings.ts";
import type { Connection } from "../connection.ts";
import type { Connections } from "./connections.ts";
import { signIn } from "./signIn.ts";

/** Where a MindsDB on this machine listens. */
export const localAddress = `127.0.0.1:${defaultPort}`;

/** What a tree node, a button of an error and a test hand to a command: a connection's id, in one form or another. */
type ConnectionArgument = string | { connectionId: string } | undefined;

/** Told of a new connection, so that it can be shown. */
export type Reveal = (connection: Connection) => Promise<void>;

export function registerConnectionCommands(
  connections: Connections,
  log: Log,
  reveal: Reveal,
): vscode.Disposable {
  const found = (argument: ConnectionArgument) => choose(connections, argument);

  const add = async (typed?: string): Promise<void> => {
    const server = await askForServer(typed, log);
    if (server) await connect(connections, server, log, reveal);
  };

  const connectLocal = async (): Promise<void> => {
    try {
      await connect(connections, await findServer(localAddress), log, reveal);
    } catch (error) {
      log.error(`Connecting to ${localAddress} failed`, error);
      await showError(error, { address: localAddress });
    }
  };

  const signInTo = async (argument: ConnectionArgument): Promise<void> => {
    const connection = await found(argument);
    if (connection) await signIn(connections, connection, log);
  };

  const signOutOf = async (argument: ConnectionArgument): Promise<void> => {
    const connection = await found(argument);
    if (!connection) return;
    const wasSignedIn = await connections.isSignedIn(connection.id);
    await connections.signOut(connection.id);
    vscode.window.setStatusBarMessage(
      wasSignedIn
        ? vscode.l10n.t("Signed out of {0}", connection.name)
        : vscode.l10n.t("You were not signed in to {0}", connection.name),
      4_000,
    );
  };

  const remove = async (argument: ConnectionArgument): Promise<void> => {
    const connection = await found(argument);
    if (!connection) return;
    if (connection.isPreset) {
      const open = vscode.l10n.t("Open Settings");
      const message = vscode.l10n.t(
        "{0} comes from the settings and is removed there.",
        connection.name,
      );
      if ((await vscode.window.showInformationMessage(message, open)) === open) {
        await vscode.commands.executeCommand(
          "workbench.action.openSettings",
          "mindsdbWorkbench.connections",
        );
      }
      return;
    }
    const yes = vscode.l10n.t("Remove");
    const answer = await vscode.window.showWarningMessage(
      vscode.l10n.t("Remove the connection to {0}?", connection.name),
      {
        modal: true,
        detail: vscode.l10n.t(
          "Its sign-in is forgotten. Nothing changes on the server, and chats stay readable.",
        ),
      },
      yes,
    );
    if (answer === yes) await connections.remove(connection.id);
  };

  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.connectionAdd, add),
    vscode.commands.registerCommand(commands.connectionConnectLocal, connectLocal),
    vscode.commands.registerCommand(commands.connectionSignIn, signInTo),
    vscode.commands.registerCommand(commands.connectionSignOut, signOutOf),
    vscode.commands.registerCommand(commands.connectionRemove, remove),
  );
}

interface FoundServer {
  address: ServerAddress;
  status: ServerStatus;
}

/** Asks for an address until a MindsDB server answers there. */
async function askForServer(typed: string | undefined, log: Log): Promise<FoundServer | undefined> {
  let server: FoundServer | undefined;
  await askText({
    title: vscode.l10n.t("Add a Connection"),
    prompt: vscode.l10n.t("The address of a MindsDB server"),
    placeholder: localAddress,
    value: typeof typed === "string" ? typed : "",
    accept: async (value, signal) => {
      try {
        server = await findServer(value.trim() || localAddress, signal);
        return undefined;
      } catch (error) {
        if (signal.aborted) return undefined;
        log.error(`No connection to ${value}`, error);
        return explain(error, { address: value }).message;
      }
    },
  });
  return server;
}

/**
 * The first reading of an address at which a MindsDB server answers. Throws what the most telling attempt threw: a
 * refused certificate says more than a closed port.
 */
async function findServer(text: string, signal?: AbortSignal): Promise<FoundServer> {
  const [{ createTransport }, { getStatus }] = await Promise.all([
    import("../../mindsdb/transport.ts"),
    import("../../mindsdb/login.ts"),
  ]);
  const failures: unknown[] = [];
  for (const address of addressCandidates(text)) {
    const transport = createTransport(address, networkOptions());
    try {
      return { address, status: await getStatus(transport, { signal }) };
    } catch (error) {
      if (signal?.aborted) throw error;
      failures.push(error);
    } finally {
      await transport.close();
    }
  }
  const telling = failures.find(
    (error) => error instanceof AppError && error.kind !== "unreachable",
  );
  throw telling ?? failures[0];
}

async function connect(
  connections: Connections,
  { address, status }: FoundServer,
  log: Log,
  reveal: Reveal,
): Promise<void> {
  const text = formatAddress(address);
  const known = connections.list().find((connection) => connection.address === text);
  const connection =
    known ?? (await connections.save({ name: text.replace(/^https?:\/\//, ""), address: text }));
  log.info(
    `MindsDB ${status.version} at ${text}, sign-in ${status.authEnabled ? "needed" : "not needed"}`,
  );
  const signedIn = await connections.isSignedIn(connection.id);
  if (status.authEnabled && !signedIn) await signIn(connections, connection, log);
  await reveal(connection);
}

/** The connection a command is about: the one it was given, the only one, or the one that the user picks. */
async function choose(
  connections: Connections,
  argument: ConnectionArgument,
): Promise<Connection | undefined> {
  const id = typeof argument === "string" ? argument : argument?.connectionId;
  if (id !== undefined) return connections.find(id);
  const all = connections.list();
  if (all.length <= 1) {
    if (all.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t("There is no connection yet."));
    }
    return all[0];
  }
  const picked = await vscode.window.showQuickPick(
    all.map((connection) => ({
      label: connection.name,
      description: connection.address,
      connection,
    })),
    { placeHolder: vscode.l10n.t("Which connection?") },
  );
  return picked?.connection;
}
