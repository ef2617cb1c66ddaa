// The login of a web server in front of MindsDB (HTTP Basic): asks for it until the web server lets requests pass.
import * as vscode from "vscode";
import { AppError, isCancelled } from "../../mindsdb/errors.ts";
import { findServer, type FoundServer } from "../../mindsdb/http/findServer.ts";
import { formatAddress, type ServerAddress } from "../../mindsdb/http/serverAddress.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import type { Log } from "../../shared/host/log.ts";
import { askText, back } from "../../shared/host/quickInput.ts";
import { networkOptions } from "../../shared/host/settings.ts";
import type { Account } from "./connections.ts";

/** The server behind the web server, and the login that led to it. */
export interface ServerBehindGateway {
  server: FoundServer;
  login: Account;
}

/** Undefined if the user gives up. The caller has asked whether a password may be sent over plain http. */
export async function askGatewayLogin(
  address: ServerAddress,
  log: Log,
): Promise<ServerBehindGateway | undefined> {
  const shown = formatAddress(address);
  const title = vscode.l10n.t("Sign In to the Web Server in Front of MindsDB");
  let username = "";
  for (;;) {
    const named = await askText({
      title,
      prompt: vscode.l10n.t("Username for the web server at {0}", shown),
      value: username,
      step: { now: 1, of: 2 },
      accept: (text) =>
        Promise.resolve(text.trim() === "" ? vscode.l10n.t("Enter a username.") : undefined),
    });
    if (typeof named !== "string") return undefined;
    username = named.trim();
    let found: ServerBehindGateway | undefined;
    const typed = await askText({
      title,
      prompt: vscode.l10n.t(
        "Password for {0}. Both are stored in VS Code's secret storage and sent with each request.",
        username,
      ),
      password: true,
      step: { now: 2, of: 2 },
      canGoBack: true,
      accept: async (password, signal) => {
        const login = { username, password };
        try {
          const options = { signal, gatewayLogin: login };
          const server = await findServer(shown, networkOptions(), options);
          if (server.wantsGatewayLogin) {
            return vscode.l10n.t("The username or the password is wrong.");
          }
          found = { server, login };
          return undefined;
        } catch (error) {
          if (isCancelled(error)) return undefined;
          log.error(`The web server at ${shown} could not be passed`, error);
          return explainError(error, { address: shown }).message;
        }
      },
    });
    if (typed === back) continue;
    return found;
  }
}

/** Whether a web server in front of MindsDB stops a request for its status. */
export async function isStoppedByGateway(status: Promise<unknown>): Promise<boolean> {
  return status.then(
    () => false,
    (error: unknown) => error instanceof AppError && error.isFromGateway,
  );
}
