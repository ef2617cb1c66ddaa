// How a node looks in the tree. The label is the name and nothing else; the description is what one wants at a glance.
import * as vscode from "vscode";
import { sampleConnectionId } from "../../connections/connection.ts";
import { commands } from "../../ids.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import type { ServerStatus } from "../../mindsdb/http/login.ts";
import { newerInTraining } from "../../mindsdb/modelStatus.ts";
import { agentUri } from "../../shared/host/agentUri.ts";
import type { ModelRef } from "../../mindsdb/references.ts";
import { explainError, type ErrorExplanation } from "../../shared/host/errorMessages.ts";
import {
  connectionOf,
  isParent,
  itemRef,
  nodeId,
  type ConnectionNode,
  type ErrorNode,
  type ExplorerNode,
  type GroupKind,
  type NamedNode,
} from "../node.ts";
import type { EmptyList } from "../sqlTemplates.ts";

/** What is known of a node beside the node itself. */
export interface NodeContext {
  isExpanded: boolean;
  /** How many items a group has, once it was opened. */
  count: number | undefined;
  /** What a connection's server said of itself, once it has answered. */
  server: ServerStatus | undefined;
  /** Whether one is signed in to a connection. */
  isSignedIn: boolean;
}

/** A pure function of node and context; the tooltip comes when the pointer rests on the row (tooltip.ts). */
export function buildTreeItem(node: ExplorerNode, context: NodeContext): vscode.TreeItem {
  const look = lookOf(node, context);
  const item = new vscode.TreeItem(look.label, collapsibleState(node, context));
  item.id = nodeId(node);
  item.contextValue = contextValue(node, context);
  item.iconPath = look.icon;
  if (look.description !== undefined) item.description = look.description;
  if (look.command) item.command = look.command;
  if (node.kind === "agent") item.resourceUri = agentUri(node);
  if (look.spokenKind !== undefined) {
    const spoken = [look.label, look.spokenKind, look.description].filter(Boolean).join(", ");
    item.accessibilityInformation = { label: spoken };
  }
  return item;
}

interface Look {
  label: string;
  icon: vscode.ThemeIcon;
  /** What it is, for the ear, where its place in the tree does not say so. */
  spokenKind?: string;
  description?: string | undefined;
  command?: vscode.Command;
}

function lookOf(node: ExplorerNode, context: NodeContext): Look {
  switch (node.kind) {
    case "connection":
      return {
        label: node.connection.name,
        icon: new vscode.ThemeIcon("server-environment"),
        spokenKind: kindName(node.kind),
        description: connectionDescription(node.connection, context),
      };
    case "project":
      return {
        label: node.project,
        icon: new vscode.ThemeIcon("folder"),
        spokenKind: kindName(node.kind),
        description: node.isDefault ? vscode.l10n.t("default") : undefined,
      };
    case "group":
      return {
        label: groupLabel(node.group),
        icon: new vscode.ThemeIcon(groupIcon[node.group]),
        description: context.count === undefined ? undefined : context.count.toLocaleString(),
      };
    case "knowledgeBase":
      return {
        label: node.name,
        icon: new vscode.ThemeIcon(groupIcon.knowledgeBases),
        description: node.item.embeddingModel,
        command: {
          command: commands.knowledgeBaseShow,
          title: vscode.l10n.t("Show"),
          arguments: [itemRef(node)],
        },
      };
    case "agent":
      return {
        label: node.name,
        icon: new vscode.ThemeIcon(groupIcon.agents),
        description: node.item.model,
        command: {
          command: commands.agentAsk,
          title: vscode.l10n.t("Ask"),
          arguments: [itemRef(node)],
        },
      };
    case "model": {
      const { status, version } = node.item.current;
      if (node.isByName) {
        return { label: node.name, icon: completeIcon, command: showModel(node) };
      }
      const newer = newerInTraining(node.item);
      const parts = [
        status,
        `v${version}`,
        ...(newer ? [`v${newer.version} ${newer.status}`] : []),
      ];
      return {
        label: node.name,
        // A narrow side bar cuts the description's end off, so the icon says too that a version is in training.
        icon: statusIcon(newer?.status ?? status),
        description: parts.join(" · "),
        command: showModel(node),
      };
    }
    case "modelVersion": {
      const { version, status, active } = node.item;
      return {
        label: vscode.l10n.t("version {0}", version),
        icon: statusIcon(status),
        description: active ? vscode.l10n.t("{0} · active", status) : status,
        command: showModel(node),
      };
    }
    case "error":
      return errorLook(node);
    case "empty":
      return emptyLook(node);
    case "unlisted": {
      const title = vscode.l10n.t("Open by Name…");
      return {
        label: vscode.l10n.t("Not listed"),
        icon: new vscode.ThemeIcon("info"),
        description: title,
        command: { command: commands.explorerOpenByName, title, arguments: [node] },
      };
    }
  }
}

/** What an empty list says: what to do to have something in it. */
function emptyLook(node: Extract<ExplorerNode, { kind: "empty" }>): Look {
  const { parent } = node;
  const icon = new vscode.ThemeIcon("info");
  if (parent.kind === "group" && parent.group === "agents") {
    const title = vscode.l10n.t("Create one");
    const { connectionId, project } = parent;
    return {
      label: emptyLabel(parent.group),
      icon,
      description: title,
      command: { command: commands.agentCreate, title, arguments: [{ connectionId, project }] },
    };
  }
  const list: EmptyList = {
    connectionId: node.connectionId,
    inProject:
      parent.kind === "group" ? { project: parent.project, group: parent.group } : undefined,
  };
  return {
    label: parent.kind === "group" ? emptyLabel(parent.group) : vscode.l10n.t("Nothing here yet"),
    icon,
    description: vscode.l10n.t("Show the statement that creates one"),
    command: {
      command: commands.explorerShowStatement,
      title: vscode.l10n.t("Show Statement"),
      arguments: [list],
    },
  };
}

/** Looked up once: a project may have thousands of models. */
let showTitle: string | undefined;

function showModel({ connectionId, project, name, version }: ModelRef): vscode.Command {
  showTitle ??= vscode.l10n.t("Show");
  const model: ModelRef = { connectionId, project, name, version };
  return { command: commands.modelShow, title: showTitle, arguments: [model] };
}

function errorLook(node: ErrorNode): Look {
  const { message, action } = explainFailure(node);
  const retry = {
    title: vscode.l10n.t("Retry"),
    command: commands.explorerRefresh,
    arguments: [node.parent],
  };
  const command = action ?? retry;
  return {
    label: shortly(node) ?? message,
    icon: new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground")),
    spokenKind: vscode.l10n.t("problem"),
    description: command.title,
    command,
  };
}

/** The server's address stands above already, and what is long would push the action out of a narrow side bar. */
function shortly(node: ErrorNode): string | undefined {
  if (isStoppedSample(node)) return vscode.l10n.t("Stopped");
  if (isAppError(node.error, "signInNeeded")) return vscode.l10n.t("Signed out");
  return isAppError(node.error, "unreachable") ? vscode.l10n.t("Unreachable") : undefined;
}

function isStoppedSample({ connectionId, error, parent }: ErrorNode): boolean {
  const isOwn = connectionId === sampleConnectionId && !connectionOf(parent).isPreset;
  return isOwn && isAppError(error, "unreachable");
}

/** What went wrong with a list, and what helps. */
export function explainFailure({ error, parent }: ErrorNode): ErrorExplanation {
  const { id, address } = connectionOf(parent);
  return explainError(error, { connectionId: id, address });
}

function connectionDescription(
  connection: { name: string; address: string },
  { server }: NodeContext,
): string | undefined {
  const address = connection.address.replace(/^http:\/\//, "");
  const parts = [
    ...(server?.version === undefined ? [] : [server.version]),
    ...(address === connection.name ? [] : [address]),
  ];
  return parts.length > 0 ? parts.join(" · ") : undefined;
}

/** What a named node is, in words: for the ear, and for lists that mix kinds. */
export function kindName(kind: NamedNode["kind"]): string {
  switch (kind) {
    case "connection":
      return vscode.l10n.t("connection");
    case "project":
      return vscode.l10n.t("project");
    case "knowledgeBase":
      return vscode.l10n.t("knowledge base");
    case "agent":
      return vscode.l10n.t("agent");
    case "model":
    case "modelVersion":
      return vscode.l10n.t("model");
  }
}

function groupLabel(group: GroupKind): string {
  switch (group) {
    case "knowledgeBases":
      return vscode.l10n.t("Knowledge Bases");
    case "agents":
      return vscode.l10n.t("Agents");
    case "models":
      return vscode.l10n.t("Models");
  }
}

function emptyLabel(group: GroupKind): string {
  switch (group) {
    case "knowledgeBases":
      return vscode.l10n.t("No knowledge bases yet");
    case "agents":
      return vscode.l10n.t("No agents yet");
    case "models":
      return vscode.l10n.t("No models yet");
  }
}

export const groupIcon: Record<GroupKind, string> = {
  knowledgeBases: "library",
  agents: "hubot",
  models: "graph-line",
};

const completeIcon = new vscode.ThemeIcon(groupIcon.models);

function statusIcon(status: string): vscode.ThemeIcon {
  if (status === "complete") return completeIcon;
  if (status === "error") {
    return new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));
  }
  return new vscode.ThemeIcon("sync");
}

function collapsibleState(
  node: ExplorerNode,
  { isExpanded }: NodeContext,
): vscode.TreeItemCollapsibleState {
  if (!isParent(node)) return vscode.TreeItemCollapsibleState.None;
  return isExpanded
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.Collapsed;
}

/**
 * Dotted words that menus test by anchored patterns: `connection.preset.signedIn`, `group.agents`,
 * `model.untrained`, `agent.named` (opened by name, not listed), `empty`.
 */
function contextValue(node: ExplorerNode, context: NodeContext): string {
  switch (node.kind) {
    case "connection":
      return connectionContext(node, context);
    case "group":
      return `group.${node.group}`;
    case "model":
      if (node.isByName) return "model.named";
      return modelContext(node.kind, node.item.current.status);
    case "modelVersion":
      return modelContext(node.kind, node.item.status);
    case "knowledgeBase":
    case "agent":
      return node.isByName ? `${node.kind}.named` : node.kind;
    case "project":
    case "error":
    case "empty":
    case "unlisted":
      return node.kind;
  }
}

/** Nobody signs in where no login is wanted, or out where nobody is signed in. */
function connectionContext(node: ConnectionNode, { server, isSignedIn }: NodeContext): string {
  const origin = node.connection.isPreset
    ? "preset"
    : node.connectionId === sampleConnectionId
      ? "sample"
      : "own";
  if (isSignedIn) return `connection.${origin}.signedIn`;
  return server?.authEnabled === false
    ? `connection.${origin}.withoutLogin`
    : `connection.${origin}`;
}

/** Only what is trained offers predictions. */
function modelContext(kind: "model" | "modelVersion", status: string): string {
  return status === "complete" ? kind : `${kind}.untrained`;
}
