// Checks the test servers themselves with plain HTTP, before tests use the product.
import assert from "node:assert/strict";
import { Admin, send } from "./admin.ts";
import { fixture, versions } from "./fixture.ts";
import { homes, notes } from "./rentals.ts";
import { SEEDED } from "./seed.ts";

const NEW_HOMES = homes(100, 43);
const INPUTS = Object.keys(NEW_HOMES[0]!).filter((name) => name !== "rental_price");

for (const version of versions) {
  describe(`MindsDB ${version}, the server itself`, () => {
    let admin: Admin;
    before(async () => {
      admin = await Admin.signIn(fixture(version).server);
    });

    it("reports its version", async () => {
      const { status, body } = await send(`${fixture(version).server.url}/api/status`, "GET");
      assert.equal(status, 200);
      assert.equal((body as { mindsdb_version: string }).mindsdb_version, version);
    });

    it("holds the table and the knowledge base", async () => {
      const counted = await admin.sql(`SELECT count(*) FROM ${SEEDED.table}`);
      assert.deepEqual(counted, [[homes().length]]);
      const found = await admin.sql(`SELECT DISTINCT id FROM ${SEEDED.knowledgeBase} LIMIT 100`);
      assert.equal(found.length, notes().length);
    });

    it("streams an agent's steps", async () => {
      const path = `/api/projects/mindsdb/agents/${SEEDED.agent}/completions/stream`;
      const messages = [{ question: "[text] Hello?", answer: "" }];
      const stream = String(await admin.post(path, { messages }));
      const first = version === "26.1.0" ? "Generating Data Catalog" : '"type": "start"';
      assert.match(stream, new RegExp(`^data: .*${first}`));
      assert.match(stream, /data: \{"type": "end"\}\n\n$/);
    });

    it("describes the model it has trained", async () => {
      const path = `/api/projects/mindsdb/models/${SEEDED.model}/describe`;
      const [info] = (await admin.get(path, { attribute: "info" })) as Record<string, object>[];
      assert.deepEqual(info?.["outputs"], ["rental_price"]);
      assert.deepEqual(Object.keys(info["column_importances"]!).sort(), INPUTS.sort());
    });

    it("predicts the rent of homes outside its training data", async () => {
      const rows = NEW_HOMES.map(({ rental_price: _, ...inputs }) => inputs);
      const path = `/api/projects/mindsdb/models/${SEEDED.model}/predict`;
      const predicted = (await admin.post(path, { data: rows })) as { rental_price: number }[];
      const r2 = r2Score(
        predicted.map((row) => row.rental_price),
        NEW_HOMES.map((home) => home.rental_price),
      );
      assert.ok(r2 > 0.9, `r2 is ${r2}`);
    });
  });
}

function r2Score(predicted: number[], actual: number[]): number {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const mean = sum(actual) / actual.length;
  const left = sum(actual.map((value, i) => (value - predicted[i]!) ** 2));
  return 1 - left / sum(actual.map((value) => (value - mean) ** 2));
}
