// The form and the page of a trigger and their hosts, on the sample server.
import assert from "node:assert/strict";
import type { Client } from "../../src/mindsdb/http/client.ts";
import type { ItemRef } from "../../src/mindsdb/references.ts";
import { deleteTrigger, listTriggers } from "../../src/mindsdb/triggers.ts";
import { confirmAndDelete } from "../../src/triggers/host/triggerActions.ts";
import { TriggerFormPage } from "../../src/triggers/host/triggerFormPage.ts";
import { TriggerPage } from "../../src/triggers/host/triggerPage.ts";
import { emptyTriggerDraft, type TriggerDraft } from "../../src/triggers/triggerDraft.ts";
import { useAskingServer } from "./useTestServer.ts";
import { copied, eventually, until } from "./workbench.ts";

const project = "support";
const draft: TriggerDraft = {
  ...emptyTriggerDraft(project, "lantern_lane.tenants"),
  name: "on_tenants",
  columns: "name, home",
  query: "INSERT INTO files.log (SELECT * FROM TABLE_DELTA)",
};
const item: ItemRef = { connectionId: "local", project, name: draft.name };

describe("Triggers", () => {
  const server = useAskingServer();
  const { asked, log, servers } = server;
  let client: Client;
  const saved: ItemRef[] = [];

  before(() => void ({ client } = server));
  beforeEach(() => void (saved.length = 0));
  afterEach(() => deleteTrigger(client, item).catch(() => undefined));

  const names = async () => (await listTriggers(client, project)).map(({ name }) => name);
  const openForm = (): TriggerFormPage => {
    const form = { id: "one", connectionId: "local", draft, initial: draft };
    return new TriggerFormPage(
      { form, content: {} },
      {
        servers,
        log,
        pickTable: () =>
          Promise.resolve({ connectionId: "local", project: "lantern_lane", name: "tenants" }),
        onSaved: (trigger) => void saved.push(trigger),
      },
    );
  };

  it("are created once, in a table that the user picks, and not where writing is refused", async () => {
    server.answer = false;
    const refused = openForm();
    assert.equal(await refused.handlers.pickTable(), draft.table);
    await refused.handlers.send(draft, {});
    assert.equal(refused.state.current.failure?.text, "Not saved.");
    assert.deepEqual(await names(), []);
    server.answer = true;
    await openForm().handlers.send(draft, {});
    assert.deepEqual(saved, [item]);
    const second = openForm();
    await second.handlers.send(draft, {});
    assert.equal(second.state.current.failure?.field, "name");
    assert.equal(asked.length, 2, "nobody is asked for what cannot be done");
    assert.match(String(asked[0]?.detail), /creates a trigger and a function in the database/);
  });

  it("show the server's refusal at its field", async () => {
    const page = openForm();
    await page.handlers.send({ ...draft, table: "files.home_rentals" }, {});
    assert.equal(page.state.current.failure?.field, "table");
    assert.match(page.state.current.failure.text, /can't watch tables of files/);
    await page.handlers.send({ ...draft, query: "SELECT FROM WHERE" }, {});
    assert.equal(page.state.current.failure.field, "query");
  });

  it("are shown on their page, and deleted after a question", async () => {
    await openForm().handlers.send(draft, {});
    const page = new TriggerPage(item, server.pageOptions);
    const shown = () => page.state.current;
    await until("the trigger", () => shown().trigger);
    assert.equal(shown().trigger?.query, draft.query);
    await page.handlers.copyStatement();
    await copied(
      /^CREATE TRIGGER `support`\.`on_tenants` ON `lantern_lane`\.`tenants` \(\nINSERT INTO/,
    );
    asked.length = 0;
    server.answer = false;
    await confirmAndDelete({ servers, log }, item);
    assert.deepEqual(await names(), [draft.name]);
    assert.equal(asked[0]?.deletes, draft.name);
    server.answer = true;
    await confirmAndDelete({ servers, log }, item);
    assert.deepEqual(await names(), []);
    await page.handlers.refresh();
    await eventually(() => assert.equal(shown().isGone, true));
    assert.match(shown().notice?.text ?? "", /on_tenants is no longer in support/);
    page.onClosed();
  });
});
