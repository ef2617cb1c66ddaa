// The forms of all handlers that real servers have, from their recorded lists.
import assert from "node:assert/strict";
import {
  createConnectionForm,
  fieldsOfAlternative,
  secretParameters,
} from "../../../src/dataSources/connectionFields.ts";
import {
  buildParameters,
  emptyDraft,
  listSecrets,
  omitTypedKeys,
} from "../../../src/dataSources/dataSourceDraft.ts";
import { commonEngines } from "../../../src/dataSources/engineHints.ts";
import { findConnectionProblem, findMissingDriver } from "../../../src/dataSources/serverErrors.ts";
import { validateDraft } from "../../../src/dataSources/validation.ts";
import type { Handler } from "../../../src/mindsdb/handlers.ts";
import { assertLinear } from "../../linearTime.ts";
import { recordedHandlers } from "./recordedHandlers.ts";

const versions = { "26.1.0": 20, "25.14.1": 167 };
const lists = new Map<string, Handler[]>();
const find = (version: keyof typeof versions, name: string): Handler => {
  const found = lists.get(version)?.find((handler) => handler.name === name);
  assert.ok(found, name);
  return found;
};
const namesOf = (handler: Handler, alternative = "") =>
  fieldsOfAlternative(createConnectionForm(handler), alternative).map(({ name }) => name);

describe("The form of a data source", () => {
  before(async () => {
    for (const version of ["26.1.0", "25.14.1"] as const) {
      lists.set(version, await recordedHandlers(version));
    }
  });

  for (const [version, count] of Object.entries(versions)) {
    it(`has a field for each parameter of each handler of ${version}`, () => {
      const handlers = lists.get(version) ?? [];
      assert.equal(handlers.length, count);
      for (const handler of handlers) {
        const { fields, alternative, hasFreeRows } = createConnectionForm(handler);
        assert.equal(hasFreeRows, handler.arguments === undefined, handler.name);
        const expected = (handler.arguments ?? [])
          .map(({ name }) => name)
          .filter((name) => name !== alternative?.sentAs);
        assert.deepEqual(fields.map(({ name }) => name).sort(), expected.sort(), handler.name);
        const labels = fields.map(({ label }) => label);
        assert.equal(new Set(labels).size, labels.length, `${handler.name}: ${labels.join()}`);
        for (const { name, label, description, isSecret, control } of fields) {
          assert.notEqual(label.trim(), "");
          assert.doesNotMatch(description, /[^.!?] The MindsDB server reads/, handler.name);
          assert.ok(!commonEngines.includes(handler.name) || /^[A-Z]/.test(label), label);
          const isHidden = /(?:password|token|secret|api_?key)$/i.test(name);
          assert.ok(!isHidden || isSecret || control === "switch", `${handler.name}.${name}`);
        }
        // An empty form says what is missing, and throws nothing.
        const draft = emptyDraft(handler, "new_one");
        const known = { handler, taken: [] };
        for (const problem of validateDraft(draft, known, { keys: {}, hadKeys: {} })) {
          assert.equal(problem.isMissing, true, `${handler.name}: ${problem.text}`);
        }
      }
    });
  }

  it("knows the engines that are used most", () => {
    const known = [...lists.values()].flat().map(({ name }) => name);
    for (const name of commonEngines) assert.ok(known.includes(name), name);
    const postgres = find("26.1.0", "postgres");
    assert.deepEqual(namesOf(postgres).slice(0, 6), [
      "host",
      "port",
      "user",
      "password",
      "database",
      "schema",
    ]);
    assert.deepEqual(emptyDraft(postgres, "shop").values, { port: "5432" });
    assert.deepEqual(namesOf(find("26.1.0", "timescaledb")), namesOf(postgres));
    const mysql = find("25.14.1", "mysql");
    assert.deepEqual(namesOf(mysql, "url").slice(0, 2), ["url", "ssl"]);
    assert.ok(!namesOf(mysql, "parts").includes("url"));
    const duckdb = createConnectionForm(find("26.1.0", "duckdb")).fields;
    assert.deepEqual(
      duckdb.map(({ name, isRequired, isSecret }) => [name, isRequired, isSecret]),
      [
        ["database", true, false],
        ["motherduck_token", false, true],
        ["read_only", false, false],
      ],
    );
  });

  it("stores no password that is typed into another field, and hides it in answers", () => {
    const canary = "canary-pass-77";
    const postgres = find("25.14.1", "postgres");
    const web = find("26.1.0", "web");
    for (const value of [
      `mongodb+srv://me:${canary}@cluster.example/shop`,
      `postgres://me:a/${canary}@host/db?x=1`,
      `{"sslpassword": "${canary}", "connect_timeout": 5}`,
      `{"headers": {"Authorization": "Bearer ${canary}"}}`,
      `host=h password=${canary}`,
    ]) {
      const host = { ...emptyDraft(postgres, "p"), values: { host: value, port: "5432" } };
      const free = { ...emptyDraft(web, "w"), rows: [{ id: "1", name: "server", value }] };
      for (const [handler, draft] of [
        [postgres, host],
        [web, free],
      ] as const) {
        assert.ok(!JSON.stringify(omitTypedKeys(draft)).includes(canary), value);
        const secrets = listSecrets(handler, draft, {});
        assert.ok(secrets.at(-1)?.includes(canary), value);
        if (value.includes("://")) assert.ok(secrets.some((secret) => secret.endsWith(canary)));
      }
      assert.equal(omitTypedKeys(host).values["port"], "5432");
      assert.equal(omitTypedKeys(free).rows[0]?.name, "server");
    }
    const values = { host: "db.example", database: "https://h:8080/a", user: '{"timeout": 5}' };
    const plain = { ...emptyDraft(postgres, "p"), values };
    assert.equal(omitTypedKeys(plain), plain);
    assert.deepEqual(listSecrets(postgres, plain, {}), []);
  });

  const withArguments = (names: string[], label?: string): Handler => ({
    ...find("25.14.1", "postgres"),
    arguments: names.map((name) => ({
      ...{ name, label, type: undefined, description: undefined },
      ...{ isRequired: undefined, isSecret: undefined },
    })),
  });

  it("hides a password that a server declares as a path", () => {
    const declared = ["password", "private_key_path", "service_account_keys"];
    const args = declared.map((name) => ({ name, type: "path", isSecret: true }));
    const handler = { ...find("26.1.0", "postgres"), name: "other", arguments: args };
    const { fields } = createConnectionForm(handler);
    assert.deepEqual(
      fields.map(({ isSecret }) => isSecret),
      [true, false, false],
    );
  });

  it("takes names of JavaScript's objects for parameters", () => {
    const handler = withArguments(["constructor", "toString", "__proto__"]);
    const draft = emptyDraft(handler, "p");
    const known = { handler, taken: [] };
    assert.deepEqual(validateDraft(draft, known, { keys: {}, hadKeys: {} }), []);
    assert.deepEqual(buildParameters(handler, draft, {}), {});
    assert.equal(createConnectionForm(handler).fields[0]?.label, "constructor");
  });

  it("is made in linear time, however many parameters a server declares", () => {
    assertLinear({
      name: "createConnectionForm",
      make: (count) =>
        withArguments(
          Array.from({ length: count }, (_, n) => `a${String(n)}`),
          "Label",
        ),
      run: createConnectionForm,
      size: 5_000,
    });
  });

  it("sends what is filled in, as the types say", () => {
    const snowflake = find("26.1.0", "snowflake");
    const draft = {
      ...emptyDraft(snowflake, "cold"),
      alternative: "key_pair",
      values: { account: " abc ", user: "u", database: "d", schema: "" },
    };
    const keys = { "arg-private_key": "PEM", "arg-password": "left over" };
    assert.deepEqual(buildParameters(snowflake, draft, keys), {
      account: "abc",
      user: "u",
      database: "d",
      private_key: "PEM",
      auth_type: "key_pair",
    });
    assert.deepEqual(listSecrets(snowflake, draft, keys), ["PEM"]);
    const postgres = find("25.14.1", "postgres");
    const values = { port: "5432", host: "h", connection_parameters: '{"connect_timeout": 2}' };
    assert.deepEqual(buildParameters(postgres, { ...emptyDraft(postgres, "p"), values }, {}), {
      host: "h",
      port: 5432,
      connection_parameters: { connect_timeout: 2 },
    });
    const web = find("26.1.0", "web");
    const rows = [
      { id: "1", name: "url", value: "" },
      { id: "2", name: " depth ", value: "3" },
      { id: "3", name: "api_key", value: "" },
    ];
    const free = { ...emptyDraft(web, "w"), rows };
    const typed = { "row-1": "http://me:p%40ss@host/", "row-3": "k" };
    assert.deepEqual(buildParameters(web, free, typed), {
      url: "http://me:p%40ss@host/",
      depth: "3",
      api_key: "k",
    });
    assert.deepEqual(listSecrets(web, free, typed), [
      "http://me:p%40ss@host/",
      "p%40ss",
      "p@ss",
      "k",
    ]);
  });

  it("hides the values of parameters that people name like secrets", () => {
    const isSecret = secretParameters(find("26.1.0", "web"));
    const secrets = "pass DB_PASS pw pin passcode pat auth key bearer Key api_key token".split(" ");
    assert.deepEqual(secrets.filter(isSecret), secrets);
    const others = "path pattern author keyspace key_column passive depth spin patient".split(" ");
    assert.deepEqual(others.filter(isSecret), []);
  });

  it("checks names, numbers and JSON before they are sent", () => {
    const handler = find("26.1.0", "postgres");
    const taken = [
      { name: "Shop", kind: "data" },
      { name: "support", kind: "project" },
    ] as const;
    const problems = (name: string, values: Record<string, string> = {}) =>
      validateDraft(
        {
          ...emptyDraft(handler, name),
          values: { host: "h", user: "u", database: "d", port: "1", ...values },
        },
        { handler, taken },
        { keys: { "arg-password": "p" }, hadKeys: {} },
      ).map(({ field, text }) => `${field}: ${text}`);
    assert.deepEqual(problems("fine"), []);
    assert.match(problems("")[0] ?? "", /^name: Give the data source a name/);
    assert.match(problems("My Shop")[0] ?? "", /^name: .*Try my_shop\.$/);
    assert.match(problems("select")[0] ?? "", /Try select_source\.$/);
    assert.match(problems("a/b")[0] ?? "", /Try ab\.$/);
    assert.match(problems("shop")[0] ?? "", /^name: The name Shop is already used/);
    assert.match(problems("support")[0] ?? "", /^name: The server has a project named support/);
    assert.match(problems("status")[0] ?? "", /^name: The name status is already used/);
    assert.deepEqual(problems("fine", { port: "54x", connection_parameters: "[1]" }), [
      "arg-port: Enter a whole number.",
      'arg-connection_parameters: Enter a JSON object, like {"name": "value"}.',
    ]);
    for (const port of ["0", "65536"]) {
      assert.deepEqual(problems("fine", { port }), ["arg-port: Enter a port from 1 to 65535."]);
    }
    assert.deepEqual(problems("fine", { port: "65535" }), []);
    assert.deepEqual(problems("fine", { host: " " }), ["arg-host: Host is missing."]);
  });

  it("shows the server's reason at the field that it names", () => {
    const failed = 'connection failed: connection to server at "h", port 1 failed:';
    const s3 = "An error occurred";
    /** Reasons by the fields that a form has, each with the field that it is about. */
    const cases: [names: string, ...reasons: [field: string, reason: string][]][] = [
      [
        "host port user password database",
        ["arg-password", `${failed} FATAL:  password authentication failed for user "x"`],
        ["arg-database", `${failed} FATAL:  database "x" does not exist`],
        ["arg-user", `${failed} FATAL:  role "x" does not exist`],
        ["arg-host", `${failed} Connection refused\n\tIs the server running on that host`],
        ["arg-host", "connection timeout expired"],
        ["arg-host", 'connection failed: could not translate host name "x" to address'],
        ["arg-database", "'database'"],
        ["form", "something else"],
        ["form", ""],
        ["arg-database", `${failed} FATAL:  database "passwords" does not exist`],
        ["arg-database", `${failed} FATAL:  database "a" password "b" does not exist`],
        ["arg-user", `${failed} FATAL:  role "Connection refused" does not exist`],
        ["arg-host", 'could not translate host name "password-db" to address: Unknown host'],
        [
          "arg-user",
          `${failed} FATAL:  no pg_hba.conf entry for host "1.2.3.4", user "u", database "d", no encryption`,
        ],
        [
          "arg-password",
          `${failed} Connection refused\n\tconnection to server at "::1" failed: FATAL:  password authentication failed for user "database"`,
        ],
        ["arg-password", `${failed} fe_sendauth: no password supplied`],
        [
          "arg-database",
          `(4060, b'Cannot open database "x" requested by the login. The login failed.DB-Lib error message 20018')`,
        ],
        ["arg-password", `(18456, b"Login failed for user 'sa'.DB-Lib error message 20018")`],
        [
          "arg-host",
          "(20009, b'Unable to connect: Adaptive Server is unavailable or does not exist (h)')",
        ],
        [
          "arg-password",
          "Code: 516. DB::Exception: default: Authentication failed: password is incorrect, or there is no user with such name.",
        ],
        ["arg-host", "Code: 210. Connection refused (password:9000)"],
        [
          "arg-password",
          "1045 (28000): Access denied for user 'x'@'172.17.0.1' (using password: YES)",
        ],
        ["arg-database", "1049 (42000): Unknown database 'password'"],
        ["arg-host", "2003 (HY000): Can't connect to MySQL server on 'login' (timed out)"],
        ["arg-host", "2005 (HY000): Unknown MySQL server host 'password' (-2)"],
        ["form", "The user's password policy is fine, and 'authentication failed' is a name"],
      ],
      [
        "host port user password database sslmode",
        ["arg-sslmode", `${failed} server does not support SSL, but SSL was required`],
        ["form", "the database, the port, and the SSL mode"],
      ],
      ["username password database host", ["arg-password", "Authentication failed."]],
      [
        "account user password",
        [
          "arg-password",
          "250001 (08001): None: Failed to connect to DB: a.snowflakecomputing.com:443. Incorrect username or password was specified.",
        ],
        [
          "arg-account",
          "290404 (08001): None: 404 Not Found: post https://a.snowflakecomputing.com:443/session/v1/login-request",
        ],
      ],
      [
        "account user private_key private_key_path",
        ["arg-private_key", "250001 (08001): JWT token is invalid."],
      ],
      [
        "project_id dataset service_account_json service_account_keys",
        ["arg-service_account_keys", "File /keys/password.json does not exist"],
        ["arg-service_account_json", "'service_account_json' is not valid JSON"],
        [
          "arg-service_account_json",
          "Failed to parse credentials provided. Please provide a valid service account key.",
        ],
        [
          "arg-dataset",
          "404 GET https://x.com/projects/p/datasets/d?q=1: Not found: Dataset p:password",
        ],
      ],
      [
        "bucket region_name aws_access_key_id aws_secret_access_key",
        ["arg-aws_access_key_id", `${s3} (InvalidAccessKeyId) when calling the X operation`],
        ["arg-aws_secret_access_key", `${s3} (SignatureDoesNotMatch) when calling X`],
        ["arg-bucket", `${s3} (NoSuchBucket): The specified bucket does not exist`],
      ],
      ["db_file", ["arg-db_file", "unable to open database file"]],
      [
        "database motherduck_token",
        ["arg-database", 'IO Error: Cannot open file "/password/x": No such file or directory'],
      ],
    ];
    for (const [names, ...reasons] of cases) {
      for (const [field, reason] of reasons) {
        assert.equal(findConnectionProblem(reason, names.split(" ")).field, field, reason);
      }
    }
    assert.equal(
      findMissingDriver("Handler 'mysql' cannot be imported: No module named 'mysql'"),
      "mysql",
    );
    assert.equal(findMissingDriver("Connection refused"), undefined);
  });
});
