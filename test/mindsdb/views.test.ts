// Views of real servers, as the client library reads and changes them.
import assert from "node:assert/strict";
import { readViews } from "../../src/mindsdb/sql/views.ts";
import { readFirstRows } from "../../src/mindsdb/tables.ts";
import { createView, deleteView, getView, updateView } from "../../src/mindsdb/viewChanges.ts";
import { useClients } from "./clients.ts";
import { versions } from "./fixture.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, views`, function () {
    this.timeout(120_000);
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
  });
}
