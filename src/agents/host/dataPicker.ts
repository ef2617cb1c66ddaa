// Picks tables or knowledge bases from what the server has: several at once, whole data sources, and patterns by typing.
import * as vscode from "vscode";
import { setFrame } from "../../shared/host/quickInput.ts";
import {
  formatEntry,
  formatEverythingIn,
  isPattern,
  findOwner,
} from "../../mindsdb/dataPatterns.ts";
import { plainLabel } from "../../shared/oneLine.ts";
import type { ListField } from "../validation.ts";
import { createFinder, type DataSourceItems } from "./serverCatalog.ts";
import { formatMatchCount } from "../agentFieldTexts.ts";
import { toPlainItems } from "../../shared/host/pickItem.ts";

interface EntryItem extends vscode.QuickPickItem {
  /** Absent for separators. */
  entry?: string;
}

interface PickQuestion {
  field: ListField;
  title: string;
  placeholder: string;
  sources: Promise<DataSourceItems[]>;
  chosen: readonly string[];
  /** Opens the form of a new data source instead; absent where no data source is picked. */
  connect?: (() => void) | undefined;
}

/** Resolves with the new list, or undefined when closed. Rejects if nothing could be loaded. */
export async function pickData(question: PickQuestion): Promise<string[] | undefined> {
  const pick = vscode.window.createQuickPick<EntryItem>();
  setFrame(pick, question);
  pick.placeholder = vscode.l10n.t("Asking the server…");
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.busy = true;

  return new Promise((resolve, reject) => {
    const finish = (value: string[] | undefined): void => {
      resolve(value);
      pick.dispose();
    };
    const { connect } = question;
    if (connect) {
      const tooltip = vscode.l10n.t("Connect Data Source…");
      pick.buttons = [{ iconPath: new vscode.ThemeIcon("plug"), tooltip }];
      pick.onDidTriggerButton(() => {
        finish(undefined);
        connect();
      });
    }
    pick.onDidHide(() => finish(undefined));
    pick.show();
    question.sources.then(
      (sources) => {
        offer(pick, question, sources, finish);
      },
      (error: Error) => {
        reject(error);
        pick.dispose();
      },
    );
  });
}

/** Shows all items at once: items added later would reset the selection. */
function offer(
  pick: vscode.QuickPick<EntryItem>,
  { field, title, placeholder, chosen }: PickQuestion,
  sources: DataSourceItems[],
  finish: (picked: string[]) => void,
): void {
  const unread = sources.filter((source) => !source.items);
  if (unread.length > 0) {
    const names = unread.map(({ owner }) => owner).join(", ");
    pick.title = plainLabel(vscode.l10n.t("{0} ({1} could not be read)", title, names));
  }
  const items = createItems(field, sources, chosen);
  const chosenEntries = new Set(chosen);
  pick.busy = false;
  pick.placeholder = items.length > 0 ? placeholder : vscode.l10n.t("Nothing to select");
  pick.items = toPlainItems(items);
  pick.selectedItems = items.filter(({ entry = "" }) => chosenEntries.has(entry));
  // Typed patterns come first: the current one, and those that are selected.
  let patterns: EntryItem[] = [];
  pick.onDidChangeValue((typed) => {
    const selected = pick.selectedItems;
    const selectedItems = new Set(selected);
    const checked = patterns.filter((item) => selectedItems.has(item));
    const pattern = patternItem(field, typed.trim(), sources);
    const isNew = pattern && ![...checked, ...items].some(({ entry }) => entry === pattern.entry);
    const wanted = isNew ? [pattern, ...checked] : checked;
    if (patterns.length + wanted.length === 0) return;
    patterns = wanted;
    pick.items = toPlainItems([...patterns, ...items]);
    pick.selectedItems = selected;
  });
  pick.onDidAccept(() =>
    finish(pick.selectedItems.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))),
  );
}

function createItems(
  field: ListField,
  sources: readonly DataSourceItems[],
  chosen: readonly string[],
): EntryItem[] {
  const icon = new vscode.ThemeIcon(field === "tables" ? "table" : "library");
  const items: EntryItem[] = sources.flatMap(({ owner, items: parts }) => {
    const matches = formatMatchCount(field, parts?.length ?? null);
    return [
      { label: owner, kind: vscode.QuickPickItemKind.Separator },
      {
        label: formatEverythingIn(owner),
        description:
          field === "tables"
            ? vscode.l10n.t("All tables, including future ones · {0}", matches)
            : vscode.l10n.t("All knowledge bases, including future ones · {0}", matches),
        iconPath: icon,
        entry: formatEverythingIn(owner),
      },
      ...(parts ?? []).map((part) => {
        const entry = formatEntry(part);
        return { label: entry, iconPath: icon, entry };
      }),
    ];
  });
  const listed = new Set(items.map(({ entry }) => entry));
  const strangers = chosen.filter((entry) => !listed.has(entry));
  if (strangers.length === 0) return items;
  const find = createFinder(sources);
  return [
    { label: vscode.l10n.t("Already selected"), kind: vscode.QuickPickItemKind.Separator },
    ...strangers.map((entry) => {
      const description = formatMatchCount(field, find(entry)?.length ?? null);
      return { label: entry, description, iconPath: icon, entry };
    }),
    ...items,
  ];
}

/** Returns an item for a typed pattern like `files.sales_*`. */
function patternItem(
  field: ListField,
  typed: string,
  sources: readonly DataSourceItems[],
): EntryItem | undefined {
  if (!isPattern(typed) || findOwner(typed) === undefined) return undefined;
  const found = createFinder(sources)(typed);
  if (!found) return undefined;
  return {
    label: typed,
    description: formatMatchCount(field, found.length),
    iconPath: new vscode.ThemeIcon("regex"),
    alwaysShow: true,
    entry: typed,
  };
}
