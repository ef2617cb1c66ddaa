// The nodes of the tree as plain data, with their ids and parents.
import type { Connection } from "../shared/connection.ts";
import type {
  Agent,
  Job,
  KnowledgeBase,
  MlEngine,
  Model,
  ModelVersion,
  RunningQuery,
  Trigger,
  View,
} from "../mindsdb/listItems.ts";
import type { Database, TableName } from "../mindsdb/dataSources.ts";
import type { AppError } from "../mindsdb/errors.ts";
import type { ItemRef, ModelRef, TableRef } from "../mindsdb/references.ts";
import type { TableColumn } from "../mindsdb/tables.ts";

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

export type GroupKind = "knowledgeBases" | "agents" | "models" | "views" | "jobs" | "triggers";

export interface GroupNode {
  kind: "group";
  connectionId: string;
  project: string;
  group: GroupKind;
  parent: ProjectNode;
}

/** VS Code hands a menu's commands the node of its row, so these nodes are the references that commands take. */
interface ItemNode extends ItemRef {
  /** The user opened it by name on a server without such a list, so its details may be unknown. */
  isByName?: true;
  parent: GroupNode;
}
interface KnowledgeBaseNode extends ItemNode {
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

interface ModelVersionNode extends ModelRef {
  kind: "modelVersion";
  version: number;
  item: ModelVersion;
  parent: ModelNode;
}

/** Its `name` is as references to tables have it; the view's own name is in `item`. */
export interface ViewNode extends TableRef {
  kind: "view";
  isView: true;
  item: View;
  parent: GroupNode;
}

export interface JobNode extends ItemRef {
  kind: "job";
  item: Job;
  parent: GroupNode;
}

export interface TriggerNode extends ItemRef {
  kind: "trigger";
  item: Trigger;
  parent: GroupNode;
}

/** A node that is no reference for commands. */
interface PlainNode<Kind extends string, Parent> {
  kind: Kind;
  connectionId: string;
  parent: Parent;
}

/** The queries that a connection's server runs in the background. */
export type QueriesNode = PlainNode<"queries", ConnectionNode>;

export interface QueryNode extends PlainNode<"query", QueriesNode> {
  item: RunningQuery;
}

/** The ML engines of a connection's server. */
export type MlEnginesNode = PlainNode<"mlEngines", ConnectionNode>;

export interface MlEngineNode extends PlainNode<"mlEngine", MlEnginesNode> {
  name: string;
  item: MlEngine;
}

export type DataNode = PlainNode<"data", ConnectionNode>;

export interface DataSourceNode extends PlainNode<"dataSource", DataNode> {
  name: string;
  item: Database;
}

/** A schema of a data source, which the list of the source's tables includes. */
export interface SchemaNode extends PlainNode<"schema", DataSourceNode> {
  name: string;
  item: { tables: TableName[] };
}

/** Its `name` is as references have it; the table's own name is in `item`. */
export interface TableNode extends TableRef {
  kind: "table";
  item: TableName;
  parent: DataSourceNode | SchemaNode;
}

export interface ColumnNode extends PlainNode<"column", TableNode> {
  name: string;
  item: TableColumn;
}

/** A list that could not be loaded. */
export interface ErrorNode extends PlainNode<"error", ParentNode> {
  error: unknown;
  /** Of the data source whose list it is: its commands run on the row, too. */
  name?: string;
}

/** Shown where a server has no such list; its items can be opened by name. */
interface UnlistedNode extends PlainNode<
  "unlisted",
  ConnectionNode | GroupNode | MlEnginesNode | QueriesNode
> {
  /** The server's response. */
  error: AppError;
}

/** An empty list. */
type EmptyNode = PlainNode<"empty", ParentNode>;

export type ParentNode =
  | ConnectionNode
  | ProjectNode
  | GroupNode
  | ModelNode
  | MlEnginesNode
  | QueriesNode
  | DataNode
  | DataSourceNode
  | SchemaNode
  | TableNode;
export type NamedNode =
  | ConnectionNode
  | ProjectNode
  | KnowledgeBaseNode
  | AgentNode
  | ModelNode
  | ModelVersionNode
  | ViewNode
  | JobNode
  | TriggerNode
  | MlEngineNode
  | DataSourceNode
  | SchemaNode
  | TableNode
  | ColumnNode;
export type ExplorerNode =
  | NamedNode
  | GroupNode
  | DataNode
  | MlEnginesNode
  | QueriesNode
  | QueryNode
  | ErrorNode
  | EmptyNode
  | UnlistedNode;

/** Escapes a name for an id: no slashes, and no lone surrogates, which URIs cannot hold. */
function idPart(name: string): string {
  if (/^[\w.-]*$/.test(name)) return name;
  return encodeURIComponent(JSON.stringify(name).slice(1, -1));
}

/** Cached ids of parents: a project can have thousands of models, and each needs its parent's id. */
const parentIds = new WeakMap<ParentNode, string>();

function parentId(parent: ParentNode): string {
  let id = parentIds.get(parent);
  if (id === undefined) {
    id = nodeId(parent);
    parentIds.set(parent, id);
  }
  return id;
}

/** The id of a node; the same after a refresh or reload. */
export function nodeId(node: ExplorerNode): string {
  switch (node.kind) {
    case "connection":
      return encodeURIComponent(node.connectionId);
    case "project":
      return `${parentId(node.parent)}/${idPart(node.project)}`;
    case "group":
      return `${parentId(node.parent)}/${node.group}`;
    case "table":
    case "view":
      return `${parentId(node.parent)}/${idPart(node.item.name)}`;
    case "knowledgeBase":
    case "agent":
    case "model":
    case "job":
    case "trigger":
    case "mlEngine":
    case "dataSource":
    case "schema":
    case "column":
      return `${parentId(node.parent)}/${idPart(node.name)}`;
    case "modelVersion":
      return `${parentId(node.parent)}/${node.item.version}`;
    case "query":
      return `${parentId(node.parent)}/${node.item.id}`;
    case "data":
    case "mlEngines":
    case "queries":
    case "error":
    case "empty":
    case "unlisted":
      // No item has this id: a colon in a name is escaped.
      return `${parentId(node.parent)}/:${node.kind}`;
  }
}

/** The parent of a node; undefined for a connection. */
export function getParentNode(node: ExplorerNode): ParentNode | undefined {
  return node.kind === "connection" ? undefined : node.parent;
}

export function getConnection(node: ExplorerNode): Connection {
  return node.kind === "connection" ? node.connection : getConnection(node.parent);
}

/** The reference to an item, without the other fields of its node. */
export function itemRef({ connectionId, project, name }: ItemRef): ItemRef {
  return { connectionId, project, name };
}

export function tableRef(node: TableNode | ViewNode): TableRef {
  return { ...itemRef(node), ...(node.isView === true ? { isView: true } : {}) };
}

const parentKinds: readonly ExplorerNode["kind"][] = [
  "connection",
  "project",
  "group",
  "data",
  "dataSource",
  "schema",
  "table",
  "mlEngines",
  "queries",
];

/** True for a node that can be expanded. */
export function isParent(node: ExplorerNode): node is ParentNode {
  return node.kind === "model" ? node.item.versions.length > 1 : parentKinds.includes(node.kind);
}
