// The form of a data source and its host, on the sample server.
import assert from "node:assert/strict";
import { emptyDraft } from "../../src/dataSources/dataSourceDraft.ts";
import { DataSourceFormPage } from "../../src/dataSources/host/dataSourceFormPage.ts";
import { listHandlers } from "../../src/mindsdb/handlers.ts";
import { postingWith } from "./askingServers.ts";
import { useAskingServer } from "./useTestServer.ts";
import { eventually } from "./workbench.ts";

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
