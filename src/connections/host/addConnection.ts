// Adds a connection: asks for an address, finds the server, and signs in if the server requires it.
// Imported when the command runs.
import * as vscode from "vscode";
import { isSameServer } from "../../mindsdb/http/isSameServer.ts";
import {
  formatAddress,
  parseAddress,
  type ServerAddress,
} from "../../mindsdb/http/serverAddress.ts";
import { AppError } from "../../mindsdb/errors.ts";
import { findServer, type FoundServer } from "../../mindsdb/http/findServer.ts";
import type { ServerStatus } from "../../mindsdb/http/login.ts";
import { commands } from "../../ids.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { showError } from "../../shared/host/errorMessages.ts";
import type { Log } from "../../shared/host/log.ts";
import { networkOptions } from "../../shared/host/settings.ts";
import { nameFor, type Connection } from "../../shared/connection.ts";
import { askAddress, doubt, localAddress } from "./askAddress.ts";
import type { Connections } from "./connections.ts";
import { askGatewayLogin, type ServerBehindGateway } from "./gatewaySignIn.ts";
import { askPlainHttp, signIn } from "./signIn.ts";
import { showInformation, showWarning } from "../../shared/host/notifications.ts";

const keyringTimeLimitMs = 3_000;

/** Dependencies of the connection commands; `reveal` shows a connection in the tree. */
export interface ConnectionCommandOptions {
  connections: Connections;
  log: Log;
  reveal: (connection: Connection) => Promise<void>;
}

/** Asks for an address, finds the server there and connects to it. */
export async function addConnection(
  options: ConnectionCommandOptions,
  typed?: string,
): Promise<void> {
  const { log } = options;
  const title = vscode.l10n.t("Add a Connection");
  const server = await askAddress({ title, value: typed ?? "", log });
  if (!server) return;
  if ("isSilent" in server) await saveSilent(options, server.address);
  else await connect(options, server);
}

/** Connects to the MindsDB server on this machine, or reports that there is none. */
export async function connectToLocalServer(options: ConnectionCommandOptions): Promise<void> {
  try {
    const server = await findServer(localAddress, networkOptions());
    if (!server.isCertain && !server.wantsGatewayLogin) throw new AppError("notMindsDB", doubt());
    await connect(options, server);
  } catch (error) {
    options.log.error(`Connecting to ${localAddress} failed`, error);
    await showError(error, { address: localAddress });
  }
}

/** The status of the server on this machine; undefined if there is none, which is not an error. */
export async function probeLocalServer(): Promise<ServerStatus | undefined> {
  const found = findServer(localAddress, networkOptions(), {
    timeoutMs: 2_000,
    statusOnly: true,
  });
  return (await found.catch(() => undefined))?.status;
}

/** Asks for the login of a web server in front of MindsDB. */
async function passGateway(
  { connections, log }: ConnectionCommandOptions,
  address: ServerAddress,
): Promise<ServerBehindGateway | undefined> {
  const text = formatAddress(address);
  const isRisky = connections.plainHttp.isMissing({ id: "", address: text });
  if (isRisky && !(await askPlainHttp({ address: text }))) return undefined;
  return askGatewayLogin(address, log);
}

/** The connection to this address, if there is one already. */
function findConnection(
  { connections }: ConnectionCommandOptions,
  address: ServerAddress,
): Connection | undefined {
  return connections
    .list()
    .find((connection) => isSameServer(parseAddress(connection.address), address));
}

/** The connection to this address, which is added if there is none. */
async function findOrSave(
  options: ConnectionCommandOptions,
  address: ServerAddress,
): Promise<Connection> {
  const text = formatAddress(address);
  return (
    findConnection(options, address) ??
    (await options.connections.save({ name: nameFor(text), address: text }))
  );
}

/** Saves the address of a server that does not answer now, and offers to find out why. */
async function saveSilent(
  options: ConnectionCommandOptions,
  address: ServerAddress,
): Promise<void> {
  const connection = await findOrSave(options, address);
  void options.reveal(connection);
  await offerDiagnosis(connection);
}

/** Says that a saved connection does not answer, with a button that finds out why. */
export async function offerDiagnosis({ id, name }: Connection): Promise<void> {
  const diagnose = vscode.l10n.t("Diagnose Connection…");
  const text = vscode.l10n.t("{0} is saved, but its server can't be reached now.", name);
  if ((await showWarning(text, diagnose)) !== diagnose) return;
  await executeCommand(commands.connectionDiagnose, id);
}

async function connect(options: ConnectionCommandOptions, found: FoundServer): Promise<void> {
  const { connections, log, reveal } = options;
  const behind = found.wantsGatewayLogin ? await passGateway(options, found.address) : undefined;
  if (found.wantsGatewayLogin && !behind) return;
  const { address, status, leftOut } = behind?.server ?? found;
  const text = formatAddress(address);
  const known = findConnection(options, address);
  const connection = known ?? (await findOrSave(options, address));
  if (behind) {
    await connections.plainHttp.give(connection);
    await connections.setGatewayLogin(connection, behind.login);
  }
  log.info(
    `MindsDB ${status.version ?? "of unknown version"} at ${text}, sign-in ${status.authEnabled ? "needed" : "not needed"}`,
  );
  if (known) {
    const words = vscode.l10n.t("{0} already exists.", known.name);
    void showInformation(words);
  }
  if (leftOut !== "") {
    const words = vscode.l10n.t("The server answers at {0}, without {1}.", text, leftOut);
    void showInformation(words);
  }
  // A locked keyring must not prevent signing in.
  const signedIn = connections.isSignedIn(connection.id, AbortSignal.timeout(keyringTimeLimitMs));
  const isSignedIn = await signedIn.catch(() => false);
  if (status.authEnabled && (behind || !isSignedIn)) await signIn(connections, connection, log);
  await reveal(connection);
}
