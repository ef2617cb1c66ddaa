import assert from "node:assert/strict";
import { draftInstruction } from "../../../src/agents/draftInstruction.ts";

const opening =
  "You answer questions from the data below. Base every answer on this data. If it doesn't contain the answer, say so.";

describe("A drafted instruction", () => {
  it("describes tables and knowledge bases, and counts the others", () => {
    const tables = [
      { name: "files.rentals", columns: ["rooms", "price"] },
      { name: "files.unread", columns: [] },
    ];
    const knowledgeBases = [
      { name: "mindsdb.docs", contentColumns: ["text"], metadataColumns: ["year"] },
      { name: "mindsdb.notes", contentColumns: [], metadataColumns: [] },
    ];
    assert.equal(
      draftInstruction({ tables, knowledgeBases, others: 2 }),
      `${opening}

Tables, to be queried with SQL:
- files.rentals: rooms, price
- files.unread

Knowledge bases, to be searched by meaning:
- mindsdb.docs: texts from text; can be filtered by year
- mindsdb.notes: texts

There are 2 more, which are not described here.`,
    );
  });

  it("has no empty sections", () => {
    assert.equal(draftInstruction({ tables: [], knowledgeBases: [], others: 0 }), opening);
  });
});
