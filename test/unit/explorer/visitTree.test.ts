// The tree traversal of `MindsDB: Find…`, and lists with unexpected content.
import assert from "node:assert/strict";
import type { ServerAccess } from "../../../src/shared/connection.ts";
import { loadChildren } from "../../../src/explorer/loadChildren.ts";
import { loadRoots } from "../../../src/explorer/loadRoots.ts";
import { nodeId, type ExplorerNode, type ParentNode } from "../../../src/explorer/node.ts";
import { visitTree } from "../../../src/explorer/visitTree.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import { accessTo } from "./accessTo.ts";

type Answers = (path: string) => Promise<unknown>;

/** Connections by id, each with what its server answers. */
function accessToServers(servers: Record<string, Answers>): ServerAccess {
  const clients = Object.entries(servers).map(([id, get]) => {
    const client = { get, secrets: new Secrets(), observe: () => undefined };
    return [id, client as never as Client] as const;
  });
  return accessTo(Object.fromEntries(clients));
}

const projects = ["a", "b", "c", "d"].map((name) => ({ name, type: "project" }));
const answers = (path: string): unknown => {
  if (path === "/api/databases/") return projects;
  return path.endsWith("/agents") ? [{ name: "one" }] : [];
};

const agentsOf = (nodes: ExplorerNode[]) => nodes.filter(({ kind }) => kind === "agent").length;

describe("visiting the whole tree", () => {
  it("requests three lists at a time from a server, each once", async () => {
    const asked: string[] = [];
    let [now, most] = [0, 0];
    const server: Answers = async (path) => {
      asked.push(path);
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 2));
      now--;
      return answers(path);
    };
    const found: ExplorerNode[] = [];
    await visitTree(
      accessToServers({ here: server }),
      (node) => found.push(node),
      () => false,
    );
    assert.equal(agentsOf(found), projects.length);
    assert.equal(most, 3);
    assert.equal(asked.length, 1 + 4 * projects.length);
    assert.equal(new Set(asked).size, asked.length);
  });

  it("does not wait for a server that does not respond", async () => {
    const found: ExplorerNode[] = [];
    let isOver = false;
    let giveUp: (() => void) | undefined;
    const dead: Answers = () =>
      new Promise((_, reject) => (giveUp = () => reject(new Error("silence"))));
    const servers = {
      dead,
      alsoDead: dead,
      here: (path: string) => Promise.resolve(answers(path)),
    };
    const walked = visitTree(
      accessToServers(servers),
      (node) => found.push(node),
      () => isOver,
    );
    while (agentsOf(found) < projects.length) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(agentsOf(found), projects.length);
    isOver = true;
    giveUp?.();
    void walked;
  });
});

describe("a list of the tree", () => {
  const groupOf = async (access: ServerAccess, group: number): Promise<ParentNode> => {
    const [root] = loadRoots(access);
    const [project] = await loadChildren(root!, access);
    return (await loadChildren(project as ParentNode, access))[group] as ParentNode;
  };

  it("has unique ids even if the server repeats names", async () => {
    const rows = [
      { name: "m", version: 1, active: true },
      { name: "m", version: 1 },
      { name: "m" },
      { name: "m", version: 2 },
      { name: "n", version: 1 },
      { name: "n", version: 1 },
    ];
    const access = accessToServers({
      here: (path) => Promise.resolve(path === "/api/databases/" ? projects : rows),
    });
    for (const group of [0, 1, 2]) {
      const nodes = await loadChildren(await groupOf(access, group), access);
      const ids = nodes.map(nodeId);
      assert.equal(ids.length, 2, ids.join());
      assert.equal(new Set(ids).size, 2);
    }
    const [model] = await loadChildren(await groupOf(access, 2), access);
    const versions = await loadChildren(model as ParentNode, access);
    assert.equal(new Set(versions.map(nodeId)).size, versions.length);
  });

  it("has ids that tell connections and projects apart whose names have slashes", () => {
    const connection = (connectionId: string): ParentNode =>
      ({ kind: "connection", connectionId }) as ParentNode;
    const project = (connectionId: string, name: string) =>
      ({ kind: "project", parent: connection(connectionId), project: name }) as ExplorerNode;
    const nodes = [
      connection("a"),
      connection("a/b"),
      project("a", "b"),
      project("a", "b/c"),
      project("a/b", "c"),
    ];
    assert.equal(new Set(nodes.map(nodeId)).size, nodes.length);
  });

  it("shows a project even if another field has an unexpected type", async () => {
    const rows = [
      { name: "p", type: "project", deletable: 1 },
      { name: "q", type: "project", deletable: null },
      { name: "mindsdb", type: "project", deletable: false },
    ];
    const access = accessToServers({ here: () => Promise.resolve(rows) });
    const nodes = await loadChildren(loadRoots(access)[0]!, access);
    assert.deepEqual(
      nodes.flatMap((node) => (node.kind === "project" ? node.project : [])),
      ["mindsdb", "p", "q"],
    );
  });
});
