import assert from "node:assert/strict";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import { readGuard, type Connection } from "../../src/shared/connection.ts";
import {
  ExplorerTreeDataProvider,
  type TreeAccess,
} from "../../src/explorer/host/treeDataProvider.ts";
import { ExplorerActions } from "../../src/explorer/host/explorerActions.ts";
import { OpenedNamesStore } from "../../src/explorer/host/openedNamesStore.ts";
import type { ExplorerNode, NamedNode } from "../../src/explorer/node.ts";
import { nodeId } from "../../src/explorer/node.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { getStatus } from "../../src/mindsdb/http/login.ts";
import { createTransport, type Transport } from "../../src/mindsdb/http/transport.ts";
import { startTestServer } from "../sampleServer/server.ts";
import { Log } from "../../src/shared/host/log.ts";
import { engineFailure, startFaultProxy, type FaultProxy } from "../proxy/faultProxy.ts";
import { drawnItem, memory, until } from "./workbench.ts";
import { clientOver } from "../clientOver.ts";

type Sample = Awaited<ReturnType<typeof startTestServer>>;

function accessTo(url: string, transport: Transport): TreeAccess {
  const connection: Connection = {
    id: "c 1/ä",
    name: "Test",
    address: url,
    isPreset: false,
    ...readGuard({}),
  };
  const client = clientOver(transport);
  return {
    list: () => [connection],
    find: () => connection,
    client: () => Promise.resolve(client),
    status: () => getStatus(transport),
    allowWrite: () => Promise.resolve(true),
    secrets: () => client.secrets,
    listSignedInIds: () => Promise.resolve(new Set<string>()),
    unreachableSince: () => undefined,
  };
}

describe("The explorer", () => {
  let server: Sample;
  let proxy: FaultProxy;
  let transport: Transport;
  let log: Log;
  let state: vscode.Memento;
  let access: TreeAccess;
  let tree: ExplorerTreeDataProvider;
  const trees: ExplorerTreeDataProvider[] = [];

  before(async () => {
    server = await startTestServer({ unguarded: true });
    log = new Log();
  });
  beforeEach(async () => {
    proxy = await startFaultProxy({ target: server.url });
    transport = createTransport(parseAddress(proxy.url));
    access = accessTo(proxy.url, transport);
    state = memory();
    tree = createTree();
  });
  afterEach(async () => {
    for (const one of trees.splice(0)) one.dispose();
    await transport.close();
    await proxy.stop();
  });
  after(() => server.stop());

  function createTree(servers = access): ExplorerTreeDataProvider {
    const created = new ExplorerTreeDataProvider(servers, state, log);
    trees.push(created);
    return created;
  }
  /** A new tree with the state of the others, and the row of its first connection. */
  async function createWithRoot(servers: TreeAccess) {
    const fresh = createTree(servers);
    const drawn: unknown[] = [];
    fresh.onDidChangeTreeData((nodes) => drawn.push(nodes));
    const [root] = await fresh.getChildren();
    assert.ok(root);
    return { fresh, root, drawn, item: () => drawnItem(fresh, root) };
  }
  const child = async (parent: ExplorerNode | undefined, label: string): Promise<ExplorerNode> => {
    const children = await tree.getChildren(parent);
    const found = children.find((node) => drawnItem(tree, node).label === label);
    assert.ok(found, `${label} is not among ${children.map(nodeId).join(", ")}`);
    return found;
  };
  const open = async (...labels: string[]): Promise<ExplorerNode> => {
    let node: ExplorerNode | undefined;
    for (const label of labels) node = await child(node, label);
    assert.ok(node);
    return node;
  };
  const requests = (path: RegExp) => proxy.requests.filter((request) => path.test(request.path));

  it("requests a group once, when it is opened", async () => {
    const models = await open("Test", "mindsdb", "Models");
    assert.equal(requests(/\/models$/).length, 0);
    assert.ok((await tree.getChildren(models)).length > 1);
    await tree.getChildren(models);
    assert.equal(requests(/\/models/).length, 1);
    assert.equal(requests(/\/(agents|knowledge_bases)/).length, 0);
  });

  it("shows a group's count after it was opened", async () => {
    const agents = await open("Test", "mindsdb", "Agents");
    assert.equal(drawnItem(tree, agents).description, undefined);
    const { length } = await tree.getChildren(agents);
    assert.equal(drawnItem(tree, agents).description, String(length));
  });

  it("shows a model's active version and status, and the other versions below it", async () => {
    const model = await open("Test", "mindsdb", "Models", "home_rentals_model");
    const item = drawnItem(tree, model);
    assert.match(String(item.description), /^complete · v\d+$/);
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    const versions = (await tree.getChildren(model)).map((node) => drawnItem(tree, node));
    assert.ok(versions.length > 1);
    assert.equal(
      versions.filter(({ description }) => String(description).includes("active")).length,
      1,
    );
    const single = await open("Test", "mindsdb", "Models", "location_model");
    assert.equal(drawnItem(tree, single).collapsibleState, vscode.TreeItemCollapsibleState.None);
  });

  it("shows a failed list as one error node, with everything else, and requests it again on Retry", async () => {
    proxy.set({ on: /\/agents$/, answer: engineFailure });
    const project = await open("Test", "mindsdb");
    const agents = await child(project, "Agents");
    const children = await tree.getChildren(agents);
    assert.deepEqual(
      children.map(({ kind }) => kind),
      ["error"],
    );
    const item = drawnItem(tree, children[0]!);
    assert.equal(typeof item.label, "string");
    assert.doesNotMatch(item.label as string, /Traceback|site-packages/);
    assert.ok(item.command);
    assert.ok((await tree.getChildren(await child(project, "Models"))).length > 1);

    proxy.set();
    // The row is drawn again because of the count beside it.
    assert.deepEqual(await tree.getChildren(agents), children);
    const { command, arguments: given = [] } = item.command;
    await vscode.commands.executeCommand(command, ...(given as unknown[]));
    tree.refresh(agents);
    const again = await tree.getChildren(agents);
    assert.ok(again.every(({ kind }) => kind === "agent"));
  });

  it("refreshes one node and requests nothing else", async () => {
    const project = await open("Test", "mindsdb");
    const agents = await child(project, "Agents");
    const models = await child(project, "Models");
    await tree.getChildren(agents);
    await tree.getChildren(models);
    proxy.requests.length = 0;
    tree.refresh(agents);
    await tree.getChildren(agents);
    await tree.getChildren(models);
    assert.equal(requests(/\/agents/).length, 1);
    // The server's status may still be on its way.
    assert.equal(requests(/^(?!\/api\/status)/).length, 1);
  });

  it("explains in an empty group what to do", async () => {
    proxy.set({
      on: /\/models$/,
      answer: { status: 200, headers: { "content-type": "application/json" }, body: "[]" },
    });
    const models = await open("Test", "mindsdb", "Models");
    const [empty, ...rest] = await tree.getChildren(models);
    assert.equal(rest.length, 0);
    assert.equal(empty?.kind, "empty");
    assert.ok(drawnItem(tree, empty).command);
    assert.equal(drawnItem(tree, models).description, "0");
  });

  it("offers to edit and reconnect a data source also at the row with the reason", async () => {
    const source = await open("Test", "Data", "old_office");
    const [failed] = await tree.getChildren(source);
    assert.ok(failed?.kind === "error");
    assert.equal(drawnItem(tree, failed).contextValue, "error.dataSource");
    // What the commands need of the row.
    assert.deepEqual([failed.connectionId, failed.name], [source.connectionId, "old_office"]);
    proxy.set({ unauthorized: true });
    tree.refresh(source);
    const [signIn] = await tree.getChildren(source);
    assert.ok(signIn?.kind === "error");
    assert.equal(drawnItem(tree, signIn).contextValue, "error");
  });

  it("shows Sign In if the server requires it", async () => {
    proxy.set({ unauthorized: true });
    const connection = await open("Test");
    const [node] = await tree.getChildren(connection);
    assert.equal(node?.kind, "error");
    const { command } = drawnItem(tree, node);
    assert.equal(command?.command, "mindsdbWorkbench.connection.signIn");
    assert.deepEqual(command.arguments, ["c 1/ä"]);
  });

  it("restores which nodes were expanded, also if VS Code reported no expansion, but asked for children", async () => {
    const project = await open("Test", "mindsdb");
    tree.setExpanded(project, true);
    const agents = await child(project, "Agents");
    await tree.getChildren(agents);
    const models = await child(project, "Models");
    await tree.loadChildren(models);
    const later = createTree();
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    for (const [node, expected] of [
      [project, Expanded],
      [agents, Expanded],
      [models, Collapsed],
    ] as const) {
      assert.equal((await later.getTreeItem(node)).collapsibleState, expected, nodeId(node));
    }
  });

  it("expands the only connection if it comes from a setting, unless the user has collapsed it", async () => {
    const stateOfFirst = async (...connections: Connection[]) =>
      (await createWithRoot({ ...access, list: () => connections })).item().collapsibleState;
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const [added] = access.list();
    assert.ok(added);
    const preset = { ...added, isPreset: true };
    assert.equal(await stateOfFirst(preset), Expanded);
    assert.equal(await stateOfFirst(added), Collapsed);
    assert.equal(await stateOfFirst(preset, added), Collapsed);
    tree.setExpanded(await open("Test"), false);
    assert.equal(await stateOfFirst(preset), Collapsed);
  });

  it("shows a server's version once it is known", async () => {
    const drawn: unknown[] = [];
    const subscription = tree.onDidChangeTreeData((nodes) => drawn.push(nodes));
    const connection = await open("Test");
    await tree.getChildren(connection);
    await until("the version", () => drawn.flat().includes(connection));
    assert.match(String(drawnItem(tree, connection).description), /26\.1\.0/);
    subscription.dispose();
  });

  it("sets the context values for Sign In and Sign Out", async () => {
    const contexts = async (access: TreeAccess) => {
      const { fresh, root, drawn, item } = await createWithRoot(access);
      const before = item().contextValue;
      await fresh.getChildren(root);
      await until("the server's version", () => drawn.flat().includes(root));
      return [before, item().contextValue];
    };
    assert.deepEqual(await contexts(access), ["connection.own", "connection.own.withoutLogin"]);
    const wantsLogin: TreeAccess = {
      ...access,
      status: async (id) => ({ ...(await access.status(id)), authEnabled: true }),
    };
    assert.deepEqual(await contexts(wantsLogin), ["connection.own", "connection.own"]);
    const ids = new Set(access.list().map(({ id }) => id));
    const signedIn: TreeAccess = { ...access, listSignedInIds: () => Promise.resolve(ids) };
    assert.deepEqual(await contexts(signedIn), [
      "connection.own.signedIn",
      "connection.own.signedIn",
    ]);
  });

  it("shows its rows while the keychain waits for its own password", async () => {
    const ids = new Set(access.list().map(({ id }) => id));
    let open: (() => void) | undefined;
    const locked = new Promise<ReadonlySet<string>>((resolve) => (open = () => resolve(ids)));
    const { drawn, item } = await createWithRoot({ ...access, listSignedInIds: () => locked });
    assert.equal(item().contextValue, "connection.own");
    open?.();
    await until("the keychain's response", () => drawn.length > 0);
    assert.equal(item().contextValue, "connection.own.signedIn");
  });

  it("draws its rows once if the keychain responds quickly", async () => {
    const ids = new Set(access.list().map(({ id }) => id));
    const signedIn = () => nextTurn(ids);
    const { drawn, item } = await createWithRoot({ ...access, listSignedInIds: signedIn });
    assert.equal(item().contextValue, "connection.own.signedIn");
    await sleep(50);
    assert.deepEqual(drawn, []);
  });

  it("escapes names in tooltips, which are Markdown", async () => {
    const agent = await open("Test", "mindsdb", "Agents", "rental_agent");
    assert.equal(agent.kind, "agent");
    const hostile: ExplorerNode = { ...agent, name: "[x](command:y) ![i](http://h/i) <b>z</b>" };
    const { tooltip } = await tree.resolveTreeItem(drawnItem(tree, hostile), hostile);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.doesNotMatch(tooltip.value, /\]\(command:|!\[i\]\(|<b>/);
    assert.ok(!tooltip.isTrusted && !tooltip.supportHtml);
  });

  it("reveals nothing where an item is gone again", async () => {
    const asked: string[] = [];
    const opened = () => [];
    const actions = new ExplorerActions({
      ...{ provider: tree, names: new OpenedNamesStore(state), opened, log },
      access: access,
      view: {
        reveal: (node: ExplorerNode) => {
          asked.push(node.kind);
          return Promise.reject(new Error("Cannot resolve tree item for element 0/1:gone"));
        },
      } as Partial<vscode.TreeView<ExplorerNode>> as vscode.TreeView<ExplorerNode>,
    });
    const at = { connectionId: access.list()[0]!.id, project: "mindsdb" };
    await actions.revealItem("agent", { ...at, name: "rental_agent" });
    await actions.revealTable({ ...at, project: "files", name: "home_rentals" });
    await actions.reveal((await open("Test", "mindsdb", "Agents", "rental_agent")) as NamedNode);
    assert.deepEqual(asked, ["agent", "table", "agent"]);
  });
});
