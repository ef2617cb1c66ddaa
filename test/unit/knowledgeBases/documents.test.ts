// Documents of a knowledge base as a list, and their texts.
import assert from "node:assert/strict";
import {
  arrangeDocuments,
  maxStartChunks,
  splitIntoBatches,
} from "../../../src/knowledgeBases/documents/documentList.ts";
import {
  formatMetadata,
  formatStart,
  joinChunks,
} from "../../../src/knowledgeBases/documents/documentText.ts";
import type { Chunk } from "../../../src/mindsdb/searchKnowledgeBase.ts";

const document = (id: string, chunks = 1) => ({ id, chunks });
const chunk = (content: string, column = "content", more: Partial<Chunk> = {}): Chunk => ({
  id: "1",
  chunkId: content,
  content,
  metadata: {},
  internal: { _content_column: column },
  ...more,
});

describe("the list of documents", () => {
  const all = [document("n10"), document("N2", 5), document("x"), document("n1", 5)];

  it("is in the order of people, and filtered by a part of the id in any case", () => {
    const ids = (filter: string, column: "id" | "chunks", descending: boolean) =>
      arrangeDocuments(all, filter, { column, descending }).map(({ id }) => id);
    assert.deepEqual(ids("", "id", false), ["n1", "N2", "n10", "x"]);
    assert.deepEqual(ids("n", "id", true), ["n10", "N2", "n1"]);
    assert.deepEqual(ids("", "chunks", true), ["n1", "N2", "n10", "x"]);
  });

  it("is sorted by code units if it is too long for the order of people", () => {
    const many = Array.from({ length: 20_001 }, (_, at) => document(`n${at}`));
    const firstOf = (descending: boolean) =>
      arrangeDocuments(many, "", { column: "id", descending }).slice(0, 3);
    const ids = ["n0", "n1", "n10"];
    assert.deepEqual(
      firstOf(false),
      ids.map((id) => document(id)),
    );
    assert.deepEqual(firstOf(true)[0], document("n9999"));
  });

  it("is read in parts of few chunks, large documents by their first chunks only", () => {
    const batches = splitIntoBatches([
      document("huge", 100_000),
      ...Array.from({ length: 200 }, (_, at) => document(String(at), 10)),
    ]);
    assert.deepEqual(
      batches.map(({ ids, limit }) => [ids.length, limit]),
      [
        [100, 1_000],
        [100, 1_000],
        [1, maxStartChunks],
      ],
    );
    assert.deepEqual(batches.at(-1)?.ids, ["huge"]);
  });
});

describe("the texts of a document", () => {
  it("are its chunks below each other, content columns apart", () => {
    const chunks = [chunk("one"), chunk("two"), chunk("other", "notes")];
    assert.equal(joinChunks(chunks), "one\ntwo\n\nother");
    assert.equal(joinChunks([]), "");
  });

  it("start in one line", () => {
    const metadata = { topic: "birds\nand more", page: 3, none: null };
    const chunks = [chunk(`a  b\n${"c".repeat(1_000)}`, "content", { metadata })];
    assert.match(formatStart(chunks), /^a b c+…$/);
    assert.equal(formatStart(chunks).length, 300);
    assert.equal(formatMetadata(chunks), "topic: birds and more, page: 3");
    assert.deepEqual([formatStart([]), formatMetadata([])], ["", ""]);
  });
});
