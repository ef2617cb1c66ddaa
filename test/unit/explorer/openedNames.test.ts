// The tree of a server that cannot list its objects shows objects that the user opened by name.
import assert from "node:assert/strict";
import type { ServerAccess } from "../../../src/shared/connection.ts";
import { loadChildren } from "../../../src/explorer/loadChildren.ts";
import { loadRoots } from "../../../src/explorer/loadRoots.ts";
import { nodeId, type ExplorerNode, type ParentNode } from "../../../src/explorer/node.ts";
import {
  withName,
  withoutName,
  type OpenedKind,
  type OpenedName,
} from "../../../src/explorer/openedNames.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { AppError } from "../../../src/mindsdb/errors.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { startSampleServer } from "../../../src/sample/server/server.ts";
import { held, startApiOnlyServer } from "../../apiOnlyServer.ts";
import { clientOver } from "../../clientOver.ts";
import { accessTo } from "./accessTo.ts";

const opened = (kind: OpenedKind, name: string, project = held.project): OpenedName => {
  return { kind, project, name };
};

describe("objects opened by name", () => {
  let transport: Transport;
  let access: ServerAccess;
  let names: OpenedName[] = [];
  const connectTo = (url: string): void => {
    transport = createTransport(parseAddress(url));
    access = accessTo({ here: clientOver(transport) });
  };
  afterEach(() => transport.close());

  const childrenOf = (node: ParentNode): Promise<ExplorerNode[]> =>
    loadChildren(node, access, () => names);
  const said = (nodes: ExplorerNode[]): string[] =>
    nodes.map((node) => {
      if (node.kind === "project") return `project ${node.project}`;
      return "name" in node ? `${node.kind} ${node.name}` : node.kind;
    });
  const find = (nodes: ExplorerNode[], id: RegExp): ParentNode => {
    const found = nodes.find((node) => id.test(nodeId(node)));
    assert.ok(found);
    return found as ParentNode;
  };
  const root = (): ParentNode => loadRoots(access)[0]!;

  it("are shown under their project, before a row that explains what is missing", async () => {
    const server = await startApiOnlyServer();
    connectTo(server.url);
    names = [];
    assert.deepEqual(said(await childrenOf(root())), ["unlisted"]);
    names = [
      opened("model", "m"),
      opened("agent", "b"),
      opened("agent", "a"),
      opened("agent", "c", "other"),
      opened("knowledgeBase", held.knowledgeBase),
      opened("knowledgeBase", "gone"),
    ];
    const projects = await childrenOf(root());
    assert.deepEqual(said(projects), [`project ${held.project}`, "project other", "unlisted"]);
    const groups = await childrenOf(find(projects, /mindsdb$/));
    const inGroup = async (group: RegExp) => childrenOf(find(groups, group));
    assert.deepEqual(said(await inGroup(/agents$/)), ["agent a", "agent b", "unlisted"]);
    assert.deepEqual(said(await inGroup(/models$/)), ["model m", "unlisted"]);
    const bases = await inGroup(/knowledgeBases$/);
    assert.deepEqual(said(bases), [
      `knowledgeBase ${held.knowledgeBase}`,
      "knowledgeBase gone",
      "unlisted",
    ]);
    const [base] = bases;
    assert.ok(base?.kind === "knowledgeBase");
    assert.equal(base.item.embeddingModel, "openai · text-embedding-3-small");
    await server.stop();
  });

  it("change nothing if the server lists its objects", async () => {
    const server = await startSampleServer();
    connectTo(server.url);
    names = [opened("agent", "nobody"), opened("agent", "nobody", "nowhere")];
    const projects = await childrenOf(root());
    assert.deepEqual(said(projects), [
      "project mindsdb",
      "project support",
      "data",
      "mlEngines",
      "queries",
    ]);
    const agents = await childrenOf(find(await childrenOf(find(projects, /mindsdb$/)), /agents$/));
    assert.ok(!said(agents).some((line) => /nobody|unlisted/.test(line)));
    await server.stop();
  });

  it("do not hide that a listed project was deleted", async () => {
    const server = await startSampleServer();
    connectTo(server.url);
    names = [opened("agent", "a", "gone")];
    const parent = { kind: "project", connectionId: "here", project: "gone", isDefault: false };
    const project = { ...parent, parent: root() } as ParentNode;
    const [failure] = await childrenOf(find(await childrenOf(project), /agents$/));
    assert.ok(failure?.kind === "error" && failure.error instanceof AppError);
    await server.stop();
  });

  it("are stored without duplicates, the newest last, up to a limit", () => {
    const [a, b] = [opened("agent", "a"), opened("model", "a")];
    assert.deepEqual(withName([a, b], a), [b, a]);
    assert.deepEqual(withoutName([a, b], a), [b]);
    const many = Array.from({ length: 300 }, (_, at) => opened("agent", `a${at}`));
    const kept = many.reduce<OpenedName[]>((names, one) => withName(names, one), []);
    assert.deepEqual(kept, many.slice(100));
    connectTo("http://127.0.0.1:1");
  });
});
