import assert from "node:assert/strict";
import { trainingTable, readTrainingRow } from "../../../src/mindsdb/trainingRow.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { listen, sendJson, type TestServer } from "./httpServer.ts";
import { clientOver } from "../../clientOver.ts";

describe("a row of a model's training data", () => {
  const tables: [query: string, table: string[] | undefined][] = [
    ["SELECT * FROM home_rentals", ["home_rentals"]],
    ['select a, b\nfrom `my db`."Sch".homes limit 5;', ["my db", "Sch", "homes"]],
    ["SELECT extract(year from day), a FROM t WHERE x = 'from y'", ["t"]],
    ["SELECT 'from z', a -- from q\n/* from r */ FROM t AS u JOIN v ON u.a = v.a", ["t"]],
    ["SELECT * FROM files (SELECT * FROM t)", undefined],
    ["SELECT * FROM (SELECT * FROM t) AS u", undefined],
    ["SELECT * FROM read_csv('x')", undefined],
    ["WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone", undefined],
    ["DELETE FROM t", undefined],
    ["SELECT 1", undefined],
    ["", undefined],
  ];
  for (const [query, table] of tables) {
    it(`is read from ${table?.join(".") ?? "no table"} for ${query || "no query"}`, () => {
      assert.deepEqual(trainingTable(query), table);
    });
  }

  describe("on a server", () => {
    let server: TestServer;
    afterEach(() => server.close());

    const databases = [
      { name: "files", type: "data", engine: "files" },
      { name: "slow", type: "data", engine: "postgres" },
      { name: "store_kb", type: "data", engine: "duckdb_faiss" },
      { name: "mindsdb", type: "project" },
      { name: "log", type: "system" },
    ];

    /** Answers the given statements; all others fail with a missing table. */
    async function ask(
      answers: Record<string, unknown>,
      query: string,
    ): Promise<{ found: unknown; statements: string[] }> {
      server = await listen((request, response) => {
        if (request.path === "/api/databases/") return sendJson(response, 200, databases);
        const { query } = JSON.parse(request.body) as { query: string };
        const answer = query in answers ? answers[query] : { type: "error", error_message: "no" };
        // Simulates a data source that never answers.
        if (answer !== undefined) sendJson(response, 200, answer);
      });
      const transport = createTransport(server.address);
      const client = clientOver(transport);
      const wanted = { project: "mindsdb", query, columns: ["a", "__proto__"] };
      const found = await readTrainingRow(client, wanted, { signal: AbortSignal.timeout(30_000) });
      const bodies = server.seen.slice(1).map(({ body }) => JSON.parse(body) as { query: string });
      return { found, statements: bodies.map(({ query }) => query).sort() };
    }

    const table = { type: "table", column_names: ["__proto__", "target", "a"] };

    it("is the row with the fewest nulls, and only reads are sent", async () => {
      const data = [
        [null, 1, 2],
        ["x", 3, 4],
        ["y", 5, 6],
      ];
      const { found, statements } = await ask(
        {
          "SELECT * FROM `files`.`t` LIMIT 10": { ...table, data },
          "SELECT * FROM `slow`.`t` LIMIT 10": undefined,
        },
        "SELECT a FROM t WHERE drop_all() = 1",
      );
      assert.deepEqual(found, {
        table: ["files", "t"],
        values: new Map<string, unknown>([
          ["a", 4],
          ["__proto__", "x"],
        ]),
        seen: new Map<string, unknown>([
          ["a", [2, 4, 6]],
          ["__proto__", [null, "x", "y"]],
        ]),
      });
      // Statements that were not sent before the row arrived can be missing.
      const expected = ["files", "slow", "mindsdb"].map((place) => {
        return `SELECT * FROM \`${place}\`.\`t\` LIMIT 10`;
      });
      assert.ok(statements.includes(expected[0]!));
      assert.deepEqual(
        statements.filter((statement) => !expected.includes(statement)),
        [],
      );
    });

    it("is read from the data source of the query, with no more values than were asked for", async () => {
      const data = Array.from({ length: 30 }, (_, at) => ["x", 1, at]);
      const { found } = await ask(
        { "SELECT * FROM `files`.`t` LIMIT 10": { ...table, data } },
        "SELECT * FROM files.t",
      );
      const { table: read, seen } = found as { table: string[]; seen: Map<string, unknown[]> };
      assert.deepEqual(read, ["files", "t"]);
      assert.equal(seen.get("a")?.length, 10);
    });

    it("is undefined for a table with other columns, without rows, or with a name that SQL cannot express", async () => {
      const others = { type: "table", column_names: ["a", "b"], data: [[1, 2]] };
      const { found } = await ask(
        {
          "SELECT * FROM `files`.`t` LIMIT 10": others,
          "SELECT * FROM `slow`.`t` LIMIT 10": { ...table, data: [] },
        },
        "SELECT * FROM t",
      );
      assert.equal(found, undefined);
      await server.close();
      const odd = await ask({}, 'SELECT * FROM "t`; DROP TABLE t"');
      assert.deepEqual(odd, { found: undefined, statements: [] });
    });
  });
});
