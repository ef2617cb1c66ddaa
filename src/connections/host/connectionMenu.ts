// The commands of one connection as a quick pick, for the status bar. Imported when it is opened.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import type { Connection } from "../../shared/connection.ts";
import { isSampleConnection } from "../isSampleConnection.ts";
import { guardMarks } from "../../shared/guardMarks.ts";
import type { Connections } from "./connections.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { pickItem } from "../../shared/host/pickItem.ts";

const keyringTimeLimitMs = 1_000;

/** Shows the commands of a connection, and runs the chosen one. */
export async function showConnectionMenu(
  connections: Connections,
  connection: Connection,
): Promise<void> {
  const { id, name, address, isPreset } = connection;
  const signal = AbortSignal.timeout(keyringTimeLimitMs);
  // Undefined if the keyring does not answer: then both commands are offered.
  const isSignedIn = await connections.isSignedIn(id, signal).catch(() => undefined);
  const isSample = isSampleConnection(connection);
  const items = [
    [vscode.l10n.t("Set Protection…"), "shield", commands.connectionSetProtection],
    [vscode.l10n.t("Diagnose Connection…"), "pulse", commands.connectionDiagnose],
    [vscode.l10n.t("Sign In…"), "sign-in", commands.connectionSignIn],
    [vscode.l10n.t("Sign Out"), "sign-out", commands.connectionSignOut],
    [vscode.l10n.t("Copy Address"), "copy", commands.connectionCopyAddress],
    [vscode.l10n.t("Edit Connection…"), "edit", commands.connectionEdit],
    [vscode.l10n.t("Remove Connection…"), "trash", commands.connectionRemove],
  ] as const;
  const hidden = new Set<string>();
  if (isSample || isSignedIn === true) hidden.add(commands.connectionSignIn);
  if (isSignedIn === false) hidden.add(commands.connectionSignOut);
  if (isPreset || isSample) hidden.add(commands.connectionEdit);
  const picked = await pickItem(
    items
      .filter(([, , command]) => !hidden.has(command))
      .map(([label, icon, command]) => {
        return { label, iconPath: new vscode.ThemeIcon(icon), command };
      }),
    { title: [name, ...guardMarks(connection)].join(" · "), placeHolder: address },
  );
  if (picked) await executeCommand(picked.command, id);
}
