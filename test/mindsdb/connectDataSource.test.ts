// Data sources on real servers: what they can connect to, what a test says, and one that is connected, dropped and reconnected.
import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { inspect } from "node:util";
import { startPostgres, type Postgres } from "../../scripts/mindsdb/postgres.ts";
import { createConnectionForm } from "../../src/dataSources/connectionFields.ts";
import { emptyDraft, buildParameters, fieldOf } from "../../src/dataSources/dataSourceDraft.ts";
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
import { quoteName, runSql } from "../../src/mindsdb/sql/runSql.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../src/mindsdb/http/transport.ts";
import { clientOver } from "../clientOver.ts";
import { Admin } from "./admin.ts";
import { useClients } from "./clients.ts";
import { backgroundServer, versions } from "./fixture.ts";

const password = "canary-shop-5813";

/** A host that takes connections and never answers. */
class SilentHost {
  readonly #server = net.createServer((socket) => {
    socket.on("error", () => undefined);
    this.#sockets.add(socket);
  });
  readonly #sockets = new Set<net.Socket>();

  async start(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return String((this.#server.address() as net.AddressInfo).port);
  }

  async untilConnected(): Promise<void> {
    await once(this.#server, "connection");
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

for (const version of versions) {
  describe(`MindsDB ${version}, data sources`, () => {
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
      const { password: typed = password, ...changed } = change;
      const values = {
        host: String(host),
        port: String(port),
        user: String(user),
        database: String(database),
        ...changed,
      };
      const keys = { [fieldOf("password")]: typed };
      return buildParameters(handler, { ...emptyDraft(handler, name), values }, keys);
    };
    const names = async () => (await listDatabases(session.client)).map((one) => one.name);

    before(async () => {
      // It takes any password.
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

    it("sends a key instead of a password where the engine takes pairs of keys", () => {
      const handler = handlers.find((one) => one.name === "snowflake")!;
      assert.equal(findMissingDriver(handler.importError ?? ""), "snowflake");
      const secrets = createConnectionForm(handler).fields.filter(({ isSecret }) => isSecret);
      const names = ["password", "private_key", "private_key_passphrase"];
      assert.deepEqual(secrets.map(({ name }) => name).sort(), names);
      const keys = Object.fromEntries(names.map((name) => [fieldOf(name), `made up ${name}`]));
      const values = { account: "a", user: "u", database: "d" };
      const { options = [] } = createConnectionForm(handler).alternative ?? {};
      const sent = options.map(({ id: alternative }) => {
        const draft = { ...emptyDraft(handler, "pair"), alternative, values };
        return [alternative, Object.keys(buildParameters(handler, draft, keys)).sort()];
      });
      const common = ["account", "auth_type", "database"];
      assert.deepEqual(sent, [
        ["password", [...common, "password", "user"]],
        ["key_pair", [...common, "private_key", "private_key_passphrase", "user"]],
      ]);
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
      assert.equal(stored.parameters["password"], password);
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

    it("opens, reads, changes, and disconnects one whose name has capital letters", async () => {
      const { client, admin } = session;
      const mixed = "Connected_Mixed";
      await admin.sql(
        `CREATE DATABASE \`${mixed}\` WITH ENGINE = 'postgres', PARAMETERS = ${JSON.stringify(parameters())}`,
      );
      assert.ok((await names()).includes(mixed));
      assert.deepEqual(await listTables(client, mixed), []);
      const { rows } = await runSql(client, `SELECT * FROM ${quoteName(mixed)} (SELECT 7 AS a)`);
      assert.deepEqual(rows, [[7]]);
      const change = { name: mixed, parameters: { schema: "public" } };
      assert.deepEqual(await updateDataSource(client, change), { status: "connected" });
      assert.equal((await getDataSource(client, mixed)).parameters["schema"], "public");
      await reconnectDataSource(client, mixed);
      await disconnectDataSource(client, mixed);
      assert.ok(!(await names()).includes(mixed));
    });

    it("shows nothing of a password that an error of the server repeats with its statement", async () => {
      const { client } = session;
      const secret = "canary-parse-2208";
      for (const wrong of [
        `PARAMTERS = {"password": "${secret}"}`,
        `PARAMETERS = {"host": "h", "password": "${secret}", "user" }`,
        `, PARAMETERS = {"password" "${secret}"}`,
        `, PARAMETERS = {"password": ${secret}}`,
      ]) {
        const statement = `CREATE DATABASE parsed WITH ENGINE = 'postgres' ${wrong}`;
        await assert.rejects(runSql(client, statement), (error) => {
          assert.ok(isAppError(error, "sql"));
          assert.match(error.message, /Syntax error|could not convert/);
          return !inspect(error, { depth: null }).includes(secret);
        });
      }
    });

    it("lists one without a name, which only says that it cannot be found", async () => {
      // It cannot be removed, so it is on a server that no tree shows.
      const { url } = await backgroundServer(version);
      const admin = await Admin.signIn(await backgroundServer(version));
      const transport = createTransport(parseAddress(url));
      try {
        const client = clientOver(transport);
        const database = { name: "", engine: "dummy_data", parameters: {} };
        await admin.post("/api/databases/", { database });
        const all = (await listDatabases(client)).map((one) => one.name);
        assert.ok(all.includes("") && all.includes("files"), all.join());
        for (const work of [listTables, getDataSource, reconnectDataSource, disconnectDataSource]) {
          await assert.rejects(work(client, ""), /can't find items whose name is empty/);
        }
        assert.deepEqual(
          (await listDatabases(client)).map((one) => one.name),
          all,
        );
      } finally {
        await transport.close();
      }
    });

    it("says of a host that never answers that it timed out, and can be stopped before that", async () => {
      const silent = new SilentHost();
      const port = await silent.start();
      try {
        // The server's own limit is ten seconds.
        const shorter = { connection_parameters: { connect_timeout: 2 } };
        const given = { ...parameters({ port }), ...shorter };
        const stop = new AbortController();
        const reached = silent.untilConnected();
        const { signal } = stop;
        const testing = testDataSource(session.client, { engine, parameters: given }, { signal });
        await reached;
        stop.abort();
        await assert.rejects(testing, { name: "AbortError" });
        const check = await testDataSource(session.client, { engine, parameters: given });
        assert.equal(check.status, "failed");
        const { reason } = check as { reason: string };
        const { field, text } = findConnectionProblem(reason, Object.keys(given));
        assert.equal(field, "arg-host", reason);
        assert.match(text, /timeout expired/);
      } finally {
        silent.stop();
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
