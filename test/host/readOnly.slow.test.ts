// A read-only connection changes nothing on its server, whatever the user runs or presses, and whatever they answer, and
// others change nothing before they have asked: every command of the manifest, and every call of every page that these open.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import * as vscode from "vscode";
import { agentCalls } from "../../src/agents/agentPage.ts";
import { agentFormCalls } from "../../src/agents/agentForm.ts";
import { resultsCalls } from "../../src/agentTests/resultsPage.ts";
import { chatCalls } from "../../src/chat/chatPage.ts";
import type { Connections } from "../../src/connections/host/connections.ts";
import { dataSourceFormCalls } from "../../src/dataSources/dataSourceForm.ts";
import { mlEngineCalls } from "../../src/dataSources/mlEnginePage.ts";
import { ExplorerTreeDataProvider } from "../../src/explorer/host/treeDataProvider.ts";
import { isParent, type ExplorerNode } from "../../src/explorer/node.ts";
import { commands, panels, sqlLanguage } from "../../src/ids.ts";
import { jobCalls } from "../../src/jobs/jobPage.ts";
import { jobFormCalls } from "../../src/jobs/jobForm.ts";
import { documentsCalls } from "../../src/knowledgeBases/documentsPage.ts";
import { fillCalls } from "../../src/knowledgeBases/fillPage.ts";
import { knowledgeBaseCalls } from "../../src/knowledgeBases/knowledgeBasePage.ts";
import { knowledgeBaseFormCalls } from "../../src/knowledgeBases/form/knowledgeBaseForm.ts";
import { createJob } from "../../src/mindsdb/jobs.ts";
import { createProject } from "../../src/mindsdb/projectChanges.ts";
import { runSql } from "../../src/mindsdb/sql/runSql.ts";
import { createTrigger } from "../../src/mindsdb/triggers.ts";
import { createView } from "../../src/mindsdb/viewChanges.ts";
import { modelCalls } from "../../src/models/modelPage.ts";
import { trainCalls } from "../../src/models/trainPage.ts";
import { whatIfCalls } from "../../src/predict/whatIf/whatIfPage.ts";
import { settingsFormCalls } from "../../src/serverSettings/settingsForm.ts";
import type { PlannedChange } from "../../src/shared/connection.ts";
import { Log } from "../../src/shared/host/log.ts";
import type { Calls } from "../../src/shared/pageProtocol.ts";
import { tableCalls } from "../../src/tables/tablePage.ts";
import { triggerCalls } from "../../src/triggers/triggerPage.ts";
import { sqlResultsCalls } from "../../src/predict/sqlFile/sqlResultsPage.ts";
import { triggerFormCalls } from "../../src/triggers/triggerForm.ts";
import { viewFormCalls } from "../../src/views/viewForm.ts";
import { startFaultProxy, type FaultProxy, type LoggedRequest } from "../proxy/faultProxy.ts";
import { startTestServer } from "../sampleServer/server.ts";
import {
  closeAllEditors,
  drawnItem,
  extensionId,
  memory,
  until,
  untilQuiet,
  withWindow,
  workbench,
} from "./workbench.ts";

const callsOf: Record<keyof typeof panels, Calls> = {
  chat: chatCalls,
  model: modelCalls,
  modelTrain: trainCalls,
  knowledgeBase: knowledgeBaseCalls,
  knowledgeBaseDocuments: documentsCalls,
  knowledgeBaseFill: fillCalls,
  knowledgeBaseForm: knowledgeBaseFormCalls,
  agent: agentCalls,
  table: tableCalls,
  agentForm: agentFormCalls,
  dataSourceForm: dataSourceFormCalls,
  mlEngine: mlEngineCalls,
  viewForm: viewFormCalls,
  job: jobCalls,
  jobForm: jobFormCalls,
  serverSettings: settingsFormCalls,
  trigger: triggerCalls,
  triggerForm: triggerFormCalls,
  agentResults: resultsCalls,
  predictWhatIf: whatIfCalls,
  sqlResult: sqlResultsCalls,
};

/** Commands that change this window's connections, other servers or VS Code, and nothing on the connection's server. */
const elsewhere = new Set<string>([
  commands.connectionAdd,
  commands.connectionConnectLocal,
  commands.connectionEdit,
  commands.connectionRemove,
  commands.connectionRename,
  commands.connectionSetProtection,
  commands.connectionShowMenu,
  commands.connectionSignIn,
  commands.connectionSignOut,
  commands.sampleServerStart,
  commands.sampleServerTry,
  commands.sampleServerStop,
  commands.sampleServerReset,
  commands.walkthroughOpen,
]);

/** For a command or a call to do what it does: in ms. Most wait for nothing; some wait for a reload of the tree. */
const patienceMs = 300;

interface MenuEntry {
  command: string;
  when?: string;
}
interface Manifest {
  contributes: { commands: { command: string }[]; menus: Record<string, MenuEntry[]> };
}

describe("Changes of a server", () => {
  let connections: Connections;
  let folder: string;

  before(async () => {
    ({ connections } = await workbench());
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "read-only-"));
    fs.writeFileSync(path.join(folder, "rows.csv"), "id,content\n1,a\n2,b\n");
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it("are not sent for any command or button on a read-only connection, where another one sends them", async () => {
    const allowed = await sweep("none");
    const paths = new Set(allowed.writes.map(describeWrite));
    assert.ok(paths.size >= 15, `too little was tried:\n${[...paths].sort().join("\n")}`);
    const { writes, opened } = await sweep("readOnly");
    assert.deepEqual(writes.map(describeWrite), []);
    const missing = Object.values(panels).filter((panel) => !opened.has(panel));
    assert.deepEqual(missing, []);
  });

  it("are asked about, and none is sent without a yes", async () => {
    const asked = new Map<string, string | undefined>();
    const { writes } = await sweep("none", ({ what, deletes }) => void asked.set(what, deletes));
    assert.deepEqual(writes.map(describeWrite), []);
    // With the name that is typed on a production connection.
    const expected: [what: string, deletes?: string][] = [
      ["Add 1 document to the knowledge base rental_guide in mindsdb"],
      ["Cancel the query 1"],
      ["Change the default models of sweep none"],
      ["Change the job swept_job in mindsdb"],
      ["Change the knowledge base rental_guide in mindsdb"],
      ["Change the view affordable_homes in mindsdb"],
      ["Connect the data source swept_new (PostgreSQL)"],
      ["Create the ML engine openai (OpenAI)"],
      ["Create the agent swept_new in mindsdb"],
      ["Create the job swept_new in mindsdb"],
      ["Create the knowledge base swept_new in mindsdb"],
      ["Create the project swept_too"],
      ["Create the trigger swept_new in mindsdb"],
      ["Delete the agent prices_agent in mindsdb", "prices_agent"],
      ["Delete the document 1 from the knowledge base rental_guide in mindsdb", "1"],
      ["Delete the job swept_job in mindsdb", "swept_job"],
      ["Delete the knowledge base rental_guide in mindsdb", "rental_guide"],
      ["Delete the model location_model in mindsdb", "location_model"],
      ["Delete the project drafts", "drafts"],
      ["Delete the table home_rentals in files", "home_rentals"],
      ["Delete the trigger swept_trigger in mindsdb", "swept_trigger"],
      ["Delete the view affordable_homes in mindsdb", "affordable_homes"],
      ["Delete version 1 of home_rentals_model in mindsdb", "home_rentals_model"],
      ["Disconnect the data source lantern_archive", "lantern_archive"],
      ["Train a new version of location_model in mindsdb and make it active"],
      ["Train the model swept_new in mindsdb"],
      ["Upload rows.csv as the table rows"],
      ["Use version 1 of home_rentals_model in mindsdb"],
    ];
    assert.deepEqual(
      expected.map(([what]) => [what, asked.has(what) ? asked.get(what) : "not asked"]),
      expected.map(([what, deletes]) => [what, deletes]),
    );
  });

  /**
   * Runs everything on a new server; returns what changes of it were asked for. The user agrees to all of them, or, with
   * `decline`, to none.
   */
  async function sweep(protection: "none" | "readOnly", decline?: (change: PlannedChange) => void) {
    const server = await startTestServer({ unguarded: true });
    const proxy = await startFaultProxy({ target: server.url });
    const { id } = await connections.save({ name: `sweep ${protection}`, address: proxy.url });
    const user = new AgreeingUser(path.join(folder, "rows.csv"));
    // Where the user agrees, what is after the question does not help either.
    Object.assign(connections, {
      allowWrite: (_: string, change: PlannedChange) => {
        decline?.(change);
        return Promise.resolve(!decline);
      },
    });
    try {
      await fill(id);
      const nodes = await listNodes(id);
      await connections.change(id, { protection });
      proxy.requests.length = 0;
      await withWindow(user.window, async () => {
        await runAll(id, nodes, user);
        await runStatements(id, !decline);
        await user.pressAll();
        await untilQuiet("the last request", 1_000, () => proxy.requests.length);
      });
      return { writes: listWrites(proxy), opened: user.opened };
    } finally {
      delete (connections as Partial<Connections>).allowWrite;
      user.closePanels();
      await closeAllEditors();
      await connections.remove(id);
      await proxy.stop();
      await server.stop();
    }
  }

  /** Adds what the sample has none of. */
  async function fill(id: string): Promise<void> {
    const client = await connections.client(id);
    const query = "SELECT * FROM files.home_rentals";
    const place = { project: "mindsdb" };
    await createView(client, { ...place, name: "swept_view", query });
    await createJob(client, "mindsdb", { name: "swept_job", query, schedule: "every 1 day" });
    await createTrigger(client, "mindsdb", {
      name: "swept_trigger",
      source: "lantern_lane",
      table: "tenants",
      columns: [],
      query,
    });
    await createProject(client, "drafts");
    await runSql(
      client,
      "INSERT INTO mindsdb.rental_guide (SELECT * FROM files.home_rentals) USING batch_size = 500",
    );
  }

  /** One node of the tree for each kind of menu. */
  async function listNodes(id: string): Promise<Map<string, ExplorerNode>> {
    const tree = new ExplorerTreeDataProvider(connections, memory(), new Log());
    const nodes = new Map<string, ExplorerNode>();
    const visit = async (node: ExplorerNode): Promise<void> => {
      if (node.connectionId !== id) return;
      const { contextValue = "" } = drawnItem(tree, node);
      if (!nodes.has(contextValue)) nodes.set(contextValue, node);
      if (!isParent(node)) return;
      for (const child of await tree.getChildren(node)) await visit(child);
    };
    for (const root of await tree.getChildren()) await visit(root);
    tree.dispose();
    return nodes;
  }

  async function runAll(
    id: string,
    nodes: ReadonlyMap<string, ExplorerNode>,
    user: AgreeingUser,
  ): Promise<void> {
    const extension = vscode.extensions.getExtension(extensionId)!;
    const manifest = extension.packageJSON as Manifest;
    const menus = manifest.contributes.menus["view/item/context"] ?? [];
    const ids = manifest.contributes.commands.map(({ command }) => command);
    // Deletions last, so that there is something to change.
    const isDeletion = (command: string): boolean => /delete|drop|disconnect|cancel/i.test(command);
    const ordered = [...ids.filter((one) => !isDeletion(one)), ...ids.filter(isDeletion)];
    for (const command of ordered) {
      if (elsewhere.has(command)) continue;
      const fits = menus.filter((entry) => entry.command === command).map(matcherOf);
      const rows = [...nodes].filter(([value]) => fits.some((fit) => fit(value)));
      const place = { connectionId: id, project: "mindsdb", name: "swept", kind: "agent" };
      // One row of each kind: what the others of a kind lack is no change.
      const kinds = new Map(rows.map(([, node]) => [node.kind, node]));
      const given: unknown[] = kinds.size > 0 ? [...kinds.values()] : [place, undefined];
      for (const argument of given) {
        await within(vscode.commands.executeCommand(command, argument));
        await user.pressAll();
      }
    }
  }

  async function runStatements(id: string, hasResult: boolean): Promise<void> {
    const sql = "INSERT INTO files.home_rentals (sqft) VALUES (1);\nDROP TABLE files.home_rentals;";
    const document = await vscode.workspace.openTextDocument({
      language: sqlLanguage,
      content: sql,
    });
    await vscode.window.showTextDocument(document);
    const { places, results } = await (await workbench()).sqlFiles.load();
    await places.set(document.uri, { connectionId: id, database: "mindsdb" });
    for (const command of [commands.sqlRunStatement, commands.sqlRunFile]) {
      await within(vscode.commands.executeCommand(command));
    }
    if (!hasResult) return;
    // A button of the view, which is no panel, opens it.
    const newest = await until("the result of a statement", () => results.state.current.tabs[0]);
    await results.handlers.openInEditor(newest.runId);
  }
});

async function within(work: Thenable<unknown>): Promise<void> {
  // Commands can fail for what they were given, or wait for a picker of VS Code.
  await Promise.race([Promise.resolve(work).catch(() => undefined), sleep(patienceMs)]);
}

/** Whether a menu entry is for rows with a context value, by the part of `when` about it. */
function matcherOf({ when = "" }: MenuEntry): (value: string) => boolean {
  const [, pattern] = /viewItem =~ \/(.+)\/$/.exec(when) ?? [];
  if (pattern !== undefined) return (value) => new RegExp(pattern).test(value);
  const [, name] = /viewItem == (\S+)$/.exec(when) ?? [];
  return (value) => value === name;
}

/** The requests that change something, judged without the product's own rules. */
function listWrites({ requests }: FaultProxy): LoggedRequest[] {
  return requests.filter(({ method, path, body }) => {
    if (method === "GET") return false;
    if (method !== "POST") return true;
    if (/^\/api\/projects\/[^/]+\/agents\/[^/]+\/completions(\/stream)?$/.test(path)) return false;
    const json = body.toString();
    if (/^\/api\/projects\/[^/]+\/models\/[^/]+\/predict$/.test(path)) {
      return json.includes('"params"');
    }
    if (path !== "/api/sql/query") return true;
    const { query } = JSON.parse(json) as { query: string };
    return !/^\s*(?:select|show|describe|explain|with|use)\b/i.test(query);
  });
}

function describeWrite({ method, path, body }: LoggedRequest): string {
  if (path !== "/api/sql/query") return `${method} ${path}`;
  const { query } = JSON.parse(body.toString()) as { query: string };
  return query.trim().split(/\s+/).slice(0, 2).join(" ").toUpperCase();
}

/** A panel that an open page thinks it is in. */
interface FakePanel {
  viewType: string;
  state: Record<string, unknown>;
  post: (message: object) => void;
  close: () => void;
}

/** Answers each question with the first answer, and presses each button of each page once. */
class AgreeingUser {
  /** The types of the pages that were opened. */
  readonly opened = new Set<string>();
  #panels: FakePanel[] = [];
  #count = 0;
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Functions of `vscode.window` for this user. */
  get window() {
    const agree = (_: string, options: unknown, ...more: string[]) => {
      const [first] = typeof options === "string" ? [options] : more;
      // Whoever removes the protection may change the server.
      return Promise.resolve(/protection/i.test(first ?? "") ? undefined : first);
    };
    return {
      showInformationMessage: agree,
      showWarningMessage: agree,
      showErrorMessage: agree,
      showQuickPick: async (
        items: Thenable<vscode.QuickPickItem[]> | vscode.QuickPickItem[],
        options?: vscode.QuickPickOptions,
      ) => {
        const picked = choices(await items);
        return options?.canPickMany ? picked.slice(0, 2) : picked[0];
      },
      createQuickPick: () => this.#createInput(),
      createInputBox: () => this.#createInput(),
      showOpenDialog: () => Promise.resolve([vscode.Uri.file(this.#file)]),
      showSaveDialog: () => Promise.resolve(undefined),
      createWebviewPanel: (viewType: string) => this.#createPanel(viewType),
    };
  }

  /** Makes every call of the pages that were opened, and of those that open then. */
  async pressAll(): Promise<void> {
    for (;;) {
      const panel = this.#panels.shift();
      if (!panel) return;
      const kind = Object.entries(panels).find(([, type]) => type === panel.viewType)![0];
      const calls = callsOf[kind as keyof typeof callsOf];
      const isFirst = !this.opened.has(panel.viewType);
      this.opened.add(panel.viewType);
      // Forms begin in different ways; of other pages, one is like all.
      const isPressed = isFirst || Object.hasOwn(calls, "send");
      const names = Object.keys(calls).filter((name) => isPressed && !/cancel|stop/i.test(name));
      // What the page reads first.
      if (isPressed) await sleep(80);
      for (const name of names) {
        const given = calls[name]!.map((schema) => example(schema, panel.state));
        panel.post({ type: "call", id: ++this.#count, name, given });
        // Other calls would cancel what is checked before the question.
        await sleep(name === "send" ? patienceMs : 15);
      }
      if (isPressed) await sleep(80);
      panel.close();
    }
  }

  closePanels(): void {
    for (const panel of this.#panels) panel.close();
  }

  #createPanel(viewType: string): unknown {
    const received = new vscode.EventEmitter<unknown>();
    const disposed = new vscode.EventEmitter<void>();
    const changed = new vscode.EventEmitter<unknown>();
    const shown: FakePanel = {
      viewType,
      state: {},
      post: (message) => received.fire(message),
      close: () => disposed.fire(),
    };
    if (Object.values<string>(panels).includes(viewType)) this.#panels.push(shown);
    const postMessage = (message: { type: string; changes?: object }) => {
      if (message.type === "state") {
        Object.assign(shown.state, message.changes);
        setTimeout(() => received.fire({ type: "shown" }), 0);
      }
      return Promise.resolve(true);
    };
    setTimeout(() => received.fire({ type: "ready" }), 0);
    return {
      viewType,
      active: true,
      visible: true,
      title: "",
      webview: {
        options: {},
        html: "",
        cspSource: "",
        asWebviewUri: (uri: vscode.Uri) => uri,
        postMessage,
        onDidReceiveMessage: received.event,
      },
      onDidDispose: disposed.event,
      onDidChangeViewState: changed.event,
      reveal: () => undefined,
      dispose: () => disposed.fire(),
    };
  }

  /** A picker or an input box: takes the first choice, or the text that is there. */
  #createInput(): unknown {
    const accepted = new vscode.EventEmitter<void>();
    const hidden = new vscode.EventEmitter<void>();
    const never = new vscode.EventEmitter<never>().event;
    const input = {
      items: [] as vscode.QuickPickItem[],
      selectedItems: [] as vscode.QuickPickItem[],
      activeItems: [] as vscode.QuickPickItem[],
      buttons: [],
      value: "",
      prompt: "",
      onDidAccept: accepted.event,
      onDidHide: hidden.event,
      onDidChangeValue: never,
      onDidChangeActive: never,
      onDidChangeSelection: never,
      onDidTriggerButton: never,
      onDidTriggerItemButton: never,
      show: () => {
        setTimeout(() => {
          input.selectedItems = choices(input.items).slice(0, 1);
          input.activeItems = input.selectedItems;
          const isOptional = input.prompt.includes("Leave empty");
          if (input.value === "" && !isOptional) input.value = "swept_too";
          accepted.fire();
        }, 30);
        setTimeout(() => hidden.fire(), 150);
      },
      hide: () => hidden.fire(),
      dispose: () => undefined,
    };
    return input;
  }
}

function choices(items: readonly vscode.QuickPickItem[]): vscode.QuickPickItem[] {
  return items.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
}

/** What the page could send: the form's draft with a new name, or the smallest value. */
function example(schema: v.GenericSchema, state: Record<string, unknown>): unknown {
  const { draft } = (state["form"] ?? {}) as { draft?: Record<string, unknown> };
  if (draft && v.is(schema, draft)) return { ...draft, ...changedTexts(draft) };
  const one = schema as v.GenericSchema & {
    entries?: Record<string, v.GenericSchema>;
    options?: (v.GenericSchema | string)[];
    wrapped?: v.GenericSchema;
    items?: v.GenericSchema[];
    literal?: unknown;
  };
  switch (schema.type) {
    case "string":
      return "1";
    case "number":
      return 0;
    case "boolean":
      return true;
    case "literal":
      return one.literal;
    case "picklist":
      return one.options?.[0];
    case "optional":
    case "nullable":
      return example(one.wrapped!, state);
    case "variant":
    case "union":
      return example(one.options![0] as v.GenericSchema, state);
    case "array":
      return [];
    case "tuple":
      return one.items!.map((item) => example(item, state));
    case "record":
      return {};
    case "object":
    case "loose_object":
    case "strict_object":
      return Object.fromEntries(
        Object.entries(one.entries!).map(([name, entry]) => [name, example(entry, state)]),
      );
    default:
      // Such as the keys that were typed into a form.
      return v.is(schema, {}) ? {} : undefined;
  }
}

/** A form that is new lacks these, and one that changes something needs a change. */
function changedTexts(draft: Record<string, unknown>): Record<string, unknown> {
  const texts = {
    name: "swept_new",
    query: "SELECT * FROM files.home_rentals LIMIT 5",
    select: "SELECT * FROM files.home_rentals LIMIT 5",
    target: "rental_price",
    engine: "sample",
    table: "files.home_rentals",
    metadataColumns: "topic, season",
    embedding: { choice: "own", provider: "openai", modelName: "embeddings", baseUrl: "" },
  };
  const isReplaced = ["query", "metadataColumns", "embedding"];
  return Object.fromEntries(
    Object.entries(texts).filter(
      ([name]) => draft[name] === "" || (isReplaced.includes(name) && Object.hasOwn(draft, name)),
    ),
  );
}
