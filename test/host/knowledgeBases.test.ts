import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { commands } from "../../src/ids.ts";
import {
  emptyDraft,
  type KnowledgeBaseDraft,
} from "../../src/knowledgeBases/form/knowledgeBaseDraft.ts";
import type { SourceRef } from "../../src/knowledgeBases/fill/sourceRef.ts";
import { FillPage } from "../../src/knowledgeBases/host/fill/fillPage.ts";
import { KnowledgeBaseFormPage } from "../../src/knowledgeBases/host/form/knowledgeBaseFormPage.ts";
import { runAction } from "../../src/knowledgeBases/host/knowledgeBaseActions.ts";
import { KnowledgeBasePage } from "../../src/knowledgeBases/host/knowledgeBasePage.ts";
import { KnowledgeBaseWriters } from "../../src/knowledgeBases/host/knowledgeBaseWriters.ts";
import { createAgent, deleteAgent } from "../../src/mindsdb/agents.ts";
import {
  createKnowledgeBase,
  deleteKnowledgeBase,
} from "../../src/mindsdb/knowledgeBaseChanges.ts";
import { insertRows } from "../../src/mindsdb/knowledgeBaseContent.ts";
import { findKnowledgeBase, listKnowledgeBases } from "../../src/mindsdb/knowledgeBases.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../src/mindsdb/http/transport.ts";
import { listProjects } from "../../src/mindsdb/projects.ts";
import type { ServerAccess } from "../../src/shared/connection.ts";
import { Log } from "../../src/shared/host/log.ts";
import { clientOver } from "../clientOver.ts";
import { startFaultProxy } from "../proxy/faultProxy.ts";
import { engineFailure } from "../proxy/faults.ts";
import { answering } from "./askingServers.ts";
import { useAskingServer, useTestConnection } from "./useTestServer.ts";
import {
  actUntil,
  copied,
  eventually,
  noteIn,
  until,
  useSampleServer,
  withWindow,
  workbench,
} from "./workbench.ts";

describe("Knowledge base pages", () => {
  const guide = { connectionId: "sample", project: "mindsdb", name: "rental_guide" };
  const draft = { question: "dogs", limit: "3", relevance: "", filters: [] };

  useSampleServer();

  const open = async (connectionId = guide.connectionId) => {
    const panels = await (await workbench()).knowledgeBases.pages.load();
    await vscode.commands.executeCommand(commands.knowledgeBaseShow, { ...guide, connectionId });
    return until("the page", () =>
      panels.contents.find(({ item }) => item.connectionId === connectionId),
    );
  };

  it("keep their content for a page that is created again", async () => {
    const page = await open();
    assert.equal(await open(), page);
    const state = () => page.state.current;
    await eventually(() => {
      assert.deepEqual(state().count, { chunks: 14, documents: 14 });
      assert.equal(state().details?.embeddingModel, "sample · tf-idf");
      assert.deepEqual(state().switches, { hasHybrid: true, hasReranking: false });
    });

    await page.handlers.search(draft);
    const chunks = state().result?.chunks ?? [];
    assert.equal(chunks.length, 3);
    assert.equal(chunks[0]?.id, "pets");

    await page.handlers.copyChunk(0, false);
    await copied(chunks[0]?.content ?? "?");
  });

  describe("of a server that fails", () => {
    const server = useTestConnection("Failing");

    it("say that a knowledge base was deleted, and disable its search", async () => {
      const page = await open(server.id);
      await until("the fields", () => page.state.current.count);
      const headers = { "content-type": "application/json" };
      const detail = "Knowledge Base with name rental_guide does not exist";
      const body = JSON.stringify({ title: "Knowledge Base not found", detail });
      server.proxy.set({ on: /rental_guide$/, answer: { status: 404, headers, body } });
      // Another part of the extension gets the error.
      const client = await (await workbench()).connections.client(server.id);
      await assert.rejects(findKnowledgeBase(client, "mindsdb", "rental_guide"));
      await until("the update", () => page.isGone);
      const text = "rental_guide is no longer in mindsdb. It may have been deleted.";
      await until("the reason", () => page.state.current.notice?.text === text);
      await page.handlers.search(draft);
      assert.deepEqual(
        [page.state.current.isSearching, page.state.current.result],
        [false, undefined],
      );

      server.proxy.set();
      await actUntil(
        "the fields again",
        () => listKnowledgeBases(client, "mindsdb"),
        () => !page.isGone && !page.state.current.notice,
      );
    });

    it("are reloaded after the notice's button has done its work", async () => {
      const page = await open(server.id);
      const state = () => page.state.current;
      server.proxy.set({ unauthorized: true });
      void page.handlers.refresh();
      await until("the notice", () => state().notice);
      // Another kind of search error does not change the notice's button.
      server.proxy.set({ on: /sql/, answer: engineFailure });
      await page.handlers.search(draft);
      await until("the failure", () => state().searchFailure);
      server.proxy.set();
      // This server requires no login, so signing in is over at once.
      void page.handlers.runNoticeAction();
      await until("the fields", () => state().details && !state().notice);
    });
  });
});

describe("The host of a knowledge base's page", () => {
  const server = useAskingServer();
  let client: Client;
  const item = { connectionId: "local", project: "mindsdb", name: "notes" };
  const draft = { question: "", limit: "10", relevance: "", filters: [] };
  const secret = "made-up-chunk-secret";
  const pages: KnowledgeBasePage[] = [];
  const askedAgents: unknown[] = [];

  before(async () => {
    ({ client } = server);
    client.secrets.add(secret);
    await createKnowledgeBase(client, item, {});
    await insertRows(client, item, [
      { id: "1", content: `The password is ${secret}.`, token: "a word", login: secret, size: 2 },
      { id: "2", content: "Dogs bark.", token: "a word" },
    ]);
  });
  beforeEach(() => void (askedAgents.length = 0));
  afterEach(() => {
    for (const page of pages.splice(0)) page.onClosed();
  });

  const open = async () => {
    const servers = { ...server.servers, status: () => Promise.resolve({ version: "26.1.0" }) };
    const page = new KnowledgeBasePage(item, {
      ...server.pageOptions,
      servers: servers as unknown as ServerAccess,
      askAgent: (question, { name }) => void askedAgents.push([question, name]),
    });
    pages.push(page);
    await until("the fields", () => !page.state.current.isLoading);
    return { page, shown: () => page.state.current };
  };
  /** Has the server answer such statements of the page in another way. */
  const answer = (statement: RegExp, post: Client["post"]): void => {
    server.over = answering(client, statement, post);
  };
  const fail = (statement: RegExp, error_message: string): void =>
    answer(statement, () => Promise.resolve({ type: "error", error_message }));
  /** Holds such statements of the page. Returns what lets each of them go. */
  const hold = (statement: RegExp) => {
    const held: (() => void)[] = [];
    answer(statement, async (...request) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return client.post(...request);
    });
    return held;
  };

  it("hides a secret in what is found and copied, and leaves the user's own words", async () => {
    const { page, shown } = await open();
    await page.handlers.search(draft);
    const chunk = shown().result?.chunks[0];
    assert.match(chunk?.content ?? "", /^The password is \*+\.$/);
    const metadata = Object.fromEntries(chunk?.metadata ?? []);
    assert.match(metadata["login"] ?? "", /^\*+$/);
    assert.equal(metadata["token"], "a word");
    await page.handlers.copyChunk(0, false);
    await copied(/^The password is \*+\.$/);
  });

  it("hides a secret among the values of a column, and leaves a column named like one", async () => {
    const { page, shown } = await open();
    await page.handlers.readValues("login");
    await page.handlers.readValues("token");
    await page.handlers.readValues("size");
    const [login, token, size] = shown().values;
    assert.match(login?.values?.join() ?? "", /^\*+$/);
    assert.deepEqual(token, { column: "token", values: ["a word"], type: "text" });
    assert.deepEqual(size, { column: "size", values: ["2"], type: "number" });
  });

  it("reads the values of a column once, but again after a failure or a refresh", async () => {
    const { page, shown } = await open();
    fail(/DISTINCT/, "no such luck");
    await page.handlers.readValues("token");
    assert.deepEqual(shown().values, [{ column: "token" }]);
    server.over = client;
    await page.handlers.readValues("token");
    assert.deepEqual(shown().values[0]?.values, ["a word"]);
    fail(/DISTINCT/, "no such luck");
    await page.handlers.readValues("token");
    assert.deepEqual(shown().values[0]?.values, ["a word"]);
    await page.handlers.refresh();
    assert.deepEqual(shown().values, []);
  });

  it("shows no values whose read was canceled, and reads them when it is asked again", async () => {
    const { page, shown } = await open();
    const held = hold(/DISTINCT/);
    const reading = page.handlers.readValues("token");
    await until("the request", () => held[0]);
    await page.handlers.readValues("token");
    assert.equal(held.length, 1);
    await page.handlers.cancelValues();
    held[0]!();
    await reading;
    assert.deepEqual(shown().values, []);
    server.over = client;
    await page.handlers.readValues("token");
    assert.deepEqual(shown().values[0]?.values, ["a word"]);
  });

  it("shows nothing of a search that was stopped", async () => {
    const { page, shown } = await open();
    const held = hold(/SELECT \*/);
    const searching = page.handlers.search(draft);
    await until("the request", () => held[0]);
    assert.equal(shown().isSearching, true);
    await page.handlers.cancelSearch();
    assert.equal(shown().isSearching, false);
    held[0]!();
    await searching;
    assert.deepEqual([shown().result, shown().searchFailure], [undefined, undefined]);
  });

  it("keeps a result beside another, with the chunks of each, and shows the newer one at the end", async () => {
    const { page, shown } = await open();
    await page.handlers.keepResult(true);
    assert.equal(shown().kept, undefined);
    await page.handlers.search({ ...draft, question: "dogs", limit: "1" });
    await page.handlers.keepResult(true);
    assert.deepEqual([shown().kept?.question, shown().result], ["dogs", undefined]);
    await page.handlers.search({ ...draft, question: "password", limit: "1" });
    await page.handlers.copyChunk(0, true);
    await copied("Dogs bark.");
    await page.handlers.copyChunk(0, false);
    await copied(/^The password/);
    await page.handlers.keepResult(false);
    assert.deepEqual([shown().kept, shown().result?.question], [undefined, "password"]);
    await page.handlers.copyChunk(0, false);
    await copied(/^The password/);
  });

  it("shows the kept result again if there is no other, and copies its chunks", async () => {
    const { page, shown } = await open();
    await page.handlers.search({ ...draft, question: "dogs", limit: "1" });
    await page.handlers.keepResult(true);
    await page.handlers.search({ ...draft, question: "password", limit: "1" });
    fail(/SELECT \*/, "no such luck");
    await page.handlers.search(draft);
    assert.match(shown().searchFailure ?? "", /no such luck/);
    await page.handlers.keepResult(false);
    const { kept, result, searchFailure } = shown();
    assert.deepEqual([kept, result?.question, searchFailure], [undefined, "dogs", undefined]);
    await page.handlers.copyChunk(0, false);
    await copied("Dogs bark.");
  });

  it("offers to leave out a reranking model that fails, also if the server did not name it", async () => {
    const { page, shown } = await open();
    await page.handlers.search(draft);
    fail(/SELECT \*/, "Error during reranking: no such model");
    await page.handlers.search({ ...draft, question: "dogs" });
    assert.match(shown().searchFailure ?? "", /^The reranking model failed.*no such model$/);
    assert.equal(shown().result, undefined);
    assert.deepEqual(shown().switches, { hasHybrid: true, hasReranking: true });
  });

  it("copies a search as SQL with its texts quoted, or as the body of a request", async () => {
    const { page } = await open();
    const filters = [{ column: "token", operator: "=" as const, value: "it's" }];
    const search = { ...draft, filters };
    await page.handlers.copyStatement(search, "sql");
    await copied("SELECT * FROM `mindsdb`.`notes` WHERE `token` = 'it''s' LIMIT 10");
    await page.handlers.copyStatement(search, "json");
    const { params } = JSON.parse(await copied(/^\{/)) as { params: object };
    assert.deepEqual(Object.values(params), ["it's"]);
  });

  it("copies the body of a request where SQL cannot say a value, and names the filters that it lacks", async () => {
    const { page } = await open();
    const statuses: string[] = [];
    const filters = [
      { column: "token", operator: "=" as const, value: "true" },
      { column: "login", operator: "=" as const, value: "ends with \\" },
    ];
    await withWindow({ setStatusBarMessage: noteIn(statuses) }, () =>
      Promise.resolve(page.handlers.copyStatement({ ...draft, filters }, "sql")),
    );
    await copied(/^\{\n {2}"query": "SELECT/);
    assert.match(statuses.join(), /^Copied as JSON, because SQL can't express a value/);
    assert.match(statuses.join(), /only this page applies them: token = true$/);
  });

  it("asks agents about a knowledge base that can be searched", async () => {
    const { page } = await open();
    await page.handlers.askAgent("Why?");
    assert.deepEqual(askedAgents, [["Why?", item.name]]);
  });

  it("says that the content could not be counted, and can be searched", async () => {
    fail(/count/i, "no such luck");
    const { page, shown } = await open();
    const { count, hiddenReason } = shown();
    assert.match(JSON.stringify(count), /"failure":".*no such luck/);
    assert.equal(hiddenReason, undefined);
    await page.handlers.search(draft);
    assert.equal(shown().result?.chunks.length, 2);
  });

  it("sends no statement to an agent with the knowledge base's name, which would be billed", async () => {
    await createAgent(client, item.project, { name: item.name });
    let statements = 0;
    answer(/SELECT/, (...request) => {
      statements++;
      return client.post(...request);
    });
    const { page, shown } = await open();
    await page.handlers.search(draft);
    await page.handlers.askAgent("Why?");
    await deleteAgent(client, item.project, item.name);
    assert.match(shown().hiddenReason ?? "", /^An agent in mindsdb is also named notes\./);
    assert.deepEqual([statements, askedAgents, shown().isSearching], [0, [], false]);
    await page.handlers.refresh();
    assert.equal(shown().hiddenReason, undefined);
  });
});

describe("Commands on knowledge bases", () => {
  const server = useAskingServer();
  const { asked, log, servers } = server;
  let client: Client;
  let folder: string;
  let writers: KnowledgeBaseWriters;
  const item = { connectionId: "local", project: "mindsdb", name: "notes" };
  const other = { ...item, project: "support" };

  before(() => {
    ({ client } = server);
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "knowledge-bases-"));
    writers = new KnowledgeBaseWriters({ servers, draftsFolder: path.join(folder, "drafts") });
  });
  after(() => fs.rmSync(folder, { recursive: true }));
  afterEach(async () => {
    for (const one of [item, other]) await deleteKnowledgeBase(client, one).catch(() => undefined);
  });

  /** Runs the command, and returns the errors that it shows. */
  const run = async (
    action: Parameters<typeof runAction>[0],
    access: ServerAccess = servers,
  ): Promise<string[]> => {
    const errors: string[] = [];
    await withWindow({ showErrorMessage: noteIn(errors) }, () =>
      runAction(action, { servers: access, log }, item, {
        loadForms: () => assert.fail(),
        loadWriters: () => Promise.resolve(writers),
      }),
    );
    return errors;
  };
  const isThere = async () =>
    (await listKnowledgeBases(client, item.project)).some(({ name }) => name === item.name);

  it("copy the CREATE statement without its key, and without a secret in another field", async () => {
    const secret = "made-up-model-secret";
    client.secrets.add(secret);
    await createKnowledgeBase(client, item, {
      embedding_model: {
        provider: "openai",
        model_name: "m",
        api_key: "made-up-key-4711",
        base_url: `http://127.0.0.1/${secret}/v1`,
      },
      metadata_columns: ["topic"],
    });
    assert.deepEqual(await run("copyCreateStatement"), []);
    const text = await copied(/^CREATE KNOWLEDGE_BASE `mindsdb`\.`notes`\nUSING\n/);
    assert.ok(text.includes("http://127.0.0.1/<your API key>/v1"), text);
    assert.match(text, /topic/);
    assert.ok(!text.includes(secret) && !text.includes("made-up-key-4711"), text);
  });

  it("delete a knowledge base after a question, and not without consent", async () => {
    await createKnowledgeBase(client, item, {});
    server.answer = false;
    assert.deepEqual(await run("confirmAndDelete"), []);
    assert.ok(await isThere());
    assert.deepEqual(
      asked.map(({ what, deletes, detail }) => [what, deletes, detail]),
      [
        [
          "Delete the knowledge base notes in mindsdb",
          "notes",
          "It is deleted for everyone, and its content is lost.",
        ],
      ],
    );
    server.answer = true;
    assert.deepEqual(await run("confirmAndDelete"), []);
    assert.ok(!(await isThere()));
  });

  it("name the knowledge bases that lose their content with the deleted one", async () => {
    await createKnowledgeBase(client, item, {});
    await createKnowledgeBase(client, other, {});
    server.answer = false;
    await run("confirmAndDelete");
    assert.match(String(asked[0]?.detail), /same storage also lose their content: support\.notes$/);
  });

  it("say that content stays in a storage that was chosen", async () => {
    const storage = { database: "lantern_lane", table: "vectors" };
    await createKnowledgeBase(client, item, { storage });
    server.answer = false;
    await run("confirmAndDelete");
    assert.match(String(asked[0]?.detail), /content stays in the table lantern_lane\.vectors, /);
  });

  it("delete nothing while something else changes the knowledge base, and say so", async () => {
    await createKnowledgeBase(client, item, {});
    const errors = await writers.run(item, () => run("confirmAndDelete"));
    assert.match(errors.join(), /^notes is being changed in this window\./);
    assert.ok(await isThere());
  });

  it("say nothing of an error if somebody else has deleted it during the question", async () => {
    await createKnowledgeBase(client, item, {});
    const allowWrite = async () => {
      await deleteKnowledgeBase(client, item);
      return true;
    };
    assert.deepEqual(await run("confirmAndDelete", { ...servers, allowWrite }), []);
  });

  it("show why the server did not delete it", async () => {
    await createKnowledgeBase(client, item, {});
    const proxy = await startFaultProxy({ target: server.url });
    const through = createTransport(parseAddress(proxy.url));
    server.over = clientOver(through);
    proxy.set({ on: /^DELETE /, answer: engineFailure });
    try {
      assert.match((await run("confirmAndDelete")).join(), /out of memory/);
      assert.ok(await isThere());
    } finally {
      await through.close();
      await proxy.stop();
    }
  });
});

describe("Forms for new knowledge bases", () => {
  const server = useTestConnection("Slow");

  it("choose a custom model once a slow server has said that it has no default", async () => {
    const { connections } = await workbench();
    const open = (): KnowledgeBaseFormPage => {
      const draft = emptyDraft("mindsdb");
      const form = { id: randomUUID(), connectionId: server.id, draft, initial: draft };
      const options = { servers: connections, log: new Log(), onSaved: () => undefined };
      return new KnowledgeBaseFormPage({ form, content: {} }, options);
    };
    const choiceOf = async (page: KnowledgeBaseFormPage): Promise<string> => {
      await until("what the server has", () => page.state.current.loaded);
      return page.form.draft.embedding.choice;
    };
    const untouched = open();
    assert.equal(await choiceOf(untouched), "own");
    assert.ok(!untouched.isDirty);
    const typed = open();
    await typed.handlers.change({ ...typed.form.draft, name: "guide" }, {});
    assert.equal(await choiceOf(typed), "default");
    for (const page of [untouched, typed]) page.onClosed();
  });

  it("copy the CREATE statement with a placeholder for a key that is typed or stored", async () => {
    const { connections } = await workbench();
    const options = { servers: connections, log: new Log(), onSaved: () => undefined };
    const draft = { ...emptyDraft("mindsdb"), name: "guide" };
    const embedding = { ...draft.embedding, choice: "own" as const, provider: "openai" };
    const statementOf = async (before?: KnowledgeBaseDraft, hasKey = false) => {
      const of = { ...draft, embedding: { ...embedding, modelName: "m" } };
      const form = { id: randomUUID(), connectionId: server.id, draft: of, initial: of };
      const page = new KnowledgeBaseFormPage(
        { form: { ...form, ...(before && { before }) }, content: {} },
        options,
      );
      await vscode.env.clipboard.writeText("");
      await page.handlers.copySql(of, { embedding: hasKey });
      page.onClosed();
      return copied(/^CREATE/);
    };
    const placeholder = /"api_key": '<your API key>'/;
    assert.doesNotMatch(await statementOf(), placeholder);
    assert.match(await statementOf(undefined, true), placeholder);
    assert.match(await statementOf({ ...draft, embedding }), placeholder);
  });
});

describe("Pages that add content", () => {
  useSampleServer();

  const homes = { kind: "table", project: "files", name: "home_rentals" } as const;
  const query = "SELECT location, neighborhood FROM files.home_rentals";
  const places = { kind: "select", query } as const;

  /** A page whose requests wait, each until it is let go. */
  const open = async (source: SourceRef = homes) => {
    const { connections } = await workbench();
    const client = await connections.client("sample");
    const waiting: (() => void)[] = [];
    const servers = {
      list: () => connections.list(),
      find: (id: string) => connections.find(id),
      client: () => new Promise<Client>((resolve) => waiting.push(() => resolve(client))),
      allowWrite: () => Promise.resolve(false),
      secrets: (id: string) => connections.secrets(id),
      status: (id: string) => connections.status(id),
    };
    const page = new FillPage(
      { connectionId: "sample", project: "mindsdb", name: "rental_guide" },
      { source },
      {
        servers,
        writers: new KnowledgeBaseWriters({ servers, draftsFolder: "unused" }),
        pickTable: () => Promise.resolve(undefined),
        log: new Log(),
      },
      () => undefined,
    );
    /** Lets the request go, and waits until the server has surely answered it. */
    const letGo = async (at: number): Promise<void> => {
      (await until(`request ${String(at)}`, () => waiting[at]))();
      for (let other = 0; other < 5; other++) await listProjects(client);
    };
    return { page, waiting, letGo, form: () => page.state.current.form };
  };

  it("keep no SELECT for a reload that holds a secret of the connection", async () => {
    const { connections } = await workbench();
    const text = "made-up-word-of-a-select";
    const select = { ...places, query: `${query} WHERE location = '${text}'` };
    const storedSource = async () => {
      const { page } = await open(select);
      page.onClosed();
      return page.state.current.source;
    };
    assert.deepEqual(await storedSource(), select);
    connections.secrets("sample").add(text);
    assert.equal(await storedSource(), undefined);
  });

  it("show the source that was chosen last, whatever is read first", async () => {
    for (const order of [
      ["before", 1, 2, 3],
      ["after", 2, 3, 1],
    ] as const) {
      const { page, waiting, letGo, form } = await open();
      await letGo(0);
      await until("the request for its head", () => waiting[1]);
      page.setSource(places);
      for (const at of order.slice(1)) await letGo(Number(at));
      const { source, columns, mapping } = await until("the form", form);
      assert.equal(source, query, order[0]);
      const names = columns.map(({ name }) => name);
      assert.deepEqual(names, ["location", "neighborhood"], order[0]);
      assert.deepEqual(Object.keys(mapping), names, order[0]);
      page.onClosed();
    }
  });

  it("ask the server for nothing more once they are closed", async () => {
    const { page, waiting, letGo } = await open();
    await letGo(0);
    await until("the request for the head", () => waiting[1]);
    page.onClosed();
    await letGo(1);
    assert.equal(waiting.length, 2);
    await page.handlers.runNoticeAction();
    page.setSource(places);
    assert.equal(waiting.length, 2);
  });
});
