// Data sources on real servers: what they can connect to, what a test says, and one that is connected, dropped and reconnected.
import assert from "node:assert/strict";
import { startPostgres, type Postgres } from "../../scripts/mindsdb/postgres.ts";
import { emptyDraft, buildParameters } from "../../src/dataSources/dataSourceDraft.ts";
import { findConnectionProblem, findMissingDriver } from "../../src/dataSources/serverErrors.ts";
import { createDatabaseStatement } from "../../src/dataSources/createDatabaseStatement.ts";
import { buildChanges, createStoredDraft } from "../../src/dataSources/storedDraft.ts";
import {
  createDataSource,
  disconnectDataSource,
  getDataSource,
  reconnectDataSource,
  testDataSource,
  updateDataSource,
} from "../../src/mindsdb/dataSourceChanges.ts";
import { listDatabases, listTables } from "../../src/mindsdb/dataSources.ts";
import { isAppError } from "../../src/mindsdb/errors.ts";
import { listHandlers, type Handler } from "../../src/mindsdb/handlers.ts";
import { mayEndEarly } from "../../src/mindsdb/sql/earlyEnd.ts";
import { runSql } from "../../src/mindsdb/sql/runSql.ts";
import { useClients } from "./clients.ts";
import { versions } from "./fixture.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, data sources`, function () {
    this.timeout(180_000);
    const session = useClients(version);
    let postgres: Postgres | undefined;
    let handlers: Handler[] = [];
    const engine = "postgres";
    const name = "connected_shop";

    /** The parameters as the form sends them. */
    const parameters = (change: Record<string, string> = {}) => {
      const handler = handlers.find((one) => one.name === engine);
      assert.ok(handler);
      const { host, port, user, database } = postgres!.parameters;
      const values = { host, port: String(port), user, database, ...change } as Record<
        string,
        string
      >;
      return buildParameters(handler, { ...emptyDraft(handler, name), values }, {});
    };
    const names = async () => (await listDatabases(session.client)).map((one) => one.name);

    before(async () => {
      postgres = await startPostgres();
      handlers = await listHandlers(session.client);
    });
    after(async () => {
      await session.admin.sql(`DROP DATABASE IF EXISTS ${name}`);
      await postgres?.stop();
    });

    it("lists what it can connect to, and the drivers that are missing", () => {
      const find = (wanted: string) => handlers.find((one) => one.name === wanted);
      assert.equal(find(engine)?.isReady, true);
      assert.equal(find("mysql")?.isReady, false);
      assert.equal(findMissingDriver(find("mysql")?.importError ?? ""), "mysql");
      assert.ok(!handlers.some((one) => one.name === "openai" || one.name === "files"));
    });

    it("tests a connection without storing it, with a reason for a field", async () => {
      const { client } = session;
      for (const [change, field] of [
        [{ database: "nosuch" }, "arg-database"],
        [{ user: "nosuch" }, "arg-user"],
        [{ port: "1" }, "arg-host"],
      ] as const) {
        const given = parameters(change);
        const check = await testDataSource(client, { engine, parameters: given });
        assert.equal(check.status, "failed");
        const { reason } = check as { reason: string };
        assert.equal(findConnectionProblem(reason, Object.keys(given)).field, field, reason);
      }
      const check = await testDataSource(client, { engine, parameters: parameters() });
      assert.equal(check.status, "connected");
      assert.ok(!(await names()).includes(name));
    });

    it("connects one only if it works, and once", async () => {
      const { client } = session;
      const wrong = { name, engine, parameters: parameters({ database: "nosuch" }) };
      assert.equal((await createDataSource(client, wrong)).status, "failed");
      assert.ok(!(await names()).includes(name));
      const right = { name, engine, parameters: parameters() };
      assert.equal((await createDataSource(client, right)).status, "connected");
      assert.ok((await names()).includes(name));
      await assert.rejects(createDataSource(client, right), (error) =>
        isAppError(error, "conflict"),
      );
    });

    it("ends a result without an error where fetching its rows fails, on 26.1.0", async () => {
      const { client } = session;
      const statement = `SELECT * FROM ${name} (SELECT 'infinity'::date AS d)`;
      const result = runSql(client, statement);
      if (version !== "26.1.0") {
        await assert.rejects(result);
        return;
      }
      assert.deepEqual((await result).rows, []);
      assert.equal(await mayEndEarly(client, statement, 0), true);
    });

    it("changes only what was changed, keeps the password, and keeps all if it cannot connect", async () => {
      const { client } = session;
      const handler = handlers.find((one) => one.name === engine)!;
      const stored = await getDataSource(client, name);
      const before = createStoredDraft(handler, stored);
      const change = (values: Record<string, string>) => {
        const draft = { ...before.draft, values: { ...before.draft.values, ...values } };
        return updateDataSource(client, {
          name,
          parameters: buildChanges(handler, before, draft, {}),
        });
      };
      const failed = await change({ port: "1" });
      assert.equal(failed.status, "failed");
      const { reason } = failed as { reason: string };
      assert.equal(findConnectionProblem(reason, ["host"]).field, "arg-host", reason);
      assert.deepEqual((await getDataSource(client, name)).parameters, stored.parameters);
      assert.deepEqual(await change({ schema: "public" }), { status: "connected" });
      const { parameters: saved } = await getDataSource(client, name);
      assert.deepEqual(saved, { ...stored.parameters, schema: "public" });
      await listTables(client, name);
    });

    it("is created again by the statement that is copied, once its placeholders are filled in", async () => {
      const { client, admin } = session;
      const handler = handlers.find((one) => one.name === engine)!;
      const stored = await getDataSource(client, name);
      const { sql, placeholders } = createDatabaseStatement(handler, stored);
      await disconnectDataSource(client, name);
      const filled = placeholders.reduce(
        (text, parameter) => text.replace(`<${parameter}>`, String(stored.parameters[parameter])),
        sql,
      );
      await admin.sql(filled);
      await listTables(client, name);
    });

    it("says why the tables of a dead data source cannot be listed", async () => {
      const { client, admin } = session;
      const dead = { ...parameters(), port: 1 };
      const body = { database: { name: `${name}_dead`, engine, parameters: dead } };
      await client.post("/api/databases/", body);
      try {
        await assert.rejects(listTables(client, `${name}_dead`), /Connection refused/);
      } finally {
        await admin.sql(`DROP DATABASE ${name}_dead`);
      }
    });

    it("reconnects and disconnects it, and creates none by that", async () => {
      const { client } = session;
      await reconnectDataSource(client, name);
      await disconnectDataSource(client, name);
      assert.ok(!(await names()).includes(name));
      for (const change of [reconnectDataSource, disconnectDataSource]) {
        await assert.rejects(change(client, name), (error) => isAppError(error, "notFound"));
      }
      await assert.rejects(disconnectDataSource(client, "mindsdb"), (error) =>
        isAppError(error, "notFound"),
      );
      assert.ok(!(await names()).includes(name));
    });
  });
}
