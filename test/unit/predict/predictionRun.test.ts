// A prediction run without VS Code, against the sample server.
import assert from "node:assert/strict";
import type { RunState } from "../../../src/predict/messages.ts";
import { AppError } from "../../../src/mindsdb/errors.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { parseRecipe, type Recipe } from "../../../src/predict/notebook/recipe.ts";
import type { PredictionRun } from "../../../src/predict/run/predictionRun.ts";
import { runSql } from "../../../src/mindsdb/sql/runSql.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { clientOver } from "../../clientOver.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { usePredictionRuns } from "./predictionRuns.ts";

const home = {
  number_of_rooms: 2,
  number_of_bathrooms: 1,
  sqft: 850,
  location: "great",
  neighborhood: "old_town",
  days_on_market: 10,
};
const withoutSqft = Object.fromEntries(Object.entries(home).filter(([name]) => name !== "sqft"));
const model = "mindsdb.home_rentals_model";
const table = "files.home_rentals";

/** A run, the states it went through, and its errors. */
interface Tried {
  run: PredictionRun;
  states: () => RunState["kind"][];
  logged: string[];
}

describe("A prediction run", () => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let transport: Transport;
  let client: Client;
  let files: Record<string, string>;
  const createRun = usePredictionRuns();

  before(async () => {
    server = await startTestServer({ unguarded: true });
    transport = createTransport(parseAddress(server.url));
  });
  after(async () => {
    await transport.close();
    await server.stop();
  });
  beforeEach(() => {
    client = clientOver(transport);
    files = {};
  });

  function create(batchRows = 1_000): Tried {
    const states: RunState["kind"][] = [];
    const logged: string[] = [];
    const run: PredictionRun = createRun(client, {
      logError: (what) => logged.push(what),
      onProgress: () => {
        const { kind } = run.progress.state;
        if (states.at(-1) !== kind) states.push(kind);
      },
      openFile: (name) => {
        const text = files[name];
        if (text === undefined) return Promise.reject(new Error(`There is no ${name}.`));
        return Promise.resolve({
          address: `file:///${name}`,
          name,
          bytes: Buffer.byteLength(text),
          modified: 0,
          // eslint-disable-next-line @typescript-eslint/require-await
          read: async function* () {
            for (let at = 0; at < text.length; at += 10_000) {
              yield Buffer.from(text.slice(at, at + 10_000));
            }
          },
        });
      },
      batchRows,
    });
    return { run, states: () => states, logged };
  }

  function recipe(cell: object): Recipe {
    const { recipe: parsed, problems } = parseRecipe(JSON.stringify(cell));
    assert.ok(parsed, JSON.stringify(problems));
    return parsed;
  }

  /** Runs a cell to its end. */
  async function predict(
    cell: object,
    { batchRows = 1_000, isForced = false } = {},
  ): Promise<Tried> {
    const tried = create(batchRows);
    await tried.run.predict(recipe(cell), isForced);
    return tried;
  }

  it("predicts the rows of a cell, and knows what its result was made from", async () => {
    const { run, states } = await predict({ model, rows: [home, home] });
    assert.deepEqual(states(), ["running", "done"]);
    assert.equal(run.progress.count, 2);
    assert.equal(run.table.length, 2);
    assert.equal(run.madeOf.model?.name, "home_rentals_model");
    assert.equal(run.madeOf.training?.version, 2);
    assert.ok(run.endedAt);
  });

  it("predicts all rows with the version that was active at first, also beside another model", async () => {
    const select = (version: number): Promise<unknown> =>
      runSql(client, `SET ACTIVE ${model}.${version}`);
    /** Runs a cell while another version becomes active, and gives the second column of its result. */
    const predictWhile = async (cell: object): Promise<(string | undefined)[]> => {
      const { run } = create(100);
      let changed: Promise<unknown> | undefined;
      const readPage = client.post.bind(client);
      client.post = async (...args) => {
        const page = await readPage(...args);
        const isPage = JSON.stringify(args[1]).includes("OFFSET");
        if (isPage) await (changed ??= select(1));
        return page;
      };
      try {
        await run.predict(recipe({ ...cell, rows: { table } }), false);
        assert.equal(run.progress.state.kind, "done", JSON.stringify(run.progress.state));
        assert.ok(changed);
        assert.equal(run.madeOf.training?.version, 2);
        return (await run.table.values(0, run.table.length)).map(([first]) => first);
      } finally {
        client.post = readPage;
        await select(2);
      }
    };
    const right = await predictWhile({ model: `${model}.2` });
    assert.ok(right.length > 100);
    assert.deepEqual(await predictWhile({ model }), right);
    assert.deepEqual(await predictWhile({ models: [model, `${model}.1`] }), right);
  });

  it("compares predictions with the actual values of a file", async () => {
    files["homes.jsonl"] = `${JSON.stringify({ ...home, rental_price: 3000 })}\n`.repeat(5);
    const { run } = await predict({ model, rows: "homes.jsonl" }, { batchRows: 2 });
    const { state, count, metrics } = run.progress;
    assert.deepEqual([state.kind, count, metrics?.count], ["done", 5, 5]);
    assert.equal(run.madeOf.rowsFile?.address, "file:///homes.jsonl");
  });

  const names = Object.keys(home);
  for (const [what, name, text, rows, note] of [
    [
      "rows without any value that are skipped",
      "homes.csv",
      `${names.join(",")}\r\n${Object.values(home).join(",")}\r\n,,,,,\r\n,,,,,\r\n`,
      1,
      "blank: 2",
    ],
    [
      "how many cells with \\N are null",
      "homes.tsv",
      `${names.join("\t")}\n${Object.values({ ...home, location: "\\N" }).join("\t")}\n`,
      1,
      "Cells with \\N that were read as null: 1",
    ],
    [
      "the list in an object that has the rows",
      "homes.json",
      JSON.stringify({ count: 2, results: [home, home] }),
      2,
      "Rows are read from the list “results” in the file.",
    ],
  ] as const) {
    it(`notes ${what}`, async () => {
      files[name] = text;
      const { run } = await predict({ model, rows: name });
      const { state, count, notes } = run.progress;
      assert.deepEqual([state.kind, count, notes], ["done", rows, [note]]);
    });
  }

  for (const [title, cell, message, noted = 0] of [
    [
      "says what is wrong in a file before it says that its rows lack columns",
      { model, rows: "broken.json" },
      /^broken\.json, line 2, column 14: /,
      5,
    ],
    [
      "names the reason for which a model's training failed",
      { model: "mindsdb.season_model", rows: [home] },
      /^The model's training failed: Exception: Prediction target .*season.* not found/,
    ],
    [
      "fails where its file cannot be read",
      { model, rows: "missing.json" },
      /^There is no missing\.json\.$/,
    ],
    [
      "says that a table has no rows",
      { model, rows: { table, where: "sqft < 0" } },
      /^files\.home_rentals: There are no rows\.$/,
    ],
    [
      "says that a query has no rows",
      { model, rows: { sql: `SELECT * FROM ${table} WHERE sqft < 0` } },
      /^The query returned no rows\.$/,
    ],
    [
      "says why a query fails",
      { model, rows: { table: "files.nothing" } },
      /Table 'nothing' not found/,
    ],
    [
      "names the one of two models that the server lacks",
      { models: [model, "mindsdb.nothing"], rows: [home] },
      /^mindsdb\.nothing: /,
    ],
  ] as const) {
    it(title, async () => {
      files["broken.json"] = `[${JSON.stringify({ location: "good" })},\n{"location": good}]`;
      const { state, count, notes } = (await predict(cell)).run.progress;
      assert.deepEqual([state.kind, count, notes.length], ["failed", 0, noted]);
      assert.match("message" in state ? (state.message ?? "") : "", message);
    });
  }

  it("sends nothing while the first rows lack a column, unless it is told to", async () => {
    const rows = [withoutSqft];
    const blocked = await predict({ model, rows });
    const { state } = blocked.run.progress;
    assert.equal(state.kind, "blocked");
    assert.match(JSON.stringify(state), /“sqft” is missing in 1 row, first in row 1 \(the cell/);
    assert.equal(blocked.run.progress.count, 0);

    const sent = await predict({ model, rows }, { isForced: true });
    assert.equal(sent.run.progress.state.kind, "done");
    assert.equal(sent.run.progress.count, 1);
    assert.match(sent.run.progress.notes.join("\n"), /“sqft” is missing/);
  });

  it("pauses at a row far down that lacks a column, keeps what was sent, and goes on when resumed", async () => {
    // The first 1,000 rows are checked before any is sent.
    const lines = [...Array.from({ length: 2_000 }, () => home), withoutSqft, home];
    files["homes.jsonl"] = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const { run, states } = create(500);
    const ended = run.predict(recipe({ model, rows: "homes.jsonl" }), false);
    while (run.progress.state.kind !== "paused") {
      assert.ok(run.isRunning);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.match(JSON.stringify(run.progress.state), /row 2001 \(homes\.jsonl, line 2001\)/);
    // Not a failure of the server that a sign-in could end.
    run.resumeIfSafe();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(run.progress.state.kind, "paused");
    run.resume();
    await ended;
    assert.deepEqual(states(), ["running", "paused", "running", "done"]);
    assert.equal(run.progress.count, 2_002);
  });

  it("names file, line and column of a row that is no JSON, and keeps the rows before it", async () => {
    files["homes.jsonl"] = `${JSON.stringify(home)}\n{"sqft": oops}\n`;
    const { run, logged } = await predict({ model, rows: "homes.jsonl" }, { batchRows: 1 });
    const { state, count } = run.progress;
    assert.equal(state.kind, "failed");
    assert.match(JSON.stringify(state), /homes\.jsonl, line 2, column 10/);
    assert.equal(count, 1);
    // The user's file is no failure of the product.
    assert.deepEqual(logged, []);
  });

  it("fails with the server's reason, and logs it", async () => {
    const { run, logged } = await predict({ model: "mindsdb.no_such_model", rows: [home] });
    assert.equal(run.progress.state.kind, "failed");
    assert.ok(run.error);
    assert.deepEqual(logged, ["A prediction failed."]);
  });

  it("offers the model with the closest name in place of one that does not exist", async () => {
    const { run } = await predict({ model: "mindsdb.home_rentls_model", rows: [home] });
    assert.equal(run.action?.title, `Change to ${model}`);
    const { state } = run.progress;
    assert.equal(state.kind === "failed" && state.action, `Change to ${model}`);
  });

  it("predicts the rows of a table, and knows how many there are before they come", async () => {
    const { run, states } = await predict(
      { model, rows: { table, where: "sqft > 800 -- large" } },
      { batchRows: 200 },
    );
    assert.deepEqual(states(), ["running", "done"], JSON.stringify(run.progress.state));
    const { count, expected, metrics } = run.progress;
    const [[there]] = (await runSql(client, `SELECT count(*) FROM ${table} WHERE sqft > 800`))
      .rows as [[number]];
    assert.deepEqual(
      [count, expected, metrics?.count],
      [there, { rows: there, isGuess: false }, there],
    );
    assert.deepEqual(run.madeOf.serverRows, { table });
    assert.equal(run.madeOf.rowsFile, undefined);
  });

  it("sends no rows of a query that lacks a column, unless it is told to", async () => {
    const sql = `SELECT sqft, location FROM ${table}`;
    const blocked = await predict({ model, rows: { sql } });
    assert.deepEqual(blocked.run.progress.state, {
      kind: "blocked",
      message:
        "The model needs columns that the query doesn't have: “number_of_rooms”, “number_of_bathrooms”, “neighborhood”, “days_on_market”.",
    });
    const forced = await predict({ model, rows: { sql } }, { isForced: true });
    assert.match(
      forced.run.progress.notes.join(),
      /the first \d+ rows of the query don't have: “number_of_rooms”/,
    );
  });

  /** Lets queries for rows fail; `fail` gets how many were sent before. */
  function failPages(fail: (sent: number) => AppError | undefined): () => number {
    let sent = 0;
    const original = client.post.bind(client);
    client.post = (path, body, options) => {
      const { query } = body as { query?: string };
      const isPage = query?.includes(" OFFSET ") === true;
      const error = isPage ? fail(sent++) : undefined;
      return error ? Promise.reject(error) : original(path, body, options);
    };
    return () => sent;
  }

  it("waits for a server that is away while rows are read, and goes on", async () => {
    const sent = failPages((before) =>
      before === 0 ? new AppError("unreachable", "The server is away.") : undefined,
    );
    const { run, states } = await predict({ model, rows: { table, limit: 40 }, limit: 30 });
    assert.deepEqual(states(), ["waiting", "running", "done"]);
    assert.deepEqual([sent(), run.progress.count], [2, 30]);
  });

  it("pauses when the user must do something before rows can be read", async () => {
    failPages((before) =>
      before === 0 ? new AppError("signInNeeded", "Sign in again.") : undefined,
    );
    const { run, states } = create();
    const ended = run.predict(recipe({ model, rows: { table, limit: 30 } }), false);
    while (run.progress.state.kind !== "paused") {
      assert.ok(run.isRunning);
      await new Promise(setImmediate);
    }
    const { state } = run.progress;
    assert.equal("message" in state ? state.message : "", "Sign in again.");
    // What the window does when the user has signed in.
    run.resumeIfSafe();
    await ended;
    assert.deepEqual(states(), ["paused", "running", "done"]);
    assert.equal(run.progress.count, 30);
  });

  it("ends when a page of rows cannot be read at all, with the rows before it", async () => {
    failPages((before) =>
      before < 2
        ? // So that the page is made small enough for another one.
          new AppError("tooLarge", "Too large.")
        : before === 3
          ? new AppError("sql", "No such column.")
          : undefined,
    );
    const { run } = await predict({ model, rows: { table } });
    assert.deepEqual([run.progress.state.kind, run.progress.count], ["failed", 312]);
    assert.match(JSON.stringify(run.progress.state), /No such column/);
  });

  describe("with two models", () => {
    const models = [`${model}.1`, `${model}.2`];
    const titles = models.map((name) => `rental_price (${name.slice("mindsdb.".length)})`);

    /** The values of each row by column, in the order of a view. */
    async function read({ table }: PredictionRun, sorted?: string): Promise<Map<string, string>[]> {
      const column = table.columns.findIndex(({ name }) => name === sorted);
      const view = column < 0 ? {} : { sort: { column, descending: true } };
      const rows = await table.values(0, table.length, await table.order(view));
      // Of columns with the same name the first one, which is the prediction, is last in the map.
      return rows.map((values) => {
        const named = values.map((value, at) => [table.columns[at]!.name, value ?? ""] as const);
        return new Map(named.reverse());
      });
    }

    it("shows both predictions of each row, and how accurate each model is", async () => {
      const alone = await predict({ model: models[0], rows: { table } });
      const { run, states } = await predict({ models, rows: { table } }, { batchRows: 200 });
      assert.deepEqual(states(), ["running", "done"], JSON.stringify(run.progress.state));
      const parts = run.table.columns.slice(0, 6).map(({ name, part }) => `${part}: ${name}`);
      assert.deepEqual(parts, [
        ...titles.map((title) => `predicted: ${title}`),
        "difference: difference",
        "predicted: confidence (home_rentals_model.1)",
        "predicted: confidence (home_rentals_model.2)",
        "actual: rental_price",
      ]);
      const [rows, ofFirst] = await Promise.all([read(run), read(alone.run)]);
      assert.deepEqual(
        rows.map((row) => row.get(titles[0]!)),
        ofFirst.map((row) => row.get("rental_price")),
      );
      const { metrics, comparedMetrics } = run.progress;
      assert.equal(metrics, undefined);
      assert.deepEqual(
        comparedMetrics?.map((one) => one.model),
        ["home_rentals_model.1", "home_rentals_model.2"],
      );
      assert.deepEqual(comparedMetrics?.[0]?.metrics, alone.run.progress.metrics);
      assert.notDeepEqual(comparedMetrics?.[0]?.metrics, comparedMetrics?.[1]?.metrics);
      const { training, comparedWith } = run.madeOf;
      assert.deepEqual([training?.version, comparedWith?.training?.version], [1, 2]);
    });

    it("sorts rows by how far their predictions are apart", async () => {
      const { run } = await predict({ models, rows: { table } });
      const differences = (await read(run, "difference")).map((row) => {
        const [first, second] = titles.map((title) => Number(row.get(title)));
        const difference = Number(row.get("difference"));
        assert.ok(Math.abs(difference - Math.abs(first! - second!)) < 1e-6);
        return difference;
      });
      assert.ok(differences[0]! > 0);
      assert.deepEqual(
        differences,
        [...differences].sort((a, b) => b - a),
      );
    });

    it("keeps columns of the rows that are called like those of the result", async () => {
      const taken = { difference: 7, confidence: 8, [titles[0]!]: 9, rental_price_explain: 10 };
      const named = Object.entries(taken).map(([name, value]) => `${value} AS \`${name}\``);
      const sql = `SELECT *, ${named.join(", ")} FROM ${table} LIMIT 5`;
      const plain = await predict({ models, rows: { table, limit: 5 } });
      const compared = await predict({ models, rows: { sql } });
      const [expected, found] = [await read(plain.run), await read(compared.run)];
      assert.equal(found.length, 5);
      for (const [at, row] of found.entries()) {
        for (const name of [...titles, "difference"]) {
          assert.equal(row.get(name), expected[at]!.get(name), name);
        }
      }
      const { columns } = compared.run.table;
      const values = await compared.run.table.values(0, 5);
      for (const [name, value] of Object.entries(taken)) {
        const at = columns.findIndex((column) => column.part === "input" && column.name === name);
        assert.deepEqual(
          values.map((row) => row[at]),
          Array(5).fill(String(value)),
          name,
        );
      }
    });
  });

  it("is stopped, not failed, when the user stops it", async () => {
    const { run, states, logged } = create();
    const ended = run.predict(recipe({ model, rows: [home] }), false);
    run.stop();
    await ended;
    assert.deepEqual(states().at(-1), "stopped");
    assert.deepEqual(logged, []);
  });
});
