// Rows of a real server's own tables through its model: each prediction is the one that the predict endpoint gives.
import assert from "node:assert/strict";
import { FormData } from "undici";
import type { ServerSource } from "../../src/predict/notebook/serverSource.ts";
import { rowBytes, type Row } from "../../src/predict/rows/row.ts";
import { readServerRows } from "../../src/predict/rows/serverRows.ts";
import { startFaultProxy, type LoggedRequest } from "../proxy/faultProxy.ts";
import { Admin } from "./admin.ts";
import { connect, type Connection } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { CellRunner, messageOf, predictPlainly, readValues } from "./predictRuns.ts";
import { homes, toCsv } from "./rentals.ts";

const count = 10_000;
const table = ["files", "server_homes"];

for (const version of versions) {
  describe(`MindsDB ${version}, predicting rows of its own tables`, function () {
    this.timeout(5 * 60_000);
    const rows = homes(count, 11).map((row, at) => ({ id: at, ...row }));
    const isFast = version === "26.1.0";
    let admin: Admin;
    let connection: Connection;

    before(async () => {
      admin = await Admin.signIn(fixture(version).server);
      connection = await connect(fixture(version).server.url);
      const form = new FormData();
      form.set("file", new Blob([toCsv(rows)]), "server_homes.csv");
      await admin.put("/api/files/server_homes", form);
      await admin.sql(
        "CREATE VIEW mindsdb.server_homes_view AS (SELECT * FROM files.server_homes)",
      );
    });
    after(async () => {
      await admin.sql("DROP VIEW mindsdb.server_homes_view");
      await admin.delete("/api/files/server_homes");
      await connection.close();
    });

    const read = (source: ServerSource): AsyncGenerator<Row[]> =>
      readServerRows(connection.client, source, {
        onColumns: () => undefined,
        onCount: () => undefined,
      });

    async function readAll(source: ServerSource): Promise<Record<string, unknown>[]> {
      const all: Record<string, unknown>[] = [];
      for await (const page of read(source)) {
        assert.ok(page.length <= 5_000);
        const objects = page.map((row) => JSON.parse(rowBytes(row).toString()) as object);
        all.push(...(objects as Record<string, unknown>[]));
      }
      return all;
    }

    it("reads each row once, by table, condition and query, as they were uploaded", async () => {
      assert.deepEqual(await readAll({ source: { table } }), rows);
      const view = { table: ["mindsdb", "server_homes_view"], where: "id < 6000" };
      assert.deepEqual(await readAll({ source: view }), rows.slice(0, 6_000));
      const large = rows.filter(({ sqft }) => sqft > 600);
      assert.ok(large.length > 5_000);
      assert.deepEqual(await readAll({ source: { table, where: "sqft > 600 -- large" } }), large);
      const byId = (a: Record<string, unknown>, b: Record<string, unknown>): number =>
        Number(a["id"]) - Number(b["id"]);
      const all = await readAll({ source: { select: "SELECT * FROM files.server_homes" } });
      assert.deepEqual(all.sort(byId), rows);
      const equal = "SELECT * FROM files.server_homes ORDER BY location DESC";
      const ordered = await readAll({ source: { select: equal } });
      const locations = ordered.map(({ location }) => String(location));
      assert.deepEqual(locations, [...locations].sort().reverse());
      assert.deepEqual(ordered.sort(byId), rows);
      const descending = "SELECT * FROM files.server_homes ORDER BY id DESC";
      assert.deepEqual(
        (await readAll({ source: { select: descending }, limit: 7_000 })).map(({ id }) => id),
        rows
          .map(({ id }) => id)
          .reverse()
          .slice(0, 7_000),
      );
    });

    it("reads and predicts over a read-only connection, and sends nothing else", async () => {
      const proxy = await startFaultProxy({ target: fixture(version).server.url });
      const readOnly = await connect(proxy.url, { isReadOnly: true });
      const cells = new CellRunner(readOnly.client);
      const tables = await admin.sql("SHOW TABLES FROM files");
      try {
        const some = rows.slice(0, isFast ? 6_000 : 1_500);
        const right = await predictPlainly(admin, 1, some);
        const where = `id < ${String(some.length)}`;
        for (const of of [
          { table: table.join("."), limit: some.length },
          { table: table.join("."), where },
          { table: "mindsdb.server_homes_view", where },
          { sql: `SELECT * FROM ${table.join(".")} WHERE ${where} ORDER BY id` },
        ]) {
          proxy.requests.length = 0;
          const run = await cells.run({ rows: of });
          assert.equal(run.progress.state.kind, "done", messageOf(run));
          const shown = await readValues(run);
          assert.deepEqual(
            new Map(shown.map((row) => [row["input id"], row["predicted rental_price"]])),
            new Map(right.map((value, id) => [id, value])),
          );
          assert.equal(shown.length, some.length);
          const sent = proxy.requests.map(describeRequest);
          assert.deepEqual([...new Set(sent)].sort(), ["GET", "SELECT", "predict"]);
        }
        proxy.requests.length = 0;
        const run = await cells.run({ rows: { table: table.join(".") }, into: "files.never" });
        const { kind } = run.progress.state;
        assert.deepEqual(
          [kind, messageOf(run)],
          ["failed", "This connection is read-only. Nothing was sent."],
        );
        assert.deepEqual([...new Set(proxy.requests.map(describeRequest))].sort(), [
          "GET",
          "SELECT",
        ]);
        assert.deepEqual(await admin.sql("SHOW TABLES FROM files"), tables);
      } finally {
        await cells.close();
        await readOnly.close();
        await proxy.stop();
      }
    });

    it("gives large integers, decimals, dates and nulls as plain SQL gives them", async () => {
      const select =
        "SELECT 9007199254740993 AS large, 0.1 AS tenth, CAST('2024-02-29' AS DATE) AS day, NULL AS nothing " +
        "FROM files.server_homes LIMIT 1";
      const answer = await connection.client.postBytes(
        "/api/sql/query",
        Buffer.from(JSON.stringify({ query: select })),
        { cost: "byAction" },
      );
      const written: string[] = [];
      for await (const page of read({ source: { select } })) {
        written.push(...page.map((row) => rowBytes(row).toString()));
      }
      const names = ["large", "tenth", "day", "nothing"];
      const [, cells = ""] = /"data":\s*\[\[(.*?)\]\]/.exec(answer.toString()) ?? [];
      const values = cells.split(/,\s*(?=[^"]*(?:"[^"]*"[^"]*)*$)/);
      assert.deepEqual(written, [
        `{${names.map((name, index) => `"${name}":${values[index] ?? ""}`).join(",")}}`,
      ]);
      assert.equal(values[0], "9007199254740993");
    });
  });
}

/** What a request does: GET, predict, the first word of a statement, or else its method and path. */
function describeRequest({ method, path: where, body }: LoggedRequest): string {
  if (method === "GET") return method;
  if (/^\/api\/projects\/mindsdb\/models\/[^/]+\/predict$/.test(where)) return "predict";
  if (where !== "/api/sql/query") return `${method} ${where}`;
  const { query } = JSON.parse(body.toString()) as { query: string };
  return query.split(" ")[0] ?? "";
}
