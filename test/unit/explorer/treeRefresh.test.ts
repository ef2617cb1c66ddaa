// When lists in view are read again. What comes of it is in test/host/treeSync.test.ts.
import assert from "node:assert/strict";
import { mock } from "node:test";
import type { Connection } from "../../../src/shared/connection.ts";
import type { SyncedTree, TreeList } from "../../../src/explorer/host/loadedTree.ts";
import { TreeRefresh } from "../../../src/explorer/host/treeRefresh.ts";
import {
  nodeId,
  type ErrorNode,
  type ExplorerNode,
  type ParentNode,
} from "../../../src/explorer/node.ts";
import { AppError } from "../../../src/mindsdb/errors.ts";

const connectionId = "c";
const root: ParentNode = { kind: "connection", connectionId, connection: {} as Connection };
const project: ParentNode = {
  kind: "project",
  connectionId,
  project: "p",
  isDefault: true,
  parent: root,
};
const group = (of: "agents" | "jobs"): ParentNode => {
  return { kind: "group", connectionId, project: "p", group: of, parent: project };
};
const data: ParentNode = { kind: "data", connectionId, parent: root };
const source = (name: string): ParentNode => {
  return { kind: "dataSource", connectionId, name, item: { name, kind: "data" }, parent: data };
};
const job = (nextRunMs: number): ExplorerNode => {
  const parent = group("jobs") as Extract<ParentNode, { kind: "group" }>;
  const item = { name: "j", query: "", nextRunMs };
  return { kind: "job", connectionId, project: "p", name: "j", item, parent };
};

describe("reading the tree again", () => {
  let isVisible: boolean;
  let unfocusedSince: number | undefined;
  let failure: ErrorNode | undefined;
  let reads: string[];
  let onRead: () => void;
  let gone: string[];
  let collapsedIds: Set<string>;
  let lists: Map<string, TreeList>;
  let refresh: TreeRefresh;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
    [isVisible, unfocusedSince, failure] = [true, undefined, undefined];
    [reads, gone, collapsedIds, lists] = [[], [], new Set(), new Map()];
    onRead = () => undefined;
    const tree = {
      lists,
      collapsedIds,
      isVisible: () => isVisible,
      unfocusedSince: () => unfocusedSince,
    };
    refresh = new TreeRefresh(tree as unknown as SyncedTree, {
      isGone: (id) => gone.includes(id),
      isReading: () => false,
      readAgain: ({ node }) => {
        reads.push("group" in node ? node.group : "name" in node ? String(node.name) : node.kind);
        onRead();
        return Promise.resolve(failure);
      },
    });
  });
  afterEach(() => {
    refresh.dispose();
    mock.timers.reset();
  });

  function load(node: ParentNode, nodes: ExplorerNode[] = [], tookMs = 5): void {
    const list = { node, nodes, loading: Promise.resolve(nodes) };
    lists.set(nodeId(node), list);
    refresh.noteRead(list, tookMs);
  }

  /** The lists read in this many seconds. */
  async function pass(seconds: number): Promise<string[]> {
    reads.length = 0;
    for (let second = 0; second < seconds; second++) {
      mock.timers.tick(1_000);
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    }
    return [...reads];
  }

  it("reads each list in view every 30 s, one after the other", async () => {
    for (const node of [root, project, group("agents"), data, source("files")]) load(node);
    assert.deepEqual(await pass(29), []);
    assert.deepEqual(await pass(1), ["connection", "agents", "data", "files"]);
    assert.deepEqual(await pass(29), []);
    assert.deepEqual(await pass(2), ["connection", "agents", "data", "files"]);
  });

  it("reads nothing while the view is hidden or the row is collapsed", async () => {
    load(group("agents"));
    isVisible = false;
    assert.deepEqual(await pass(70), []);
    isVisible = true;
    collapsedIds.add(nodeId(project));
    refresh.attend();
    assert.deepEqual(await pass(70), []);
    collapsedIds.clear();
    refresh.attend();
    assert.deepEqual(reads, ["agents"]);
  });

  it("goes on for ten minutes without the focus, as the user may watch the tree beside another window", async () => {
    load(group("agents"));
    load(source("warehouse"));
    unfocusedSince = Date.now();
    refresh.attend();
    assert.deepEqual(reads, []);
    assert.equal((await pass(599)).join(), Array(19).fill("agents").join());
    assert.deepEqual(await pass(1_200), []);
    unfocusedSince = undefined;
    refresh.attend();
    assert.deepEqual(reads, ["agents"]);
  });

  it("reads databases behind the server only when the user turns to the tree, at most every 5 min", async () => {
    load(source("warehouse"));
    assert.deepEqual(await pass(301), []);
    refresh.attend();
    assert.deepEqual(reads, ["warehouse"]);
    await pass(100);
    refresh.attend();
    assert.deepEqual(reads, []);
  });

  it("reads slow lists less often, and failing ones less and less", async () => {
    load(group("agents"), [], 5_000);
    assert.deepEqual(await pass(99), []);
    failure = { kind: "error", connectionId, error: new Error("no"), parent: root };
    assert.deepEqual(await pass(1 + 59), ["agents"]);
    assert.deepEqual(await pass(1 + 119), ["agents"]);
    failure = undefined;
    assert.deepEqual(await pass(1 + 29), ["agents"]);
    assert.deepEqual(await pass(30), ["agents"]);
  });

  it("asks no server that wants a sign-in until a request succeeds, and one that is gone once", async () => {
    failure = {
      kind: "error",
      connectionId,
      error: new AppError("signInNeeded", ""),
      parent: root,
    };
    load(root);
    load(group("agents"));
    assert.deepEqual(await pass(30), ["connection"]);
    refresh.attend();
    assert.deepEqual(await pass(600), []);
    failure = undefined;
    refresh.noteAnswer(connectionId);
    gone.push(connectionId);
    refresh.schedule();
    assert.deepEqual(await pass(1), ["connection"]);
    gone.length = 0;
    refresh.schedule();
    assert.deepEqual(await pass(1), ["agents"]);
  });

  it("leaves lists alone that failed or that the server does not have", async () => {
    const error: ExplorerNode = { kind: "error", connectionId, error: new Error(""), parent: root };
    load(group("agents"), [error]);
    load(root, [{ ...error, kind: "unlisted" } as ExplorerNode]);
    refresh.attend();
    assert.deepEqual(await pass(90), []);
  });

  it("reads jobs at most every 2 s, whatever a server says of their next runs", async () => {
    const jobs = [job(Date.now() - 900)];
    load(group("jobs"), jobs);
    onRead = () => (jobs[0] = job(Date.now() - 900));
    for (let tick = 0; tick < 1_000; tick++) {
      mock.timers.tick(10);
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    }
    assert.ok(reads.length >= 4 && reads.length <= 5, String(reads.length));
  });

  it("finds the next run among any number of jobs", async () => {
    load(group("jobs"), Array<ExplorerNode>(200_000).fill(job(Date.now() + 9_000)));
    assert.deepEqual(await pass(9), []);
    assert.deepEqual(await pass(1), ["jobs"]);
  });

  it("reads jobs when the next one should have run, without focus too", async () => {
    unfocusedSince = 0;
    load(group("jobs"), [job(Date.now() + 9_000), job(Date.now() + 50_000)]);
    assert.deepEqual(await pass(9), []);
    assert.deepEqual(await pass(1), ["jobs"]);
    assert.deepEqual(await pass(29), []);
    assert.deepEqual(await pass(1), ["jobs"]);
  });
});
