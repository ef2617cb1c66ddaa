// How the page of a knowledge base shows the server's fields: every field, and notes on empty fields.
import assert from "node:assert/strict";
import fc from "fast-check";
import * as details from "../../../src/knowledgeBases/knowledgeBaseDetails.ts";
import { startSampleServer } from "../../../src/sample/server/server.ts";
import type { JsonObject } from "../../../src/mindsdb/json.ts";
import { useTestClient } from "../../useTestClient.ts";

/** The response of MindsDB 26.1.0, field by field. */
const recorded = {
  id: 1,
  name: "listing_notes",
  project_id: 1,
  vector_database: "store_listing_notes",
  vector_database_table: "listing_notes",
  updated_at: "2026-11-21 08:56:39.163791",
  created_at: "2026-11-21 08:56:39.163787",
  query_id: null,
  embedding_model: { provider: "openai", model_name: "stub-embed", api_key: "******" },
  reranking_model: {},
  metadata_columns: ["neighborhood", "rating"],
  content_columns: ["content"],
  id_column: "id",
  params: { default_vector_storage: "store_listing_notes", version: 2 },
};

const readDetails = (row: JsonObject) => details.readDetails(row, "mindsdb");

function field(row: Record<string, unknown>, name: string) {
  const found = readDetails(row).fields.find((one) => one.name === name);
  assert.ok(found, name);
  return found;
}

describe("Knowledge base details", () => {
  const sample = useTestClient(startSampleServer);

  it("lists every field with the server's value, ids with their type", () => {
    for (const [name, value] of Object.entries(recorded)) {
      const { value: shown = "", type } = field(recorded, name);
      assert.deepEqual(type === "string" ? shown : JSON.parse(shown), value, name);
    }
    assert.equal(field(recorded, "id").type, "number");
    assert.equal(field({ ...recorded, id: "1" }, "id").type, "string");
    assert.equal(field(recorded, "query_id").value, "null");
    assert.equal(field(recorded, "reranking_model").value, "{}");
    assert.equal(field({ reranking_model: false }, "reranking_model").value, "false");
  });

  it("names documented fields that the server does not send", () => {
    const names = readDetails({}).fields.map(({ name }) => name);
    assert.equal(names.length, 16);
    assert.ok(readDetails({}).fields.every(({ value, type }) => value === undefined && !type));
    assert.deepEqual(field(recorded, "project_name"), {
      name: "project_name",
      notes: [
        "Servers return this field only when they list knowledge bases. The project is mindsdb.",
      ],
    });
    assert.deepEqual(field(recorded, "params.created_embedding_model").notes, [
      "Only some older servers create a separate embedding model.",
    ]);
    assert.deepEqual(field({}, "vector_database").notes, ["This server does not send this field."]);
    const created = { params: { created_embedding_model: "kb_embed" } };
    assert.deepEqual(field(created, "params.created_embedding_model"), {
      name: "params.created_embedding_model",
      value: "kb_embed",
      type: "string",
      notes: [],
    });
  });

  it("explains what an empty field means", () => {
    const notes = (name: string, value: unknown) => field({ [name]: value }, name).notes;
    assert.deepEqual(notes("reranking_model", false), [
      "Reranking is turned off. Results are sorted by distance.",
    ]);
    assert.deepEqual(notes("reranking_model", {}), [
      "No model reranks the results. They are sorted by distance.",
    ]);
    assert.deepEqual(notes("reranking_model", { provider: "x" }), []);
    assert.deepEqual(notes("metadata_columns", null), [
      "None are set, so searches can't be filtered.",
    ]);
    assert.deepEqual(notes("content_columns", []), [
      "None are set, so the server uses the column content.",
    ]);
    assert.deepEqual(notes("id_column", null), ["Not set, so the server generates the IDs."]);
    assert.deepEqual(notes("query_id", null), ["No query on the server is linked to it."]);
    assert.deepEqual(notes("embedding_model", { api_key: "******" }), [
      "Servers do not return the key.",
    ]);
  });

  it("shows undocumented fields", () => {
    assert.equal(field({ ...recorded, disabled: true }, "disabled").value, "true");
  });

  it("summarizes the model and the columns", () => {
    const { embeddingModel, contentColumns, metadataColumns } = readDetails(recorded);
    assert.equal(embeddingModel, "openai · stub-embed");
    assert.equal(readDetails({ embedding_model: "my_embedder" }).embeddingModel, "my_embedder");
    assert.deepEqual(contentColumns, ["content"]);
    for (const none of [undefined, null, [], "x"]) {
      const details = readDetails({ ...recorded, content_columns: none });
      assert.deepEqual(details.contentColumns, ["content"]);
    }
    assert.deepEqual(metadataColumns, ["neighborhood", "rating"]);
  });

  it("accepts any response without throwing", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...Object.keys(recorded)), fc.jsonValue()),
        (row) => {
          readDetails(row);
        },
      ),
    );
  });

  it("matches what the sample server sends", async () => {
    const path = "/api/projects/mindsdb/knowledge_bases/rental_guide";
    const row = (await sample.client.get(path)) as JsonObject;
    assert.equal(readDetails(row).embeddingModel, "sample · tf-idf");
  });
});
