// Views of real servers, as the client library and the form read and change them.
import assert from "node:assert/strict";
import type { PlannedChange, ServerAccess } from "../../src/shared/connection.ts";
import { readViews } from "../../src/mindsdb/sql/views.ts";
import { readFirstRows } from "../../src/mindsdb/tables.ts";
import { createView, deleteView, getView, updateView } from "../../src/mindsdb/viewChanges.ts";
import type { ViewDraft } from "../../src/views/viewDraft.ts";
import { useClients } from "./clients.ts";
import { versions } from "./fixture.ts";
import { SEEDED } from "./seed.ts";
import "./stubVscode.ts";

const { saveView } = await import("../../src/views/host/viewServer.ts");

for (const version of versions) {
  describe(`MindsDB ${version}, views`, () => {
    const project = "mindsdb";
    const session = useClients(version);
    const named = async (name: string) =>
      (await readViews(session.client, project)).filter((view) => view.name === name);

    it("creates a view with its text kept, reads its rows, replaces its query, and deletes it", async () => {
      const { client } = session;
      const place = { project, name: "Cheap Homes" };
      const query = "-- head: :p\nSELECT sqft /* y */\nFROM files.home_rentals -- t\n";
      await createView(client, { ...place, query });
      assert.deepEqual(await named(place.name), [{ name: place.name, query }]);
      const { columns, rows } = await readFirstRows(client, [project, place.name], 2);
      assert.deepEqual([columns, rows.length], [["sqft"], 2]);
      const changed = "SELECT location FROM files.home_rentals";
      await updateView(client, { ...place, query: changed });
      assert.equal((await getView(client, place)).query, changed);
      assert.deepEqual((await readFirstRows(client, [project, place.name], 1)).columns, [
        "location",
      ]);
      await deleteView(client, place);
      assert.deepEqual(await named(place.name), []);
    });

    it("refuses a name that a view has, and a table that is missing", async () => {
      const { client } = session;
      const place = { project, name: "twice" };
      const query = "SELECT sqft FROM files.home_rentals";
      await createView(client, { ...place, query });
      await assert.rejects(createView(client, { ...place, query }), { kind: "conflict" });
      await deleteView(client, place);
      const lost = createView(client, { ...place, query: "SELECT * FROM files.nothing_here" });
      await assert.rejects(lost, /nothing_here/);
      assert.deepEqual(await named(place.name), []);
    });

    it("deletes a view whose name no path can hold", async () => {
      const place = { project, name: "a/b" };
      await createView(session.client, { ...place, query: "SELECT 1 AS x" });
      await deleteView(session.client, place);
      assert.deepEqual(await named(place.name), []);
    });

    describe("in the form", () => {
      const place = { project, name: "homes" };
      const query = "SELECT sqft, location FROM files.home_rentals";
      const asked: PlannedChange[] = [];
      const save = (draft: ViewDraft, before?: ViewDraft) => {
        const servers = {
          client: () => Promise.resolve(session.client),
          allowWrite: (_: string, change: PlannedChange) => Promise.resolve(!!asked.push(change)),
        } as unknown as ServerAccess;
        const form = { id: "one", connectionId: "real", draft, initial: draft, before };
        return saveView(servers, form, draft, new AbortController().signal);
      };
      const columnsOf = async (name: string) =>
        (await readFirstRows(session.client, [project, name], 1)).columns;
      const made = [place.name, "of_homes", "A.b", "Select", '%2e it\'s "é"'];

      after(async () => {
        for (const name of made) {
          await deleteView(session.client, { project, name }).catch(() => undefined);
        }
      });

      it("is created once, and not with a query that fails", async () => {
        await assert.rejects(
          save({ ...place, query: "SELECT nothing FROM files.home_rentals" }),
          /nothing/,
        );
        assert.equal(await save({ ...place, query }), true);
        assert.deepEqual(await columnsOf(place.name), ["sqft", "location"]);
        await assert.rejects(save({ ...place, query }), /has a view named homes/);
        for (const [name, kind] of [
          [SEEDED.tableAgent, "an agent"],
          [SEEDED.model, "a model"],
          [SEEDED.knowledgeBase, "a knowledge base"],
        ] as const) {
          const says = new RegExp(`has ${kind} named ${name}\\.`);
          await assert.rejects(save({ project, name, query }), says);
        }
      });

      it("can read another view, which servers refuse when they create one", async () => {
        const ofView = { project, name: "of_homes", query: "SELECT sqft FROM mindsdb.homes" };
        await assert.rejects(createView(session.client, ofView), /NoneType/);
        assert.equal(await save(ofView), true);
        assert.deepEqual(await columnsOf(ofView.name), ["sqft"]);
        const lost = { ...ofView, name: "of_none", query: "SELECT * FROM mindsdb.no_such_view" };
        await assert.rejects(save(lost), /no_such_view/);
        assert.deepEqual(await named("of_none"), []);
      });

      it("is changed, with UNION too, and keeps its query where the new one fails", async () => {
        const before = { ...place, query };
        const union = `${query}\nUNION ${query} -- both`;
        assert.equal(await save({ ...place, query: union }, before), true);
        assert.equal((await getView(session.client, place)).query, union);
        const now = { ...place, query: union };
        await assert.rejects(save({ ...place, query: "SELECT * FROM files.gone" }, now), /gone/);
        assert.equal((await getView(session.client, place)).query, union);
        // Only its text is stored: nothing is run, but it is asked about.
        const listing = "SELECT * FROM information_schema.databases";
        asked.length = 0;
        assert.equal(await save({ ...place, query: listing }, now), true);
        assert.deepEqual(
          asked.map(({ isAlwaysAsked }) => isAlwaysAsked),
          [true],
        );
      });

      it("is changed whatever its name, unless it has a slash", async () => {
        for (const name of made.slice(2)) {
          const before = { project, name, query };
          await createView(session.client, before);
          assert.equal(await save({ ...before, query: "SELECT 2 AS two" }, before), true, name);
          assert.deepEqual(await columnsOf(name), ["two"], name);
        }
        const slash = { project, name: "a/b", query };
        await createView(session.client, slash);
        await assert.rejects(save({ ...slash, query: "SELECT 1 AS a" }, slash), /slash/);
        await deleteView(session.client, slash);
      });
    });
  });
}
