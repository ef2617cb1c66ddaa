// The tree as data: what a node is, its id, and what its parent is. No VS Code here.
import type { Connection } from "../connections/connection.ts";
import type { Agent } from "../mindsdb/listItems.ts";
import type { AppError } from "../mindsdb/errors.ts";
import type { KnowledgeBase } from "../mindsdb/listItems.ts";
import type { Model, ModelVersion } from "../mindsdb/listItems.ts";
import type { ItemRef, ModelRef } from "../mindsdb/references.ts";

export interface ConnectionNode {
  kind: "connection";
  connectionId: string;
  connection: Connection;
}

export interface ProjectNode {
  kind: "project";
  connectionId: string;
  project: string;
  isDefault: boolean;
  parent: ConnectionNode;
}

export type GroupKind = "knowledgeBases" | "agents" | "models";
export const groupKinds: readonly GroupKind[] = ["knowledgeBases", "agents", "models"];

export interface GroupNode {
  kind: "group";
  connectionId: string;
  project: string;
  group: GroupKind;
  parent: ProjectNode;
}

/** VS Code hands a menu's commands the node of its row, so these nodes are the references that commands take. */
interface ItemNode extends ItemRef {
  /** The user opened it by name; the server lists nothing like it, so no more than that may be known. */
  isByName?: true;
  parent: GroupNode;
}
export interface KnowledgeBaseNode extends ItemNode {
  kind: "knowledgeBase";
  item: KnowledgeBase;
}
export interface AgentNode extends ItemNode {
  kind: "agent";
  item: Agent;
}
export interface ModelNode extends ItemNode {
  kind: "model";
  item: Model;
}

export interface ModelVersionNode extends ModelRef {
  kind: "modelVersion";
  version: number;
  item: ModelVersion;
  parent: ModelNode;
}

/** A list that could not be loaded: why, and what to do. It hides nothing beside it. */
export interface ErrorNode {
  kind: "error";
  connectionId: string;
  error: unknown;
  parent: ParentNode;
}

/** Stands for what a server does not list: its things can be opened by name. */
export interface UnlistedNode {
  kind: "unlisted";
  connectionId: string;
  /** How the server answered. */
  error: AppError;
  parent: ConnectionNode | GroupNode;
}

/** A list with nothing in it. */
export interface EmptyNode {
  kind: "empty";
  connectionId: string;
  parent: ParentNode;
}

export type ParentNode = ConnectionNode | ProjectNode | GroupNode | ModelNode;
export type NamedNode =
  ConnectionNode | ProjectNode | KnowledgeBaseNode | AgentNode | ModelNode | ModelVersionNode;
export type ExplorerNode = NamedNode | GroupNode | ErrorNode | EmptyNode | UnlistedNode;

/** A name within an id: none can look like a path, and half a surrogate pair, which no URI can hold, does no harm. */
function idPart(name: string): string {
  if (/^[\w.-]*$/.test(name)) return name;
  return encodeURIComponent(JSON.stringify(name).slice(1, -1));
}

/** The ids of nodes with children: each of a project's thousands of models asks for its parent's. */
const parentIds = new WeakMap<ParentNode, string>();

function parentId(parent: ParentNode): string {
  let id = parentIds.get(parent);
  if (id === undefined) {
    id = nodeId(parent);
    parentIds.set(parent, id);
  }
  return id;
}

/** A node's id: the same after every refresh and reload. */
export function nodeId(node: ExplorerNode): string {
  switch (node.kind) {
    case "connection":
      return encodeURIComponent(node.connectionId);
    case "project":
      return `${parentId(node.parent)}/${idPart(node.project)}`;
    case "group":
      return `${parentId(node.parent)}/${node.group}`;
    case "knowledgeBase":
    case "agent":
    case "model":
      return `${parentId(node.parent)}/${idPart(node.name)}`;
    case "modelVersion":
      return `${parentId(node.parent)}/${node.item.version}`;
    case "error":
    case "empty":
    case "unlisted":
      return `${parentId(node.parent)}/:${node.kind}`;
  }
}

/** The node that this one stands below; undefined for a connection. */
export function parentOf(node: ExplorerNode): ParentNode | undefined {
  return node.kind === "connection" ? undefined : node.parent;
}

/** The connection that a node belongs to. */
export function connectionOf(node: ExplorerNode): Connection {
  return node.kind === "connection" ? node.connection : connectionOf(node.parent);
}

/** The reference without what else its node holds. */
export function itemRef({ connectionId, project, name }: ItemRef): ItemRef {
  return { connectionId, project, name };
}

/** What `Copy Name` copies: the name as SQL and the API take it. */
export function copyableName(node: NamedNode): string {
  switch (node.kind) {
    case "connection":
      return node.connection.name;
    case "project":
      return node.project;
    case "modelVersion":
      return `${node.name}.${node.item.version}`;
    case "knowledgeBase":
    case "agent":
    case "model":
      return node.name;
  }
}

/** True for a node that can be opened. */
export function isParent(node: ExplorerNode): node is ParentNode {
  switch (node.kind) {
    case "connection":
    case "project":
    case "group":
      return true;
    case "model":
      return node.item.versions.length > 1;
    case "knowledgeBase":
    case "agent":
    case "modelVersion":
    case "error":
    case "empty":
    case "unlisted":
      return false;
  }
}
