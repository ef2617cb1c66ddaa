// The commands of one connection as a quick pick, for the status bar. Imported when it is opened.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import type { Connection } from "../connection.ts";
import { guardMarks } from "../guardTexts.ts";
import type { Connections } from "./connections.ts";

const keyringTimeLimitMs = 1_000;

/** Shows the commands of a connection, and runs the chosen one. */
export async function showConnectionMenu(
  connections: Connections,
  connection: Connection,
): Promise<void> {
  const { id, name, address, isPreset } = connection;
  const signal = AbortSignal.timeout(keyringTimeLimitMs);
  const isSignedIn = await connections.isSignedIn(id, signal).catch(() => true);
  const items = [
    {
      label: vscode.l10n.t("Set Protection…"),
      icon: "shield",
      command: commands.connectionSetProtection,
    },
    {
      label: vscode.l10n.t("Diagnose Connection…"),
      icon: "pulse",
      command: commands.connectionDiagnose,
    },
    {
      label: vscode.l10n.t("Sign In…"),
      icon: "sign-in",
      command: commands.connectionSignIn,
    },
    ...(isSignedIn
      ? [
          {
            label: vscode.l10n.t("Sign Out"),
            icon: "sign-out",
            command: commands.connectionSignOut,
          },
        ]
      : []),
    {
      label: vscode.l10n.t("Copy Address"),
      icon: "copy",
      command: commands.connectionCopyAddress,
    },
    ...(isPreset
      ? []
      : [
          {
            label: vscode.l10n.t("Rename Connection…"),
            icon: "edit",
            command: commands.connectionRename,
          },
        ]),
    {
      label: vscode.l10n.t("Remove Connection…"),
      icon: "trash",
      command: commands.connectionRemove,
    },
  ];
  const picked = await vscode.window.showQuickPick(
    items.map(({ label, icon, command }) => {
      return { label, iconPath: new vscode.ThemeIcon(icon), command };
    }),
    { title: [name, ...guardMarks(connection)].join(" · "), placeHolder: address },
  );
  if (picked) await vscode.commands.executeCommand(picked.command, id);
}
