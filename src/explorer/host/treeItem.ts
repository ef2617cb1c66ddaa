// Builds the tree item of a node. The label is the name only; the description holds the details.
import * as vscode from "vscode";
import type { Connection } from "../../shared/connection.ts";
import { isSampleConnection } from "../../connections/isSampleConnection.ts";
import { reachabilityText } from "../../connections/reachabilityText.ts";
import { guardMarks } from "../../shared/guardMarks.ts";
import { commands } from "../../ids.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import type { ServerStatus } from "../../mindsdb/http/login.ts";
import { filesSource } from "../../mindsdb/filesSource.ts";
import type { ModelVersion } from "../../mindsdb/listItems.ts";
import { canFinetune, newerInTraining } from "../../mindsdb/modelStatus.ts";
import { agentUri } from "../../shared/host/agentUri.ts";
import type { ModelRef } from "../../mindsdb/references.ts";
import { bindCommand } from "../../shared/host/commands.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import type { ErrorExplanation } from "../../shared/errorExplanation.ts";
import {
  getConnection,
  isParent,
  itemRef,
  nodeId,
  type ConnectionNode,
  type ErrorNode,
  type ExplorerNode,
  type GroupKind,
} from "../node.ts";
import { kindIn } from "../openedGroups.ts";
import type { EmptyList } from "../sqlTemplates.ts";
import { dataAppearance, emptyDataLabel, reconnectCommand } from "./dataItem.ts";
import { jobAppearance } from "./jobItem.ts";
import { groups, kinds, type RowAppearance } from "./kindTexts.ts";
import { plainLabel } from "../../shared/oneLine.ts";

/** State of a node that is not part of the node itself. */
interface NodeContext {
  isExpanded: boolean;
  /** Number of items of a group or data source, once it was loaded. */
  count: number | undefined;
  /** Status of the connection's server, once it has answered. */
  server: ServerStatus | undefined;
  /** Whether nothing reaches the connection's server. */
  isUnreachable: boolean;
  /** Whether the user is signed in to the connection. */
  isSignedIn: boolean;
}

/** Builds a tree item without its tooltip, which is built on hover (tooltip.ts). */
export function buildTreeItem(node: ExplorerNode, context: NodeContext): vscode.TreeItem {
  const appearance = describeNode(node, context);
  const label = plainLabel(appearance.label);
  const item = new vscode.TreeItem(label, collapsibleState(node, context));
  item.id = nodeId(node);
  item.contextValue = contextValue(node, context);
  item.iconPath = appearance.icon;
  const description = appearance.description && plainLabel(appearance.description);
  if (description !== undefined) item.description = description;
  if (appearance.command) item.command = appearance.command;
  if (node.kind === "agent") item.resourceUri = agentUri(node);
  if (appearance.spokenKind !== undefined) {
    const spoken = [label, appearance.spokenKind, description].filter(Boolean).join(", ");
    item.accessibilityInformation = { label: spoken };
  }
  return item;
}

function describeNode(node: ExplorerNode, context: NodeContext): RowAppearance {
  switch (node.kind) {
    case "connection":
      return {
        label: node.connection.name,
        icon: connectionIcon(node.connection, context),
        spokenKind: kinds[node.kind].name,
        description: connectionDescription(node.connection, context),
      };
    case "project":
      return {
        label: node.project,
        icon: new vscode.ThemeIcon("folder"),
        spokenKind: kinds[node.kind].name,
        description: node.isDefault ? vscode.l10n.t("default") : undefined,
      };
    case "group":
      return {
        label: groups[node.group].label,
        icon: new vscode.ThemeIcon(groups[node.group].icon),
        description: context.count?.toLocaleString(),
      };
    case "knowledgeBase":
      return {
        label: node.name,
        icon: new vscode.ThemeIcon(kinds.knowledgeBase.icon),
        description: node.item.embeddingModel,
        command: bindCommand(commands.knowledgeBaseShow, vscode.l10n.t("Show"), itemRef(node)),
      };
    case "agent":
      return {
        label: node.name,
        icon: new vscode.ThemeIcon(kinds.agent.icon),
        description: node.item.model,
        command: bindCommand(commands.agentAsk, vscode.l10n.t("Ask"), itemRef(node)),
      };
    case "model": {
      const { status, version } = node.item.current;
      if (node.isByName) {
        return { label: node.name, icon: completeIcon, command: showModel(node) };
      }
      const newer = newerInTraining(node.item);
      const parts = [status, `v${version}`];
      if (newer) parts.push(`v${newer.version} ${newer.status}`);
      return {
        label: node.name,
        // A narrow side bar truncates the description, so the icon also shows that a version is in training.
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
    case "data":
    case "dataSource":
    case "schema":
    case "table":
    case "view":
    case "column":
      return dataAppearance(node, context.count);
    case "job":
    case "trigger":
    case "mlEngines":
    case "mlEngine":
    case "queries":
    case "query":
      return jobAppearance(node, context.count);
    case "error":
      return errorAppearance(node);
    case "empty":
      return emptyAppearance(node);
    case "unlisted": {
      const label = vscode.l10n.t("Not listed");
      const icon = new vscode.ThemeIcon("info");
      const { parent } = node;
      // Items of these lists cannot be opened, so not by name either.
      const isOfServer = parent.kind === "queries" || parent.kind === "mlEngines";
      if (isOfServer || (parent.kind === "group" && !kindIn(parent.group))) {
        return { label, icon };
      }
      const title = vscode.l10n.t("Open by Name…");
      return {
        label,
        icon,
        description: title,
        command: bindCommand(commands.explorerOpenByName, title, node),
      };
    }
  }
}

/** The forms that an empty list offers; the others offer a statement. */
const createCommands: Partial<
  Record<GroupKind, (typeof commands)["agentCreate" | "viewCreate" | "jobCreate" | "triggerCreate"]>
> = {
  agents: commands.agentCreate,
  views: commands.viewCreate,
  jobs: commands.jobCreate,
  triggers: commands.triggerCreate,
};

/** The item of an empty list, which offers to create something. */
function emptyAppearance(node: Extract<ExplorerNode, { kind: "empty" }>): RowAppearance {
  const { parent } = node;
  const { connectionId } = parent;
  const icon = new vscode.ThemeIcon("info");
  const offer = (label: string, command: vscode.Command): RowAppearance => {
    return { label, icon, description: command.title, command };
  };
  const create = parent.kind === "group" ? createCommands[parent.group] : undefined;
  if (parent.kind === "group" && create !== undefined) {
    const place = { connectionId, project: parent.project };
    return offer(
      groups[parent.group].empty,
      bindCommand(create, vscode.l10n.t("Create one"), place),
    );
  }
  if (parent.kind === "data") {
    return offer(
      vscode.l10n.t("No other data sources yet"),
      bindCommand(commands.dataSourceConnect, vscode.l10n.t("Connect one"), { connectionId }),
    );
  }
  if (parent.kind === "mlEngines") {
    return offer(
      vscode.l10n.t("No ML engines yet"),
      bindCommand(commands.mlEngineCreate, vscode.l10n.t("Create one"), { connectionId }),
    );
  }
  const emptyData = emptyDataLabel(parent);
  if (emptyData !== undefined) return { label: emptyData, icon };
  if (parent.kind === "queries") return { label: vscode.l10n.t("No query is running"), icon };
  const list: EmptyList = {
    connectionId: node.connectionId,
    inProject:
      parent.kind === "group" ? { project: parent.project, group: parent.group } : undefined,
  };
  return {
    label: parent.kind === "group" ? groups[parent.group].empty : vscode.l10n.t("Nothing here yet"),
    icon,
    description: vscode.l10n.t("Show the statement that creates one"),
    command: bindCommand(commands.explorerShowStatement, vscode.l10n.t("Show Statement"), list),
  };
}

/** Cached: a project can have thousands of models. */
let showTitle: string | undefined;

function showModel({ connectionId, project, name, version }: ModelRef): vscode.Command {
  showTitle ??= vscode.l10n.t("Show");
  const model: ModelRef = { connectionId, project, name, version };
  return bindCommand(commands.modelShow, showTitle, model);
}

function errorAppearance(node: ErrorNode): RowAppearance {
  const { message, action } = explainFailure(node);
  const command =
    action ??
    reconnectCommand(node.parent, message) ??
    bindCommand(commands.explorerRefresh, vscode.l10n.t("Retry"), node.parent);
  return {
    label: getShortLabel(node) ?? message,
    icon: new vscode.ThemeIcon("warning", warningColor),
    spokenKind: vscode.l10n.t("problem"),
    description: command.title,
    command,
  };
}

/** Short labels for frequent errors, so that the action stays visible in a narrow side bar. */
function getShortLabel(node: ErrorNode): string | undefined {
  if (isStoppedSample(node)) return vscode.l10n.t("Stopped");
  if (isAppError(node.error, "signInNeeded")) return vscode.l10n.t("Signed out");
  return isAppError(node.error, "unreachable") ? vscode.l10n.t("Unreachable") : undefined;
}

function isStoppedSample({ error, parent }: ErrorNode): boolean {
  return isSampleConnection(getConnection(parent)) && isAppError(error, "unreachable");
}

/** The message and action for a list that could not be loaded. */
export function explainFailure({ error, parent }: ErrorNode): ErrorExplanation {
  const { id, address } = getConnection(parent);
  return explainError(error, { connectionId: id, address });
}

function connectionDescription(
  connection: Connection,
  { server, isUnreachable }: NodeContext,
): string | undefined {
  const address = connection.address.replace(/^http:\/\//, "");
  const state = isUnreachable ? reachabilityText(connection) : server?.version;
  const parts = [...guardMarks(connection), state];
  if (address !== connection.name) parts.push(address);
  return parts.filter(Boolean).join(" · ") || undefined;
}

/** The description says both too: icon and color are not the only signs. */
function connectionIcon(
  { isProduction }: Connection,
  { isUnreachable }: NodeContext,
): vscode.ThemeIcon {
  const name = isUnreachable ? "debug-disconnect" : "server-environment";
  return isProduction ? new vscode.ThemeIcon(name, warningColor) : new vscode.ThemeIcon(name);
}

const warningColor = new vscode.ThemeColor("problemsWarningIcon.foreground");
const completeIcon = new vscode.ThemeIcon(kinds.model.icon);

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
 * Context values for `viewItem` patterns of menus: `connection.preset.signedIn`, `group.agents`,
 * `model.untrained`, `modelVersion.active.tunable`, `agent.named` (opened by name, not listed), `knowledgeBase.fixed` (the
 * server cannot change it), `table.files` (uploaded), `error.dataSource` (its tables
 * could not be read), `empty`.
 */
function contextValue(node: ExplorerNode, context: NodeContext): string {
  switch (node.kind) {
    case "connection":
      return connectionContext(node, context);
    case "group":
      return `group.${node.group}`;
    case "model":
      if (node.isByName) return "model.named";
      return modelContext(node.kind, node.item.current, {
        server: context.server,
        isSeveral: node.item.versions.length > 1,
      });
    case "modelVersion":
      return modelContext(node.kind, node.item, {
        server: context.server,
        isActive: node.item.active,
      });
    case "knowledgeBase":
      if (!node.isByName && isOlderThan26(context.server)) return "knowledgeBase.fixed";
      return node.isByName ? "knowledgeBase.named" : node.kind;
    case "agent":
      return node.isByName ? "agent.named" : node.kind;
    case "error": {
      const { name, error } = node;
      const isOfSource = name !== undefined && name !== filesSource;
      // Otherwise the server has not been asked for the data source.
      const isServers = isAppError(error, "unreachable", "signInNeeded");
      return isOfSource && !isServers ? "error.dataSource" : node.kind;
    }
    case "dataSource":
      return node.name === filesSource ? "dataSource.files" : node.kind;
    case "table":
      return node.project === filesSource ? "table.files" : node.kind;
    case "view":
    case "job":
    case "trigger":
    case "mlEngines":
    case "mlEngine":
    case "queries":
    case "query":
    case "data":
    case "schema":
    case "column":
    case "empty":
    case "unlisted":
      return node.kind;
    case "project":
      return node.isDefault ? "project.default" : node.kind;
  }
}

/** Hides Sign In where no login is needed and Sign Out where nobody is signed in. */
function connectionContext(node: ConnectionNode, { server, isSignedIn }: NodeContext): string {
  const origin = node.connection.isPreset
    ? "preset"
    : isSampleConnection(node.connection)
      ? "sample"
      : "own";
  if (isSignedIn) return `connection.${origin}.signedIn`;
  return server?.authEnabled === false
    ? `connection.${origin}.withoutLogin`
    : `connection.${origin}`;
}

/** Such servers cannot change knowledge bases, and have lightwood, which can finetune. */
function isOlderThan26(server: ServerStatus | undefined): boolean {
  return Number.parseInt(server?.version ?? "26", 10) < 26;
}

/** Only trained models offer Predict, only some engines Finetune, and only several versions a comparison. */
function modelContext(
  kind: "model" | "modelVersion",
  { status, engine }: ModelVersion,
  {
    server,
    isActive = false,
    isSeveral = false,
  }: { server: ServerStatus | undefined; isActive?: boolean; isSeveral?: boolean },
): string {
  // Lists of real servers do not name the engine; the form for a finetuning asks for it.
  const isTunable = engine === undefined ? isOlderThan26(server) : canFinetune(engine);
  return [
    kind,
    status !== "complete" && "untrained",
    isActive && "active",
    isSeveral && "several",
    isTunable && "tunable",
  ]
    .filter(Boolean)
    .join(".");
}
