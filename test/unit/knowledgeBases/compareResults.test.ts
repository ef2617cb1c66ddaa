// What two searches found, compared chunk by chunk.
import assert from "node:assert/strict";
import { compareResults } from "../../../src/knowledgeBases/compareResults.ts";
import { formatConditions } from "../../../src/knowledgeBases/searchDraft.ts";

const chunk = (id: string, chunkId = `${id}:1`, content = "") => {
  return { id, chunkId, content, metadata: [], internal: [] };
};

describe("Two results", () => {
  it("differ by chunks, and by their places", () => {
    const result = [chunk("a"), chunk("b"), chunk("c"), chunk("a", "a:2")];
    const other = [chunk("c"), chunk("b")];
    assert.deepEqual(compareResults(result, other), [
      { kind: "onlyHere" },
      { kind: "same", rank: 2 },
      { kind: "moved", rank: 1 },
      { kind: "onlyHere" },
    ]);
    assert.deepEqual(compareResults([], other), []);
  });

  it("are compared by their contents where chunks have no ids", () => {
    const [first, second] = [chunk("a", "", "one"), chunk("a", "", "two")];
    assert.deepEqual(compareResults([first, second], [second]), [
      { kind: "onlyHere" },
      { kind: "moved", rank: 1 },
    ]);
  });

  it("are told apart by their conditions", () => {
    const filters = [{ column: "city", operator: "=" as const, value: "Rome" }];
    const search = { question: "pets", limit: 5, relevance: 0.6, filters };
    assert.equal(formatConditions(search), "relevance ≥ 0.6, city = Rome");
    assert.equal(formatConditions({ ...search, question: "" }), "city = Rome");
    assert.equal(formatConditions({ question: "", limit: 5, filters: [] }), "");
  });
});
