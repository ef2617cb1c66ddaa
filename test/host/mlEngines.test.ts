// ML engines: the form and its host, deleting and copying, on the sample server.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { emptyDraft } from "../../src/dataSources/dataSourceDraft.ts";
import { DataSourceFormPage } from "../../src/dataSources/host/dataSourceFormPage.ts";
import { confirmAndDelete, copyEngineAsSql } from "../../src/dataSources/host/mlEngineActions.ts";
import { MlEnginePage } from "../../src/dataSources/host/mlEnginePage.ts";
import { commands } from "../../src/ids.ts";
import { AppError } from "../../src/mindsdb/errors.ts";
import { listHandlers } from "../../src/mindsdb/handlers.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { deleteMlEngine, listMlEngines } from "../../src/mindsdb/mlEngines.ts";
import type { Connection } from "../../src/shared/connection.ts";
import { answering } from "./askingServers.ts";
import { useAskingServer } from "./useTestServer.ts";
import {
  closeAllEditors,
  copied,
  hiddenPick,
  noteIn,
  tabs,
  until,
  useSampleServer,
  withWindow,
} from "./workbench.ts";

const engine = { connectionId: "local", name: "mine" };

describe("ML engines", () => {
  const server = useAskingServer();
  const { asked, log, servers } = server;
  let client: Client;
  const saved: unknown[] = [];

  before(() => void ({ client } = server));
  beforeEach(() => void (saved.length = 0));
  afterEach(() => deleteMlEngine(client, engine.name).catch(() => undefined));

  const names = async () => (await listMlEngines(client)).map(({ name }) => name);
  const openForm = async (kind: string) => {
    const handlers = await listHandlers(client, { kind: "ml" });
    const handler = handlers.find(({ name }) => name === kind);
    assert.ok(handler);
    const draft = emptyDraft(handler, engine.name);
    const form = {
      id: "one",
      connectionId: "local",
      isMlEngine: true,
      draft,
      initial: draft,
    } as const;
    const page = new DataSourceFormPage(
      { form, content: { known: { handler, taken: [] } } },
      { servers, log, onSaved: (one) => void saved.push(one) },
    );
    return { page, draft, failure: () => page.state.current.failure };
  };

  it("are created once, and not where writing is refused", async () => {
    server.answer = false;
    const refused = await openForm("openai");
    await refused.page.handlers.send(refused.draft, {});
    assert.equal(refused.failure()?.text, "Not created.");
    assert.deepEqual(await names(), ["sample"]);
    server.answer = true;
    const { page, draft } = await openForm("openai");
    assert.equal(page.icon, "mlEngine");
    const rows = [{ id: "1", name: "api_base", value: "http://127.0.0.1/v1" }];
    await page.handlers.send({ ...draft, rows }, {});
    assert.deepEqual(saved, [engine]);
    await copyEngineAsSql({ servers, log, loadForms: () => assert.fail() }, engine);
    await copied("CREATE ML_ENGINE `mine` FROM openai\nUSING `api_base` = 'http://127.0.0.1/v1'");
    asked.length = 0;
    const second = await openForm("openai");
    await second.page.handlers.send(second.draft, {});
    assert.equal(second.failure()?.field, "name");
    assert.equal(asked.length, 0, "nobody is asked for what cannot be done");
  });

  it("show why the server refuses one, without its key, and how to get a driver", async () => {
    const { page, draft, failure } = await openForm("openai");
    const key = "made-up-key-1234567890";
    await page.handlers.send(draft, { "arg-openai_api_key": key });
    assert.match(failure()?.text ?? "", /can't reach the provider: APIConnectionError/);
    assert.ok(!JSON.stringify(page.state.current).includes(key));
    const other = await openForm("mlflow");
    await other.page.handlers.send(other.draft, {});
    assert.deepEqual(
      [other.failure()?.field, other.failure()?.action],
      ["form", "Install Driver…"],
    );
    assert.deepEqual(await names(), ["sample"]);
  });

  it("are deleted after a question, but not while models use them", async () => {
    const { page, draft } = await openForm("sample");
    await page.handlers.send(draft, {});
    asked.length = 0;
    server.answer = false;
    await confirmAndDelete({ servers, log }, engine);
    assert.deepEqual(await names(), ["sample", engine.name]);
    assert.equal(asked[0]?.deletes, engine.name);
    assert.match(String(asked[0]?.detail), /all sample engines: .*mindsdb\.home_rentals_model/);
    server.answer = true;
    await confirmAndDelete({ servers, log }, engine);
    assert.deepEqual(await names(), ["sample"]);
  });

  it("are not deleted, and nobody is asked, while models use the only engine of a kind", async () => {
    const messages: string[] = [];
    await withWindow({ showErrorMessage: noteIn(messages) }, () =>
      confirmAndDelete({ servers, log }, { ...engine, name: "sample" }),
    );
    assert.deepEqual([asked, await names()], [[], ["sample"]]);
    assert.match(messages.join(), /^Models use sample: .*mindsdb\.home_rentals_model/);
  });

  it("are deleted after a question that says if their models could not be checked", async () => {
    server.over = answering(client, /information_schema\.models/, () =>
      Promise.reject(new AppError("serverFault", "no such luck")),
    );
    server.answer = false;
    await confirmAndDelete({ servers, log }, { ...engine, name: "sample" });
    assert.match(String(asked[0]?.detail), /models that use it could not be checked/);
    assert.deepEqual(await names(), ["sample"]);
  });

  it("are chosen from a list, and the chosen one is deleted", async () => {
    const { page, draft } = await openForm("sample");
    await page.handlers.send(draft, {});
    asked.length = 0;
    const only = [{ id: "local" }] as Connection[];
    const list = hiddenPick();
    await withWindow({ createQuickPick: () => list.pick }, async () => {
      const deleted = confirmAndDelete({ servers: { ...servers, list: () => only }, log });
      await until("the list", () => list.pick.items.length === 2);
      list.accept(list.pick.items.find(({ label }) => label === engine.name)!);
      await deleted;
    });
    assert.deepEqual(
      asked.map(({ deletes }) => deletes),
      [engine.name],
    );
    assert.deepEqual(await names(), ["sample"]);
  });

  it("are shown on their page with their models, without secrets", async () => {
    const { page: form, draft } = await openForm("sample");
    const rows = [
      { id: "1", name: "api_base", value: "http://127.0.0.1/v1" },
      { id: "2", name: "my_token", value: "" },
      { id: "3", name: "note", value: "The token is made-up-4711." },
    ];
    await form.handlers.send({ ...draft, rows }, { "row-2": "made-up-4711" });
    const page = new MlEnginePage({ ...engine, project: "" }, server.pageOptions);
    const shown = () => page.state.current;
    await until("the engine", () => shown().handler);
    const { handler, parameters, models, hasSiblings } = shown();
    assert.equal(handler, "sample");
    assert.deepEqual(parameters, [
      { name: "api_base", value: "http://127.0.0.1/v1" },
      { name: "my_token" },
      { name: "note", value: "The token is ******." },
    ]);
    assert.ok(!JSON.stringify(shown()).includes("made-up-4711"));
    const model = { project: "mindsdb", name: "home_rentals_model" };
    assert.ok(models?.some((one) => isDeepStrictEqual(one, model)));
    assert.equal(hasSiblings, true);
    await deleteMlEngine(client, engine.name);
    await page.handlers.refresh();
    await until("its end", () => shown().isGone);
    assert.equal(shown().notice?.text, "The ML engine mine no longer exists.");
    page.onClosed();
  });

  describe("of a connection", () => {
    useSampleServer();

    it("open their page by name or by the kind of a model", async () => {
      const connectionId = "sample";
      await vscode.commands.executeCommand(commands.mlEngineShow, { connectionId, name: "none" });
      await until("the page of a name", () => tabs().some(({ label }) => label === "none"));
      await closeAllEditors();
      const ofKind = { connectionId, handler: "sample" };
      await vscode.commands.executeCommand(commands.mlEngineShow, ofKind);
      await until("the page", () => tabs().some(({ label }) => label === "sample"));
    });

    it("are created in the form of the kind that a wanted one is called like", async () => {
      const wanted = { connectionId: "sample", name: "openai" };
      await vscode.commands.executeCommand(commands.mlEngineCreate, wanted);
      await until("the form", () => tabs().some(({ label }) => label === "Create ML Engine"));
    });
  });
});
