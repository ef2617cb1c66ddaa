// Loads the children of a node. Loaders never throw: a failure becomes a node.
// The client library is imported with the first list, to keep activation fast.
import type { ServerAccess } from "../shared/connection.ts";
import { filesSource } from "../mindsdb/filesSource.ts";
import type { Client } from "../mindsdb/http/client.ts";
import type { Listed } from "../mindsdb/changes/serverChange.ts";
import type { Project, RunningQuery } from "../mindsdb/listItems.ts";
import { openedIn, openedProjects } from "./openedGroups.ts";
import type { OpenedNames } from "./openedNames.ts";
import {
  nodeId,
  type ConnectionNode,
  type ErrorNode,
  type ExplorerNode,
  type GroupKind,
  type GroupNode,
  type MlEnginesNode,
  type ModelNode,
  type ParentNode,
  type ProjectNode,
  type QueriesNode,
} from "./node.ts";

const groupKinds: readonly GroupKind[] = [
  "knowledgeBases",
  "agents",
  "models",
  "views",
  "jobs",
  "triggers",
];

/**
 * A node's children, loaded with at most one request, jobs with two. A failed list becomes one error node. Where the server
 * has no such list, the children are the names that the user opened.
 */
export async function loadChildren(
  node: ParentNode,
  access: ServerAccess,
  opened: OpenedNames = () => [],
): Promise<ExplorerNode[]> {
  try {
    return createChildren(node, await load(node, access, opened));
  } catch (error) {
    const { connectionId } = node;
    const failed: ErrorNode = { kind: "error", connectionId, error, parent: node };
    return [node.kind === "dataSource" ? { ...failed, name: node.name } : failed];
  }
}

/** The children of a node from a list that another part of the extension has read. */
export function listedChildren(
  node: ConnectionNode | GroupNode | QueriesNode,
  listed: Listed,
): ExplorerNode[] {
  if (listed.list === "projects") {
    return node.kind === "connection" ? createChildren(node, projectNodes(node, listed.items)) : [];
  }
  if (listed.list === "queries") {
    return node.kind === "queries" ? createChildren(node, queryNodes(node, listed.items)) : [];
  }
  return node.kind === "group" ? createChildren(node, itemNodes(node, listed)) : [];
}

function createChildren(parent: ParentNode, nodes: ExplorerNode[]): ExplorerNode[] {
  const children = withoutRepeats(nodes);
  const { connectionId } = parent;
  if (children.length === 0 || (parent.kind === "data" && children.every(isFiles))) {
    children.push({ kind: "empty", connectionId, parent });
  }
  // A server without a list of projects has none of data sources: both are the same request.
  if (parent.kind === "connection" && !children.some(({ kind }) => kind === "unlisted")) {
    children.push(
      { kind: "data", connectionId, parent },
      { kind: "mlEngines", connectionId, parent },
      { kind: "queries", connectionId, parent },
    );
  }
  return children;
}

/** Every server has the data source of uploaded files. */
function isFiles(node: ExplorerNode): boolean {
  return node.kind === "dataSource" && node.name === filesSource;
}

/** VS Code shows nothing of a list with duplicate ids, and the API identifies items by name. */
function withoutRepeats(nodes: ExplorerNode[]): ExplorerNode[] {
  const ids = new Set<string>();
  return nodes.filter((node) => {
    const id = nodeId(node);
    return !ids.has(id) && ids.add(id);
  });
}

async function load(
  node: ParentNode,
  access: ServerAccess,
  opened: OpenedNames,
): Promise<ExplorerNode[]> {
  switch (node.kind) {
    case "connection":
      return listedOr(node, projects(node, await access.client(node.connectionId)), () =>
        openedProjects(opened(node.connectionId)).map((name) => projectNode(node, name)),
      );
    case "project":
      return groupKinds.map((group) => groupNode(node, group));
    case "group":
      return loadItems(node, await access.client(node.connectionId), opened);
    case "model":
      return versions(node);
    case "queries":
      return listedOr(node, queries(node, await access.client(node.connectionId)), () => []);
    case "mlEngines":
      return listedOr(node, mlEngines(node, await access.client(node.connectionId)), () => []);
    case "data":
    case "dataSource":
    case "schema":
    case "table": {
      const { loadData } = await import("./loadData.ts");
      return loadData(node, await access.client(node.connectionId));
    }
  }
}

/** The listed nodes. Where the server has no such list: the replacement, and a node that says so. */
async function listedOr<Parent extends ConnectionNode | GroupNode | MlEnginesNode | QueriesNode>(
  parent: Parent,
  list: Promise<ExplorerNode[]>,
  instead: () => ExplorerNode[] | Promise<ExplorerNode[]>,
): Promise<ExplorerNode[]> {
  try {
    return await list;
  } catch (error) {
    const { isListAbsent } = await import("../mindsdb/isListAbsent.ts");
    if (!isListAbsent(error)) throw error;
    const { connectionId } = parent;
    return [...(await instead()), { kind: "unlisted", connectionId, error, parent }];
  }
}

async function projects(parent: ConnectionNode, client: Client): Promise<ProjectNode[]> {
  const { listProjects } = await import("../mindsdb/projects.ts");
  return projectNodes(parent, await listProjects(client));
}

function projectNodes(parent: ConnectionNode, listed: readonly Project[]): ProjectNode[] {
  return listed.map(({ name, isDefault }) => projectNode(parent, name, isDefault));
}

function projectNode(parent: ConnectionNode, project: string, isDefault = false): ProjectNode {
  return { kind: "project", connectionId: parent.connectionId, project, isDefault, parent };
}

function groupNode(parent: ProjectNode, group: GroupNode["group"]): GroupNode {
  const { connectionId, project } = parent;
  return { kind: "group", connectionId, project, group, parent };
}

function loadItems(
  parent: GroupNode,
  client: Client,
  opened: OpenedNames,
): Promise<ExplorerNode[]> {
  return listedOr(parent, items(parent, client), () => {
    const names = openedIn(opened(parent.connectionId), parent);
    return Promise.all(names.map((name) => openedItem(parent, name, client)));
  });
}

/** An item that was opened by name, with the details that the server gives for it. */
async function openedItem(parent: GroupNode, name: string, client: Client): Promise<ExplorerNode> {
  const { connectionId, project, group } = parent;
  const common = { connectionId, project, name, isByName: true, parent } as const;
  switch (group) {
    case "views":
      return { kind: "view", isView: true, ...common, item: { name, query: "" } };
    case "jobs":
      return { kind: "job", ...common, item: { name, query: "" } };
    case "triggers":
      return { kind: "trigger", ...common, item: { name, table: "", query: "" } };
    case "knowledgeBases": {
      const { findKnowledgeBase } = await import("../mindsdb/knowledgeBases.ts");
      // An item that cannot be read is listed anyway; its page shows the error.
      const item = await findKnowledgeBase(client, project, name).catch(() => {
        return { name, contentColumns: [], metadataColumns: [] };
      });
      return { kind: "knowledgeBase", ...common, item };
    }
    case "agents":
      return { kind: "agent", ...common, item: { name, tables: [], knowledgeBases: [] } };
    case "models": {
      const { unlistedModel } = await import("../mindsdb/models.ts");
      return { kind: "model", ...common, item: unlistedModel(name) };
    }
  }
}

async function items(parent: GroupNode, client: Client): Promise<ExplorerNode[]> {
  const { connectionId, project } = parent;
  const listed = { kind: "listed", project } as const;
  switch (parent.group) {
    case "knowledgeBases": {
      const { listKnowledgeBases } = await import("../mindsdb/knowledgeBases.ts");
      const found = await listKnowledgeBases(client, project);
      return itemNodes(parent, { ...listed, list: parent.group, items: found });
    }
    case "agents": {
      const { listAgents } = await import("../mindsdb/agents.ts");
      const found = await listAgents(client, project);
      return itemNodes(parent, { ...listed, list: parent.group, items: found });
    }
    case "models": {
      const { listModels } = await import("../mindsdb/models.ts");
      const found = await listModels(client, project);
      return itemNodes(parent, { ...listed, list: parent.group, items: found });
    }
    case "views": {
      const { loadViews } = await import("./loadData.ts");
      return loadViews(parent, client);
    }
    case "jobs": {
      const { listJobs } = await import("../mindsdb/jobs.ts");
      const jobs = await listJobs(client, project);
      return jobs.map((item) => {
        return { kind: "job", connectionId, project, name: item.name, item, parent };
      });
    }
    case "triggers": {
      const { listTriggers } = await import("../mindsdb/triggers.ts");
      const triggers = await listTriggers(client, project);
      return triggers.map((item) => {
        return { kind: "trigger", connectionId, project, name: item.name, item, parent };
      });
    }
  }
}

function itemNodes(
  parent: GroupNode,
  listed: Exclude<Listed, { list: "projects" | "queries" }>,
): ExplorerNode[] {
  const { connectionId, project } = parent;
  const common = { connectionId, project, parent };
  const kind = ({ knowledgeBases: "knowledgeBase", agents: "agent", models: "model" } as const)[
    listed.list
  ];
  return listed.items.map((item) => ({ kind, ...common, name: item.name, item }) as ExplorerNode);
}

/** Every version of a model, including the active one. */
function versions(parent: ModelNode): ExplorerNode[] {
  const { connectionId, project, name } = parent;
  return parent.item.versions.map((item) => ({
    kind: "modelVersion",
    connectionId,
    project,
    name,
    version: item.version,
    item,
    parent,
  }));
}

async function mlEngines(parent: MlEnginesNode, client: Client): Promise<ExplorerNode[]> {
  const { loadMlEngines } = await import("./loadData.ts");
  return loadMlEngines(parent, client);
}

async function queries(parent: QueriesNode, client: Client): Promise<ExplorerNode[]> {
  const { listRunningQueries } = await import("../mindsdb/runningQueries.ts");
  return queryNodes(parent, await listRunningQueries(client));
}

function queryNodes(parent: QueriesNode, listed: readonly RunningQuery[]): ExplorerNode[] {
  const { connectionId } = parent;
  return listed.map((item) => ({ kind: "query", connectionId, item, parent }));
}
