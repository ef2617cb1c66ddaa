// Picks tables or knowledge bases from what the server has: several at once, whole data sources, and patterns by typing.
import * as vscode from "vscode";
import { back, setFrame, type QuestionFrame } from "../../shared/host/quickInput.ts";
import {
  formatEntry,
  formatEverythingIn,
  isPattern,
  findOwner,
} from "../../mindsdb/dataPatterns.ts";
import { plainLabel } from "../../shared/oneLine.ts";
import type { ListField } from "../validation.ts";
import { countMatches, type DataSourceItems } from "./serverCatalog.ts";
import { formatMatchCount } from "../agentFieldTexts.ts";
import { toPlainItems } from "../../shared/host/pickItem.ts";

interface EntryItem extends vscode.QuickPickItem {
  /** Absent for separators. */
  entry?: string;
  field?: ListField;
}

interface PickedData {
  tables: string[];
  knowledgeBases: string[];
}

interface PickQuestion extends QuestionFrame {
  placeholder: string;
  /** The items to choose from: one list or both. */
  sources: Partial<Record<ListField, Promise<DataSourceItems[]>>>;
  chosen: PickedData;
}

/** Resolves with the new lists, `back`, or undefined when closed. Rejects if nothing could be loaded. */
export async function pickData(
  question: PickQuestion,
): Promise<PickedData | typeof back | undefined> {
  const pick = vscode.window.createQuickPick<EntryItem>();
  setFrame(pick, question);
  pick.placeholder = vscode.l10n.t("Asking the server…");
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.busy = true;

  return new Promise((resolve, reject) => {
    const finish = (value: PickedData | typeof back | undefined): void => {
      resolve(value);
      pick.dispose();
    };
    pick.onDidTriggerButton(() => finish(back));
    pick.onDidHide(() => finish(undefined));
    pick.show();
    loadItems(question).then(
      (load) => {
        offer(pick, question, load, finish);
      },
      (error: Error) => {
        reject(error);
        pick.dispose();
      },
    );
  });
}

interface Loaded {
  dataSources: Partial<Record<ListField, DataSourceItems[]>>;
  items: EntryItem[];
}

async function loadItems(question: PickQuestion): Promise<Loaded> {
  const dataSources: Loaded["dataSources"] = {};
  const items: EntryItem[] = [];
  for (const field of ["tables", "knowledgeBases"] as const) {
    const loaded = await question.sources[field];
    if (!loaded) continue;
    dataSources[field] = loaded;
    items.push(...createItems(field, loaded, question.chosen[field]));
  }
  return { dataSources, items };
}

/** Shows all items at once: items added later would reset the selection. */
function offer(
  pick: vscode.QuickPick<EntryItem>,
  question: PickQuestion,
  { dataSources, items }: Loaded,
  finish: (picked: PickedData) => void,
): void {
  const unread = Object.values(dataSources).flatMap((list) =>
    list.filter((source) => !source.items),
  );
  if (unread.length > 0) {
    const names = unread.map(({ owner }) => owner).join(", ");
    pick.title = plainLabel(vscode.l10n.t("{0} ({1} could not be read)", question.title, names));
  }
  const { chosen } = question;
  const chosenEntries = {
    tables: new Set(chosen.tables),
    knowledgeBases: new Set(chosen.knowledgeBases),
  };
  const isChosen = ({ entry, field }: EntryItem): boolean =>
    entry !== undefined && field !== undefined && chosenEntries[field].has(entry);

  pick.busy = false;
  pick.placeholder = items.length > 0 ? question.placeholder : vscode.l10n.t("Nothing to select");
  pick.items = toPlainItems(items);
  pick.selectedItems = items.filter(isChosen);
  // Typed patterns come first: the current one, and those that are selected.
  let patterns: EntryItem[] = [];
  pick.onDidChangeValue((typed) => {
    const selected = pick.selectedItems;
    const selectedItems = new Set(selected);
    const checked = patterns.filter((item) => selectedItems.has(item));
    const pattern = patternItem(typed.trim(), dataSources);
    const isNew = pattern && ![...checked, ...items].some(({ entry }) => entry === pattern.entry);
    const wanted = isNew ? [pattern, ...checked] : checked;
    if (patterns.length + wanted.length === 0) return;
    patterns = wanted;
    pick.items = toPlainItems([...patterns, ...items]);
    pick.selectedItems = selected;
  });
  pick.onDidAccept(() => {
    const picked: PickedData = { tables: [], knowledgeBases: [] };
    for (const field of ["tables", "knowledgeBases"] as const) {
      if (!dataSources[field]) picked[field] = chosen[field];
    }
    for (const { entry, field } of pick.selectedItems) {
      if (entry !== undefined && field !== undefined) picked[field].push(entry);
    }
    finish(picked);
  });
}

function createItems(
  field: ListField,
  dataSources: readonly DataSourceItems[],
  chosen: readonly string[],
): EntryItem[] {
  const icon = new vscode.ThemeIcon(field === "tables" ? "table" : "library");
  const items: EntryItem[] = dataSources.flatMap(({ owner, items: parts }) => {
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
        field,
      },
      ...(parts ?? []).map((part) => {
        const entry = formatEntry(part);
        return { label: entry, iconPath: icon, entry, field };
      }),
    ];
  });
  const listed = new Set(items.map(({ entry }) => entry));
  const strangers = chosen.filter((entry) => !listed.has(entry));
  if (strangers.length === 0) return items;
  return [
    { label: vscode.l10n.t("Selected before"), kind: vscode.QuickPickItemKind.Separator },
    ...strangers.map((entry) => {
      const description = formatMatchCount(field, countMatches(entry, dataSources));
      return { label: entry, description, iconPath: icon, entry, field };
    }),
    ...items,
  ];
}

/** Returns an item for a typed pattern like `files.sales_*`. */
function patternItem(typed: string, dataSources: Loaded["dataSources"]): EntryItem | undefined {
  if (!isPattern(typed) || findOwner(typed) === undefined) return undefined;
  for (const field of ["tables", "knowledgeBases"] as const) {
    const count = countMatches(typed, dataSources[field] ?? []);
    if (count === null) continue;
    return {
      label: typed,
      description: formatMatchCount(field, count),
      iconPath: new vscode.ThemeIcon("regex"),
      alwaysShow: true,
      entry: typed,
      field,
    };
  }
  return undefined;
}
