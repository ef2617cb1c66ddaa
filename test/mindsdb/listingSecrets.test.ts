// API keys of agents on a real server: no statement brings one into a result, a file, the clipboard or the rows of a model.
import assert from "node:assert/strict";
import { readRowPages, readRowTextPages } from "../../src/mindsdb/rowPages.ts";
import { readFirstRows } from "../../src/mindsdb/tables.ts";
import { readServerSource } from "../../src/predict/notebook/serverSource.ts";
import { ClipboardText } from "../../src/predict/result/clipboardText.ts";
import { exportLines } from "../../src/predict/result/exportLines.ts";
import { StatementRun } from "../../src/predict/run/statementRun.ts";
import { runTextsForTests } from "../runTexts.ts";
import { useClients } from "./clients.ts";
import { connect } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { CellRunner, messageOf } from "./predictRuns.ts";
import { MODEL_API_KEY as key } from "./script.ts";
import { SqlTable } from "../resultInMemory.ts";
import { createStatementTable } from "../statementTables.ts";

const views = {
  leak: "SELECT model AS a FROM mindsdb.agents",
  "leak of leak": "SELECT upper(a) AS b FROM mindsdb.leak",
  listed: "SELECT * FROM information_schema.agents",
};

/** SELECTs that may take keys out of listings. */
const selects = [
  'SELECT * FROM "mindsdb.agents"',
  "SELECT * FROM `mindsdb.agents`",
  'SELECT model AS a FROM "mindsdb"."agents"',
  "SELECT model AS a FROM agents",
  "SELECT model AS a FROM MindsDB.AGENTS",
  "SELECT * FROM mindsdb.mindsdb.agents",
  "SELECT * FROM mindsdb.public.agents",
  "SELECT * FROM mindsdb WITH ROLLUP.agents",
  "SELECT * FROM mindsdb (+).agents",
  // A join with a model ignores its condition.
  "SELECT s.* FROM files.home_rentals AS t JOIN mindsdb.home_rentals_model AS m ON 1 = @@limit, mindsdb.agents AS s LIMIT 3",
  "SELECT hex(model) AS a FROM mindsdb.agents",
  "SELECT model->>'api_key' AS a FROM mindsdb.agents",
  "SELECT json_extract(model, '$.api_key') AS a FROM mindsdb.agents",
  "SELECT json_extract_string(CAST(model AS JSON), '$.api_key') AS a FROM information_schema.agents",
  "SELECT substr(CAST(model AS VARCHAR), 1, 400) AS a FROM information_schema.agents",
  "SELECT reverse(CAST(model AS VARCHAR)) AS a FROM mindsdb.agents",
  "SELECT upper(CAST(model AS VARCHAR)) AS a FROM mindsdb.agents",
  "SELECT replace(CAST(model AS VARCHAR), 'api_key', 'note') AS a FROM mindsdb.agents",
  "SELECT max(CAST(model AS VARCHAR)) AS a FROM mindsdb.agents",
  "SELECT string_agg(CAST(model AS VARCHAR), ' ') AS a FROM mindsdb.agents",
  "SELECT concat('x', CAST(model AS VARCHAR)) AS a FROM information_schema.agents",
  "SELECT b FROM (SELECT hex(CAST(model AS VARCHAR)) AS b FROM mindsdb.agents) AS t",
  "WITH c AS (SELECT model AS a FROM mindsdb.agents) SELECT * FROM c",
  "WITH c AS (SELECT 1 AS x) TABLE mindsdb.agents",
  "SELECT 'a' AS name, 'b' AS project, 'c' AS model, 'd' AS params UNION ALL TABLE mindsdb.agents",
  "SELECT location AS a FROM files.home_rentals UNION ALL SELECT model AS a FROM mindsdb.agents",
  "SELECT a.model AS m FROM files.home_rentals AS t JOIN mindsdb.agents AS a LIMIT 3",
  "SELECT a.model AS m FROM files.home_rentals AS t JOIN LATERAL mindsdb.agents AS a LIMIT 3",
  "SELECT * FROM mindsdb.leak",
  "SELECT * FROM leak",
  'SELECT upper(a) AS b FROM "mindsdb.leak"',
  "SELECT b FROM `leak of leak`",
  "SELECT model AS a FROM listed",
  "SELECT * FROM mindsdb (SELECT * FROM leak)",
  "SELECT * FROM mindsdb (SELECT model AS a FROM agents)",
];
const statements = [
  ...selects,
  "SHOW AGENTS",
  "DESCRIBE AGENT mindsdb.rental_agent",
  "SELECT * FROM mindsdb.agents",
  "SELECT name, model FROM information_schema.agents WHERE name LIKE 'r%' ORDER BY name LIMIT 1",
];

/** Whether a text shows the key, or half of it, in one of the forms that the statements make. */
function shows(text: string): boolean {
  const half = key.slice(0, key.length / 2);
  const forms = [half, half.toUpperCase(), [...half].reverse().join("")];
  const hex = Buffer.from(half).toString("hex");
  return [...forms, hex, hex.toUpperCase()].some((form) => text.includes(form));
}

// The statements are those that show keys on 26.1.0.
for (const version of versions.filter((one) => one.startsWith("26."))) {
  describe(`MindsDB ${version}, statements that take keys out of its lists`, function () {
    this.timeout(5 * 60_000);
    const clients = useClients(version);
    before(async () => {
      for (const [name, query] of Object.entries(views)) {
        await clients.admin.sql(`CREATE VIEW mindsdb.\`${name}\` AS (${query})`);
      }
    });
    after(async () => {
      for (const name of Object.keys(views)) {
        await clients.admin.sql(`DROP VIEW mindsdb.\`${name}\``);
      }
    });

    /** Runs a SQL cell over a connection that knows no secret yet. */
    async function runCell(sql: string): Promise<StatementRun> {
      const connection = await connect(fixture(version).server.url);
      try {
        const run = new StatementRun({
          client: () => Promise.resolve(connection.client),
          explain: (error) => ({ message: String(error) }),
          logError: () => undefined,
          texts: runTextsForTests,
          onProgress: () => undefined,
          createTable: createStatementTable,
        });
        await run.runStatement(sql, 120_000);
        return run;
      } finally {
        await connection.close();
      }
    }

    it("bring none into a result, a file or the clipboard", async () => {
      let leaks = 0;
      for (const sql of statements) {
        const plain = await clients.admin.sql(sql).catch(() => []);
        if (shows(JSON.stringify(plain))) leaks++;
        const run = await runCell(sql);
        const { table } = run;
        const values = await table.values(0, table.length);
        const texts = [messageOf(run), JSON.stringify(table.columns), JSON.stringify(values)];
        for (const format of ["tsv", "json", "markdown"] as const) {
          const clipboard = new ClipboardText(table.columns, format);
          clipboard.addHeader();
          clipboard.add(values);
          texts.push(clipboard.text);
        }
        const columns = table.columns.map(({ name }) => name);
        const rows = values.map((row) =>
          row.map((value) => JSON.parse(value ?? "null") as unknown),
        );
        texts.push([...exportLines(new SqlTable({ columns, rows }), "csv")].join(""));
        assert.ok(!shows(texts.join("\n")), sql);
      }
      // Otherwise the server itself shows too few for this to mean anything.
      assert.ok(leaks >= 15, `${leaks} of ${statements.length} show a key`);
    });

    it("give no rows to predict, to fill a knowledge base with, or to preview", async () => {
      for (const select of selects) {
        for (const read of [readRowPages, readRowTextPages]) {
          const { client } = clients;
          const rows = read(client, { select }, { maxRows: 5, cost: "byAction" }).next();
          const found = await rows.then(
            ({ value }) => JSON.stringify(value),
            (error: unknown) => String(error),
          );
          assert.ok(!shows(found), select);
        }
      }
      const cells = new CellRunner(clients.client);
      for (const table of ["mindsdb.leak", "mindsdb.`leak of leak`", "mindsdb.listed"]) {
        assert.ok("source" in readServerSource({ table: JSON.stringify(table) }), table);
        const run = await cells.run({ rows: { table } });
        assert.equal(run.progress.state.kind, "failed", table);
        assert.match(messageOf(run), /credentials/, table);
      }
      await cells.close();
      for (const name of [...Object.keys(views), "agents"]) {
        const rows = await readFirstRows(clients.client, ["mindsdb", name], 5);
        assert.ok(rows.rows.length > 0 && !shows(JSON.stringify(rows)), name);
      }
    });

    it("show numbers of rows", async () => {
      for (const sql of [
        "SELECT count(*) FROM mindsdb.agents",
        "SELECT count(*) AS n FROM information_schema.tables WHERE table_schema = 'files'",
        "SELECT count(*), max(run_end) FROM log.jobs_history",
      ]) {
        const run = await runCell(sql);
        const [row] = await run.table.values(0, 1);
        assert.match(row?.[0] ?? "", /^\d+$/, `${sql} ${messageOf(run)}`);
      }
    });
  });
}
