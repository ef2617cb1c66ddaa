import assert from "node:assert/strict";
import { listProjectItems } from "../../../src/mindsdb/projectItems.ts";
import { readViews } from "../../../src/mindsdb/sql/views.ts";
import { readFirstRows } from "../../../src/mindsdb/tables.ts";
import { createView, deleteView, getView, updateView } from "../../../src/mindsdb/viewChanges.ts";
import type { ServerObservation } from "../../../src/mindsdb/changes/serverChange.ts";
import { useTestClient } from "../../useTestClient.ts";

describe("views of the sample server", () => {
  const observed: ServerObservation[] = [];
  const sample = useTestClient(undefined, { observe: (change) => observed.push(change) });
  const place = { project: "mindsdb", name: "cheap" };
  const query = "-- cheap\nSELECT sqft FROM files.home_rentals\nWHERE rental_price < 2000";

  it("keeps a view's text, lists it with the project, and reads its rows", async () => {
    await createView(sample.client, { ...place, query });
    const views = await readViews(sample.client, "mindsdb");
    assert.deepEqual(views.at(-1), { name: "cheap", query });
    assert.deepEqual(await getView(sample.client, { ...place, name: "CHEAP" }), {
      name: "cheap",
      query,
    });
    const items = await listProjectItems(sample.client, "mindsdb");
    assert.ok(items.some(({ name, type }) => name === "cheap" && type === "view"));
    const { columns, rows } = await readFirstRows(sample.client, ["mindsdb", "cheap"], 3);
    assert.deepEqual([columns, rows.length], [["sqft"], 3]);
    assert.deepEqual(
      observed.filter(({ kind }) => kind === "changed"),
      [{ kind: "changed", list: "views", project: "mindsdb" }],
    );
  });

  it("refuses a taken name, a table that is missing, and a view that is not there", async () => {
    await assert.rejects(createView(sample.client, { ...place, query }), { kind: "conflict" });
    const missing = { project: "mindsdb", name: "lost", query: "SELECT * FROM files.nothing" };
    await assert.rejects(createView(sample.client, missing), /Table 'nothing' not found/);
    await assert.rejects(getView(sample.client, { ...place, name: "lost" }), { kind: "notFound" });
  });

  it("replaces a view's query, and deletes the view", async () => {
    await updateView(sample.client, { ...place, query: "SELECT location FROM files.home_rentals" });
    const { columns } = await readFirstRows(sample.client, ["mindsdb", "cheap"], 1);
    assert.deepEqual(columns, ["location"]);
    await deleteView(sample.client, place);
    const left = await readViews(sample.client, "mindsdb");
    assert.deepEqual(
      left.map(({ name }) => name),
      ["affordable_homes"],
    );
  });
});
