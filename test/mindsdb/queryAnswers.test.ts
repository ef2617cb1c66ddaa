// The rows that a real server gives for generated queries, beside those of PostgreSQL: where they differ, the editor marks why.
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { listTableColumns } from "../../src/mindsdb/tables.ts";
import { startPostgres, type Postgres } from "../../scripts/mindsdb/postgres.ts";
import { propertySeed } from "../../scripts/propertySeed.ts";
import { applyChanges } from "../../src/predict/notebook/sqlMisreading.ts";
import { readStatements } from "../../src/predict/sqlFile/fileStatements.ts";
import { SqlChecker } from "../../src/predict/sqlFile/sqlChecker.ts";
import type {
  KnownDatabase,
  KnownObject,
  ServerNames,
} from "../../src/predict/sqlFile/serverNames.ts";
import { useClients } from "./clients.ts";
import { expressions, typedTable } from "./expressions.ts";
import { versions } from "./fixture.ts";
import { generatedQuery, queriedTables, queriedTablesInPostgres } from "./generatedQueries.ts";
import { runEachInPostgres, runInPostgres } from "./shopDatabase.ts";
import { uploadAsUser } from "./uploadAsUser.ts";

const count = 600;
// The marks say what 26.1.0 does.
const tested = versions.filter((version) => version === "26.1.0");

for (const version of tested) {
  describe(`MindsDB ${version}, the rows of generated queries`, () => {
    const session = useClients(version);
    let postgres: Postgres;

    before("connect a PostgreSQL", async () => {
      postgres = await startPostgres();
      await runInPostgres(version, postgres, queriedTablesInPostgres);
      await runInPostgres(version, postgres, typedTable);
      const { admin, client } = session;
      for (const schema of ["query_a", "query_b"]) {
        const parameters = JSON.stringify({ ...postgres.parameters, schema });
        await admin.sql(
          `CREATE DATABASE ${schema} WITH ENGINE = 'postgres', PARAMETERS = ${parameters}`,
        );
      }
      const prices = await runInPostgres(version, postgres, "SELECT * FROM files.query_prices");
      const content = [["id", "label", "price"], ...prices].map((row) => row.join()).join("\n");
      await uploadAsUser(client, "query_prices", { name: "query_prices.csv", content });
      await admin.sql(
        "CREATE VIEW mindsdb.query_members AS (SELECT * FROM query_a.members WHERE score > 5)",
      );
      await admin.sql(
        "CREATE VIEW mindsdb.query_loans AS (SELECT id, member, amount, days FROM query_b.loans)",
      );
      await admin.sql(
        "CREATE VIEW mindsdb.query_first AS (SELECT * FROM query_a.members ORDER BY id LIMIT 9)",
      );
    });
    after("remove it", async () => {
      for (const statement of [
        "DROP VIEW mindsdb.query_members",
        "DROP VIEW mindsdb.query_loans",
        "DROP VIEW mindsdb.query_first",
        "DROP TABLE files.query_prices",
        "DROP DATABASE query_a",
        "DROP DATABASE query_b",
      ]) {
        await session.admin.sql(statement);
      }
      await postgres.stop();
    });

    it("are those of PostgreSQL, or the editor marks what changes them", async () => {
      const queries = fc.sample(generatedQuery, { numRuns: count, seed: propertySeed });
      const answers = await runEachInPostgres(
        version,
        postgres,
        queries.map(({ sql }) => sql),
      );
      const server = serverNames();
      const seen = { right: 0, marked: 0, refused: 0 };
      const unmarked: string[] = [];
      for (const [at, { sql, isOrdered }] of queries.entries()) {
        const expected = answers[at];
        const rows = await session.admin.sql(sql).catch(() => undefined);
        if (!rows || !expected) {
          seen.refused++;
          continue;
        }
        if (inText(rows, isOrdered) === inText(expected, isOrdered)) {
          seen.right++;
          continue;
        }
        const found = new SqlChecker().check(sql, readStatements(sql), 100, { server });
        if (found.length > 0) seen.marked++;
        else unmarked.push(`${sql}: ${String(rows.length)} rows for ${String(expected.length)}`);
      }
      console.log(`      ${JSON.stringify(seen)}`);
      assert.deepEqual(unmarked, []);
      assert.ok(seen.right > count / 2 && seen.marked > 10, JSON.stringify(seen));
    });

    it("are those of PostgreSQL for each expression, or the editor marks it and knows what is the same", async () => {
      const columns = await listTableColumns(session.client, ["query_a", "things"]);
      const types = new Map(columns.map(({ name, type = "" }) => [name, type]));
      const server = serverNames({ "query_a.things": types });
      const queryOf = (expression: string): string =>
        `SELECT t.id, ${expression} AS v FROM query_a.things AS t JOIN query_b.fines AS o ON t.id = o.id ORDER BY t.id`;
      const textOf = (rows: readonly unknown[][]): string => inText(rows, true);
      const all = expressions.map((expression) => {
        const sql = queryOf(expression);
        const fixes = findFixes(sql, server);
        return { expression, sql, isMarked: fixes.length > 0, fixed: fixes.at(-1) };
      });
      const statements = all.flatMap(({ sql, fixed }) => [sql, fixed ?? sql]);
      const answers = await runEachInPostgres(version, postgres, statements);
      const seen = { right: 0, marked: 0 };
      const wrong: string[] = [];
      for (const [at, { expression, sql, isMarked, fixed }] of all.entries()) {
        const [expected, expectedOfFix] = [answers[2 * at], answers[2 * at + 1]];
        assert.ok(expected, expression);
        const rows = await session.admin.sql(sql).catch(() => undefined);
        const isRight = rows && textOf(rows) === textOf(expected);
        if (isRight) seen.right++;
        else if (isMarked) seen.marked++;
        else wrong.push(`${expression} is not marked`);
        if (fixed === undefined) continue;
        const ofFix = await session.admin.sql(fixed).catch(() => undefined);
        const wanted = [expected, expectedOfFix].flatMap((one) => (one ? [textOf(one)] : []));
        if (!ofFix || !wanted.includes(textOf(ofFix))) wrong.push(`${fixed} is no fix`);
      }
      console.log(`      ${JSON.stringify(seen)}`);
      assert.deepEqual(wrong, []);
      assert.ok(seen.right > 100 && seen.marked > 40, JSON.stringify(seen));
    });
  });
}

/** What becomes of a statement by the first fix of its first mark, then by that of the next, until there is none. */
function findFixes(sql: string, server: ServerNames): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  let text: string | undefined = sql;
  while (text !== undefined) {
    const checker = new SqlChecker();
    const [mark] = checker.check(text, readStatements(text), 1, { server });
    if (!mark) return found;
    const [fix] = mark.code === "calculation" ? checker.findNameFixes(mark) : [];
    text = fix && applyChanges(text, fix.changes);
    found.push(text);
    assert.ok(found.length < 5, sql);
  }
  return found;
}

/** What the editor knows of these tables. */
function serverNames(types: Record<string, ReadonlyMap<string, string>> = {}): ServerNames {
  const databases = new Map<string, KnownDatabase>();
  const byDatabase = new Map<string, Map<string, KnownObject[]>>();
  for (const full of [...Object.keys(queriedTables), ...Object.keys(types)]) {
    const [name = "", table = ""] = full.split(".");
    const isProject = name === "mindsdb";
    const isPostgres = name.startsWith("query_");
    databases.set(name, {
      name,
      kind: isProject ? "project" : "data",
      hasAllColumns: true,
      isPostgres,
    });
    const objects = byDatabase.get(name) ?? new Map<string, KnownObject[]>();
    const type = isProject ? "view" : "table";
    objects.set(table, [{ name: table, type, ...(isPostgres && { schema: name }) }]);
    byDatabase.set(name, objects);
  }
  return {
    defaultDatabase: "mindsdb",
    databases: () => databases,
    objects: ({ name }) => ({ byName: byDatabase.get(name)!, schemas: new Map() }),
    columns: (_, [database = "", ...rest]) => {
      const table = `${database}.${rest.at(-1) ?? ""}`;
      const columns = types[table]?.keys() ?? Object.keys(queriedTables[table] ?? {});
      return new Map([...columns].map((name) => [name, name]));
    },
    types: ([database = "", ...rest]) => types[`${database}.${rest.at(-1) ?? ""}`] ?? new Map(),
    lateClause: ([, name]) => (name === "query_first" ? "LIMIT" : undefined),
    isCurrent: () => true,
  };
}

/** Rows as text, which is the same for the same values: servers write numbers and times in different ways. */
function inText(rows: readonly unknown[][], isOrdered: boolean): string {
  const lines = rows.map((row) => row.map(cellText).join("|"));
  return (isOrdered ? lines : lines.sort()).join("\n");
}

function cellText(cell: unknown): string {
  if (typeof cell === "number") return String(Number(cell.toPrecision(9)));
  const text = typeof cell === "string" ? cell : JSON.stringify(cell);
  const [, day, time = "", part = ""] =
    /^([-\d]{10})[ T]([:\d]{8})(\.\d+)?(?:\+00:00)?$/.exec(text) ?? [];
  // In time spans.
  if (day === undefined) return text.replace(/\bmon(th)?s?\b/, "mon").replace(/\bdays\b/, "day");
  const isMidnight = time === "00:00:00" && !/[1-9]/.test(part);
  return isMidnight ? day : `${day} ${time}${part.replace(/\.?0+$/, "")}`;
}
