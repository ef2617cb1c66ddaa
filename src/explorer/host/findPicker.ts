// A quick pick with all items of the connections, filled while they load. For
// `MindsDB: Find…`, and for commands that need an agent, model or knowledge base.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { filesSource } from "../../mindsdb/filesSource.ts";
import { explainError, runAction } from "../../shared/host/errorMessages.ts";
import type { ErrorAction } from "../../shared/errorExplanation.ts";
import { offerConnection } from "../../shared/host/offerConnection.ts";
import { plainLabel } from "../../shared/oneLine.ts";
import { throttle } from "../../shared/throttle.ts";
import {
  nodeId,
  type DataSourceNode,
  type ErrorNode,
  type ExplorerNode,
  type NamedNode,
  type TableNode,
} from "../node.ts";
import { compareFindables, type Findable } from "../findOrder.ts";
import type { OpenedNames } from "../openedNames.ts";
import { visitTables, visitTree } from "../visitTree.ts";
import { kinds } from "./kindTexts.ts";
import { toPlainItems } from "../../shared/host/pickItem.ts";

interface FoundItem extends vscode.QuickPickItem {
  node: NamedNode;
  sortKey: Findable;
}

/** A separator, the reason why a list could not be loaded, or what loads tables. */
interface OtherItem extends vscode.QuickPickItem {
  node?: undefined;
  action?: ErrorAction;
  loadsTables?: boolean;
}

/** Items in the list: all of them are sorted and drawn again while lists arrive. */
const maxItems = 20_000;

/** Maximum length of an error in the list, in characters. */
const maxFailureLength = 200;

export interface PickOptions {
  title: string;
  placeholder: string;
  /** Lists the items of this connection only; other servers are not asked. */
  connectionId?: string;
  /** Lists ML engines, data sources, uploaded tables, and these tables. Those of other data sources are loaded on demand. */
  data?: { tables: readonly TableNode[] };
  /** Lists only these nodes. */
  wanted?: (node: NamedNode) => boolean;
  /** The nodes listed first, and the separator before the others. */
  first?: { holds: (node: NamedNode) => boolean; others: string };
}

/**
 * Asks the user for one item; undefined when closed. Without any connection it offers to add one. The title says how many
 * lists could not be loaded.
 */
export async function pickNode(
  access: ServerAccess,
  options: PickOptions,
  opened?: OpenedNames,
): Promise<NamedNode | undefined> {
  if (access.list().length === 0 && !(await offerConnection(access))) return undefined;
  const { connectionId, data } = options;
  const wanted = options.wanted ?? (() => true);
  const pick = vscode.window.createQuickPick<FoundItem | OtherItem>();
  pick.title = plainLabel(options.title);
  pick.placeholder = options.placeholder;
  pick.matchOnDescription = true;

  const severalConnections = options.connectionId === undefined && access.list().length > 1;
  const connectionName = (node: NamedNode) =>
    severalConnections ? access.find(node.connectionId)?.name : undefined;
  const items: FoundItem[] = [];
  const others: FoundItem[] = [];
  const failures: ErrorNode[] = [];
  const foundTables = new Set<string>();
  /** Data sources with tables in the tree. */
  const loaded = new Set(
    data?.tables.map(({ parent }) => nodeId(parent.kind === "schema" ? parent.parent : parent)),
  );
  /** Data sources whose tables are not loaded. */
  let sources: DataSourceNode[] = [];
  let isClosed = false;
  // Each change of `items` redraws the whole list, so it is throttled.
  const draw = throttle(200, () => {
    if (isClosed) return;
    pick.keepScrollPosition = true;
    // Not while the user types: VS Code tracks items by position, so Enter could pick a different item.
    if (pick.value === "") {
      for (const list of [items, others]) {
        list.sort((a, b) => compareFindables(a.sortKey, b.sortKey));
      }
    }
    const last = options.first ? apart(options.first.others, others) : [];
    const ending = pick.busy ? [] : [...loadItems(sources), ...failureItems(failures, access)];
    pick.items = toPlainItems([...items, ...last, ...ending]);
  });
  const isOver = (): boolean => isClosed || items.length + others.length >= maxItems;
  const found = (node: ExplorerNode): void => {
    if (isOver()) return;
    if (node.kind === "error") failures.push(node);
    if (node.kind === "dataSource" && isUnread(node, loaded)) sources.push(node);
    if (node.kind === "table") {
      if (foundTables.has(nodeId(node))) return;
      foundTables.add(nodeId(node));
    }
    if (isNamed(node) && wanted(node)) {
      const isOther = options.first && !options.first.holds(node);
      (isOther ? others : items).push(foundItem(node, connectionName(node)));
    }
    draw();
  };

  for (const table of data?.tables ?? []) found(table);
  const visited = { connectionId, opened, withData: data !== undefined };
  const follow = async (visiting: Promise<void>): Promise<void> => {
    pick.busy = true;
    await visiting;
    if (isClosed) return;
    pick.busy = false;
    if (isOver()) {
      const title = vscode.l10n.t("{0} (only the first {1} are listed)", options.title, maxItems);
      pick.title = plainLabel(title);
    } else if (failures.length > 0) {
      pick.title = plainLabel(
        failures.length === 1
          ? vscode.l10n.t("{0} (1 list could not be loaded)", options.title)
          : vscode.l10n.t("{0} ({1} lists could not be loaded)", options.title, failures.length),
      );
    }
    if (failures.length + sources.length > 0) draw();
    if (items.length + others.length + failures.length === 0) {
      pick.placeholder = vscode.l10n.t("Nothing found");
    }
  };
  void follow(visitTree(access, found, isOver, visited));

  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      // The typed name may belong to an item that is still loading.
      const [item] = pick.selectedItems;
      if (item?.node) resolve(item.node);
      else if (item?.loadsTables) {
        const unread = sources;
        sources = [];
        void follow(visitTables(access, unread, found, isOver)).then(draw);
        return;
      } else if (item?.action) void runAction(item.action);
      else return;
      pick.hide();
    });
    pick.onDidHide(() => {
      isClosed = true;
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** The item that loads the tables of data sources. */
function loadItems(sources: readonly DataSourceNode[]): OtherItem[] {
  const [first] = sources;
  if (!first) return [];
  return [
    {
      label:
        sources.length === 1
          ? vscode.l10n.t("Load the Tables of {0}", plainLabel(first.name))
          : vscode.l10n.t("Load the Tables of {0} Data Sources", sources.length),
      iconPath: new vscode.ThemeIcon("cloud-download"),
      alwaysShow: true,
      loadsTables: true,
    },
  ];
}

/** Whether a data source's tables are neither among the loaded ones nor loaded by the search itself. */
function isUnread(source: DataSourceNode, loaded: ReadonlySet<string>): boolean {
  return source.name !== filesSource && !loaded.has(nodeId(source));
}

/** One item for each connection and error; picking it runs the action that helps. */
function failureItems(failures: readonly ErrorNode[], access: ServerAccess): OtherItem[] {
  const items = new Map<string, OtherItem>();
  for (const { error, connectionId } of failures) {
    const { name = "", address } = access.find(connectionId) ?? {};
    const { message, action } = explainError(error, { connectionId, address });
    const label = action ? vscode.l10n.t("{0} {1}", message, action.title) : message;
    items.set(`${connectionId} ${message}`, {
      label: plainLabel(label, maxFailureLength),
      description: name,
      iconPath: new vscode.ThemeIcon("warning"),
      alwaysShow: true,
      action,
    });
  }
  return [...items.values()];
}

/** The items below a separator with a label. */
function apart(label: string, items: FoundItem[]): (FoundItem | OtherItem)[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function isNamed(node: ExplorerNode): node is NamedNode {
  return !["group", "data", "mlEngines", "queries", "error", "empty", "unlisted"].includes(
    node.kind,
  );
}

function foundItem(node: NamedNode, connectionName: string | undefined): FoundItem {
  const place = node.kind === "model" ? modelStatus(node) : [kinds[node.kind].name];
  if ("project" in node && node.kind !== "project") place.push(node.project);
  if (connectionName !== undefined) place.push(connectionName);
  return {
    label: getLabel(node),
    description: place.join(" · "),
    iconPath: new vscode.ThemeIcon(kinds[node.kind].icon),
    node,
    sortKey: describe(node),
  };
}

/** The status of a model that cannot predict, and the target of the others. */
function modelStatus({
  item: { current },
  isByName,
}: Extract<NamedNode, { kind: "model" }>): string[] {
  if (isByName) return [kinds.model.name];
  const { status, target } = current;
  const what = target === undefined ? kinds.model.name : vscode.l10n.t("predicts {0}", target);
  return status === "complete" ? [what] : [status, what];
}

/** Describes an item for sorting: models that cannot predict come last. */
function describe(node: NamedNode): Findable {
  const isUnusable =
    node.kind === "model" && !node.isByName && node.item.current.status !== "complete";
  return { name: getLabel(node), kind: node.kind, isUnusable };
}

function getLabel(node: NamedNode): string {
  if (node.kind === "connection") return node.connection.name;
  if (node.kind === "view") return node.item.name;
  return node.kind === "project" ? node.project : node.name;
}
