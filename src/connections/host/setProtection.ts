// Choosing how a connection is protected. Imported when the command runs.
import * as vscode from "vscode";
import type { Connection, ConnectionGuard, Protection } from "../../shared/connection.ts";
import { protectionName } from "../../shared/guardMarks.ts";
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
    placeHolder: vscode.l10n.t("How should changes through this connection be handled?"),
    matchOnDetail: true,
  });
  if (picked?.change) await connections.change(connection.id, picked.change);
}

function guardItems({ protection, isProduction }: ConnectionGuard): GuardItem[] {
  const details: Record<Protection, string> = {
    none: vscode.l10n.t("Changes are made immediately. Deletions are confirmed."),
    confirm: vscode.l10n.t("Every change is confirmed first."),
    readOnly: vscode.l10n.t("All changes are blocked."),
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
        "A production connection is highlighted in the tree and the Status Bar. Before anything is deleted, you type its name.",
      ),
      change: { isProduction: !isProduction },
    },
  ];
}
