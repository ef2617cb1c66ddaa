// Searches real knowledge bases: compares results with plain SQL, and tries hostile texts.
import assert from "node:assert/strict";
import { isAppError } from "../../src/mindsdb/errors.ts";
import { countContent, getKnowledgeBase } from "../../src/mindsdb/knowledgeBases.ts";
import { readMetadataValues } from "../../src/mindsdb/metadataValues.ts";
import {
  RejectedFilters,
  runnableStatement,
  searchKnowledgeBase,
  type Chunk,
  type Filter,
  type Search,
} from "../../src/mindsdb/searchKnowledgeBase.ts";
import { sqlWithValues } from "../../src/mindsdb/sql/sqlWithValues.ts";
import { explainSwitches } from "../../src/knowledgeBases/switchErrors.ts";
import { readDetails } from "../../src/knowledgeBases/knowledgeBaseDetails.ts";
import { hostileTexts } from "../hostileTexts.ts";
import { Admin } from "./admin.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { MODEL_API_KEY } from "./script.ts";
import { embeddingModel, SEEDED } from "./seed.ts";

const seeded = { project: "mindsdb", name: SEEDED.knowledgeBase };
const hostile = { project: "mindsdb", name: "hostile_notes" };
const oddColumn = "odd 'name'";

for (const version of versions) {
  describe(`MindsDB ${version}, searching a knowledge base`, () => {
    let connection: Connection;
    let admin: Admin;
    before(async () => {
      connection = await connect(fixture(version).server.url);
      admin = await Admin.signIn(fixture(version).server);
      const path = "/api/projects/mindsdb/knowledge_bases";
      await admin.post(path, {
        knowledge_base: {
          name: hostile.name,
          embedding_model: embeddingModel(fixture(version).llm),
          content_columns: ["content"],
          metadata_columns: ["label", "number", oddColumn],
          id_column: "id",
        },
      });
      const rows = hostileTexts.map((label, number) => {
        return { id: number + 1, content: `A garden. ${label}`, label, number, [oddColumn]: label };
      });
      await admin.put(`${path}/${hostile.name}`, { knowledge_base: { rows } });
    });
    after(async () => {
      // Others list what the server holds.
      await admin.delete(`/api/projects/mindsdb/knowledge_bases/${hostile.name}`);
      await connection.close();
    });

    const find = async (search: Partial<Search>, base = hostile): Promise<Chunk[]> => {
      const whole = { question: "", limit: 100, filters: [], ...search };
      return (await searchKnowledgeBase(connection.client, base, whole)).chunks;
    };

    it("knows after a search which statement the server runs", async () => {
      const filters: Filter[] = [
        { column: "label", operator: "contains", value: "a" },
        { column: "label", operator: ">=", value: "b" },
      ];
      for (const filter of filters) {
        const search = { question: "garden", limit: 100, filters: [filter] };
        const rejected = new RejectedFilters();
        const { chunks } = await searchKnowledgeBase(connection.client, hostile, search, {
          rejected,
        });
        const { query, params } = runnableStatement(hostile, search, rejected);
        const { column_names, data } = (await admin.post("/api/sql/query", {
          query: sqlWithValues(query, params),
        })) as { column_names: string[]; data: unknown[][] };
        const at = column_names.indexOf("id");
        const found = new Set(data.map((row) => String(row[at])));
        // The page filters some of what the server finds.
        assert.ok(chunks.length > 0);
        for (const { id } of chunks) assert.ok(found.has(String(id)), `${String(id)}: ${query}`);
      }
    });

    it("says why it cannot search by words, and leaves out a reranking model that fails", async () => {
      const failureOf = async (search: Partial<Search>): Promise<string> => {
        const error: unknown = await find(search, seeded).then(
          () => assert.fail("the search succeeded"),
          (failure: unknown) => failure,
        );
        assert.ok(isAppError(error, "sql"), String(error));
        return error.message;
      };
      const plain = await find({ question: "garden" }, seeded);
      // No server of these tests reaches the internet.
      const hybrid = await failureOf({ question: "garden", hybridAlpha: 0.4 });
      assert.equal(explainSwitches(hybrid)?.part, "hybrid", hybrid);
      const path = "/api/config/";
      const unreachable = {
        ...embeddingModel(fixture(version).llm),
        base_url: "http://127.0.0.1:9/v1",
      };
      await admin.put(path, { default_reranking_model: unreachable });
      try {
        const reranked = await failureOf({ question: "garden" });
        assert.equal(explainSwitches(reranked)?.part, "reranking", reranked);
        assert.deepEqual(await find({ question: "garden", skipsReranking: true }, seeded), plain);
      } finally {
        await admin.put(path, { default_reranking_model: {} });
      }
    });

    it("reads every field like plain HTTP", async () => {
      const plain = (await admin.get(
        `/api/projects/mindsdb/knowledge_bases/${SEEDED.knowledgeBase}`,
      )) as Record<string, unknown>;
      const { project, name } = seeded;
      const row = await getKnowledgeBase(connection.client, project, name);
      assert.deepEqual(row, plain);
      const { fields } = readDetails(row, project);
      for (const [key, value] of Object.entries(plain)) {
        const shown = fields.find((field) => field.name === key)?.value ?? "";
        assert.deepEqual(typeof value === "string" ? shown : JSON.parse(shown), value, key);
      }
      assert.ok(!JSON.stringify(fields).includes(MODEL_API_KEY));
      const ids = await admin.sql(`SELECT id FROM mindsdb.${name}`);
      const documents = new Set(ids.map(String)).size;
      const counted = await countContent(connection.client, project, name);
      assert.deepEqual(counted, { chunks: ids.length, documents });
    });

    it("finds what plain SQL finds, in its order", async () => {
      const chunks = await find({ question: "quiet garden", limit: 5, relevance: 0.5 }, seeded);
      const plain = await admin.sql(
        `SELECT id, chunk_content, relevance, distance FROM mindsdb.${seeded.name} ` +
          "WHERE content = 'quiet garden' AND relevance >= 0.5 LIMIT 5",
      );
      assert.ok(plain.length > 0);
      assert.deepEqual(
        chunks.map(({ id, content, relevance, distance }) => [id, content, relevance, distance]),
        plain,
      );
      const [best] = chunks;
      assert.deepEqual(Object.keys(best?.metadata ?? {}).sort(), ["neighborhood", "rating"]);
      assert.ok(best?.internal["_source"]);
    });

    it("filters by numbers", async () => {
      const filters: Search["filters"] = [{ column: "number", operator: ">=", value: 14 }];
      const numbers = (chunks: Chunk[]) => chunks.map(({ id }) => Number(id)).sort((a, b) => a - b);
      assert.deepEqual(numbers(await find({ filters })), [15, 16, 17]);
      assert.deepEqual(numbers(await find({ filters, question: "garden" })), [15, 16, 17]);
    });

    describe("with filters on values of every kind", () => {
      const base = { project: "mindsdb", name: "values" };
      const rows = [
        { id: 1, number: 1, flag: true, day: "2024-01-05", word: "Alpha", "a.b": "x" },
        { id: 2, number: 2.5, flag: false, day: "2024-02-05", word: "alphabet", "a.b": "y" },
        { id: 3, number: -3, flag: true, day: "2023-02-05", word: "100% _x", "a.b": "z" },
        { id: 4, number: 1e10, flag: null, day: null, word: "true", "a.b": null },
      ];
      before(async () => {
        const { llm } = fixture(version);
        const embedding_model = embeddingModel(llm);
        const knowledge_base = {
          name: base.name,
          embedding_model,
          metadata_columns: ["number", "flag", "day", "word", "a.b", "never"],
          id_column: "id",
        };
        const path = "/api/projects/mindsdb/knowledge_bases";
        await admin.post(path, { knowledge_base });
        const contents = rows.map((row) => ({ ...row, content: `A garden, ${String(row.id)}.` }));
        await admin.put(`${path}/${base.name}`, { knowledge_base: { rows: contents } });
      });
      after(() => admin.delete(`/api/projects/mindsdb/knowledge_bases/${base.name}`));

      const cases: [column: string, Filter["operator"], Filter["value"], ids: number[]][] = [
        ["number", "=", 1, [1]],
        ["number", ">", 1, [2, 4]],
        ["number", "<=", 2.5, [1, 2, 3]],
        ["number", "!=", -3, [1, 2, 4]],
        ["number", "=", 1e10, [4]],
        ["flag", "=", "true", [1, 3]],
        ["flag", "=", "false", [2]],
        ["day", "=", "2024-01-05", [1]],
        ["day", ">", "2024-01-01", [1, 2]],
        ["day", "contains", "2024-0", [1, 2]],
        ["word", "contains", "pha", [1, 2]],
        ["word", "contains", "al", [2]],
        ["word", "contains", "A_", []],
        ["word", "contains", "0% _", [3]],
        ["number", "contains", "2.5", [2]],
        ["word", "=", "true", [4]],
        ["word", ">=", "alphabet", [2, 4]],
        ["a.b", "=", "y", [2]],
      ];
      for (const [column, operator, value, ids] of cases) {
        it(`finds ${column} ${operator} ${JSON.stringify(value)}, with a question and without`, async () => {
          for (const question of ["", "garden"]) {
            const found = await find({ question, filters: [{ column, operator, value }] }, base);
            const sorted = found.map(({ id }) => Number(id)).sort((a, b) => a - b);
            assert.deepEqual(sorted, ids, JSON.stringify(question));
          }
        });
      }

      it("counts chunks and their documents", async () => {
        const path = `/api/projects/mindsdb/knowledge_bases/${base.name}`;
        const content = "A long garden. ".repeat(300);
        await admin.put(path, { knowledge_base: { rows: [{ id: 5, content, word: "long" }] } });
        const counted = await countContent(connection.client, base.project, base.name);
        assert.equal(counted.documents, rows.length + 1);
        assert.ok(counted.chunks > rows.length + 1, String(counted.chunks));
        await admin.sql(`DELETE FROM mindsdb.\`${base.name}\` WHERE id = 5`);
      });

      it("reads the values of a column and their type", async () => {
        const read = (column: string) => readMetadataValues(connection.client, base, column);
        assert.deepEqual(await read("number"), { values: [-3, 1, 2.5, 1e10], type: "number" });
        assert.deepEqual(await read("word"), {
          values: rows.map(({ word }) => word).sort((a, b) => a.localeCompare(b)),
          type: "text",
        });
        assert.deepEqual(await read("flag"), { values: [false, true], type: undefined });
        assert.deepEqual(await read("a.b"), { values: ["x", "y", "z"], type: "text" });
        assert.deepEqual(await read("never"), { values: [], type: undefined });
      });

      it("reports a missing column", async () => {
        const filters: Filter[] = [{ column: "nowhere", operator: "=", value: "x" }];
        await assert.rejects(find({ filters }, base), /Column is not found: nowhere/);
      });
    });

    for (const [index, text] of hostileTexts.entries()) {
      it(`finds ${JSON.stringify(text)} and breaks nothing`, async () => {
        const asked = await find({ question: text });
        assert.ok(asked.some(({ id }) => id === index + 1));
        for (const column of ["label", oddColumn]) {
          const filters: Search["filters"] = [{ column, operator: "=", value: text }];
          for (const question of ["", "garden", text]) {
            const found = await find({ question, filters });
            assert.deepEqual(
              found.map(({ id, metadata }) => [id, metadata[column]]),
              [[index + 1, text]],
              `${column}, asked ${JSON.stringify(question)}`,
            );
          }
        }
        const { project, name } = hostile;
        const { chunks } = await countContent(connection.client, project, name);
        assert.equal(chunks, hostileTexts.length);
      });
    }
  });
}
