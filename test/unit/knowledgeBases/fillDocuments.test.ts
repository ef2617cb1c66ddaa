// Rows of a file become documents of a knowledge base.
import assert from "node:assert/strict";
import {
  createTarget,
  findMappingProblems,
  listHiddenMetadata,
  listRoles,
  suggestMapping,
} from "../../../src/knowledgeBases/fill/columnMapping.ts";
import { DocumentReader } from "../../../src/knowledgeBases/fill/documentReader.ts";
import { parseRows } from "../../../src/predict/rows/readRows.ts";

const plain = createTarget({ content_columns: null, metadata_columns: null, id_column: null });
const own = createTarget({
  content_columns: ["notes", "answer"],
  metadata_columns: ["City"],
  id_column: "order_id",
});

function read(json: string, mapping: Record<string, string>, target = plain) {
  const reader = new DocumentReader(mapping, target, "a.json");
  const documents = reader.read(parseRows(Buffer.from(json)));
  return { rows: documents.map(({ row }) => row), count: reader.count };
}

describe("The roles of columns", () => {
  it("are few for each of many columns, with the one that it has", () => {
    const metadata_columns = Array.from({ length: 100_000 }, (_, at) => `m${at}`);
    const target = createTarget({ metadata_columns });
    for (const [columnCount, most] of [
      [1, 20_001],
      [100, 201],
      [10_000, 6],
    ] as const) {
      const roles = listRoles("a", target, { current: "metadata:m99999", columnCount });
      assert.equal(roles.length, most);
      assert.deepEqual([roles[0], roles[1], roles[2]], ["none", "id", "content:content"]);
      assert.equal(roles.at(-1), "metadata:m99999");
    }
    const few = listRoles("a", createTarget({ metadata_columns: ["x"] }), { current: "id" });
    assert.deepEqual(few, ["none", "id", "content:content", "metadata:x"]);
  });
});

describe("documents of a rows file", () => {
  it("are suggested by the names of the columns", () => {
    assert.deepEqual(suggestMapping(["ID", "Text", "city"], plain), {
      ID: "id",
      Text: "content:content",
      city: "metadata:city",
    });
    assert.deepEqual(suggestMapping(["order_id", "notes", "city", "other"], own), {
      order_id: "id",
      notes: "content:notes",
      city: "metadata:City",
      other: "none",
    });
    assert.deepEqual(suggestMapping(["a"], plain), { a: "metadata:a" });
    assert.deepEqual(
      suggestMapping(["__proto__"], plain),
      Object.fromEntries([["__proto__", "metadata:__proto__"]]),
    );
  });

  it("have no id that repeats, and no content without a text, by a name alone", () => {
    const seen = {
      blank: new Set(["description", "Text"]),
      repeated: new Set(["ID", "id", "order_id"]),
    };
    const suggest = (columns: string[], target = plain) => {
      const mapping = Object.entries(suggestMapping(columns, target, seen));
      return mapping.filter(([, role]) => !role.startsWith("metadata:"));
    };
    // Comic figures, each of which has a "Secret Identity" or a public one.
    assert.deepEqual(suggest(["page_id", "ID", "name"]), []);
    assert.deepEqual(suggest(["id", "key", "body"]), [
      ["key", "id"],
      ["body", "content:content"],
    ]);
    // Organizations without a description.
    assert.deepEqual(suggest(["uuid", "description", "message"]), [
      ["uuid", "id"],
      ["message", "content:content"],
    ]);
    assert.deepEqual(suggest(["uuid", "description"]), [["uuid", "id"]]);
    assert.deepEqual(suggest(["Text", "document"]), [["document", "content:content"]]);
    assert.equal(suggestMapping(["order_id", "notes"], own, seen)["order_id"], "none");
  });

  it("need a content, at most one id, and each metadata column once", () => {
    assert.deepEqual(findMappingProblems({ a: "metadata:a" }), ["noContent"]);
    assert.deepEqual(findMappingProblems({ a: "id", b: "id", c: "content:content" }), ["idTwice"]);
    const twice = { a: "content:notes", b: "metadata:City", c: "metadata:City" };
    assert.deepEqual(findMappingProblems(twice), ["metadataTwice"]);
    assert.deepEqual(listRoles("a", own), [
      "none",
      "id",
      "content:notes",
      "content:answer",
      "metadata:City",
    ]);
    assert.deepEqual(listRoles("a", plain), ["none", "id", "content:content", "metadata:a"]);
  });

  it("name metadata that searches hide behind columns of their own", () => {
    const names = ["distance", "Relevance", "chunk_id", "metadata", "city"];
    const mapping = Object.fromEntries(names.map((name) => [name, `metadata:${name}`]));
    assert.deepEqual(listHiddenMetadata(mapping), names.slice(0, -1));
    assert.deepEqual(listHiddenMetadata({ distance: "none", relevance: "content:content" }), []);
  });

  it("have ids as texts, digit by digit", () => {
    const json = '[{"id":9007199254740993,"t":"a"},{"id":"007","t":"b"},{"id":1.0,"t":"c"}]';
    const { rows } = read(json, { id: "id", t: "content:content" });
    assert.deepEqual(
      rows.map(({ id }) => id),
      ["9007199254740993", "007", "1.0"],
    );
  });

  it("leave out rows without content or id and repeated ids, and count them", () => {
    const { rows, count } = read(
      '[{"id":"1","t":"a"},{"id":1,"t":"b"},{"id":"2","t":"  "},{"id":"3"},{"id":"","t":"x"},{"t":"y"},{"id":"2","t":"late"}]',
      { id: "id", t: "content:content" },
    );
    assert.deepEqual(rows, [
      { id: "1", content: "a" },
      { id: "2", content: "late" },
    ]);
    assert.deepEqual(count, { rows: 7, documents: 2, repeatedId: 1, noId: 2, noContent: 2 });
  });

  it("get their ids from the file and the row's number if no column has them", () => {
    const { rows } = read('[{"t":"a"},{"t":""},{"t":"c"}]', { t: "content:content" });
    assert.deepEqual(
      rows.map(({ id }) => id),
      ["a.json#1", "a.json#3"],
    );
  });

  it("join the columns of one content, and keep metadata as it is", () => {
    const json =
      '[{"k":1,"a":"A","b":"","c":3,"n":1.5,"big":9007199254740993,"yes":true,"no":null,"o":{"x":[1]},"s":"\\u00e9"}]';
    const metadata = Object.fromEntries(
      ["n", "big", "yes", "no", "o", "s"].map((name) => [name, `metadata:${name}`]),
    );
    const content = { a: "content:content", b: "content:content", c: "content:content" };
    assert.deepEqual(read(json, { k: "id", ...content, ...metadata }).rows, [
      {
        id: "1",
        content: "A\n\n3",
        n: 1.5,
        big: "9007199254740993",
        yes: true,
        o: '{"x":[1]}',
        s: "é",
      },
    ]);
  });

  it("use the columns of the knowledge base", () => {
    const mapping = { i: "id", n: "content:notes", w: "content:answer", c: "metadata:City" };
    assert.deepEqual(read('[{"i":7,"n":"N","w":"W","c":"Rome"}]', mapping, own).rows, [
      { order_id: "7", notes: "N", answer: "W", City: "Rome" },
    ]);
  });
});
