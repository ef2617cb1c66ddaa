// The form of a data source and its host, on the sample server.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { emptyDraft } from "../../src/dataSources/dataSourceDraft.ts";
import { DataSourceFormPage } from "../../src/dataSources/host/dataSourceFormPage.ts";
import { connectInForm } from "../../src/dataSources/host/dataSourceActions.ts";
import type { DataSourceForms } from "../../src/dataSources/host/dataSourceForms.ts";
import { loadKnown } from "../../src/dataSources/host/loadKnown.ts";
import { AppError } from "../../src/mindsdb/errors.ts";
import { listHandlers, type Handler } from "../../src/mindsdb/handlers.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import type { Connection } from "../../src/shared/connection.ts";
import { postingWith } from "./askingServers.ts";
import { useAskingServer } from "./useTestServer.ts";
import { eventually, hiddenPick, noteIn, until, withWindow } from "./workbench.ts";

describe("The form of a data source", () => {
  const server = useAskingServer();
  const { asked, log, servers } = server;

  it("asks before the server connects to an address, also for a test, and sends nothing if refused", async () => {
    const { client } = server;
    const sent: string[] = [];
    let address: string | undefined;
    server.over = postingWith(client, (path, ...rest) => {
      // What is read beforehand includes the names of ML engines, by SQL.
      if (path === "/api/sql/query") return client.post(path, ...rest);
      sent.push(path);
      return address ? Promise.resolve({ redirect_url: address }) : client.post(path, ...rest);
    });
    server.answer = false;
    const handler = (await listHandlers(client)).find(({ name }) => name === "postgres");
    assert.ok(handler);
    const values = { host: "sample", user: "tenant", database: "lantern_lane", port: "5432" };
    const draft = { ...emptyDraft(handler, "lantern"), values };
    const form = { id: "one", connectionId: "local", draft, initial: draft };
    const content = { known: { handler, taken: [] } };
    const page = new DataSourceFormPage(
      { form, content },
      { servers, log, onSaved: () => assert.fail("nothing is stored") },
    );
    const keys = { "arg-password": "lantern" };
    assert.equal(await page.handlers.test(draft, keys), undefined);
    assert.equal(page.state.current.failure?.text, "Not tested.");
    assert.deepEqual(
      [sent, asked.map(({ what }) => what)],
      [[], ["Test a connection to PostgreSQL"]],
    );
    server.answer = true;
    assert.equal(await page.handlers.test(draft, keys), "The server can connect.");
    assert.deepEqual(sent, ["/api/databases/status"]);
    // Where to sign in is shown as it is, with what is invisible in it.
    address = "https://sign-in.example/\u202Egro.elgoog//:sptth";
    await page.handlers.test(draft, keys);
    assert.deepEqual(
      [page.state.current.failure?.text, page.state.current.failure?.action],
      [
        "The data source requires you to sign in at https://sign-in.example/%E2%80%AEgro.elgoog//:sptth",
        "Open Address",
      ],
    );
    address = `https://sign-in.example/${"x".repeat(5_000)}`;
    await page.handlers.test(draft, keys);
    assert.equal(page.state.current.failure?.action, undefined);
    address = "sign-in.example/\u202Egro.elgoog";
    await page.handlers.test(draft, keys);
    const { text, action } = page.state.current.failure ?? {};
    assert.match(text ?? "", /^The data source requires you to sign in at "sign-in\.example\//);
    assert.doesNotMatch(text ?? "", /\u202E/);
    assert.equal(action, undefined);
    // It is not said to be connected if the server cannot reach it.
    address = undefined;
    server.over = postingWith(client, (path, ...rest) =>
      path === "/api/databases/"
        ? Promise.resolve({ status: "connection_error", detail: "no route to host" })
        : client.post(path, ...rest),
    );
    await page.handlers.send(draft, keys);
    assert.match(page.state.current.failure?.text ?? "", /no route to host/);
    // A form that is restored reads its kind from the server.
    const restored = new DataSourceFormPage(
      { form, content: {} },
      { servers, log, onSaved: () => assert.fail("nothing is stored") },
    );
    const titles: string[] = [];
    const onTabChanged = () => void titles.push(restored.title);
    const unused = () => assert.fail("not called");
    restored.hooks = {
      onTabChanged,
      keep: unused,
      forget: unused,
      reopen: unused,
      close: unused,
    };
    await eventually(() => assert.deepEqual(titles, ["Connect PostgreSQL"]));
  });
});

describe("The kinds of data sources", () => {
  const server = useAskingServer();
  const { log } = server;
  const servers = { ...server.servers, find: () => ({ id: "local" }) as Connection };
  const opened: unknown[] = [];
  const loadForms = () =>
    Promise.resolve({
      create: (id: string, { name }: Handler) => void opened.push([id, name]),
    } as unknown as DataSourceForms);
  const connect = () => connectInForm({ servers, log, loadForms }, { connectionId: "local" });

  beforeEach(() => void (opened.length = 0));

  it("are listed with the most used ones first, and open the form of the chosen one", async () => {
    const list = hiddenPick();
    await withWindow({ createQuickPick: () => list.pick }, async () => {
      const connected = connect();
      const [first] = await until("the kinds", () => list.pick.items.length > 0 && list.pick.items);
      const needing = list.pick.items.find(({ detail }) => detail?.startsWith("Needs a driver: "));
      assert.equal(first?.label, "PostgreSQL");
      assert.ok(needing);
      list.accept(first);
      await connected;
    });
    assert.deepEqual(opened, [["local", "postgres"]]);
  });

  it("are not listed once the user cancels their loading, and no error is shown", async () => {
    const messages: string[] = [];
    let source = new vscode.CancellationTokenSource();
    const withProgress = (_: unknown, work: (...all: unknown[]) => Promise<void>) =>
      work({}, source.token);
    const load = (cancel: () => void) => {
      const get = () => {
        cancel();
        return Promise.reject(new AppError("serverFault", "no such luck"));
      };
      server.over = { get } as unknown as Client;
      return withWindow({ withProgress, showErrorMessage: noteIn(messages) }, connect);
    };
    await load(() => source.cancel());
    assert.deepEqual(messages, []);
    source = new vscode.CancellationTokenSource();
    await load(() => undefined);
    assert.match(messages.join(), /no such luck/);
    assert.deepEqual(opened, []);
  });

  it("are refused where the server has none of this name", async () => {
    const known = loadKnown(servers, "local", { kind: "data", engine: "nothing" });
    await assert.rejects(known, /no handler for nothing/);
  });
});
