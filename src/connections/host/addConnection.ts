// Adds a connection: asks for an address, finds the server, and signs in if the server requires it.
// Imported when the command runs.
import * as vscode from "vscode";
import { isSameServer } from "../../mindsdb/http/isSameServer.ts";
import {
  defaultPort,
  formatAddress,
  parseAddress,
  type ServerAddress,
} from "../../mindsdb/http/serverAddress.ts";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import { findServer, type FoundServer } from "../../mindsdb/http/findServer.ts";
import type { ServerStatus } from "../../mindsdb/http/login.ts";
import { askText } from "../../shared/host/quickInput.ts";
import { explainError, showError } from "../../shared/host/errorMessages.ts";
import type { Log } from "../../shared/host/log.ts";
import { networkOptions } from "../../shared/host/settings.ts";
import { nameFor, type Connection } from "../connection.ts";
import type { Connections } from "./connections.ts";
import { askGatewayLogin, type ServerBehindGateway } from "./gatewaySignIn.ts";
import { askPlainHttp, signIn } from "./signIn.ts";
import { showInformation } from "../../shared/host/notifications.ts";

/** Default address of a MindsDB server on this machine. */
const localAddress = `127.0.0.1:${defaultPort}`;

const keyringTimeLimitMs = 3_000;

/** Dependencies of adding a connection; `reveal` shows the new connection. */
export interface Adding {
  connections: Connections;
  log: Log;
  reveal: (connection: Connection) => Promise<void>;
}

/** Asks for an address, finds the server there and connects to it. */
export async function addConnection(adding: Adding, typed?: string): Promise<void> {
  const server = await askForServer(typed, adding.log);
  if (server) await connect(adding, server);
}

/** Connects to the MindsDB server on this machine, or reports that there is none. */
export async function connectToLocalServer(adding: Adding): Promise<void> {
  try {
    const server = await findServer(localAddress, networkOptions());
    if (!server.isCertain && !server.wantsGatewayLogin) throw new AppError("notMindsDB", doubt());
    await connect(adding, server);
  } catch (error) {
    adding.log.error(`Connecting to ${localAddress} failed`, error);
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

/** Asks for an address until a MindsDB server answers there. */
async function askForServer(typed: string | undefined, log: Log): Promise<FoundServer | undefined> {
  let server: FoundServer | undefined;
  /** The address of a server that may not be MindsDB; pressing Enter again accepts it. */
  let doubted: string | undefined;
  await askText({
    title: vscode.l10n.t("Add a Connection"),
    prompt: vscode.l10n.t("The address of a MindsDB server"),
    placeholder: localAddress,
    value: typed ?? "",
    accept: async (value, signal) => {
      try {
        const found = await findServer(value.trim() || localAddress, networkOptions(), { signal });
        if (!found.isCertain && !found.wantsGatewayLogin && doubted !== value) {
          doubted = value;
          return vscode.l10n.t("{0} Press Enter again to connect anyway.", doubt());
        }
        server = found;
        return undefined;
      } catch (error) {
        if (signal.aborted) return undefined;
        // An invalid address may contain a password, as in user:password@host.
        const isAddress = !isAppError(error, "address");
        if (isAddress) log.error(`No connection to ${value}`, error);
        return explainError(error, { address: value }).message;
      }
    },
  });
  return server;
}

function doubt(): string {
  return vscode.l10n.t("A web API answers there, but it does not identify itself as MindsDB.");
}

/** Asks for the login of a web server in front of MindsDB. */
async function passGateway(
  { connections, log }: Adding,
  address: ServerAddress,
): Promise<ServerBehindGateway | undefined> {
  const text = formatAddress(address);
  const isRisky = connections.plainHttp.isMissing({ id: "", address: text });
  if (isRisky && !(await askPlainHttp({ address: text }))) return undefined;
  return askGatewayLogin(address, log);
}

async function connect(adding: Adding, found: FoundServer): Promise<void> {
  const { connections, log, reveal } = adding;
  const behind = found.wantsGatewayLogin ? await passGateway(adding, found.address) : undefined;
  if (found.wantsGatewayLogin && !behind) return;
  const { address, status, leftOut } = behind?.server ?? found;
  const text = formatAddress(address);
  const known = connections
    .list()
    .find((connection) => isSameServer(parseAddress(connection.address), address));
  const connection = known ?? (await connections.save({ name: nameFor(text), address: text }));
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
