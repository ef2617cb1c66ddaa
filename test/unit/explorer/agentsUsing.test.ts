import assert from "node:assert/strict";
import { isUsing } from "../../../src/explorer/agentsUsing.ts";

describe("agents that use a knowledge base", () => {
  const base = { connectionId: "one", project: "mindsdb", name: "rental_guide" };
  const reads = (knowledgeBases: string[], connectionId = "one") =>
    isUsing({ connectionId, item: { name: "a", tables: [], knowledgeBases } }, base);

  for (const entry of [
    "mindsdb.rental_guide",
    "MindsDB.Rental_Guide",
    "mindsdb.*",
    "mindsdb.rental_*",
    "rental_guide",
  ]) {
    it(`include those with the entry ${entry}`, () => assert.ok(reads(["support.manuals", entry])));
  }

  for (const entry of ["support.rental_guide", "support.*", "mindsdb.rental", "manuals"]) {
    it(`exclude those with the entry ${entry}`, () => assert.ok(!reads([entry])));
  }

  it("are on the same connection", () => assert.ok(!reads(["mindsdb.rental_guide"], "other")));
});
