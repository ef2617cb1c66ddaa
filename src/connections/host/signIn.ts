// Signing in: username, password, and then whether to be kept signed in.
import * as vscode from "vscode";
import { isAppError, isCancelled } from "../../mindsdb/errors.ts";
import { askChoice, askText, back } from "../../shared/host/quickInput.ts";
import { explainError, showError } from "../../shared/host/errorMessages.ts";
import type { Log } from "../../shared/host/log.ts";
import type { Connection } from "../../shared/connection.ts";
import { parseAddress } from "../../mindsdb/http/serverAddress.ts";
import type { Account, Connections } from "./connections.ts";
import { askGatewayLogin, isStoppedByGateway } from "./gatewaySignIn.ts";
import { askConsent } from "../../shared/host/consent.ts";

const statusTimeLimitMs = 3_000;

/** The questions for the username, the password, and whether to stay signed in. */
const steps = 3;

interface KeepChoice extends vscode.QuickPickItem {
  isKept: boolean;
}

/**
 * Asks until the server accepts; true when signed in, false when the user gave up. A wrong password keeps the box
 * open and says so there. Who closes the last question is signed in and not kept so. Before the first question over
 * plain http to another machine, the user is told what that means, once for a connection and its address.
 */
export async function signIn(
  connections: Connections,
  connection: Connection,
  log: Log,
): Promise<boolean> {
  if (connections.plainHttp.isMissing(connection)) {
    if (!(await askPlainHttp(connection))) return false;
    await connections.plainHttp.give(connection);
  }
  const attempt: Attempt = { connections, connection, log };
  const access = await passGateway(attempt);
  if (access !== "signInNeeded") return access === "open";
  let username = "";
  for (;;) {
    const named = await askUsername(attempt, username);
    if (typeof named !== "string") return false;
    username = named.trim();
    for (;;) {
      const password = await askPassword(attempt, username);
      if (password === undefined) return false;
      if (password === back) break;
      const choice = await askKeep(attempt);
      if (choice === back) continue;
      if (choice?.isKept) await keep(attempt, { username, password });
      return true;
    }
  }
}

/**
 * Asks for the login of a web server in front of MindsDB, if one wants it. "open" if MindsDB itself wants none then,
 * "closed" if the user gave up.
 */
async function passGateway({
  connections,
  connection,
  log,
}: Attempt): Promise<"open" | "closed" | "signInNeeded"> {
  const { id, address } = connection;
  const status = connections.status(id, AbortSignal.timeout(statusTimeLimitMs));
  if (!(await isStoppedByGateway(status))) return "signInNeeded";
  const found = await askGatewayLogin(parseAddress(address), log);
  if (!found) return "closed";
  await connections.setGatewayLogin(connection, found.login);
  return found.server.status.authEnabled ? "signInNeeded" : "open";
}

interface Attempt {
  connections: Connections;
  connection: Connection;
  log: Log;
}

function formatTitle({ connection }: Attempt): string {
  return vscode.l10n.t("Sign In to {0}", connection.name);
}

function askUsername(attempt: Attempt, value: string): ReturnType<typeof askText> {
  return askText({
    title: formatTitle(attempt),
    prompt: vscode.l10n.t("Username for {0}", attempt.connection.address),
    value,
    step: { now: 1, of: steps },
    accept: (text) =>
      Promise.resolve(text.trim() === "" ? vscode.l10n.t("Enter a username.") : undefined),
  });
}

/** Resolves when the server has accepted the password. */
function askPassword(attempt: Attempt, username: string): ReturnType<typeof askText> {
  const { connections, connection, log } = attempt;
  const { id, address } = connection;
  return askText({
    title: formatTitle(attempt),
    prompt: vscode.l10n.t("Password for {0}", username),
    password: true,
    step: { now: 2, of: steps },
    canGoBack: true,
    accept: async (password, signal) => {
      if (password === "") return vscode.l10n.t("Enter a password.");
      try {
        await connections.signIn(id, { username, password }, signal);
        return undefined;
      } catch (error) {
        if (isCancelled(error)) return undefined;
        if (!isAppError(error, "signInRefused")) {
          log.error(`Signing in at ${address} failed`, error);
        }
        return explainError(error, { address }).message;
      }
    },
  });
}

function askKeep(attempt: Attempt): ReturnType<typeof askChoice<KeepChoice>> {
  return askChoice({
    title: formatTitle(attempt),
    placeholder: vscode.l10n.t("Stay signed in?"),
    items: keepChoices(),
    step: { now: 3, of: steps },
    canGoBack: true,
  });
}

async function keep({ connections, connection, log }: Attempt, account: Account): Promise<void> {
  try {
    await connections.keepSignedIn(connection.id, account);
  } catch (error) {
    log.error(`The sign-in at ${connection.address} could not be kept`, error);
    await showError(error);
  }
}

/** True when the user accepts that others on the way can read the password. */
export async function askPlainHttp({ address }: Pick<Connection, "address">): Promise<boolean> {
  const yes = vscode.l10n.t("Sign In Unencrypted");
  const message = vscode.l10n.t("The connection to {0} is not encrypted.", address);
  const detail = vscode.l10n.t(
    "Anyone on the network between this machine and the server can read your username and password, and everything you send and receive after signing in. Use an https address if the server has one.",
  );
  return (await askConsent(message, detail, yes)) === yes;
}

function keepChoices(): KeepChoice[] {
  return [
    {
      label: vscode.l10n.t("Keep me signed in"),
      detail: vscode.l10n.t(
        "The username and password are stored in VS Code's secret storage, for when the server restarts.",
      ),
      isKept: true,
    },
    {
      label: vscode.l10n.t("Until the server restarts"),
      detail: vscode.l10n.t(
        "Only the server's token is stored. You'll be asked again when it expires.",
      ),
      isKept: false,
    },
  ];
}
