// The tree applies what the extension's requests reveal about a server, with as few requests and redraws as possible.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import { readGuard, type Connection } from "../../src/shared/connection.ts";
import {
  ExplorerTreeDataProvider,
  type TreeAccess,
} from "../../src/explorer/host/treeDataProvider.ts";
import { ProjectActions } from "../../src/explorer/host/projectActions.ts";
import { copiedName } from "../../src/explorer/copiedName.ts";
import type { ExplorerNode } from "../../src/explorer/node.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { createAgent, deleteAgent, getAgent, listAgents } from "../../src/mindsdb/agents.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { getStatus } from "../../src/mindsdb/http/login.ts";
import { findVersion, listModels } from "../../src/mindsdb/models.ts";
import { runSql } from "../../src/mindsdb/sql/runSql.ts";
import { createView, deleteView } from "../../src/mindsdb/viewChanges.ts";
import { createTransport, type Transport } from "../../src/mindsdb/http/transport.ts";
import { startTestServer } from "../sampleServer/server.ts";
import { Log } from "../../src/shared/host/log.ts";
import { clientOver } from "../clientOver.ts";
import type { Answer } from "../proxy/faults.ts";
import { startFaultProxy, type FaultProxy } from "../proxy/faultProxy.ts";
import {
  actUntil,
  drawnItem,
  inputBoxes,
  memory,
  until,
  untilQuiet,
  withWindow,
} from "./workbench.ts";

/** The server's list; both generations keep `active` on the old version while a new one trains. */
interface ModelRow {
  name: string;
  version: number;
  status: string;
  active: boolean;
}

const project = "mindsdb";

describe("Tree synchronization", () => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let proxy: FaultProxy;
  let transport: Transport;
  let client: Client;
  let log: Log;
  let access: TreeAccess;
  let tree: ExplorerTreeDataProvider;
  /** The nodes that VS Code was told to redraw. */
  let drawn: (ExplorerNode | ExplorerNode[] | undefined)[];
  /** What the tree is to learn later; undefined where it learns at once. */
  let held: (() => void)[] | undefined;

  before(async () => {
    server = await startTestServer({ unguarded: true });
    log = new Log();
  });
  beforeEach(async () => {
    proxy = await startFaultProxy({ target: server.url });
    transport = createTransport(parseAddress(proxy.url));
    const connectionId = "c";
    const connection: Connection = {
      id: "c",
      name: "Test",
      address: proxy.url,
      isPreset: false,
      ...readGuard({}),
    };
    client = clientOver(transport, {
      observe: (observation) => {
        const learn = () => void tree.handleServerChange({ ...observation, connectionId });
        if (held) held.push(learn);
        else learn();
      },
    });
    access = {
      list: () => [connection],
      find: () => connection,
      client: () => Promise.resolve(client),
      status: () => getStatus(transport),
      allowWrite: () => Promise.resolve(true),
      secrets: () => client.secrets,
      listSignedInIds: () => Promise.resolve(new Set<string>()),
      unreachableSince: () => undefined,
    };
    tree = new ExplorerTreeDataProvider(access, memory(), log);
    drawn = [];
    held = undefined;
    tree.onDidChangeTreeData((what) => drawn.push(what));
  });
  afterEach(async () => {
    tree.dispose();
    await transport.close();
    await proxy.stop();
  });
  after(async () => {
    await server.stop();
  });

  /** Returns the node at these labels, and expands its parents. */
  async function open(...labels: string[]): Promise<ExplorerNode> {
    let node: ExplorerNode | undefined;
    for (const label of labels) {
      const children = await tree.getChildren(node);
      const found = children.find((child) => drawnItem(tree, child).label === label);
      assert.ok(found, `${label} is not there`);
      tree.setExpanded(found, true);
      node = found;
    }
    assert.ok(node);
    return node;
  }

  /** The rows below a node as VS Code would draw them now. */
  async function rows(node: ExplorerNode): Promise<string[]> {
    const children = await tree.getChildren(node);
    return children.map((child) => {
      const { label, description } = drawnItem(tree, child);
      return [label, description].filter((part) => typeof part === "string").join(": ");
    });
  }

  async function answerModels(models: ModelRow[]): Promise<void> {
    const body = JSON.stringify(models);
    const json = { status: 200, headers: { "content-type": "application/json" } };
    const one = (model: ModelRow): Answer => ({ ...json, body: JSON.stringify(model) });
    proxy.set(
      { on: /^GET \S+\/models$/, answer: { ...json, body } },
      ...models.map((model) => ({
        on: new RegExp(String.raw`/models/${model.name}\.${model.version}$`),
        answer: one(model),
      })),
    );
    await sleep(0);
  }

  /** The rows of models that VS Code was told to redraw; counts and versions are redrawn when they come. */
  const drawnModels = () => drawn.flat().filter((node) => node?.kind === "model");
  const requests = (path: RegExp) => proxy.requests.filter((request) => path.test(request.path));
  const v1: ModelRow = { name: "rents", version: 1, status: "complete", active: true };
  const v2: ModelRow = { name: "rents", version: 2, status: "generating", active: false };
  const trained = [
    { ...v1, active: false },
    { ...v2, status: "complete", active: true },
  ];

  it("uses a list that another part of the extension has read, and redraws only the changed row", async () => {
    await answerModels([v1, v2, { ...v1, name: "other" }]);
    const models = await open("Test", project, "Models");
    assert.deepEqual(await rows(models), [
      "other: complete · v1",
      "rents: complete · v1 · v2 generating",
    ]);
    const before = await tree.getChildren(models);
    const icons = () =>
      before.map((node) => (drawnItem(tree, node).iconPath as vscode.ThemeIcon).id);
    assert.deepEqual(icons(), ["graph-line", "sync"]);
    await answerModels([...trained, { ...v1, name: "other" }]);
    await listModels(client, project);
    await until("the new version", async () => (await rows(models))[1] === "rents: complete · v2");
    assert.deepEqual(await tree.getChildren(models), before);
    assert.deepEqual(icons(), ["graph-line", "graph-line"]);
    assert.equal(requests(/\/models$/).length, 2);
    await until("its row", () => drawnModels().length > 0);
    assert.deepEqual(drawnModels(), [before[1]]);
    await listModels(client, project);
    await sleep(400);
    assert.equal(drawnModels().length, 1, "unchanged rows are not redrawn");
  });

  it("shows the current versions below an expanded model", async () => {
    await answerModels([v1, v2]);
    const model = await open("Test", project, "Models", "rents");
    assert.deepEqual(await rows(model), ["version 2: generating", "version 1: complete · active"]);
    const { tooltip } = await tree.resolveTreeItem(drawnItem(tree, model), model);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    const said = tooltip.value.replaceAll("&nbsp;", " ").replaceAll("\\", "");
    assert.match(said, /In training: version 2 \(generating\)/);
    await answerModels(trained);
    await listModels(client, project);
    await until("both", async () => {
      const [newer, older] = await rows(model);
      return newer === "version 2: complete · active" && older === "version 1: complete";
    });
  });

  it("reads a list again if one version turns out to be different", async () => {
    await answerModels([v1, v2]);
    const models = await open("Test", project, "Models");
    await rows(models);
    await findVersion(client, { project, name: "rents", version: 2 });
    await sleep(100);
    assert.equal(requests(/\/models$/).length, 1, "nothing has changed");
    await answerModels(trained);
    await findVersion(client, { project, name: "rents", version: 2 });
    await until("the new version", async () => (await rows(models))[0] === "rents: complete · v2");
    assert.equal(requests(/\/models$/).length, 2);
  });

  it("updates only the affected list when something is created or deleted", async () => {
    const agents = await open("Test", project, "Agents");
    const models = await open("Test", project, "Models");
    await rows(models);
    const before = await rows(agents);
    const kept = await tree.getChildren(agents);
    await createAgent(client, project, { name: "a new one", data: {} });
    await until("its row", async () => (await rows(agents)).length === before.length + 1);
    assert.equal(drawnItem(tree, agents).description, String(before.length + 1));
    const all = await tree.getChildren(agents);
    assert.ok(
      kept.every((node) => all.includes(node)),
      "rows that stay are the same for VS Code",
    );
    await deleteAgent(client, project, "a new one");
    await until("no row", async () => (await rows(agents)).length === before.length);
    assert.equal(requests(/\/models$/).length, 1);
    assert.equal(requests(/\/databases\/$/).length, 1);
  });

  it("shows a project's views, and which were created and deleted", async () => {
    const views = await open("Test", project, "Views");
    await rows(views);
    const place = { project, name: "a view" };
    await createView(client, { ...place, query: "SELECT sqft FROM files.home_rentals" });
    await until("its row", async () => (await rows(views)).includes("a view"));
    const [node] = await tree.getChildren(views);
    assert.ok(node?.kind === "view");
    assert.equal(copiedName(node), "mindsdb.`a view`");
    assert.equal(drawnItem(tree, node).contextValue, "view");
    await deleteView(client, place);
    await until("no row", async () => !(await rows(views)).includes("a view"));
  });

  it("shows a project that its command creates on the connection that was clicked", async () => {
    const root = await open("Test");
    await rows(root);
    await withWindow({ createInputBox: inputBoxes(["trials"]) }, () =>
      new ProjectActions(access, log).create({ connectionId: "c" }),
    );
    await until("its row", async () => (await rows(root)).includes("trials"));
  });

  it("removes the row of an agent that turns out to be deleted", async () => {
    await createAgent(client, project, { name: "a short one", data: {} });
    const agents = await open("Test", project, "Agents");
    assert.ok((await rows(agents)).includes("a short one"));
    // Deleted elsewhere, which this window does not notice.
    const elsewhere = createTransport(parseAddress(server.url));
    await deleteAgent(clientOver(elsewhere), project, "a short one");
    await elsewhere.close();
    await assert.rejects(getAgent(client, project, "a short one"));
    await until("no row", async () => !(await rows(agents)).includes("a short one"));
  });

  it("requests nothing if something is missing that it does not show", async () => {
    const agents = await open("Test", project, "Agents");
    await rows(agents);
    proxy.requests.length = 0;
    await assert.rejects(getAgent(client, project, "nobody"));
    await sleep(150);
    assert.equal(requests(/\/agents$/).length, 0);
  });

  it("reads a list again after a successful statement about it", async () => {
    const agents = await open("Test", project, "Agents");
    const models = await open("Test", project, "Models");
    await Promise.all([rows(agents), rows(models)]);
    proxy.requests.length = 0;
    const json = { "content-type": "application/json" };
    const ok = { status: 200, headers: json, body: '{"type":"ok"}' };
    proxy.set({ on: /sql\/query/, times: 2, answer: ok });
    const learnings: (() => void)[] = [];
    held = learnings;
    await runSql(client, "DROP AGENT mindsdb.x");
    await runSql(client, "DROP AGENT mindsdb.y");
    held = undefined;
    for (const learn of learnings) learn();
    await until("the list", () => requests(/\/agents$/).length > 0);
    await sleep(150);
    assert.equal(requests(/\/agents$/).length, 1, "simultaneous events are one change");
    assert.equal(requests(/\/models$/).length, 0);
    await runSql(client, "SELECT 1");
    await sleep(150);
    assert.equal(requests(/\/agents$/).length, 1);
  });

  it("retries a failed list when the server responds to any request", async () => {
    proxy.set({ on: /\/agents$/, reset: true });
    const agents = await open("Test", project, "Agents");
    assert.equal((await tree.getChildren(agents))[0]?.kind, "error");
    proxy.set();
    // An earlier answer, of the server's status, may have led to a retry; the next one is seconds later.
    await actUntil(
      "the agents",
      () => runSql(client, "SELECT 1"),
      async () => (await tree.getChildren(agents))[0]?.kind === "agent",
    );
  });

  it("shows no version while there is no server, and the new one when there is", async () => {
    const connection = await open("Test");
    await tree.getChildren(connection);
    const description = (): unknown => drawnItem(tree, connection).description;
    await until("the version", () => Promise.resolve(String(description()).startsWith("26.1.0")));
    await proxy.refuse();
    await assert.rejects(listAgents(client, project));
    const withoutVersion = proxy.url.replace("http://", "");
    await until("no version", () => description() === withoutVersion);
    await proxy.accept();
    const status = JSON.stringify({ mindsdb_version: "27.0.0" });
    proxy.set({ on: /status$/, answer: { status: 200, body: status } });
    await listAgents(client, project);
    await until("the version", () => Promise.resolve(String(description()).startsWith("27.0.0")));
    const gateway = { status: 503, headers: { "content-type": "text/html" }, body: "<html>" };
    proxy.set({ answer: gateway });
    await assert.rejects(listAgents(client, project));
    await until("no version", () => description() === withoutVersion);
  });

  it("does not retry what the server itself cannot return", async () => {
    proxy.set({ on: /\/agents$/, answer: { status: 500, body: "{}" } });
    const agents = await open("Test", project, "Agents");
    assert.equal((await tree.getChildren(agents))[0]?.kind, "error");
    const asked = requests(/\/agents$/).length;
    await runSql(client, "SELECT 1");
    await sleep(150);
    await tree.getChildren(agents);
    assert.equal(requests(/\/agents$/).length, asked);
  });

  it("replaces a failed list by one that another part of the extension has read", async () => {
    proxy.set({ on: /\/agents$/, times: 1, answer: { status: 500, body: "{}" } });
    const agents = await open("Test", project, "Agents");
    assert.equal((await tree.getChildren(agents))[0]?.kind, "error");
    const listed = await listAgents(client, project);
    await until("them", async () => (await tree.getChildren(agents)).length === listed.length);
  });

  describe("while the tree is visible", () => {
    it("polls a training until it has ended", async () => {
      await answerModels([v1, v2]);
      const models = await open("Test", project, "Models");
      await rows(models);
      await tree.setVisible(true);
      await until("a poll", () => requests(/\/models$/).length >= 2);
      await answerModels(trained);
      await until("its end", async () => (await rows(models))[0] === "rents: complete · v2");
      await untilQuiet("no more polls", 2_500, () => requests(/\/models/).length);
    });

    it("polls a training even if VS Code has not reported the expanded rows", async () => {
      await answerModels([v1, v2]);
      const [connection] = await tree.getChildren();
      const [first] = await tree.getChildren(connection);
      for (const group of await tree.getChildren(first)) await tree.getChildren(group);
      await tree.setVisible(true);
      await until("a poll", () => requests(/\/models$/).length >= 2);
    });

    it("stops polling while the tree is hidden or the project is collapsed", async () => {
      await answerModels([v1, v2]);
      const models = await open("Test", project, "Models");
      await rows(models);
      await sleep(2_500);
      assert.equal(requests(/\/models/).length, 1);
      tree.setExpanded(await open("Test", project), false);
      await tree.setVisible(true);
      await sleep(2_500);
      assert.equal(requests(/\/models/).length, 1);
      tree.setExpanded(await open("Test", project), true);
      await until("a poll", () => requests(/\/models/).length > 1);
    });

    it("polls only the versions in training if a list is long", async () => {
      const many = Array.from({ length: 400 }, (_, at) => ({ ...v1, name: `m${at}` }));
      await answerModels([...many, v1, v2]);
      const models = await open("Test", project, "Models");
      await rows(models);
      await tree.setVisible(true);
      await until("a poll", () => requests(/\/models\/rents\.2$/).length >= 1);
      assert.equal(requests(/\/models$/).length, 1);
      await answerModels([...many, ...trained]);
      const row = async () => (await rows(models)).at(-1);
      await until("its end", async () => (await row()) === "rents: complete · v2");
      assert.equal(requests(/\/models$/).length, 2);
      await until("its row", () => drawnModels().length > 0);
      assert.deepEqual(drawnModels(), [(await tree.getChildren(models)).at(-1)]);
    });

    it("stops polling a server that requires a sign-in", async () => {
      await answerModels([v1, v2]);
      const models = await open("Test", project, "Models");
      await rows(models);
      await tree.setVisible(true);
      proxy.set({ unauthorized: true });
      await until("a refusal", () => requests(/\/models$/).some(({ status }) => status === 401));
      await untilQuiet("no more polls", 3_500, () => requests(/\/models$/).length);
      assert.equal((await rows(models))[0], "rents: complete · v1 · v2 generating");
    });

    it("reads what is in view again when the user comes back, and keeps the rows", async () => {
      const elsewhere = createTransport(parseAddress(server.url));
      const other = clientOver(elsewhere);
      const agents = await open("Test", project, "Agents");
      const kept = await tree.getChildren(agents);
      await tree.setVisible(true);
      await createAgent(other, project, { name: "made elsewhere", data: {} });
      try {
        await until("the agent", async () => {
          await tree.setFocused(false);
          await tree.setFocused(true);
          await sleep(100);
          return (await rows(agents)).some((row) => row.startsWith("made elsewhere"));
        });
        const now = await tree.getChildren(agents);
        assert.ok(kept.every((node) => now.includes(node)));
        await runSql(other, "CREATE PROJECT made_elsewhere");
        const connection = await open("Test");
        await until("the project", async () => {
          await tree.attend();
          await sleep(100);
          return (await rows(connection)).includes("made_elsewhere");
        });
      } finally {
        await deleteAgent(other, project, "made elsewhere");
        await elsewhere.close();
      }
    });

    it("reads nothing when VS Code reports the window's state again, as it does when the user pauses", async () => {
      const agents = await open("Test", project, "Agents");
      await rows(agents);
      await tree.setVisible(true);
      await sleep(2_200);
      const asked = proxy.requests.length;
      await tree.setFocused(true);
      await sleep(300);
      assert.deepEqual(proxy.requests.slice(asked), []);
    });

    it("stays quiet where reading again fails, and asks no server that wants a sign-in again", async () => {
      const agents = await open("Test", project, "Agents");
      const before = await rows(agents);
      const [connection] = await tree.getChildren();
      await tree.setVisible(true);
      await until("count and version", () => {
        const all = drawn.flat();
        return all.includes(agents) && all.includes(connection);
      });
      drawn.length = 0;
      proxy.set({ unauthorized: true });
      await until("a refusal", async () => {
        await tree.attend();
        await sleep(100);
        // Which list is read first depends on how long each took.
        return proxy.requests.some(({ status }) => status === 401);
      });
      const asked = await untilQuiet("no request", 2_200, () => proxy.requests.length);
      await tree.attend();
      await sleep(300);
      assert.deepEqual(proxy.requests.slice(asked), []);
      assert.deepEqual(await rows(agents), before);
      assert.equal(drawn.length, 0);
    });

    it("notices without user action that a server is back", async () => {
      proxy.set({ reset: true });
      const connection = await open("Test");
      assert.equal((await tree.getChildren(connection))[0]?.kind, "error");
      await tree.setVisible(true);
      proxy.set();
      await until(
        "the projects",
        async () => (await tree.getChildren(connection))[0]?.kind === "project",
      );
    });
  });
});
