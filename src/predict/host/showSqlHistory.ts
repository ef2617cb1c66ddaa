// The list of statements that were run, to open or to run again.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { formatTime } from "../../shared/host/formatTime.ts";
import { toPlainItems } from "../../shared/host/pickItem.ts";
import { oneLine } from "../../shared/oneLine.ts";
import type { HistoryEntry, SqlHistory } from "./sqlHistory.ts";

/** Characters of a statement that the list shows and searches. */
const maxLabel = 300;

interface ChosenEntry {
  entry: HistoryEntry;
  runsAgain: boolean;
}

/** Resolves with the statement that the user has chosen; undefined for none. */
export function chooseFromHistory(
  history: SqlHistory,
  servers: Pick<ServerAccess, "find">,
): Promise<ChosenEntry | undefined> {
  const run = { iconPath: new vscode.ThemeIcon("play"), tooltip: vscode.l10n.t("Run Again") };
  const clear = {
    iconPath: new vscode.ThemeIcon("clear-all"),
    tooltip: vscode.l10n.t("Clear SQL History"),
  };
  const list = vscode.window.createQuickPick<vscode.QuickPickItem & { entry: HistoryEntry }>();
  list.title = vscode.l10n.t("SQL History");
  list.placeholder = vscode.l10n.t("Open a statement in a new file");
  list.matchOnDescription = true;
  list.buttons = [clear];
  list.items = toPlainItems(
    history.list().flatMap((entry) => {
      const connection = servers.find(entry.connectionId);
      if (!connection) return [];
      const failed = entry.isFailed ? vscode.l10n.t("failed") : undefined;
      const place = [connection.name, entry.database, formatTime(entry.at), failed];
      return {
        label: oneLine(entry.text, maxLabel),
        description: place.filter((part) => part !== undefined).join(" · "),
        buttons: entry.isRedacted ? [] : [run],
        entry,
      };
    }),
  );
  return new Promise((resolve) => {
    const finish = (chosen?: ChosenEntry): void => {
      resolve(chosen);
      list.dispose();
    };
    list.onDidAccept(() => {
      const [item] = list.activeItems;
      finish(item && { entry: item.entry, runsAgain: false });
    });
    list.onDidTriggerItemButton(({ item }) => finish({ entry: item.entry, runsAgain: true }));
    list.onDidTriggerButton(() => {
      history.clear();
      finish();
    });
    list.onDidHide(() => finish());
    list.show();
  });
}
