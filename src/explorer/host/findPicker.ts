// One thing out of all that the connections hold, picked from a list that is filled while it comes in: for
// `MindsDB: Find…`, and for every command that asks which agent, model or knowledge base is meant.
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { explainError, runAction, type ErrorAction } from "../../shared/host/errorMessages.ts";
import { offerConnection } from "../../shared/host/offerConnection.ts";
import { oneLine } from "../../shared/oneLine.ts";
import { throttle } from "../../shared/throttle.ts";
import type { ErrorNode, ExplorerNode, NamedNode } from "../node.ts";
import { compareFindables, type Findable } from "../findOrder.ts";
import type { OpenedNames } from "../openedNames.ts";
import { visitTree } from "../visitTree.ts";
import { groupIcon, kindName } from "./treeItem.ts";

interface FoundItem extends vscode.QuickPickItem {
  node: NamedNode;
}

/** A line between items, or why a list could not be loaded. */
interface OtherItem extends vscode.QuickPickItem {
  node?: undefined;
  action?: ErrorAction;
}

/** Of a reason in the list, in characters. */
const maxFailureLength = 200;

export interface PickOptions {
  title: string;
  placeholder: string;
  /** Only what this connection holds is listed; no other server is asked. */
  connectionId?: string;
  /** Narrows the kinds. */
  wanted?: (node: NamedNode) => boolean;
  /** What stands on top, and what is said between it and the others. */
  first?: { holds: (node: NamedNode) => boolean; others: string };
}

/**
 * Lets the user pick one thing. Undefined when closed. Where there is no connection it offers to make one first. What
 * could not be loaded is said in the list's title, and hides nothing else.
 */
export async function pickNode(
  access: ServerAccess,
  options: PickOptions,
  opened?: OpenedNames,
): Promise<NamedNode | undefined> {
  if (access.list().length === 0 && !(await offerConnection(access))) return undefined;
  const wanted = options.wanted ?? (() => true);
  const pick = vscode.window.createQuickPick<FoundItem | OtherItem>();
  pick.title = options.title;
  pick.placeholder = options.placeholder;
  pick.matchOnDescription = true;
  pick.busy = true;

  const severalConnections = options.connectionId === undefined && access.list().length > 1;
  const connectionName = (node: NamedNode) =>
    severalConnections ? access.find(node.connectionId)?.name : undefined;
  const items: FoundItem[] = [];
  const others: FoundItem[] = [];
  const failures: ErrorNode[] = [];
  let isClosed = false;
  // Every change of `items` draws the whole list, so it is changed a few times a second at most.
  const draw = throttle(200, () => {
    if (isClosed) return;
    pick.keepScrollPosition = true;
    // Not while somebody types: VS Code knows items by their places, and Enter that meets a new order picks another item.
    if (pick.value === "") {
      for (const list of [items, others]) {
        list.sort((a, b) => compareFindables(describe(a), describe(b)));
      }
    }
    const last = options.first ? apart(options.first.others, others) : [];
    pick.items = [...items, ...last, ...(pick.busy ? [] : failureItems(failures, access))];
  });
  const found = (node: ExplorerNode): void => {
    if (node.kind === "error") failures.push(node);
    if (isNamed(node) && wanted(node)) {
      const isOther = options.first && !options.first.holds(node);
      (isOther ? others : items).push(foundItem(node, connectionName(node)));
    }
    draw();
  };

  const { connectionId } = options;
  void visitTree(access, found, () => isClosed, { connectionId, opened }).then(() => {
    if (isClosed) return;
    pick.busy = false;
    if (failures.length > 0) {
      pick.title =
        failures.length === 1
          ? vscode.l10n.t("{0} (one list could not be loaded)", options.title)
          : vscode.l10n.t("{0} ({1} lists could not be loaded)", options.title, failures.length);
      draw();
    }
    if (items.length + others.length + failures.length === 0) {
      pick.placeholder = vscode.l10n.t("Nothing found");
    }
  });

  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      // What is typed may be the name of something that is still to come.
      const [item] = pick.selectedItems;
      if (item?.node) resolve(item.node);
      else if (item?.action) void runAction(item.action);
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

/** What could not be loaded and why, once for each connection and reason; picking one does what helps. */
function failureItems(failures: readonly ErrorNode[], access: ServerAccess): OtherItem[] {
  const items = new Map<string, OtherItem>();
  for (const { error, connectionId } of failures) {
    const { name = "", address } = access.find(connectionId) ?? {};
    const { message, action } = explainError(error, { connectionId, address });
    const label = action ? vscode.l10n.t("{0} {1}", message, action.title) : message;
    items.set(`${connectionId} ${message}`, {
      label: withoutIcons(label),
      description: name,
      iconPath: new vscode.ThemeIcon("warning"),
      alwaysShow: true,
      ...(action ? { action } : {}),
    });
  }
  return [...items.values()];
}

/** One line. VS Code would draw an icon for "$(name)". */
function withoutIcons(text: string): string {
  return oneLine(text, maxFailureLength).replaceAll("$(", "$\u200B(");
}

/** Items under a line that says what they are. */
function apart(label: string, items: FoundItem[]): (FoundItem | OtherItem)[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function isNamed(node: ExplorerNode): node is NamedNode {
  return !["group", "error", "empty", "unlisted"].includes(node.kind);
}

function foundItem(node: NamedNode, connectionName: string | undefined): FoundItem {
  const place = node.kind === "model" ? modelStatus(node) : [kindName(node.kind)];
  if (node.kind !== "connection" && node.kind !== "project") place.push(node.project);
  if (connectionName !== undefined) place.push(connectionName);
  return {
    label: labelOf(node),
    description: place.join(" · "),
    iconPath: iconOf(node),
    node,
  };
}

/** What tells a model that predicts from one that does not. */
function modelStatus({
  item: { current },
  isByName,
}: Extract<NamedNode, { kind: "model" }>): string[] {
  if (isByName) return [kindName("model")];
  const { status, target } = current;
  return [
    ...(status === "complete" ? [] : [status]),
    target === undefined ? kindName("model") : vscode.l10n.t("predicts {0}", target),
  ];
}

/** Models that do not predict stand behind what fits as well. */
function describe({ node }: FoundItem): Findable {
  const isUnusable =
    node.kind === "model" && !node.isByName && node.item.current.status !== "complete";
  return { name: labelOf(node), kind: node.kind, isUnusable };
}

function labelOf(node: NamedNode): string {
  if (node.kind === "connection") return node.connection.name;
  return node.kind === "project" ? node.project : node.name;
}

function iconOf(node: NamedNode): vscode.ThemeIcon {
  switch (node.kind) {
    case "connection":
      return new vscode.ThemeIcon("server-environment");
    case "project":
      return new vscode.ThemeIcon("folder");
    case "knowledgeBase":
      return new vscode.ThemeIcon(groupIcon.knowledgeBases);
    case "agent":
      return new vscode.ThemeIcon(groupIcon.agents);
    case "model":
    case "modelVersion":
      return new vscode.ThemeIcon(groupIcon.models);
  }
}
