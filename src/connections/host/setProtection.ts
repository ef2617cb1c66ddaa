// Choosing how a connection is protected. Imported when the command runs.
import * as vscode from "vscode";
import type { Connection, ConnectionGuard, Protection } from "../connection.ts";
import { protectionName } from "../protectionTexts.ts";
import type { Connections } from "./connections.ts";
import { pickItem } from "../../shared/host/pickItem.ts";

interface GuardItem extends vscode.QuickPickItem {
  change?: Partial<ConnectionGuard>;
}

/** Asks for the protection of a connection that is not a preset, or for its production mark. */
export async function setProtection(
  connections: Connections,
  connection: Connection,
): Promise<void> {
  const picked = await pickItem(guardItems(connection), {
    title: vscode.l10n.t("Set Protection of {0}", connection.name),
    placeHolder: vscode.l10n.t("What may change the server through this connection?"),
    matchOnDetail: true,
  });
  if (picked?.change) await connections.change(connection.id, picked.change);
}

function guardItems({ protection, isProduction }: ConnectionGuard): GuardItem[] {
  const details: Record<Protection, string> = {
    none: vscode.l10n.t("Changes are made at once. Deletions are confirmed."),
    confirm: vscode.l10n.t("Each change is confirmed before it is made."),
    readOnly: vscode.l10n.t("Nothing that changes the server is sent."),
  };
  const current = vscode.l10n.t("current");
  const protections = (["none", "confirm", "readOnly"] as const).map((one): GuardItem => {
    return {
      label: protectionName(one),
      detail: details[one],
      change: { protection: one },
      description: one === protection ? current : undefined,
    };
  });
  return [
    ...protections,
    { label: vscode.l10n.t("Production"), kind: vscode.QuickPickItemKind.Separator },
    {
      label: isProduction
        ? vscode.l10n.t("Remove Production Mark")
        : vscode.l10n.t("Mark as Production"),
      detail: vscode.l10n.t(
        "A production connection stands out in the tree and the status bar. A deletion asks for the name of what is deleted.",
      ),
      change: { isProduction: !isProduction },
    },
  ];
}
