// Signing in: username, password, and whether to be kept signed in.
import * as vscode from "vscode";
import { AppError, isCancelled } from "../../mindsdb/errors.ts";
import { askChoice, askText, back } from "../../shared/host/askText.ts";
import { explain } from "../../shared/host/explain.ts";
import type { Log } from "../../shared/host/log.ts";
import type { Connection } from "../connection.ts";
import type { Account, Connections } from "./connections.ts";

/**
 * Asks until the server accepts; true when signed in, false when the user gave up. A wrong password keeps the box
 * open and says so there.
 */
export async function signIn(
  connections: Connections,
  connection: Connection,
  log: Log,
): Promise<boolean> {
  const title = vscode.l10n.t("Sign In to {0}", connection.name);
  const account: Account = { username: "", password: "", keep: false };
  const of = 3;

  const askUsername = () =>
    askText({
      title,
      prompt: vscode.l10n.t("Username at {0}", connection.address),
      value: account.username,
      step: { now: 1, of },
      accept: (value) =>
        Promise.resolve(value.trim() === "" ? vscode.l10n.t("Type a username.") : undefined),
    });

  const stay = {
    label: vscode.l10n.t("Keep me signed in"),
    detail: vscode.l10n.t(
      "Username and password are kept in VS Code's secret storage, for when the server restarts.",
    ),
    keep: true,
  };
  const once = {
    label: vscode.l10n.t("Only until the server forgets"),
    detail: vscode.l10n.t("Only the server's token is kept; you are asked again after it ends."),
    keep: false,
  };
  const askKeep = () =>
    askChoice({ title, items: [stay, once], step: { now: 2, of }, canGoBack: true });

  const askPassword = () =>
    askText({
      title,
      prompt: vscode.l10n.t("Password for {0}", account.username),
      password: true,
      step: { now: 3, of },
      canGoBack: true,
      accept: async (password, signal) => {
        if (password === "") return vscode.l10n.t("Type a password.");
        try {
          await connections.signIn(connection.id, { ...account, password }, signal);
          return undefined;
        } catch (error) {
          if (isCancelled(error)) return undefined;
          if (!(error instanceof AppError && error.kind === "signInRefused")) {
            log.error(`Signing in at ${connection.address} failed`, error);
          }
          return explain(error, { address: connection.address }).message;
        }
      },
    });

  let step = 1;
  while (step > 0) {
    if (step === 1) {
      const username = await askUsername();
      if (typeof username !== "string") return false;
      account.username = username.trim();
      step = 2;
    } else if (step === 2) {
      const choice = await askKeep();
      if (choice === undefined) return false;
      if (choice !== back) account.keep = choice.keep;
      step = choice === back ? 1 : 3;
    } else {
      const password = await askPassword();
      if (typeof password === "string") return true;
      if (password === undefined) return false;
      step = 2;
    }
  }
  return false;
}
