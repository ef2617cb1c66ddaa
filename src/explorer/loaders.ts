// What a node's children are. A loader asks the server once and never throws: a failure is a node too.
// The client library is imported with the first list, so that it costs nothing at activation.
import type { ServerAccess } from "../connections/connection.ts";
import type { Client } from "../mindsdb/client.ts";
import {
  groupKinds,
  nodeId,
  type ConnectionNode,
  type ExplorerNode,
  type GroupNode,
  type ModelNode,
  type ParentNode,
  type ProjectNode,
} from "./node.ts";

/** The connections, which are the tree's roots. */
export function loadRoots(access: ServerAccess): ConnectionNode[] {
  return access
    .list()
    .map((connection) => ({ kind: "connection", connectionId: connection.id, connection }));
}

/** A node's children: one request at most. What fails comes back as one error node. */
export async function loadChildren(
  node: ParentNode,
  access: ServerAccess,
): Promise<ExplorerNode[]> {
  const { connectionId } = node;
  try {
    const children = withoutRepeats(await load(node, access));
    return children.length > 0 ? children : [{ kind: "empty", connectionId, parent: node }];
  } catch (error) {
    return [{ kind: "error", connectionId, error, parent: node }];
  }
}

/** VS Code shows nothing of a list in which an id comes twice, and for the API one name is one thing. */
function withoutRepeats(nodes: ExplorerNode[]): ExplorerNode[] {
  const ids = new Set<string>();
  return nodes.filter((node) => {
    const id = nodeId(node);
    return !ids.has(id) && ids.add(id);
  });
}

async function load(node: ParentNode, access: ServerAccess): Promise<ExplorerNode[]> {
  switch (node.kind) {
    case "connection":
      return projects(node, await access.client(node.connectionId));
    case "project":
      return groupKinds.map((group) => groupNode(node, group));
    case "group":
      return items(node, await access.client(node.connectionId));
    case "model":
      return versions(node);
  }
}

async function projects(parent: ConnectionNode, client: Client): Promise<ProjectNode[]> {
  const { connectionId } = parent;
  const { listProjects } = await import("../mindsdb/projects.ts");
  return (await listProjects(client)).map(({ name, isDefault }) => ({
    kind: "project",
    connectionId,
    project: name,
    isDefault,
    parent,
  }));
}

function groupNode(parent: ProjectNode, group: GroupNode["group"]): GroupNode {
  const { connectionId, project } = parent;
  return { kind: "group", connectionId, project, group, parent };
}

async function items(parent: GroupNode, client: Client): Promise<ExplorerNode[]> {
  const { connectionId, project } = parent;
  const common = { connectionId, project, parent };
  switch (parent.group) {
    case "knowledgeBases": {
      const { listKnowledgeBases } = await import("../mindsdb/knowledgeBases.ts");
      return (await listKnowledgeBases(client, project)).map((item) => ({
        kind: "knowledgeBase",
        ...common,
        name: item.name,
        item,
      }));
    }
    case "agents": {
      const { listAgents } = await import("../mindsdb/agents.ts");
      return (await listAgents(client, project)).map((item) => ({
        kind: "agent",
        ...common,
        name: item.name,
        item,
      }));
    }
    case "models": {
      const { listModels } = await import("../mindsdb/models.ts");
      return (await listModels(client, project)).map((item) => ({
        kind: "model",
        ...common,
        name: item.name,
        item,
      }));
    }
  }
}

/** Every version of a model, the active one included: each can be described and used by its number. */
function versions(parent: ModelNode): ExplorerNode[] {
  const { connectionId, project, name } = parent;
  return parent.item.versions.map((item) => ({
    kind: "modelVersion",
    connectionId,
    project,
    name,
    item,
    parent,
  }));
}
