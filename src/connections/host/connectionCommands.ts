// The connection commands: add, connect to the local server, sign in, sign out, edit, rename, copy the address, set the
// protection, remove.
import * as vscode from "vscode";
import type { Connection } from "../../shared/connection.ts";
import type { ConnectionCommandOptions } from "./addConnection.ts";
import type { Connections } from "./connections.ts";
import { addressWithMarks } from "../../shared/guardMarks.ts";
import { showInformation, showStatus } from "../../shared/host/notifications.ts";
import { offerConnection } from "../../shared/host/offerConnection.ts";
import { pickItem } from "../../shared/host/pickItem.ts";

/** Argument of a command from the tree, an error's button or a test: a connection's id. For Add, an address. */
export type ConnectionArgument = string | { connectionId: string } | undefined;

const statusTimeLimitMs = 3_000;

/** A command with the argument that VS Code, a button or a test passes. */
type ConnectionCommand = (argument?: ConnectionArgument) => Promise<void>;

export type ConnectionCommands = ReturnType<typeof connectionCommands>;

export function connectionCommands(options: ConnectionCommandOptions) {
  const { connections } = options;
  /** A command about the connection that is passed, or that the user picks. */
  const about =
    (title: string, work: (connection: Connection) => Promise<void>): ConnectionCommand =>
    async (argument) => {
      const connection = await choose(connections, argument, {
        title,
        among: connections.list(),
        ifNone: vscode.l10n.t("There is no connection yet."),
      });
      if (connection) await work(connection);
    };
  /** A command about a connection that only the settings can change if it is a preset; `elsewhere` says so. */
  const change = (
    title: string,
    elsewhere: (name: string) => string,
    work: (connection: Connection) => Promise<void>,
  ): ConnectionCommand =>
    about(title, (connection) =>
      connection.isPreset ? offerSettings(elsewhere(connection.name)) : work(connection),
    );

  return {
    add: async (typed?: ConnectionArgument) => {
      const { addConnection } = await import("./addConnection.ts");
      await addConnection(options, typeof typed === "string" ? typed : undefined);
    },
    connectLocal: async () => {
      const { connectToLocalServer } = await import("./addConnection.ts");
      await connectToLocalServer(options);
    },
    signIn: async (argument?: ConnectionArgument) => {
      // Adding a connection also signs in.
      if (connections.list().length === 0) await offerConnection(connections);
      else {
        await about(vscode.l10n.t("Sign In"), (connection) => signInTo(options, connection))(
          argument,
        );
      }
    },
    signOut: async (argument?: ConnectionArgument) => {
      const signedIn = await connections.listSignedInIds(AbortSignal.timeout(statusTimeLimitMs));
      const connection = await choose(connections, argument, {
        title: vscode.l10n.t("Sign Out"),
        among: connections.list().filter(({ id }) => signedIn.has(id)),
        ifNone: vscode.l10n.t("You are not signed in to any server."),
      });
      if (!connection) return;
      await connections.signOut(connection.id);
      showStatus(vscode.l10n.t("Signed out of {0}", connection.name));
    },
    rename: change(
      vscode.l10n.t("Rename a Connection"),
      (name) => vscode.l10n.t("{0} is defined in settings. Rename it there.", name),
      async (connection) => {
        const { renameConnection } = await import("./renameConnection.ts");
        await renameConnection(connections, connection);
      },
    ),
    edit: change(
      vscode.l10n.t("Edit a Connection"),
      (name) => vscode.l10n.t("{0} is defined in settings. Edit it there.", name),
      async (connection) => {
        const { editConnection } = await import("./editConnection.ts");
        await editConnection(connections, connection, options.log);
      },
    ),
    copyAddress: about(vscode.l10n.t("Copy an Address"), async ({ address }) => {
      await vscode.env.clipboard.writeText(address);
      showStatus(vscode.l10n.t("Copied {0}", address), 3_000);
    }),
    setProtection: about(vscode.l10n.t("Set Protection"), async (connection) => {
      if (connection.isPreset) return openSetting();
      const { setProtection } = await import("./setProtection.ts");
      await setProtection(connections, connection);
    }),
    showMenu: about(vscode.l10n.t("Show Connection Menu"), async (connection) => {
      const { showConnectionMenu } = await import("./connectionMenu.ts");
      await showConnectionMenu(connections, connection);
    }),
    diagnose: about(vscode.l10n.t("Diagnose a Connection"), async (connection) => {
      const { diagnoseConnection } = await import("./diagnoseConnection.ts");
      await diagnoseConnection(connections, connection);
    }),
    remove: change(
      vscode.l10n.t("Remove a Connection"),
      (name) => vscode.l10n.t("{0} is defined in settings. Remove it there.", name),
      async ({ id, name }) => {
        const yes = vscode.l10n.t("Remove");
        const detail = vscode.l10n.t(
          "Its sign-in is deleted. Nothing changes on the server, and you can still read its conversations.",
        );
        const question = vscode.l10n.t("Remove the connection to {0}?", name);
        const { askConsent } = await import("../../shared/host/consent.ts");
        if ((await askConsent(question, detail, yes)) === yes) await connections.remove(id);
      },
    ),
  };
}

async function signInTo(
  { connections, log }: ConnectionCommandOptions,
  connection: Connection,
): Promise<void> {
  if (await needsNoSignIn(connections, connection)) {
    void showInformation(vscode.l10n.t("{0} does not require you to sign in.", connection.name));
    return;
  }
  const { signIn } = await import("./signIn.ts");
  await signIn(connections, connection, log);
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
  const picked = await pickItem(
    among.map((connection) => ({
      label: connection.name,
      description: addressWithMarks(connection),
      connection,
    })),
    { title, placeHolder: vscode.l10n.t("Which connection?") },
  );
  return picked?.connection;
}

/** Shows the message with a button that opens the presets setting. */
async function offerSettings(message: string): Promise<void> {
  const open = vscode.l10n.t("Open Settings");
  if ((await showInformation(message, open)) === open) await openSetting();
}

async function openSetting(): Promise<void> {
  const { openConnectionsSetting } = await import("./openConnectionsSetting.ts");
  await openConnectionsSetting();
}

/** Whether the server reports that it requires no login. False if it does not answer in time. */
async function needsNoSignIn(connections: Connections, { id }: Connection): Promise<boolean> {
  try {
    return !(await connections.status(id, AbortSignal.timeout(statusTimeLimitMs))).authEnabled;
  } catch {
    return false;
  }
}
