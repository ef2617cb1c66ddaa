// The form of a view and its host, on the sample server.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { AppError } from "../../src/mindsdb/errors.ts";
import type { Client } from "../../src/mindsdb/http/client.ts";
import type { ItemRef } from "../../src/mindsdb/references.ts";
import { createView, deleteView, getView, updateView } from "../../src/mindsdb/viewChanges.ts";
import { createInForm } from "../../src/views/host/viewActions.ts";
import { ViewFormPage } from "../../src/views/host/viewFormPage.ts";
import { ViewForms } from "../../src/views/host/viewForms.ts";
import type { ViewForm } from "../../src/views/viewForm.ts";
import type { ViewDraft } from "../../src/views/viewDraft.ts";
import { clientOver } from "../clientOver.ts";
import { answering, postingWith } from "./askingServers.ts";
import { useAskingServer } from "./useTestServer.ts";
import {
  closeAllEditors,
  extensionFolder,
  until,
  useSampleServer,
  workbench,
} from "./workbench.ts";

describe("The form of a view", () => {
  const server = useAskingServer();
  useSampleServer();
  const { asked, log, servers } = server;
  let client: Client;
  const saved: ItemRef[] = [];
  const place = { project: "mindsdb", name: "cheap" };
  const query = "-- cheap\nSELECT sqft FROM files.home_rentals WHERE rental_price < 2000";

  before(() => void ({ client } = server));
  beforeEach(() => void (saved.length = 0));

  const options = { servers, log, onSaved: (view: ItemRef) => void saved.push(view) };
  const open = (draft: ViewDraft, before?: ViewDraft): ViewFormPage => {
    const form = { id: "one", connectionId: "local", draft, initial: draft, before };
    return new ViewFormPage({ form, content: {} }, options);
  };

  it("begins with the query of a SQL file, in the project that the file names", async () => {
    const { connections } = await workbench();
    const draftsFolder = fs.mkdtempSync(path.join(os.tmpdir(), "views-"));
    const options = {
      extensionUri: extensionFolder(),
      servers: connections,
      log,
      draftsFolder,
      onSaved: () => undefined,
    };
    const forms = new ViewForms(options);
    const start = async (given: { database?: string; query?: string }) => {
      await createInForm(options, { connectionId: "sample", ...given }, () =>
        Promise.resolve(forms),
      );
      return forms.contents.at(-1)?.form.draft;
    };
    try {
      const empty = { project: "mindsdb", name: "", query: "" };
      assert.deepEqual(await start({ database: "files", query }), { ...empty, query });
      assert.deepEqual(await start({ database: "SUPPORT", query: "SELECT 1" }), {
        ...empty,
        project: "support",
        query: "SELECT 1",
      });
      await closeAllEditors();
      await until("no form", () => forms.contents.length === 0);
      // Not what the closed form had.
      assert.equal((await start({ query }))?.query, query);
      await closeAllEditors();
      await until("no form", () => forms.contents.length === 0);
      // Each key would take seconds.
      assert.equal(await start({ query: `SELECT '${"x".repeat(600_000)}'` }), undefined);
    } finally {
      await closeAllEditors();
      await until("no form", () => forms.contents.length === 0);
      fs.rmSync(draftsFolder, { recursive: true, force: true });
    }
  });

  it("previews a query, creates the view with its text, and finds that its name is taken", async () => {
    const page = open({ ...place, query });
    await page.handlers.preview({ ...place, query });
    const { preview } = page.state.current;
    assert.deepEqual(
      [preview?.of, preview?.rows.columns.map(({ name }) => name), preview?.rows.rows.length],
      [query, ["sqft"], 10],
    );
    await page.handlers.send({ ...place, query }, {});
    assert.equal((await getView(client, place)).query, query);
    assert.deepEqual(saved, [{ connectionId: "local", ...place }]);
    assert.equal(asked.length, 1);
    const second = open({ ...place, query });
    await second.handlers.send({ ...place, query }, {});
    assert.equal(second.state.current.failure?.field, "name");
    assert.equal(asked.length, 1, "nobody is asked for what cannot be done");
  });

  it("checks a changed query, which servers do not, and changes no view that was deleted", async () => {
    const before = { ...place, query };
    const page = open(before, before);
    await page.handlers.send({ ...place, query: "SELECT * FROM files.nothing" }, {});
    assert.equal(page.state.current.failure?.field, "query");
    assert.equal((await getView(client, place)).query, query);
    const changed = "SELECT location FROM files.home_rentals";
    await page.handlers.send({ ...place, query: changed }, {});
    assert.equal((await getView(client, place)).query, changed);
    await deleteView(client, place);
    const late = open(before, before);
    await late.handlers.send({ ...place, query: changed }, {});
    assert.match(late.state.current.failure?.text ?? "", /no longer in mindsdb/);
    await assert.rejects(getView(client, place), { kind: "notFound" });
  });

  it("puts the old query back if the view cannot be read with the new one, although that runs", async () => {
    const before = { ...place, name: "kept", query };
    await createView(client, before);
    // SQL that names the view fails.
    server.over = postingWith(client, (path, body, options) =>
      JSON.stringify(body).includes("kept")
        ? Promise.resolve({ type: "error", error_message: "no such luck" })
        : client.post(path, body, options),
    );
    const page = open(before, before);
    await page.handlers.send({ ...before, query: "SELECT sqft FROM files.home_rentals" }, {});
    const { failure } = page.state.current;
    assert.equal(failure?.field, "query");
    assert.match(failure.text, /its previous query was restored. Server message: .*no such luck/);
    assert.equal((await getView(client, before)).query, query);
    await deleteView(client, before);
  });

  it("says that the old query is lost if it cannot be put back", async () => {
    const before = { ...place, name: "kept", query };
    await createView(client, before);
    server.over = new Proxy(
      answering(client, /kept/, () =>
        Promise.resolve({ type: "error", error_message: "no such luck" }),
      ),
      {
        get: (target, key) =>
          key !== "put"
            ? (Reflect.get(target, key) as unknown)
            : (...all: Parameters<Client["put"]>) =>
                JSON.stringify(all[1]).includes("cheap")
                  ? Promise.reject(new AppError("unreachable", "gone"))
                  : client.put(...all),
      },
    );
    const page = open(before, before);
    await page.handlers.send({ ...before, query: "SELECT sqft FROM files.home_rentals" }, {});
    const text = page.state.current.failure?.text ?? "";
    assert.match(text, /could not be restored\. Save the previous query again\./);
    await deleteView(client, before);
  });

  it("previews a UNION, which servers read in no subquery, without secrets", async () => {
    const sent: string[] = [];
    client.secrets.add("made-up-row-secret");
    server.over = postingWith(client, (_path, body) => {
      const { query } = body as { query: string };
      sent.push(query);
      return Promise.resolve(
        query.startsWith("WITH")
          ? { type: "table", column_names: ["a"], data: [["made-up-row-secret"]] }
          : { type: "error", error_message: "Unsupported from_table: Union" },
      );
    });
    const draft = { ...place, query: "SELECT 1 AS a UNION SELECT 2 AS a" };
    const page = open(draft);
    await page.handlers.preview(draft);
    assert.deepEqual(page.state.current.preview?.rows.rows, [["******"]]);
    assert.equal(sent.at(-1), `WITH t AS (${draft.query}\n) SELECT * FROM t LIMIT 10`);
  });

  it("asks before it replaces what somebody else has changed, or what it cannot check", async () => {
    const before = { ...place, name: "shared", query };
    const isSaid = (said: RegExp) =>
      asked.map(({ isAlwaysAsked, detail }) => {
        return isAlwaysAsked === true && said.test(String(detail));
      });
    await createView(client, before);
    const theirs = "SELECT location FROM files.home_rentals";
    await updateView(client, { ...before, query: theirs });
    server.answer = false;
    const page = open(before, before);
    await page.handlers.send({ ...before, query: "SELECT 1 AS a" }, {});
    assert.deepEqual(isSaid(/changed on the server while/), [true]);
    assert.equal(page.state.current.failure?.text, "Not saved.");
    assert.equal((await getView(client, before)).query, theirs);

    asked.length = 0;
    const current = { ...before, query: theirs };
    const costly = clientOver(server.transport, { mayCost: () => Promise.resolve(true) });
    for (const [over, unchecked] of [
      [client, "SELECT * FROM files (DELETE FROM home_rentals)"],
      [client, "SELECT * FROM information_schema.databases"],
      [costly, "SELECT * FROM mindsdb.rental_agent WHERE question = 'Where?'"],
    ] as const) {
      server.over = over;
      const form = open(current, current);
      await form.handlers.send({ ...current, query: unchecked }, {});
      assert.equal(form.state.current.failure?.text, "Not saved.", unchecked);
    }
    assert.deepEqual(isSaid(/new query is not checked/), [true, true, true]);
    assert.equal((await getView(client, before)).query, theirs);
    await deleteView(client, before);
  });

  it("is kept without the secrets of the view's text, and does not send placeholders for them", async () => {
    const secret = "SELECT sqft FROM files.home_rentals WHERE location = 'api_key=canary-31-Qz7'";
    const stored = { ...place, name: "secretive", query: secret };
    await createView(client, stored);
    const changed = { ...stored, query: `${secret} LIMIT 1` };
    const page = open(stored, stored);
    const kept: ViewForm[] = [];
    const nothing = (): void => undefined;
    const keep = (form: ViewForm): void => void kept.push(form);
    page.hooks = { keep, onTabChanged: nothing, forget: nothing, reopen: nothing, close: nothing };
    page.handlers.change(changed, {});
    page.onClosed();
    assert.equal(kept.length, 1);
    assert.doesNotMatch(JSON.stringify(kept), /canary/);
    const opened = { form: kept[0]!, content: {}, isRestored: true };
    const restored = new ViewFormPage(opened, options);
    for (const draft of [kept[0]!.draft, kept[0]!.before!]) {
      await restored.handlers.send(draft, {});
      assert.match(restored.state.current.failure?.text ?? "", /stands for a secret/);
    }
    assert.equal((await getView(client, stored)).query, secret);
    await restored.handlers.send(changed, {});
    assert.equal((await getView(client, stored)).query, changed.query);
    await deleteView(client, stored);
  });
});
