// The connection commands: add, connect to the local server, sign in, sign out, rename, copy the address, set the
// protection, remove.
import * as vscode from "vscode";
import { settings } from "../../ids.ts";
import type { Connection } from "../connection.ts";
import type { Adding } from "./addConnection.ts";
import type { Connections } from "./connections.ts";
import { showInformation, showWarning } from "../../shared/host/notifications.ts";
import { offerConnection } from "../../shared/host/offerConnection.ts";

/** Argument of a command from the tree, an error's button or a test: a connection's id. */
type ConnectionArgument = string | { connectionId: string } | undefined;

const statusTimeLimitMs = 3_000;

/** A command with the argument that VS Code, a button or a test passes. */
type ConnectionCommand = (argument?: ConnectionArgument) => Promise<void>;

export type ConnectionCommands = Record<
  | "add"
  | "connectLocal"
  | "signIn"
  | "signOut"
  | "rename"
  | "copyAddress"
  | "setProtection"
  | "showMenu"
  | "diagnose"
  | "remove",
  ConnectionCommand
>;

/** The implementations of the connection commands. */
export function connectionCommands(adding: Adding): ConnectionCommands {
  const { connections, log } = adding;
  const found = (title: string, argument: ConnectionArgument) =>
    choose(connections, argument, {
      title,
      among: connections.list(),
      ifNone: vscode.l10n.t("There is no connection yet."),
    });

  const add = async (typed?: unknown): Promise<void> => {
    const { addConnection } = await import("./addConnection.ts");
    await addConnection(adding, typeof typed === "string" ? typed : undefined);
  };

  const connectLocal = async (): Promise<void> => {
    const { connectToLocalServer } = await import("./addConnection.ts");
    await connectToLocalServer(adding);
  };

  const signInTo = async (argument: ConnectionArgument): Promise<void> => {
    if (connections.list().length === 0) {
      // Adding a connection also signs in.
      await offerConnection(connections);
      return;
    }
    const connection = await found(vscode.l10n.t("Sign In"), argument);
    if (!connection) return;
    if (await letsEverybodyIn(connections, connection)) {
      const message = vscode.l10n.t("{0} asks for no sign-in.", connection.name);
      void showInformation(message);
      return;
    }
    const { signIn } = await import("./signIn.ts");
    await signIn(connections, connection, log);
  };

  const signOutOf = async (argument: ConnectionArgument): Promise<void> => {
    const signedIn = await connections.signedIn(AbortSignal.timeout(statusTimeLimitMs));
    const connection = await choose(connections, argument, {
      title: vscode.l10n.t("Sign Out"),
      among: connections.list().filter(({ id }) => signedIn.has(id)),
      ifNone: vscode.l10n.t("You are not signed in to any server."),
    });
    if (!connection) return;
    await connections.signOut(connection.id);
    vscode.window.setStatusBarMessage(vscode.l10n.t("Signed out of {0}", connection.name), 4_000);
  };

  const rename = async (argument: ConnectionArgument): Promise<void> => {
    const title = vscode.l10n.t("Rename a Connection");
    const connection = await found(title, argument);
    if (!connection) return;
    if (connection.isPreset) {
      await offerSettings(
        vscode.l10n.t("{0} comes from the settings and is renamed there.", connection.name),
      );
      return;
    }
    const { renameConnection } = await import("./renameConnection.ts");
    await renameConnection(connections, connection);
  };

  const copyAddress = async (argument: ConnectionArgument): Promise<void> => {
    const connection = await found(vscode.l10n.t("Copy an Address"), argument);
    if (!connection) return;
    const { address } = connection;
    await vscode.env.clipboard.writeText(address);
    vscode.window.setStatusBarMessage(vscode.l10n.t("Copied {0}", address), 3_000);
  };

  const setProtectionOf = async (argument: ConnectionArgument): Promise<void> => {
    const connection = await found(vscode.l10n.t("Set Protection"), argument);
    if (!connection) return;
    if (connection.isPreset) {
      await offerSettings(
        vscode.l10n.t("{0} comes from the settings and is protected there.", connection.name),
      );
      return;
    }
    const { setProtection } = await import("./setProtection.ts");
    await setProtection(connections, connection);
  };

  const showMenu = async (argument: ConnectionArgument): Promise<void> => {
    const connection = await found(vscode.l10n.t("Show Connection Menu"), argument);
    if (!connection) return;
    const { showConnectionMenu } = await import("./connectionMenu.ts");
    await showConnectionMenu(connections, connection);
  };

  const diagnose = async (argument: ConnectionArgument): Promise<void> => {
    const connection = await found(vscode.l10n.t("Diagnose a Connection"), argument);
    if (!connection) return;
    const { diagnoseConnection } = await import("./diagnoseConnection.ts");
    await diagnoseConnection(connections, connection);
  };

  const remove = async (argument: ConnectionArgument): Promise<void> => {
    const connection = await found(vscode.l10n.t("Remove a Connection"), argument);
    if (!connection) return;
    if (connection.isPreset) {
      await offerSettings(
        vscode.l10n.t("{0} comes from the settings. Remove it there.", connection.name),
      );
      return;
    }
    const yes = vscode.l10n.t("Remove");
    const answer = await showWarning(
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

  return {
    add,
    connectLocal,
    signIn: signInTo,
    signOut: signOutOf,
    rename,
    copyAddress,
    setProtection: setProtectionOf,
    showMenu,
    diagnose,
    remove,
  };
}

/** The connection that was passed, the only one, or the one that the user picks. */
async function choose(
  connections: Connections,
  argument: ConnectionArgument,
  { title, among, ifNone }: { title: string; among: readonly Connection[]; ifNone: string },
): Promise<Connection | undefined> {
  const id = typeof argument === "string" ? argument : argument?.connectionId;
  if (id !== undefined) return connections.find(id);
  if (among.length <= 1) {
    if (among.length === 0) void showInformation(ifNone);
    return among[0];
  }
  const picked = await vscode.window.showQuickPick(
    among.map((connection) => ({
      label: connection.name,
      description: connection.address,
      connection,
    })),
    { title, placeHolder: vscode.l10n.t("Which connection?") },
  );
  return picked?.connection;
}

/** Shows the message with a button that opens the presets setting. */
async function offerSettings(message: string): Promise<void> {
  const open = vscode.l10n.t("Open Settings");
  if ((await showInformation(message, open)) !== open) return;
  await vscode.commands.executeCommand(
    "workbench.action.openSettings",
    `${settings.section}.${settings.connections}`,
  );
}

/** Whether the server reports that it requires no login. False if it does not answer in time. */
async function letsEverybodyIn(connections: Connections, { id }: Connection): Promise<boolean> {
  try {
    return !(await connections.status(id, AbortSignal.timeout(statusTimeLimitMs))).authEnabled;
  } catch {
    return false;
  }
}
