// SELECTs that MindsDB turns into writes when it writes them anew for a data source: each does it when it is sent plainly,
// and a read-only connection sends none.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startPostgres, type Postgres } from "../../scripts/mindsdb/postgres.ts";
import { isAppError } from "../../src/mindsdb/errors.ts";
import { runSql } from "../../src/mindsdb/sql/runSql.ts";
import { startFaultProxy } from "../proxy/faultProxy.ts";
import { useClients } from "./clients.ts";
import { connect } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { runInPostgres } from "./shopDatabase.ts";

/** Each drops the table `t` of its data source. */
const attacks = {
  smuggle_duck: [
    `SELECT INTERVAL "1 day'; DROP TABLE t; SELECT 'x" FROM smuggle_duck.u`,
    "SELECT INTERVAL '1 day''; DROP TABLE t; --' FROM smuggle_duck.u",
    "SELECT a FROM smuggle_duck.smuggle.main.u WHERE `1 = 1; DROP TABLE t; SELECT 1 WHERE 1` = 1",
    "SHOW COLUMNS FROM smuggle_duck.`t; DROP TABLE t`",
    "SELECT * FROM smuggle_duck.* (SELECT 1; DROP TABLE t)",
    "SELECT * FROM information_schema.columns WHERE table_schema = 'smuggle_duck' AND table_name = 't; DROP TABLE t'",
  ],
  // It takes one command at a time, so they call a function of its own.
  smuggle_pg: [
    `SELECT INTERVAL "1 day', drop_t(), INTERVAL '1 day" FROM smuggle_pg.u`,
    "SELECT a FROM smuggle_pg.postgres.public.u WHERE `drop_t()` = 1",
  ],
};

// The statements are those that 26.1.0 turns into writes.
for (const version of versions.filter((one) => one.startsWith("26."))) {
  describe(`MindsDB ${version}, SELECTs that write`, () => {
    const session = useClients(version);
    let folder = "";
    let postgres: Postgres | undefined;

    /** Runs statements in a data source itself. */
    async function runIn(source: keyof typeof attacks, sql: string): Promise<unknown[][]> {
      if (source === "smuggle_duck") {
        return session.admin.sql(`SELECT * FROM smuggle_duck (${sql})`).catch((error: unknown) => {
          // 26.1.0 says this of statements that have no rows.
          if (String(error).includes("OkResponse")) return [];
          throw error;
        });
      }
      return runInPostgres(version, postgres!, sql);
    }

    async function hasTable(source: keyof typeof attacks): Promise<boolean> {
      const tables =
        "SELECT table_name AS n FROM information_schema.tables WHERE table_name IN ('t', 'u')";
      const names = (await runIn(source, tables)).map(([name]) => name);
      assert.ok(names.includes("u"));
      return names.includes("t");
    }

    before("create the data sources", async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), "smuggle-"));
      postgres = await startPostgres();
      const sources = {
        smuggle_duck: ["duckdb", { database: path.join(folder, "smuggle.duckdb") }],
        smuggle_pg: ["postgres", postgres.parameters],
      } as const;
      for (const [name, [engine, parameters]] of Object.entries(sources)) {
        const source = name as keyof typeof sources;
        await session.admin.sql(
          `CREATE DATABASE ${name} WITH ENGINE = '${engine}', PARAMETERS = ${JSON.stringify(parameters)}`,
        );
        await runIn(source, "CREATE TABLE u (a int)");
        await runIn(source, "INSERT INTO u VALUES (1)");
      }
      const body = "BEGIN DROP TABLE t; RETURN 1; END";
      const drops = `CREATE FUNCTION drop_t() RETURNS int LANGUAGE plpgsql AS '${body}'`;
      await runIn("smuggle_pg", drops);
    });
    after("remove them", async () => {
      for (const source of Object.keys(attacks)) {
        await session.admin.sql(`DROP DATABASE IF EXISTS ${source}`);
      }
      await postgres?.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    });

    for (const [name, statements] of Object.entries(attacks)) {
      const source = name as keyof typeof attacks;
      it(`are sent by no read-only connection, for ${source}`, async () => {
        const proxy = await startFaultProxy({ target: fixture(version).server.url });
        const readOnly = await connect(proxy.url, { isReadOnly: true });
        try {
          for (const sql of statements) {
            await runIn(source, "CREATE TABLE IF NOT EXISTS t (a int)");
            proxy.requests.length = 0;
            await assert.rejects(
              runSql(readOnly.client, sql, { cost: "free" }),
              (error) => isAppError(error, "readOnly"),
              sql,
            );
            assert.deepEqual(proxy.requests, [], sql);
            assert.equal(await hasTable(source), true, sql);
            // Otherwise the statement proves nothing.
            await session.admin.sql(sql).catch(() => undefined);
            assert.equal(await hasTable(source), false, `harmless: ${sql}`);
          }
        } finally {
          await readOnly.close();
          await proxy.stop();
        }
      });
    }
  });
}
