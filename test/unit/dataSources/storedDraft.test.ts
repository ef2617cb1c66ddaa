// What the form of a stored data source knows of it, what it sends, and the statement that creates it.
import assert from "node:assert/strict";
import * as v from "valibot";
import { createDatabaseStatement } from "../../../src/dataSources/createDatabaseStatement.ts";
import {
  dataSourceDraft,
  valueOf,
  type DataSourceDraft,
} from "../../../src/dataSources/dataSourceDraft.ts";
import { getDataSource } from "../../../src/mindsdb/dataSourceChanges.ts";
import {
  buildChanges,
  createStoredDraft,
  findMask,
  listStoredSecrets,
} from "../../../src/dataSources/storedDraft.ts";
import { validateDraft } from "../../../src/dataSources/validation.ts";
import type { Handler } from "../../../src/mindsdb/handlers.ts";
import type { JsonObject } from "../../../src/mindsdb/json.ts";
import { assertLinear } from "../../linearTime.ts";
import { clientOf } from "../mindsdb/scriptedServer.ts";
import { recordedHandlers } from "./recordedHandlers.ts";

const canary = "canary-pass-31";

describe("The draft of a stored data source", () => {
  let handlers: Handler[] = [];
  before(async () => void (handlers = await recordedHandlers("25.14.1")));
  const open = (engine: string, parameters: JsonObject) => {
    const handler = handlers.find(({ name }) => name === engine);
    assert.ok(handler, engine);
    const stored = { name: "shop", engine, parameters };
    const before = createStoredDraft(handler, stored);
    const changes = (change: Partial<DataSourceDraft>, keys: Record<string, string> = {}) =>
      buildChanges(handler, before, { ...before.draft, ...change }, keys);
    const problems = (change: Partial<DataSourceDraft>, keys: Record<string, string> = {}) =>
      validateDraft(
        { ...before.draft, ...change },
        { handler, taken: [{ name: "shop", kind: "data" }] },
        { keys, hadKeys: {}, before },
      ).map(({ field }) => field);
    return { handler, stored, before, changes, problems };
  };
  const postgres = {
    user: "me",
    password: canary,
    host: "db.example",
    port: 5432,
    database: "shop",
    schema: "sales",
    connection_parameters: { connect_timeout: 5 },
  };

  it("sends what was changed, and never a secret that was not typed again", () => {
    const { before, changes, problems, handler, stored } = open("postgres", postgres);
    assert.ok(!JSON.stringify(before).includes(canary));
    assert.deepEqual(before.storedKeys, { "arg-password": true });
    assert.deepEqual(listStoredSecrets(handler, stored), [canary]);
    assert.deepEqual(problems({}), [], "neither the name nor the password is missing");
    assert.deepEqual(changes({}), {});
    const { values } = before.draft;
    assert.deepEqual(changes({ values: { ...values, port: "5433", host: " db.example " } }), {
      port: 5433,
    });
    assert.deepEqual(changes({}, { "arg-password": "new" }), { password: "new" });
    assert.deepEqual(changes({ values: { ...values, schema: "" } }), { schema: null });
    const removed = ["password"];
    assert.deepEqual(changes({ removed }), { password: null });
    assert.deepEqual(changes({ removed }, { "arg-password": "new" }), { password: "new" });
    const timeout = '{"connect_timeout": 2}';
    assert.deepEqual(changes({ values: { ...values, connection_parameters: timeout } }), {
      connection_parameters: { connect_timeout: 2 },
    });
    assert.deepEqual(problems({ values: { ...values, host: "" } }), ["arg-host"]);
    assert.deepEqual(problems({}, { "arg-password": "******" }), ["arg-password"]);
  });

  it("does not show a secret that is stored in another field", () => {
    const hidden = { ...postgres, connection_parameters: { sslpassword: canary } };
    const { before, changes } = open("postgres", hidden);
    assert.ok(!JSON.stringify(before).includes(canary));
    assert.equal(before.storedKeys["arg-connection_parameters"], true);
    assert.deepEqual(changes({}), {});
  });

  it("takes values away that another way to connect does not have", () => {
    const { before, changes, problems } = open("mysql", { url: `mysql://me:${canary}@h/shop` });
    assert.equal(before.draft.alternative, "url");
    const values = { host: "h", port: "3306", user: "me", database: "shop" };
    assert.deepEqual(changes({ alternative: "parts", values }, { "arg-password": "p" }), {
      url: null,
      ...{ host: "h", port: 3306, user: "me", password: "p", database: "shop" },
    });
    assert.deepEqual(problems({ alternative: "parts", values }), ["arg-password"]);
    const snow = open("snowflake", { account: "a", auth_type: "key_pair", private_key: canary });
    assert.equal(snow.before.draft.alternative, "key_pair");
    assert.deepEqual(snow.changes({ alternative: "password" }, { "arg-password": "p" }), {
      ...{ password: "p", private_key: null, auth_type: "password" },
    });
  });

  it("keeps free rows, of which a renamed secret must be typed again", () => {
    const { before, changes, problems } = open("web", { api_token: canary, depth: "3" });
    const { rows } = before.draft;
    assert.deepEqual(
      rows.map(({ name, value }) => [name, value]),
      [
        ["api_token", ""],
        ["depth", "3"],
      ],
    );
    assert.deepEqual(changes({}), {});
    assert.deepEqual(changes({ rows: [rows[0]!] }), { depth: null });
    const renamed = [{ ...rows[0]!, name: "token" }, rows[1]!];
    assert.deepEqual(problems({ rows: renamed }), ["rows"]);
    assert.deepEqual(problems({ rows: renamed }, { "row-1": "again" }), []);
    assert.deepEqual(changes({ rows: renamed }, { "row-1": "again" }), {
      ...{ api_token: null, token: "again" },
    });
  });

  it("is checked in linear time, however many secrets a server has stored", () => {
    assertLinear({
      name: "secret rows",
      make: (size) => {
        const names = Array.from({ length: size }, (_, at) => [`key_${at}_token`, canary]);
        return open("web", Object.fromEntries(names) as JsonObject);
      },
      run: ({ before, problems }) => problems({ rows: before.draft.rows }),
      size: 6_000,
    });
  });

  it("is copied as SQL without its secrets, and without what SQL would change", () => {
    const { handler, stored } = open("postgres", {
      ...postgres,
      schema: null,
      host: "C:\\pipe",
      connection_parameters: { connect_timeout: 5, sslpassword: canary },
    });
    const { sql, placeholders } = createDatabaseStatement(handler, stored);
    assert.equal(
      sql,
      [
        "CREATE DATABASE `shop`",
        "WITH ENGINE = 'postgres',",
        "PARAMETERS = {",
        '  "user": "me",',
        '  "password": "<password>",',
        '  "host": "<host>",',
        '  "port": 5432,',
        '  "database": "shop",',
        '  "connection_parameters": "<connection_parameters>"',
        "}",
      ].join("\n"),
    );
    assert.deepEqual(placeholders, ["password", "host", "connection_parameters"]);
    assert.equal(findMask({ user: "me", password: "******" }), "password");
    assert.equal(findMask(postgres), undefined);
  });

  for (const name of ["constructor", "__proto__", "prototype", "toString"]) {
    it(`keeps a parameter called ${name}`, async () => {
      const answer: unknown = JSON.parse(
        `{"name": "a", "engine": "web", "connection_data": {"${name}": "x", "other": "y"}}`,
      );
      const stored = await getDataSource(clientOf({ "/api/databases/a": answer }), "a");
      assert.deepEqual(Object.entries(stored.parameters), [
        [name, "x"],
        ["other", "y"],
      ]);
      const argument = { name, type: "str", description: "", label: name };
      const handler: Handler = { ...handlers[0]!, name: "web", arguments: [argument] };
      const before = createStoredDraft(handler, stored);
      const draft = v.parse(dataSourceDraft, before.draft);
      assert.equal(valueOf(draft, name), "x");
      const values = Object.fromEntries([[name, "z"]]);
      const changed = v.parse(dataSourceDraft, { ...draft, values });
      const changes = buildChanges(handler, before, changed, {});
      assert.equal(JSON.stringify(changes), `{"${name}":"z"}`);
    });
  }
});
