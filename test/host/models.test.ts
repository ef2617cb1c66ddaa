import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { commands } from "../../src/ids.ts";
import { AppError } from "../../src/mindsdb/errors.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { listModels } from "../../src/mindsdb/models.ts";
import type { ItemRef } from "../../src/mindsdb/references.ts";
import { runSql } from "../../src/mindsdb/sql/runSql.ts";
import { createView, deleteView } from "../../src/mindsdb/viewChanges.ts";
import type { ModelPage } from "../../src/models/host/modelPage.ts";
import { TrainForms } from "../../src/models/host/trainForms.ts";
import { createTrainForm, TrainPage } from "../../src/models/host/trainPage.ts";
import { readTrainingRows, startTraining } from "../../src/models/host/trainServer.ts";
import { emptyTrainDraft } from "../../src/models/trainDraft.ts";
import type { PlannedChange, ServerAccess } from "../../src/shared/connection.ts";
import { Log } from "../../src/shared/host/log.ts";
import type { FaultProxy } from "../proxy/faultProxy.ts";
import { clientOf } from "../unit/mindsdb/scriptedServer.ts";
import { connectionsWith } from "./askingServers.ts";
import { useTestConnection } from "./useTestServer.ts";
import {
  actUntil,
  closeAllEditors,
  copied,
  eventually,
  extensionFolder,
  tabs,
  until,
  useSampleServer,
  withWindow,
  workbench,
} from "./workbench.ts";

describe("Model pages", () => {
  const model = { connectionId: "sample", project: "mindsdb", name: "home_rentals_model" };

  useSampleServer();

  it("open once for a model, with the requested version", async () => {
    const panels = await (await workbench()).models.load();
    await vscode.commands.executeCommand(commands.modelShow, model);
    const page = await until("the page", () => panels.contents.at(0));
    assert.equal(page.title, "home_rentals_model");
    const shown = () => page.state.current.description;
    await until(
      "the active version",
      () => shown()?.importances.length === 6 && shown()?.version === 2,
    );

    const version = { ...model, version: 1 };
    await vscode.commands.executeCommand(commands.modelShow, version);
    await until(
      "version 1",
      () => shown()?.importances.length === 3 && shown()?.inputs[0]?.type === "float",
    );
    assert.equal(panels.contents.length, 1);
  });

  describe("of a server that changes", () => {
    const v1 = { name: "rents", version: 1, status: "complete", active: true };
    const v2 = { name: "rents", version: 2, status: "generating", active: false };
    const server = useTestConnection("Changing");
    let proxy: FaultProxy;
    let connectionId: string;
    let page: Pick<ModelPage, "state" | "handlers" | "isGone">;

    before(async () => {
      ({ proxy, id: connectionId } = server);
      const { models } = await workbench();
      answer([v1]);
      const shown = { connectionId, project: "mindsdb", name: "rents" };
      await vscode.commands.executeCommand(commands.modelShow, shown);
      const panels = await models.load();
      page = await until("the page", () =>
        panels.contents.find(({ item }) => item.connectionId === connectionId),
      );
      await until("its version", () => page.state.current.description?.version === 1);
    });

    function answer(models: object[], until?: Promise<void>): void {
      const headers = { "content-type": "application/json" };
      const describe = { status: 200, headers, body: "[]" };
      proxy.set(
        { on: /\/models$/, answer: { status: 200, headers, body: JSON.stringify(models) } },
        { on: /\/describe$/, answer: describe, ...(until && { until }) },
        { on: /sql.query$/, answer: { status: 200, headers, body: '{"type":"ok"}' } },
      );
    }
    const client = async () => (await workbench()).connections.client(connectionId);
    const failure = () => page.state.current.notice?.text ?? "";

    it("update after a statement about their model", async () => {
      answer([v1, v2]);
      await runSql(await client(), "RETRAIN mindsdb.rents");
      await until("the training", () => page.state.current.description?.isTraining);
    });

    it("update when another part of the extension has read the model", async () => {
      answer([
        { ...v1, active: false },
        { ...v2, status: "complete", active: true },
      ]);
      await listModels(await client(), "mindsdb");
      await until("its end", () => {
        const { isTraining, version } = page.state.current.description ?? {};
        return isTraining === false && version === 2;
      });
    });

    it("update after another part of the extension has read the model while they describe it", async () => {
      let describe = (): void => undefined;
      const described = new Promise<void>((resolve) => (describe = resolve));
      const v3 = { ...v1, version: 3 };
      answer([v1], described);
      void page.handlers.refresh();
      const isDescribing = () =>
        proxy.requests.at(-1)?.path.endsWith("/describe") && page.state.current.isLoading;
      await until("the question for its description", isDescribing);
      answer([{ ...v1, active: false }, v3]);
      await listModels(await client(), "mindsdb");
      describe();
      await until("the new version", () => page.state.current.description?.version === 3);
    });

    it("say that the model was deleted, disable Predict, and recover with the model", async () => {
      answer([]);
      await runSql(await client(), "DROP MODEL rents");
      await until("the update", () => page.isGone);
      await eventually(() =>
        assert.equal(failure(), "rents is no longer in mindsdb. It may have been deleted."),
      );
      const notebooks = () =>
        tabs().filter(({ input }) => input instanceof vscode.TabInputNotebook);
      assert.deepEqual(notebooks(), []);
      await page.handlers.predict();
      await page.handlers.choose(1);
      assert.deepEqual(notebooks(), []);
      answer([{ ...v1, id: 9 }]);
      // A page that is asking itself does not listen to others.
      await actUntil(
        "the new one",
        async () => listModels(await client(), "mindsdb"),
        () => !page.isGone && failure() === "",
      );
    });

    it("notice a deleted model while they wait for its training", async () => {
      answer([{ ...v1, status: "training" }]);
      void page.handlers.refresh();
      await until("the training", () => page.state.current.description?.isTraining);
      answer([]);
      // Not while it is loading.
      await actUntil(
        "the update",
        () => void page.handlers.poll(),
        () => page.isGone,
      );
    });
  });

  it("are disposed when they are closed", async () => {
    const panels = await (await workbench()).models.load();
    await closeAllEditors();
    await until("no page", () => panels.contents.length === 0);
  });
});

describe("Training forms", () => {
  const draftsFolder = fs.mkdtempSync(path.join(os.tmpdir(), "drafts-"));

  useSampleServer();
  after(() => fs.rmSync(draftsFolder, { recursive: true }));

  it("read and train from no listing of the server, whose rows hold credentials", async () => {
    const { connections } = await workbench();
    const sources = [
      { source: "select" as const, select: "SELECT hex(model) AS a FROM mindsdb.agents" },
      { source: "select" as const, select: "SELECT * FROM models" },
      { source: "table" as const, table: "mindsdb.agents" },
    ];
    for (const source of sources) {
      const draft = { ...emptyTrainDraft("mindsdb"), name: "m", target: "a", ...source };
      const form = createTrainForm("sample", draft);
      const { signal } = new AbortController();
      await assert.rejects(
        readTrainingRows(connections, "sample", draft, { signal, isAllowed: true }),
        /credentials/,
      );
      await assert.rejects(startTraining(connections, form, draft, signal), /credentials/);
    }
  });

  it("show the first ten rows of a statement without a secret, and the beginning of a long value", async () => {
    const { connections } = await workbench();
    const others = Array.from({ length: 9 }, () => ["other"]);
    const rows = [["made-up-row-secret"], ["x".repeat(201)], ...others];
    const client = clientOf({
      "/api/sql/query": () => ({ type: "table", column_names: ["a"], data: rows }),
    });
    client.secrets.add("made-up-row-secret");
    const servers = connectionsWith(connections, () => Promise.resolve(client));
    const select = "SELECT a FROM files.t";
    const draft = { ...emptyTrainDraft("mindsdb"), source: "select" as const, select };
    const { signal } = new AbortController();
    const shown = await readTrainingRows(servers, "sample", draft, { signal, isAllowed: true });
    assert.deepEqual(shown?.rows, [["******"], [`${"x".repeat(199)}…`], ...others.slice(1)]);
  });

  it("ask each time before a training whose rows may change data or cost money", async () => {
    const { connections } = await workbench();
    const asked: PlannedChange[] = [];
    const servers = {
      ...connectionsWith(connections, (id) => connections.client(id)),
      allowWrite: (_: string, change: PlannedChange) => {
        asked.push(change);
        return Promise.resolve(false);
      },
    };
    const { signal } = new AbortController();
    for (const [select, isAlwaysAsked] of [
      ["SELECT * FROM files.home_rentals", false],
      ["SELECT * FROM mindsdb.rental_agent WHERE question = 'Why?'", true],
      ["SELECT * FROM files (DELETE FROM home_rentals)", true],
    ] as const) {
      const source = { source: "select" as const, select };
      const draft = { ...emptyTrainDraft("mindsdb"), name: "m", target: "a", ...source };
      const started = startTraining(servers, createTrainForm("sample", draft), draft, signal);
      assert.equal(await started, undefined);
      assert.equal(asked.at(-1)?.isAlwaysAsked, isAlwaysAsked, select);
    }
    assert.equal(asked.length, 3);
  });

  const optionsOn = (servers: ServerAccess, started: string[] = []) => ({
    extensionUri: extensionFolder(),
    servers,
    log: new Log(),
    draftsFolder,
    pickTable: () => Promise.resolve(undefined),
    watch: ({ name }: ItemRef) => void started.push(name),
  });
  let forms: TrainForms;
  before(async () => void (forms = new TrainForms(optionsOn((await workbench()).connections))));
  const open = (chosen = {}) => {
    forms.create("sample", "mindsdb", chosen);
    const page = forms.contents.at(-1);
    assert.ok(page);
    return page;
  };
  const close = async (of = forms) => {
    await closeAllEditors();
    await until("no form", () => of.contents.length === 0);
  };

  it("check the name again when they are sent", async () => {
    const page = open({ table: "files.home_rentals" });
    await until("the engines", () => page.state.current.choices);
    const client = await (await workbench()).connections.client("sample");
    const view = { project: "mindsdb", name: "taken_meanwhile" };
    await createView(client, { ...view, query: "SELECT * FROM files.home_rentals" });
    const draft = { ...page.form.draft, target: "rental_price", engine: "lightwood" };
    await page.handlers.send({ ...draft, name: view.name }, {});
    const { failure, started } = page.state.current;
    assert.deepEqual([failure?.field, started], ["name", undefined]);
    assert.match(failure?.text ?? "", /^This project has a view named taken_meanwhile\./);
    await deleteView(client, view);
    await close();
  });

  it("show no rows of what was chosen before", async () => {
    const page = open({ table: "files.home_rentals" });
    await until("the rows", () => page.state.current.rows?.read);
    page.handlers.change({ ...page.form.draft, table: "files.neighborhoods" }, {});
    assert.deepEqual(page.state.current.rows, { isReading: true });
    page.handlers.change({ ...page.form.draft, table: "" }, {});
    assert.equal(page.state.current.rows, undefined);
    page.handlers.startOver();
    await close();
  });

  it("that are closed while they send say why that failed, and keep what was typed but keys", async () => {
    const { connections } = await workbench();
    const client = await connections.client("sample");
    const key = "open-sesame-1234567890";
    const started: string[] = [];
    let wanted = Promise.resolve(client);
    const servers = connectionsWith(connections, () => wanted);
    const forms = new TrainForms(optionsOn(servers, started));
    const drafts = () =>
      fs
        .readdirSync(draftsFolder)
        .map((name) => fs.readFileSync(path.join(draftsFolder, name), "utf8"));
    /** Sends a form and closes it, and then lets the server be found, or not. */
    const sendAndClose = async (end: () => Client) => {
      const page = forms.contents.at(-1);
      assert.ok(page);
      const draft = {
        ...page.form.draft,
        name: "closed_early",
        table: "files.home_rentals",
        target: "rental_price",
        engine: "sample",
        options: `window = 10\napi_key = ${key}`,
      };
      page.handlers.change(draft, {});
      assert.doesNotMatch(JSON.stringify(page.state.current), new RegExp(key));
      let isFound = (): void => undefined;
      wanted = new Promise((resolve) => (isFound = () => resolve(undefined))).then(end);
      const sent = page.handlers.send(draft, {});
      assert.equal(page.state.current.sending, 0);
      await close(forms);
      const [kept = "", ...others] = drafts();
      assert.deepEqual(others, []);
      assert.match(kept, /closed_early.*window = 10\\napi_key ="/);
      assert.doesNotMatch(kept, new RegExp(key));
      isFound();
      await sent;
    };
    const messages: unknown[] = [];
    const press = (...message: unknown[]) => {
      // Pages of other tests may fail, too.
      if (!String(message[0]).startsWith("Train Model")) return Promise.resolve(undefined);
      messages.push(message);
      wanted = Promise.resolve(client);
      return Promise.resolve("Open Form");
    };
    forms.create("sample", "mindsdb");
    await withWindow({ showErrorMessage: press }, async () => {
      await sendAndClose(() => {
        throw new AppError("sql", "No such engine.");
      });
      await until("the form again", () => forms.contents.length === 1);
    });
    assert.deepEqual(messages, [["Train Model: Server message: No such engine.", {}, "Open Form"]]);
    const again = forms.contents.at(-1);
    assert.equal(again?.form.draft.name, "closed_early");
    assert.match(again.state.current.failure?.text ?? "", /No such engine/);
    assert.deepEqual(drafts(), []);

    await sendAndClose(() => client);
    assert.deepEqual([started, drafts(), messages.length], [["closed_early"], [], 1]);
    assert.doesNotMatch(client.secrets.redactKnown(`refused ${key}`), new RegExp(key));
    await runSql(client, "DROP MODEL mindsdb.closed_early");
  });

  it("copy no key", async () => {
    const { connections } = await workbench();
    const options = 'api_key = open-sesame-1234567890\nargs = {"a": 1, "password": "hunter22"}';
    const draft = {
      ...emptyTrainDraft("mindsdb"),
      name: "m",
      table: "files.home_rentals",
      target: "rental_price",
      engine: "lightwood",
      options,
    };
    const opened = { form: createTrainForm("sample", draft), content: {} };
    const page = new TrainPage(opened, optionsOn(connections));
    assert.equal(await page.handlers.copySql(draft), "Copied without API keys.");
    page.onClosed();
    const sql = await copied(/CREATE MODEL/);
    assert.doesNotMatch(sql, /sesame|hunter22/);
    assert.match(sql, /api_key = '<your API key>'/);
    assert.match(sql, /"password":"<your API key>"/);
  });

  it("begin with the unsaved changes of a closed one, unless their rows are chosen", async () => {
    const closed = open();
    assert.equal(closed.state.current.keptNote, undefined);
    const { draft } = closed.form;
    // The page selects the first engine.
    await until("the engines", () => closed.state.current.choices);
    closed.handlers.change({ ...draft, engine: "sample" }, {});
    assert.ok(!closed.isDirty);
    closed.handlers.change({ ...draft, name: "first" }, {});
    assert.ok(closed.isDirty);
    await close();

    assert.equal(open({ table: "files.other" }).form.draft.name, "");
    const kept = open();
    assert.equal(kept.form.draft.name, "first");
    assert.match(kept.state.current.keptNote ?? "", /^These are your unsaved changes from /);
    assert.ok(kept.isDirty);
    kept.handlers.startOver();
    assert.deepEqual(kept.form.draft, draft);
    assert.equal(kept.state.current.keptNote, undefined);
    await close();
    assert.equal(open().form.draft.name, "");
    await close();
  });
});
