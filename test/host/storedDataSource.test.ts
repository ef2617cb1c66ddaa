// The form of a stored data source and its host, on the sample server, which shows no secrets.
import assert from "node:assert/strict";
import { DataSourceFormPage } from "../../src/dataSources/host/dataSourceFormPage.ts";
import { loadKnown } from "../../src/dataSources/host/loadKnown.ts";
import { createStoredDraft } from "../../src/dataSources/storedDraft.ts";
import { createDataSource, getDataSource } from "../../src/mindsdb/dataSourceChanges.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../src/mindsdb/http/transport.ts";
import { clientOver } from "../clientOver.ts";
import { startFaultProxy } from "../proxy/faultProxy.ts";
import { useAskingServer } from "./useTestServer.ts";

describe("The form of a stored data source", () => {
  const server = useAskingServer();
  const { asked, log, servers } = server;
  let client: Client;
  const saved: string[] = [];
  const name = "lantern";
  const right = { host: "sample", port: 5432, user: "tenant", database: "lantern_lane" };

  before(async () => {
    ({ client } = server);
    const parameters = { ...right, password: "lantern" };
    await createDataSource(client, { name, engine: "postgres", parameters });
  });
  beforeEach(() => void (saved.length = 0));

  const open = async (): Promise<DataSourceFormPage> => {
    const known = await loadKnown(servers, "local", { kind: "data", engine: "postgres" });
    const { draft, storedKeys } = createStoredDraft(
      known.handler,
      await getDataSource(client, name),
    );
    const common = { id: "one", connectionId: "local", draft, initial: draft };
    const form = { ...common, before: draft, storedKeys };
    return new DataSourceFormPage(
      { form, content: { known } },
      { servers, log, onSaved: (source) => void saved.push(source.name) },
    );
  };
  const changed = (page: DataSourceFormPage, values: Record<string, string>) => {
    const { draft } = page.form;
    return { ...draft, values: { ...draft.values, ...values } };
  };
  const stored = async () => (await getDataSource(client, name)).parameters;

  it("saves what works, keeps what did not, and sends nothing if nothing has changed", async () => {
    const page = await open();
    assert.match(page.title, /lantern/);
    assert.equal(await page.handlers.send(page.form.draft, {}), "Nothing has changed.");
    assert.equal(asked.length, 0);
    await page.handlers.send(changed(page, { port: "5433" }), {});
    assert.equal(page.state.current.failure?.field, "arg-host");
    assert.match(page.state.current.failure.text, /Connection refused/);
    assert.equal((await stored())["port"], 5432);
    await page.handlers.send(changed(page, { port: "5432" }), { "arg-password": "wrong" });
    assert.equal(page.state.current.failure?.field, "arg-password");
    const schema = changed(await open(), { schema: "billing" });
    await (await open()).handlers.send(schema, {});
    assert.deepEqual(saved, [name]);
    assert.match(String(asked.at(-1)?.detail), /: schema$/);
    assert.equal((await stored())["schema"], "billing");
    // It still connects: the password was not replaced by its mask.
    await (await open()).handlers.send(changed(page, { port: "5432", schema: "public" }), {});
    assert.equal((await stored())["schema"], "public");
  });

  it("tests with what the server has, if it shows that, and with what was typed", async () => {
    const page = await open();
    assert.equal(await page.handlers.test(page.form.draft, {}), undefined);
    assert.equal(page.state.current.failure?.field, "arg-password");
    assert.match(page.state.current.failure.text, /does not show the stored value/);
    assert.equal(
      await page.handlers.test(page.form.draft, { "arg-password": "lantern" }),
      "The server can connect.",
    );
    assert.equal(asked.length, 2);
  });

  it("hides the stored password in a refusal", async () => {
    const proxy = await startFaultProxy({ target: server.url });
    const through = createTransport(parseAddress(proxy.url));
    try {
      server.over = clientOver(through);
      const page = await open();
      const headers = { "content-type": "application/json" };
      const password = "open-sesame-4711";
      const row = { name, engine: "postgres", connection_data: { ...right, password } };
      const refusal = { detail: `No connection with the password ${password}.` };
      proxy.set(
        {
          on: /^GET .*\/databases\/lantern$/,
          answer: { status: 200, headers, body: JSON.stringify(row) },
        },
        { on: /^PUT /, answer: { status: 400, headers, body: JSON.stringify(refusal) } },
      );
      await page.handlers.send(changed(page, { schema: "other" }), {});
      assert.match(page.state.current.failure?.text ?? "", /with the password \*+\./);
    } finally {
      await through.close();
      await proxy.stop();
    }
  });

  it("changes nothing without consent, and creates nothing that is gone", async () => {
    server.answer = false;
    const page = await open();
    await page.handlers.send(changed(page, { schema: "other" }), {});
    assert.equal(page.state.current.failure?.text, "Not saved.");
    assert.notEqual((await stored())["schema"], "other");
    server.answer = true;
    const late = await open();
    await client.delete(`/api/databases/${name}`);
    await late.handlers.send(changed(late, { schema: "other" }), {});
    assert.match(late.state.current.failure?.text ?? "", /lantern no longer exists/);
    await assert.rejects(getDataSource(client, name), { kind: "notFound" });
  });
});
