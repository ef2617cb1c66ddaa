// Statements of cells, over a server whose answers are given.
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../../src/mindsdb/errors.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { findListingUse } from "../../../src/mindsdb/sql/findListingUse.ts";
import { SecretsLearner } from "../../../src/mindsdb/redact/learnSecrets.ts";
import { mask } from "../../../src/mindsdb/redact/secretNames.ts";
import { StatementRun } from "../../../src/predict/run/statementRun.ts";
import { runTextsForTests } from "../../runTexts.ts";
import type { HttpRequest, HttpResponse } from "../../../src/mindsdb/http/transport.ts";
import { clientOver } from "../../clientOver.ts";
import { eventually } from "../../e2e/lib/eventually.ts";
import { clientOf } from "../mindsdb/scriptedServer.ts";
import { createStatementTable } from "../../statementTables.ts";

const key = "made-up-key-0001";
const learnedKey = "made-up-key-0002";

const table = (value: string) => ({ type: "table", column_names: ["a"], data: [[value]] });

function createRun(
  client: Client,
  defaultProject?: { name: string | undefined },
  more: { isFollowed?: boolean; onProgress?: () => void } = {},
): StatementRun {
  return new StatementRun({
    client: () => Promise.resolve(client),
    explain: (error) => ({ message: error instanceof Error ? error.message : String(error) }),
    logError: () => undefined,
    texts: runTextsForTests,
    onProgress: () => undefined,
    createTable: createStatementTable,
    ...(defaultProject ? { defaultProject } : {}),
    ...more,
  });
}

/** Runs a statement; `seen` receives the requests. */
async function runWith(
  statement: string,
  answer: object,
  more: {
    defaultProject?: { name: string | undefined };
    seen?: HttpRequest[];
    state?: "failed";
    version?: string;
  } = {},
): Promise<StatementRun> {
  const answers: Record<string, unknown> = {
    "/api/sql/query": answer,
    "/api/status": { mindsdb_version: more.version },
    "/api/databases/": [
      { name: "mindsdb", type: "project", deletable: false },
      { name: "Shop", type: "data", engine: "postgres" },
      { name: "files", type: "data", engine: "files" },
    ],
    "/api/projects/mindsdb/agents": [{ name: "a", model: { api_key: learnedKey } }],
    "/api/projects/mindsdb/views": [
      { name: "v", query: "SELECT hex(model) AS a FROM agents" },
      { name: "big", query: "SELECT * FROM Shop.orders" },
      { name: "bigger", query: "SELECT * FROM mindsdb.big" },
      { name: "small", query: "SELECT * FROM files.f" },
    ],
  };
  const learner = new SecretsLearner();
  const { seen = [] } = more;
  const client = clientOf(answers, {
    missing: 404,
    seen,
    findListingUse,
    learnSecrets: (one) => learner.learn(one),
  });
  const statementRun = createRun(client, more.defaultProject);
  await statementRun.runStatement(statement, 10_000);
  const { state } = statementRun.progress;
  assert.equal(state.kind, more.state ?? "done", JSON.stringify(state));
  return statementRun;
}

const run = (statement: string, value: string) => runWith(statement, table(value));

describe("a statement's run", () => {
  it("tells how many rows were changed, where the server says so", async () => {
    for (const [statement, affected_rows, expected] of [
      ["/* a */ UPDATE shop.t SET a = 1", 9, 9],
      ["UPDATE shop.t SET a = 1 WHERE b IN (SELECT b FROM shop.u)", 3, 3],
      // The number is that of the last update.
      ["UPDATE shop.t SET a = u.a FROM (SELECT a, b FROM shop.u) AS u WHERE b = u.b", 1, undefined],
      ["DELETE FROM shop.t", 0, 0],
      ["INSERT INTO shop.t (a) VALUES (1), (2)", 2, 2],
      // Of uploaded tables, the server counts none.
      ["INSERT INTO files.t (a) VALUES (1)", 0, undefined],
      ["DELETE FROM shop.t", null, undefined],
      ["CREATE TABLE shop.t (SELECT 1)", 0, undefined],
    ] as const) {
      const { progress } = await runWith(statement, { type: "ok", affected_rows });
      assert.deepEqual([progress.hasNoTable, progress.changedRows], [true, expected], statement);
    }
  });

  it("says that the server goes on in the background with an INSERT", async () => {
    const queued = { type: "table", column_names: ["ID", "PROCESSED_ROWS"], data: [[1, 0]] };
    const [note, ...others] = (await runWith("INSERT INTO kb SELECT 1", queued)).progress.notes;
    assert.match(note ?? "", /in the background/);
    assert.deepEqual(others, []);
    const { notes } = (await runWith("SELECT * FROM information_schema.queries", queued)).progress;
    assert.deepEqual(notes, []);
  });

  it("waits for an INSERT in the background where other statements follow", async () => {
    /** Its background query looks so, one after the other; the last one stays. */
    const runFollowed = async (...looks: [number, string | null, string | null][]) => {
      const transport = {
        send: ({ path, body }: HttpRequest): Promise<HttpResponse> => {
          const isList = JSON.stringify(body).includes("information_schema.queries");
          const look = isList && looks.length > 1 ? looks.shift()! : looks[0]!;
          const answer = {
            type: "table",
            column_names: ["ID", "PROCESSED_ROWS", "ERROR", "FINISHED_AT"],
            data: [...(isList ? [[7, 1, "of another", null]] : []), [70, ...look]],
          };
          return Promise.resolve({
            status: path === "/api/sql/query" ? 200 : 404,
            headers: { "content-type": "application/json" },
            body: Readable.from([Buffer.from(JSON.stringify(answer))]),
          });
        },
        close: () => Promise.resolve(),
      };
      const activities: string[] = [];
      const followed: StatementRun = createRun(clientOver(transport), undefined, {
        isFollowed: true,
        onProgress: () => {
          const { state } = followed.progress;
          if (state.kind === "running") activities.push(state.activity ?? "");
        },
      });
      await followed.runStatement("INSERT INTO kb SELECT 1", 10_000);
      return { activities, ...followed.progress };
    };
    const done = await runFollowed([5, null, null], [9, null, "2026-11-28 10:00:00"]);
    assert.deepEqual(
      [done.state.kind, done.notes],
      ["done", ["The server has run this statement in the background."]],
    );
    assert.equal(done.activities.at(-1), "Running in the background… 5 rows so far");
    const failed = await runFollowed([5, "no such column", null]);
    assert.equal(failed.state.kind, "failed");
    assert.match(JSON.stringify(failed.state), /no such column/);
  });

  const ok = { type: "ok", affected_rows: null };

  it("measures the time of a statement that ends or fails, from when it is sent", async () => {
    const times = [await run("SELECT a", "1"), await runWith("DROP TABLE files.a", ok)];
    const error = { type: "error", error_message: "no" };
    times.push(await runWith("SELECT a", error, { state: "failed" }));
    for (const { progress } of times) {
      assert.ok((progress.seconds ?? 0) > 0 && progress.seconds! < 60, String(progress.seconds));
    }
    const refused = createRun(clientOf({}));
    await refused.fail("why");
    assert.equal(refused.progress.seconds, undefined);
  });

  it("warns where PostgreSQL's rows may have ended early", async () => {
    const notes = async (statement: string, rows: number, version = "26.1.0") => {
      const data = Array.from({ length: rows }, () => [1]);
      const answer = { type: "table", column_names: ["a"], data };
      const { progress } = await runWith(statement, answer, { version });
      return progress.notes.filter((note) => note.startsWith("This result may be incomplete"));
    };
    const all = "SELECT * FROM shop.orders";
    assert.equal((await notes(all, 0)).length, 1);
    assert.equal((await notes(all, 10_000)).length, 1);
    assert.equal((await notes("SELECT * FROM shop (SELECT a FROM b)", 20_000)).length, 1);
    assert.equal((await notes("SELECT 1 FROM files.f JOIN shop.orders", 0)).length, 1);
    assert.deepEqual(await notes(all, 10_001), []);
    assert.deepEqual(await notes(`${all} LIMIT 10000`, 10_000), []);
    assert.equal((await notes(`${all} LIMIT 20000`, 10_000)).length, 1);
    for (const statement of [
      "SELECT * FROM big",
      "SELECT * FROM mindsdb.BIGGER AS b",
      `(${all})`,
      `((${all} LIMIT 5)) -- limit 0`,
      "TABLE shop.orders",
      `WITH o AS (${all}) SELECT * FROM o`,
      `${all} UNION ALL SELECT * FROM files.f`,
    ]) {
      assert.equal((await notes(statement, 0)).length, 1, statement);
    }
    for (const [statement, rows] of [
      [`${all} LIMIT 10000 OFFSET 500`, 10_000],
      [`${all} LIMIT 500, 10000;`, 10_000],
      [`(${all} LIMIT 10000)`, 10_000],
      [`${all} LIMIT 0`, 0],
      ["SELECT * FROM small", 0],
      ["SELECT 'shop.orders' FROM files.f", 0],
    ] as const) {
      assert.deepEqual(await notes(statement, rows), [], statement);
    }
    assert.deepEqual(await notes("SELECT * FROM files.orders", 0), []);
    assert.deepEqual(await notes(all, 0, "25.14.1"), []);
  });

  it("masks a listed object of many megabytes, which is not searched for secrets", async () => {
    const text = `${"token ".repeat(500_000)}${learnedKey}`;
    const rows = [
      [1, "short"],
      [2, text],
    ];
    const answer = { type: "table", column_names: ["id", "model"], data: rows };
    const { table, progress } = await runWith("SELECT id, model FROM mindsdb.agents", answer);
    assert.deepEqual(await table?.values(0, 2), [
      ["1", '"short"'],
      [`"${mask}"`, `"${mask}"`],
    ]);
    assert.ok(JSON.stringify(progress).includes("masked"));
  });

  it("is done where a data source returns no rows, which 26.1.0 calls an error", async () => {
    const failed = (attribute: string) => ({
      type: "error",
      error_message: `'OkResponse' object has no attribute '${attribute}'`,
    });
    const empty = { type: "table", column_names: [], data: [] };
    for (const [statement, answer] of [
      ["SELECT * FROM duck (CREATE TABLE t (a int))", failed("data_frame")],
      ["SELECT * FROM files (DROP TABLE t)", failed("data_frame")],
      ["SELECT * FROM duck.t WHERE a = 99", failed("set_columns_attrs")],
      ["SELECT upper(a) u FROM duck.t AS t WHERE (a = 9) ORDER BY a LIMIT 3;", failed("x")],
      ["SELECT a, count(*) FROM duck (SELECT 1) GROUP BY a", failed("data_frame")],
      ["SELECT * FROM (SELECT * FROM duck (SELECT 1)) AS r LIMIT 5", failed("data_frame")],
      ["WITH a AS (SELECT 1) SELECT * FROM duck (DROP TABLE t)", empty],
    ] as const) {
      const { progress } = await runWith(statement, answer);
      assert.equal(progress.hasNoTable, true);
      assert.deepEqual(progress.notes, ["The data source ran the statement and returned no rows."]);
    }
  });

  it("fails where 26.1.0 needs rows that a data source does not return, and does nothing more", async () => {
    const answer = { type: "error", error_message: "'OkResponse' object has no attribute 'x'" };
    const none = "duck.t WHERE a = 9";
    for (const statement of [
      "CREATE TABLE files.made (SELECT * FROM duck (CREATE TABLE t (a int)))",
      `CREATE VIEW v AS (SELECT * FROM ${none})`,
      `INSERT INTO files.t (SELECT * FROM ${none})`,
      `SELECT a FROM ${none} UNION ALL SELECT a FROM files.homes`,
      `SELECT a FROM files.homes EXCEPT SELECT a FROM ${none}`,
      "SELECT * FROM files.homes AS h LEFT JOIN duck.t ON h.a = t.a",
      "SELECT * FROM files.homes, duck.t",
      `SELECT a FROM files.homes WHERE a NOT IN (SELECT a FROM ${none})`,
      `SELECT *, (SELECT max(a) FROM files.homes) FROM ${none}`,
      "SELECT count(*) FROM duck (SELECT * FROM t WHERE a = 9)",
      `SELECT 1 + sum(a) FROM (SELECT * FROM ${none}) AS r`,
    ]) {
      const { progress } = await runWith(statement, answer, { state: "failed" });
      assert.match(JSON.stringify(progress.state), /nothing was read, created, or inserted/);
    }
  });

  it("says that a statement has no effect where the server does nothing", async () => {
    for (const [statement, word] of [
      ["SET active = 1", "SET"],
      ["set names utf8;", "SET"],
      ["BEGIN", "BEGIN"],
      ["START TRANSACTION", "START"],
      ["ROLLBACK", "ROLLBACK"],
    ] as const) {
      const [note = ""] = (await runWith(statement, ok)).progress.notes;
      assert.match(note, new RegExp(`^This has no effect\\. The server accepts ${word} `));
    }
    for (const statement of ["SET ACTIVE p.m.1", "CREATE PROJECT a", "DROP VIEW v"]) {
      assert.deepEqual((await runWith(statement, ok)).progress.notes, []);
    }
  });

  it("sends what the last USE named with the statements that follow", async () => {
    const defaultProject = { name: undefined };
    const seen: HttpRequest[] = [];
    const databases = () =>
      seen
        .filter(({ path }) => path === "/api/sql/query")
        .map(({ body }) => JSON.parse(body as string) as { context?: { db: string } })
        .map(({ context }) => context?.db);
    const more = { defaultProject, seen };
    await runWith("SELECT a FROM t", table("x"), more);
    // A name in another case than the server's own would make its lists empty.
    const used = [
      ["USE Shop;", "Shop"],
      ["USE `My Shop` -- x", "My Shop"],
      ["use shop", "Shop"],
      ["USE `MINDSDB`", "mindsdb"],
    ] as const;
    for (const [statement, name] of used) {
      const { notes } = (await runWith(statement, ok, more)).progress;
      assert.match(notes[0] ?? "", new RegExp(`now use ${name} for names without a project`));
      await runWith("SELECT a FROM t", table("x"), more);
    }
    assert.deepEqual(databases().slice(1), [
      ...[undefined, "Shop", "Shop", "My Shop", "My Shop", "Shop", "Shop", "mindsdb"],
    ]);
  });

  it("says that the server may go on where it is stopped or takes too long, and only once it was sent", async () => {
    const start = (answers: Record<string, unknown>) => {
      const asked = new EventEmitter();
      const transport = {
        async send({ path, signal, timeoutMs }: HttpRequest): Promise<HttpResponse> {
          asked.emit(path);
          if (path in answers) {
            const body = Readable.from([Buffer.from(JSON.stringify(answers[path]))]);
            return { status: 200, headers: { "content-type": "application/json" }, body };
          }
          await sleep((timeoutMs ?? 0) === 0 ? 60_000 : timeoutMs, undefined, { signal });
          throw new AppError("timeout", "The server did not answer within 0.01 s.");
        },
        close: () => Promise.resolve(),
      };
      return { run: createRun(clientOver(transport)), asked };
    };
    const lists = { "/api/databases/": [], "/api/status": {} };
    const goesOn = "The server can't be told to stop, and may still finish the statement.";

    const sent = start(lists);
    const isSent = once(sent.asked, "/api/sql/query");
    const ended = sent.run.runStatement("SELECT 1", 0);
    await isSent;
    sent.run.stop();
    await ended;
    assert.deepEqual(sent.run.progress.state, { kind: "stopped", message: goesOn });

    const late = start(lists);
    await late.run.runStatement("SELECT 1", 10);
    const { state } = late.run.progress;
    assert.deepEqual(state, {
      kind: "failed",
      message: `The server did not answer within 0.01 s. ${goesOn}`,
      action: undefined,
    });

    const unsent = start(lists);
    unsent.run.stop();
    await unsent.run.runStatement("SELECT 1", 0);
    assert.deepEqual(unsent.run.progress.state, { kind: "stopped" });
  });

  it("masks values that may be taken out of a listing, with a sentence", async () => {
    for (const statement of [
      "SELECT MODEL->>'api_key' AS a FROM mindsdb.agents",
      "SELECT a FROM v",
      "SELECT t.a FROM files.t AS t JOIN mindsdb.V AS v",
    ]) {
      const { table, progress } = await run(statement, key);
      assert.deepEqual(await table.values(0, 1), [[JSON.stringify(mask)]]);
      assert.match(progress.notes.join(), /^All values are masked/);
    }
  });

  it("masks a key of an agent that nobody has opened", async () => {
    const { table } = await run("SELECT a FROM files.notes", `uses ${learnedKey}`);
    assert.deepEqual(await table.values(0, 1), [[JSON.stringify(`uses ${mask}`)]]);
  });

  it("says nothing where it masks fields, or nothing", async () => {
    for (const statement of ["SELECT a FROM mindsdb.agents", "SELECT hex(a) FROM shop.t"]) {
      assert.deepEqual((await run(statement, mask)).progress.notes, []);
    }
  });

  describe("whose rows arrive one after the other", () => {
    const head = '{"type":"table","column_names":["id","note"]}\n';

    /** Runs a statement whose answer has these parts; what a part returns is waited for. */
    async function runArriving(
      parts: (string | ((run: StatementRun) => unknown))[],
      { timeoutMs = 0, type = "application/jsonlines", statement = "SELECT * FROM shop.t" } = {},
    ): Promise<{ run: StatementRun; body: string; progress: string[] }> {
      const sent: string[] = [];
      const progress: string[] = [];
      async function* answer(): AsyncGenerator<Buffer> {
        for (const part of parts) {
          if (typeof part === "string") yield Buffer.from(part);
          else await part(run);
        }
      }
      const client = clientOver(
        {
          send: ({ path, body }: HttpRequest) => {
            if (path === "/api/sql/query") sent.push(body as string);
            return Promise.resolve({
              status: path === "/api/sql/query" ? 200 : 404,
              headers: { "content-type": type },
              body: Readable.from(path === "/api/sql/query" ? answer() : [Buffer.from("{}")]),
            });
          },
          close: () => Promise.resolve(),
        },
        { findListingUse },
      );
      client.secrets.add(key);
      const run: StatementRun = createRun(client, undefined, {
        onProgress: () => progress.push(`${run.progress.state.kind} ${run.progress.count}`),
      });
      await run.runStatement(statement, timeoutMs);
      return { run, body: sent[0] ?? "", progress };
    }

    const valuesOf = ({ table }: StatementRun) => table.values(0, table.length);

    it("asks for JSON Lines, and shows the first rows before the last ones are there", async () => {
      let early: unknown;
      const { run, body, progress } = await runArriving([
        `${head}[[1,"a"]]\n`,
        async (run) => {
          await eventually(() => assert.equal(run.table.length, 1));
          early = [await valuesOf(run), run.table.columns.map(({ name }) => name)];
          assert.ok((run.progress.rowsPerSecond ?? 0) > 0);
        },
        '[[2,"b"]]\n',
      ]);
      assert.equal((JSON.parse(body) as object)["response_format" as never], "jsonlines");
      assert.deepEqual(early, [[["1", '"a"']], ["id", "note"]]);
      assert.ok(progress.includes("running 1"), progress.join());
      assert.equal(run.progress.count, 2);
      assert.deepEqual(run.progress.notes, []);
    });

    it("keeps numbers as they were sent, and masks secrets in the same row", async () => {
      const { run } = await runArriving([
        `${head}[[9007199254740993, "x ${key}"],[1.50, {"a": 2.50, "b": ["${key}"]}],[-0.10, {"a": 2.50}]]\n`,
      ]);
      assert.deepEqual(await valuesOf(run), [
        ["9007199254740993", `"x ${mask}"`],
        ["1.50", `{"a":2.5,"b":["${mask}"]}`],
        ["-0.10", '{"a": 2.50}'],
      ]);
    });

    it("keeps the rows that came before the connection broke, and says that it has only these", async () => {
      const { run } = await runArriving([
        `${head}[[1,"a"],[2,"b"]]\n`,
        () => {
          throw new AppError("cutOff", "The connection is closed.");
        },
      ]);
      const { state, notes, count } = run.progress;
      assert.deepEqual(
        [state.kind, count, notes],
        ["failed", 2, ["The result is incomplete: it has only the rows that arrived before then."]],
      );
      assert.equal((await valuesOf(run)).length, 2);
    });

    it("keeps the rows that came before it was stopped", async () => {
      const { run } = await runArriving([
        `${head}[[1,"a"]]\n`,
        async (run) => {
          await eventually(() => assert.equal(run.table.length, 1));
          run.stop();
          throw new DOMException("stopped", "AbortError");
        },
      ]);
      assert.equal(run.progress.state.kind, "stopped");
      assert.equal(run.progress.notes.length, 1);
    });

    it("fails if nothing arrives for the time limit", async () => {
      const { run } = await runArriving(
        [`${head}[[1,"a"]]\n`, () => sleep(5_000, 0, { ref: false })],
        {
          timeoutMs: 50,
        },
      );
      assert.deepEqual(run.progress.state, {
        kind: "failed",
        message:
          "The server sent nothing for 0 s. The server can't be told to stop, and may still finish the statement.",
        action: undefined,
      });
      assert.equal(run.progress.count, 1);
    });

    it("masks the fields of a listing whose columns come after its rows", async () => {
      const { run } = await runArriving(
        ['{"type":"table","data":[["a","my-made-up-one"]],', '"column_names":["name","api_key"]}'],
        { type: "application/json", statement: "SHOW AGENTS" },
      );
      assert.deepEqual(await valuesOf(run), [['"a"', JSON.stringify(mask)]]);
    });

    it("ends where a listing without columns does not", async () => {
      const block = `${"[1],".repeat(10_000)}`;
      const { run } = await runArriving(['{"data":[', ...Array.from({ length: 30 }, () => block)], {
        type: "application/json",
        statement: "SHOW AGENTS",
      });
      assert.match(JSON.stringify(run.progress.state), /The list has more than 200,000 rows\./);
    });

    it("ends at a row of more values than any has, and keeps the rows before it", async () => {
      for (const cell of ["{},", "[],", '"a",', '{"b":[1,{}]},']) {
        const row = `[[1,[${cell.repeat(250_000)}0]]]\n`;
        const { run } = await runArriving([head, '[[1,"a"]]\n', row, '[[2,"b"]]\n']);
        assert.match(
          JSON.stringify(run.progress.state),
          /A row of the result has more than 200,000/,
        );
        assert.equal(run.table.length, 1, cell);
      }
    });

    it("has the columns of a table without rows, and none of what is no answer", async () => {
      const empty = await runArriving([head]);
      assert.deepEqual(
        empty.run.table.columns.map(({ name }) => name),
        ["id", "note"],
      );
      const page = await runArriving(["<html>"], { type: "text/html" });
      assert.match(JSON.stringify(page.run.progress.state), /returned a web page instead of data/);
      const failed = await runArriving(['{"type":"error","error_message":"no t"}\n']);
      assert.match(JSON.stringify(failed.run.progress.state), /no t/);
    });
  });
});
