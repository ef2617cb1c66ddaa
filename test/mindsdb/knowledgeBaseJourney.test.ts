// A user in a real VS Code, on real servers, reads and searches knowledge bases, those with hostile names too: the page is
// what plain HTTP and plain SQL give, field by field and chunk by chunk.
import assert from "node:assert/strict";
import { eventually } from "../e2e/lib/eventually.ts";
import { KnowledgeBasePage, type ShownChunk } from "../e2e/lib/knowledgeBasePage.ts";
import { hostileTexts } from "../hostileTexts.ts";
import { Admin } from "./admin.ts";
import { fixture, versions } from "./fixture.ts";
import { useRealWorkbench } from "./realWorkbench.ts";
import { embeddingModel } from "./seed.ts";

const path = "/api/projects/mindsdb/knowledge_bases";
const group = ["Real", "mindsdb", "Knowledge Bases"];

/** As hostile as each version lets a name be. */
const oddNames = {
  "26.1.0": ["UPPER-select"],
  "25.14.1": ["back`tick", `it's "odd" \\ 🏠 -- x`],
};

/** What a page says of so many chunks in so many documents. */
const stored = (chunks: number, documents: number) =>
  `${String(chunks)} chunks in ${String(documents)} documents`;

const quote = (name: string) => (name.includes("`") ? `"${name}"` : `\`${name}\``);

for (const version of versions) {
  describe(`MindsDB ${version}, a user who reads knowledge bases`, () => {
    const journey = useRealWorkbench(version, { keep: false });
    let admin: Admin;
    let page: KnowledgeBasePage;

    before("make knowledge bases", async () => {
      admin = await Admin.signIn(fixture(version).server);
      const embedding_model = embeddingModel(fixture(version).llm);
      await admin.post(path, { knowledge_base: { name: "bare", embedding_model } });
      for (const name of oddNames[version]) {
        await admin.post(path, {
          knowledge_base: {
            name,
            embedding_model,
            content_columns: ["content"],
            metadata_columns: ["label"],
            id_column: "id",
          },
        });
        const rows = hostileTexts.map((label, index) => {
          return { id: index + 1, content: `A garden. ${label}`, label };
        });
        await admin.put(`${path}/${encodeURIComponent(name)}`, { knowledge_base: { rows } });
      }
    });

    before("sign in", async () => {
      await journey.tree.expand(group);
    });

    after("leave the server as it was", async () => {
      for (const name of ["bare", ...oddNames[version]]) {
        await admin.delete(`${path}/${encodeURIComponent(name)}`).catch(() => undefined);
      }
    });

    const open = async (name: string): Promise<void> => {
      await journey.tree.click([...group, name]);
      page = await KnowledgeBasePage.with(journey.workbench, name);
    };

    /** Each field of a plain answer is on the page, and the page says of no other one that it was sent. */
    async function equalsPlainHttp(name: string): Promise<void> {
      const plain = (await admin.get(`${path}/${encodeURIComponent(name)}`)) as Record<
        string,
        unknown
      >;
      const inside = Object.entries(plain["params"] ?? {}).map(
        ([key, value]): [string, unknown] => [`params.${key}`, value],
      );
      const sent = new Map([...Object.entries(plain), ...inside]);
      const fields = await page.fields();
      for (const key of Object.keys(plain)) {
        assert.ok(
          fields.some((field) => field.name === key),
          `${key} is not on the page`,
        );
      }
      for (const { name: key, value, type } of fields) {
        const real = sent.get(key);
        if (!sent.has(key)) {
          assert.deepEqual([key, value, type], [key, "not sent", ""]);
          continue;
        }
        if (typeof real === "string") assert.equal(value, real === "" ? '""' : real, key);
        else assert.deepEqual(JSON.parse(value), real, key);
        const typeName = real === null ? "null" : Array.isArray(real) ? "list" : typeof real;
        assert.equal(type, typeName, key);
      }
      await eventually(async () => {
        const ids = await admin.sql(`SELECT id FROM mindsdb.${quote(name)}`);
        assert.equal(await page.stored(), stored(ids.length, new Set(ids.map(String)).size));
      });
    }

    /** What a plain statement finds, as the page would show it. */
    async function plainSql(name: string, where: string, params: object): Promise<ShownChunk[]> {
      const query = `SELECT * FROM mindsdb.${quote(name)} WHERE ${where}`;
      // 26.1.0 lets one statement at a time read a knowledge base, and the page reads it too.
      const answer = await eventually(async () => {
        const given = (await admin.post("/api/sql/query", { query, params })) as {
          column_names: string[];
          data: unknown[][];
          error_message?: string;
        };
        assert.equal(given.error_message, undefined);
        return given;
      });
      const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
      const own = ["id", "chunk_id", "chunk_content", "relevance", "distance", "metadata"];
      return answer.data.map((cells) => {
        const row = new Map(answer.column_names.map((column, at) => [column, cells[at]]));
        const labels = answer.column_names.filter((column) => !own.includes(column));
        return {
          id: text(row.get("id")),
          content: text(row.get("chunk_content")),
          relevance: row.get("relevance") as number,
          distance: row.get("distance") as number,
          metadata: Object.fromEntries(labels.map((column) => [column, text(row.get(column))])),
        };
      });
    }

    async function finds(expected: ShownChunk[]): Promise<void> {
      assert.ok(expected.length > 0);
      await eventually(async () => assert.deepEqual(await page.chunks(), expected));
    }

    it("sees nulls and empty objects", async () => {
      await open("bare");
      await equalsPlainHttp("bare");
      const fields = await page.fields();
      const empty = fields.filter(({ type, value }) => type === "null" || value === "{}");
      assert.ok(empty.length >= 3, JSON.stringify(fields));
    });

    for (const name of oddNames[version]) {
      it(`reads and searches ${name} with any question`, async () => {
        await open(name);
        await equalsPlainHttp(name);
        for (const text of hostileTexts) {
          // A text field has line ends of its own.
          const question = text.replaceAll("\r\n", "\n");
          const expected = await plainSql(name, "content = :question LIMIT 10", { question });
          await page.search(text);
          await finds(expected);
        }
        await eventually(async () => {
          assert.equal(await page.stored(), stored(hostileTexts.length, hostileTexts.length));
        });
        await journey.workbench.screenshot(`knowledge-base-odd-${version}`);
      });
    }
  });
}
