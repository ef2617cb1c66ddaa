// Predicting into a table of the sample server: the statement, the question before it, and the check behind it.
import assert from "node:assert/strict";
import { AppError, isAppError } from "../../../src/mindsdb/errors.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { runSql } from "../../../src/mindsdb/sql/runSql.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { DescriptionCache } from "../../../src/models/descriptionCache.ts";
import { parseRecipe } from "../../../src/predict/notebook/recipe.ts";
import { readOutcome } from "../../../src/predict/result/openResult.ts";
import { predictedColumn, writeIntoStatement } from "../../../src/predict/run/intoStatement.ts";
import {
  IntoTableRun,
  type IntoRecipe,
  type PlannedTable,
} from "../../../src/predict/run/intoTableRun.ts";
import { RowText } from "../../../src/mindsdb/http/rowText.ts";
import { checkTable } from "../../../src/predict/run/tableCheck.ts";
import { runTextsForTests } from "../../runTexts.ts";
import { clientOver } from "../../clientOver.ts";
import { startTestServer } from "../../sampleServer/server.ts";

const model = "mindsdb.home_rentals_model";
const table = "files.home_rentals";

describe("predicting into a table", () => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let transport: Transport;
  let client: Client;
  /** Statements in the order in which they were sent. */
  let sent: string[];
  /** Called with each statement before it is sent. */
  let onSend: (statement: string) => void;

  beforeEach(async () => {
    server = await startTestServer({ unguarded: true });
    transport = createTransport(parseAddress(server.url));
    sent = [];
    onSend = () => undefined;
    client = clientOver({
      ...transport,
      send: (request) => {
        if (request.path === "/api/sql/query") {
          const { query } = JSON.parse((request.body as Buffer).toString()) as { query: string };
          sent.push(query);
          onSend(query);
        }
        return transport.send(request);
      },
    });
  });
  afterEach(async () => {
    await transport.close();
    await server.stop();
  });

  function create(answer = true): { run: IntoTableRun; asked: PlannedTable[] } {
    const asked: PlannedTable[] = [];
    const run = new IntoTableRun({
      client: () => Promise.resolve(client),
      explain: (error) => ({ message: (error as Error).message }),
      logError: () => undefined,
      texts: runTextsForTests,
      onProgress: () => undefined,
      described: { connectionId: "sample", descriptions: new DescriptionCache() },
      timeLimitMs: 10_000,
      sqlTimeLimitMs: 10_000,
      cost: "byAction",
      allowTable: (planned) => {
        asked.push(planned);
        return Promise.resolve(answer);
      },
    });
    return { run, asked };
  }

  function recipe(cell: object): IntoRecipe {
    const { recipe: parsed, problems } = parseRecipe(JSON.stringify({ model, ...cell }));
    assert.ok(parsed, JSON.stringify(problems));
    return parsed as IntoRecipe;
  }

  async function predictInto(
    cell: object,
    answer = true,
  ): Promise<{ kind: string; message: string; asked: PlannedTable[]; run: IntoTableRun }> {
    const { run, asked } = create(answer);
    await run.predictInto(recipe(cell), false);
    const { state } = run.progress;
    const message = "message" in state ? (state.message ?? "") : "";
    return { kind: state.kind, message, asked, run };
  }

  function changeStatements(change: (query: string) => string): void {
    answerStatements((query, send) => send(change(query)));
  }

  /** Answers statements in place of the server, or sends this one or another. */
  function answerStatements(
    answer: (query: string, send: (query: string) => Promise<unknown>) => Promise<unknown>,
  ): void {
    const original = client.post.bind(client);
    client.post = (path, body, options) => {
      const { query, ...rest } = body as { query?: string };
      if (query === undefined) return original(path, body, options);
      return answer(query, (sent) => original(path, { query: sent, ...rest }, options));
    };
  }

  const count = async (name: string): Promise<unknown> =>
    (await runSql(client, `SELECT count(*) FROM files.${name}`)).rows[0]?.[0];

  it("writes all rows after a question, with the version that is active, and checks them", async () => {
    const { kind, message, asked, run } = await predictInto({
      rows: { table, where: "sqft > 800" },
      into: "files.out",
    });
    assert.equal(kind, "done", message);
    const [planned] = asked;
    assert.deepEqual(
      [planned?.table, planned?.replaces, planned?.model],
      ["files.out", false, `${model}.2`],
    );
    assert.equal(await count("out"), planned?.count);
    assert.match(
      message,
      /^.*_model\.2 wrote \d+ predictions to files\.out\. Verified: \d+ random/,
    );
    assert.deepEqual(run.madeOf.into?.table, ["files", "out"]);
    assert.deepEqual(readOutcome(run, false)?.into, { isWritten: true });
    const { columns, rows } = await runSql(client, "SELECT * FROM files.out");
    assert.ok(!columns.includes("prediction_nonce"));
    const data = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
    const replies = (await client.post(
      "/api/projects/mindsdb/models/home_rentals_model.2/predict",
      { data },
      { cost: "byAction" },
    )) as { rental_price: number }[];
    assert.deepEqual(
      data.map((row) => row["predicted_rental_price"]),
      replies.map(({ rental_price }) => rental_price),
    );
  });

  it("sends another nonce each time, and asks before it replaces a table", async () => {
    const cell = { rows: { table }, into: "files.out", limit: 5 };
    assert.equal((await predictInto(cell)).kind, "done");
    const declined = await predictInto({ ...cell, limit: 3 }, false);
    assert.deepEqual([declined.kind, declined.message], ["stopped", "Nothing was written."]);
    assert.equal(declined.asked[0]?.replaces, true);
    assert.equal(await count("out"), 5);
    assert.equal((await predictInto({ ...cell, limit: 3 })).kind, "done");
    assert.equal(await count("out"), 3);
    const nonces = sent.flatMap((query) => /'([0-9a-f-]{36})' AS/.exec(query)?.[1] ?? []);
    assert.equal(nonces.length, 2);
    assert.notEqual(nonces[0], nonces[1]);
  });

  it("replaces a table that cannot be read, after the same question", async () => {
    const cell = { rows: { table }, into: "files.out", limit: 5 };
    await predictInto(cell);
    // What is left of a table when a server was killed while it wrote.
    const error_message = "[file/files]: File is too small to be a well-formed file";
    answerStatements((query, send) =>
      query === "SELECT * FROM `files`.`out` LIMIT 1"
        ? Promise.resolve({ type: "error", error_message })
        : send(query),
    );
    const { kind, message, asked } = await predictInto(cell);
    assert.equal(asked[0]?.replaces, true);
    assert.equal(kind, "done", message);
    const other = await predictInto({ ...cell, into: "files.outer" });
    assert.equal(other.asked[0]?.replaces, false);
  });

  it("asks nothing and writes nothing where it cannot work", async () => {
    const refused: [object, RegExp][] = [
      [
        { rows: { table }, into: "nowhere.out" },
        /^There is no data source nowhere on the server\.$/,
      ],
      [{ rows: { table }, into: "mindsdb.out" }, /^mindsdb can't contain tables\. /],
      [
        { rows: { table }, into: "lantern_lane.crm.out" },
        /ignore the schema crm and write the rows to the default schema of lantern_lane\./,
      ],
      [{ rows: { table, where: "sqft < 0" }, into: "files.out" }, /: There are no rows\.$/],
      [
        { rows: { sql: `SELECT * FROM ${table} WHERE sqft < 0` }, into: "files.out" },
        /^The query returned no rows\.$/,
      ],
      [{ rows: { sql: "SELECT nothing FROM files.home_rentals" }, into: "files.out" }, /"nothing"/],
      [{ rows: { table: "files.absent" }, into: "files.out" }, /absent/],
      [
        { rows: { sql: `SELECT sqft, sqft FROM ${table}` }, into: "files.out" },
        /^Two columns are called “sqft”/,
      ],
    ];
    for (const [cell, expected] of refused) {
      const { kind, message, asked } = await predictInto(cell);
      assert.equal(kind, "failed");
      assert.match(message, expected);
      assert.deepEqual(asked, []);
    }
    const lacking = { rows: { sql: `SELECT sqft FROM ${table}` }, into: "files.out" };
    const blocked = await predictInto(lacking);
    assert.equal(blocked.kind, "blocked");
    assert.match(blocked.message, /^The model needs columns that the query doesn't have: /);
    assert.ok(!sent.some((query) => query.startsWith("CREATE")));
  });

  it("gives the prediction a name that no column has, in any case", async () => {
    const sql = `SELECT *, sqft AS Predicted_Rental_Price FROM ${table}`;
    const { kind, message } = await predictInto({ rows: { sql }, into: "files.out" });
    assert.equal(kind, "done", message);
    const { columns } = await runSql(client, "SELECT * FROM files.out LIMIT 1");
    assert.deepEqual(columns.slice(-2), ["Predicted_Rental_Price", "predicted_rental_price_2"]);
    assert.equal(predictedColumn({ target: "y", columns: ["Y", "x"] }), "predicted_y");
  });

  it("calls numbers wrong that are not the model's", async () => {
    // Another version predicts than the one that is asked for the sample.
    changeStatements((query) =>
      query.replace("`home_rentals_model`.`2`", "`home_rentals_model`.`1`"),
    );
    const cell = { model: `${model}.2`, rows: { table }, into: "files.out" };
    const { kind, message, run } = await predictInto(cell);
    assert.equal(kind, "failed");
    assert.match(
      message,
      /^In \d+ of 200 sampled rows, .* First: [\d.]+ in the table, [\d.]+ from the model: number_of_rooms: /,
    );
    assert.deepEqual(run.progress.into, { isWritten: true });
  });

  /** Checks a table of so many rows, of which `client` answers what it likes. */
  const checkRows = (count: number) => {
    const model = { project: "mindsdb", name: "m", version: 1 };
    const table = { table: ["files", "out"], count, predicted: "predicted_y", model, target: "y" };
    return checkTable(client, { ...table, timeLimitMs: 1_000 }, {});
  };

  it("checks 200 of a million rows, from all parts of the table", async () => {
    const million = 1_000_000;
    const offsets: number[] = [];
    client.post = (_, body) => {
      const { query } = body as { query: string };
      const [limit = 0, offset = 0] = (query.match(/\d+/g) ?? []).map(Number);
      assert.equal(limit, 10);
      offsets.push(offset);
      // The table has the prediction of another row in its second half.
      const shift = offset < million / 2 ? 0 : 1;
      const data = Array.from({ length: limit }, (__, at) => [offset + at, offset + at + shift]);
      const rows = new RowText(Buffer.from(JSON.stringify(data)), limit);
      return Promise.resolve({ type: "table", column_names: ["id", "predicted_y"], data: rows });
    };
    client.postBytes = (_, body) => {
      const { data } = JSON.parse(Buffer.from(body).toString()) as { data: { id: number }[] };
      return Promise.resolve(Buffer.from(JSON.stringify(data.map(({ id }) => ({ id, y: id })))));
    };
    const check = await checkRows(million);
    assert.deepEqual([check.checked, check.differing], [200, 100]);
    for (const [part, offset] of offsets.entries()) {
      assert.ok(part * 50_000 <= offset && offset <= (part + 1) * 50_000 - 10, String(offset));
    }
    assert.equal(offsets.length, 20);
  });

  it("compares values, in whatever way the two answers write them", async () => {
    const written = '[[1,"M\\u00fcnchen"],[2,"Bonn"],[3,1.50],[4,null]]';
    client.post = () => {
      const data = new RowText(Buffer.from(written), 4);
      return Promise.resolve({ type: "table", column_names: ["id", "predicted_y"], data });
    };
    client.postBytes = () =>
      Promise.resolve(Buffer.from('[{"y":"München"},{"y":"Köln"},{"y":1.5},{"y":null}]'));
    const check = await checkRows(4);
    assert.deepEqual(check, {
      checked: 4,
      differing: 1,
      first: { row: "id: 2", inTable: '"Bonn"', ofModel: '"Köln"' },
    });
  });

  it("speaks of one row in the singular", async () => {
    const { run } = create();
    let activity: string | undefined;
    onSend = (query) => {
      const { state } = run.progress;
      if (query.startsWith("CREATE")) activity = "activity" in state ? state.activity : undefined;
    };
    await run.predictInto(recipe({ rows: { table }, into: "files.out", limit: 1 }), false);
    const { state } = run.progress;
    assert.match(activity ?? "", /^Predicting 1 row into files\.out on the server/);
    assert.equal(
      "message" in state && state.message,
      `${model}.2 wrote 1 prediction to files.out. ` +
        "Verified: 1 random row was predicted again with the same result.",
    );
  });

  it("does not call a table done that has too few rows", async () => {
    changeStatements((query) => query.replace("LIMIT 5)", "LIMIT 3)"));
    const { kind, message } = await predictInto({ rows: { table }, into: "files.out", limit: 5 });
    assert.equal(kind, "failed");
    assert.match(message, /^Expected 5 rows\. .* wrote 3 predictions to files\.out\./);
  });

  it("says that the server goes on when it is stopped", async () => {
    const { run } = create();
    onSend = (query) => {
      if (query.startsWith("CREATE")) run.stop();
    };
    await run.predictInto(recipe({ rows: { table }, into: "files.out" }), false);
    assert.deepEqual(run.progress.state, {
      kind: "stopped",
      message: "The server can't be told to stop. It continues and may still write files.out.",
    });
    assert.deepEqual(run.progress.into, { isWritten: false });
  });

  it("says that nobody knows what became of the table when the server goes away", async () => {
    const lost = new AppError("cutOff", "The connection was lost.");
    answerStatements((query, send) =>
      query.startsWith("CREATE") ? Promise.reject(lost) : send(query),
    );
    const { kind, message, run } = await predictInto({ rows: { table }, into: "files.out" });
    assert.deepEqual(
      [kind, message],
      [
        "failed",
        "The connection was lost. It is unknown whether files.out was written. Check it before you run the cell again.",
      ],
    );
    assert.deepEqual(run.progress.into, { isWritten: false });
  });

  it("writes queries, conditions and limits into the statement, and refuses a backtick in a name", () => {
    const plan = {
      source: { select: "SELECT a FROM s.t -- all\n;" },
      columns: ["a b"],
      maxRows: 10,
      model: { project: "p", name: "my model", version: 3 },
      target: "y",
      into: ["s", "schema", "out"],
      replaces: true,
      nonce: "n",
    };
    assert.equal(
      writeIntoStatement(plan),
      "CREATE OR REPLACE TABLE `s`.`schema`.`out` (\n" +
        "  SELECT t.`a b`, m.`y` AS `predicted_y`\n" +
        "  FROM (SELECT *, 'n' AS `prediction_nonce` FROM (SELECT a FROM s.t -- all\n) AS source_rows LIMIT 10) AS t\n" +
        "  JOIN `p`.`my model`.`3` AS m\n)",
    );
    assert.throws(
      () => writeIntoStatement({ ...plan, columns: ["a`b"] }),
      (error) => isAppError(error, "sql"),
    );
  });
});
