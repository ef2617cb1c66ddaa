// Edit Connection: its name, its address, and the sign-in if the server wants one. Imported when the command runs.
import * as vscode from "vscode";
import { isSameServer } from "../../mindsdb/http/isSameServer.ts";
import { formatAddress, parseAddress } from "../../mindsdb/http/serverAddress.ts";
import type { Log } from "../../shared/host/log.ts";
import type { Connection } from "../../shared/connection.ts";
import { offerDiagnosis } from "./addConnection.ts";
import { askAddress } from "./askAddress.ts";
import type { Connections } from "./connections.ts";
import { isStoppedByGateway } from "./gatewaySignIn.ts";
import { askName } from "./renameConnection.ts";
import { signIn } from "./signIn.ts";

const timeLimitMs = 3_000;

/**
 * Asks for name and address, and to sign in where the server at the new address wants it. Nothing changes before both
 * are known. Conversations and everything else that refers to the connection stay with it.
 */
export async function editConnection(
  connections: Connections,
  connection: Connection,
  log: Log,
): Promise<void> {
  const title = vscode.l10n.t("Edit {0}", connection.name);
  const name = await askName(connections, connection, { title, step: { now: 1, of: 2 } });
  if (name === undefined) return;
  const { id } = connection;
  const others = connections.list().filter((other) => other.id !== id);
  const server = await askAddress({
    title,
    step: { now: 2, of: 2 },
    value: connection.address,
    log,
    refuse: (address) => {
      const same = others.find((other) =>
        isSameServer(parseAddress(other.address), parseAddress(address)),
      );
      return same && vscode.l10n.t("{0} already has this address.", same.name);
    },
  });
  if (!server) return;
  const address = formatAddress(server.address);
  if (address === connection.address) await connections.change(id, { name });
  else await connections.save({ id, name, address });
  const edited = { ...connection, name, address };
  if ("isSilent" in server) await offerDiagnosis(edited);
  else if (await wantsSignIn(connections, id)) await signIn(connections, edited, log);
}

/** Whether the server, or a web server in front of it, wants a login that is not stored. */
async function wantsSignIn(connections: Connections, id: string): Promise<boolean> {
  const status = connections.status(id, AbortSignal.timeout(timeLimitMs));
  if (await isStoppedByGateway(status)) return true;
  const needsLogin = await status.then(
    ({ authEnabled }) => authEnabled,
    () => false,
  );
  if (!needsLogin) return false;
  // A locked keyring must not prevent signing in.
  const isSignedIn = connections.isSignedIn(id, AbortSignal.timeout(timeLimitMs));
  return !(await isSignedIn.catch(() => false));
}
