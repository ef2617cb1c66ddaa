// Formatting: only white space changes.
import assert from "node:assert/strict";
import fs from "node:fs";
import fc from "fast-check";
import { parseSql } from "../../../src/mindsdb/sql/parser/parseSql.ts";
import type { Span } from "../../../src/predict/notebook/recipe.ts";
import { applyChanges } from "../../../src/predict/notebook/sqlMisreading.ts";
import { formatSql } from "../../../src/predict/sqlFormat/formatSql.ts";
import { formatStatement } from "../../../src/predict/sqlFormat/formatStatement.ts";
import { assertLinear, millisecondsOf } from "../../linearTime.ts";

const spaces = { tabSize: 2, insertSpaces: true };
const places = JSON.parse(
  fs.readFileSync(new URL("../../fixtures/sqlPlaces.json", import.meta.url), "utf8"),
) as [sql: string, place: unknown][];
const accepted = places.filter(([, place]) => place === true).map(([sql]) => sql);

async function format(sql: string, style = spaces, place?: Span): Promise<string> {
  const { changes } = await formatSql(sql, style, place && { place });
  return applyChanges(sql, changes);
}

/** A text without white space outside of quotes, which is enough to compare. */
const packed = (sql: string): string => sql.replaceAll(/\s+/g, "");

const nextOf = (gaps: Iterator<string[]>): string => {
  const { value } = gaps.next() as { value: string[] };
  return value.join("");
};

describe("Formatting SQL", () => {
  it("puts clauses, columns, and conditions on lines of their own", async () => {
    const sql =
      "select distinct a, count( * ) as n from shop.orders o left join p.m.1 as m on o.id=m.id " +
      "where a>1 and b in (1,2) group by a having count(*)>2 order by n desc limit 5, 10";
    assert.equal(
      await format(sql),
      `select distinct
  a,
  count(*) as n
from
  shop.orders o
  left join p.m.1 as m on o.id = m.id
where
  a > 1
  and b in (1, 2)
group by
  a
having
  count(*) > 2
order by
  n desc
limit 5, 10`,
    );
    assert.match(
      await format(sql, { tabSize: 4, insertSpaces: false }),
      /^select distinct\n\ta,\n/,
    );
  });

  it("knows parameters, also those of LIMIT and OFFSET", async () => {
    assert.equal(
      await format("select a from t where b=:b limit :n offset :skip"),
      "select\n  a\nfrom\n  t\nwhere\n  b = :b\nlimit :n\noffset :skip",
    );
  });

  it("knows MindsDB's own statements", async () => {
    for (const [sql, formatted] of [
      [
        `create database d with engine='postgres', parameters={"host":"127.0.0.1","port":5432,"database":"demo"}`,
        `create database d
with
  engine = 'postgres',
  parameters = {
    "host": "127.0.0.1",
    "port": 5432,
    "database": "demo"
  }`,
      ],
      [
        "create model p.m from shop (select a, y from t) predict y window 8 using engine='x', opt.sub=1",
        `create model p.m
from
  shop (select a, y from t)
predict
  y
window 8
using
  engine = 'x',
  opt.sub = 1`,
      ],
      [
        "create job j (insert into a.b select 1;select 2) every hour if (select 3)",
        `create job j (
  insert into
    a.b
  select
    1;
  select
    2
) every hour if (
  select
    3
)`,
      ],
      ["show  full tables  from p where a = 1", "show full tables from p where a = 1"],
      ["drop view if exists  p.v,p.w", "drop view if exists p.v, p.w"],
    ] as const) {
      assert.equal(await format(sql), formatted);
    }
  });

  it("keeps names that are keywords elsewhere, native queries, comments, and texts of several lines", async () => {
    assert.equal(
      await format("select predict, columns, window8, engine from t"),
      "select\n  predict,\n  columns,\n  window8,\n  engine\nfrom\n  t",
    );
    const native = "shop (select  a   -- of PostgreSQL\n , b::decimal(3) from t)";
    assert.ok((await format(`select * from ${native} where a=1`)).includes(`  ${native}\nwhere`));
    const job =
      "create job j (create view v (select * from shop (\n select a\n   , 'x\n  y'\n )); select 1)";
    const once = await format(job);
    assert.ok(once.includes("shop (\n     select a\n       , 'x\n  y'\n     )\n"), once);
    assert.equal(await format(once), once);
    assert.equal(
      await format("create view v as (-- one\n select 'a\n  b' /* two */, c -- three\n from t)"),
      "create view v as (\n  -- one\n  select\n    'a\n  b' /* two */,\n    c -- three\n  from\n    t\n)",
    );
    // With a space, it would no longer be marked that this is no text.
    assert.equal(await format("select E'x'"), "select\n  E'x'");
  });

  it("leaves statements with a syntax error, those that it does not understand, and very long ones", async () => {
    const sql = "selct  1;select  2;\nselect 'a\\' ;";
    const { changes, refused } = await formatSql(sql, spaces);
    assert.equal(applyChanges(sql, changes), "selct  1;\nselect\n  2;\nselect 'a\\' ;");
    assert.equal(refused, 1);
    const rows = `insert into t (a) values ${"(1),".repeat(30_000)}(1)`;
    assert.deepEqual(await formatSql(rows, spaces), { changes: [], refused: 1 });
  });

  it("formats the statements that a selection touches", async () => {
    const sql = "-- all\n  select  1 ;  select  2; -- two\nselect  3;\n";
    assert.equal(await format(sql), "-- all\nselect\n  1;\nselect\n  2; -- two\nselect\n  3;\n");
    const start = sql.indexOf("2");
    assert.equal(
      await format(sql, spaces, { start, end: start + 1 }),
      "-- all\n  select  1 ;\nselect\n  2; -- two\nselect  3;\n",
    );
    // A file with other line breaks.
    assert.equal(
      await format("select 1,\r\n2;\r\nselect '\r\n'"),
      "select\n  1,\n  2;\r\nselect\n  '\n'",
    );
  });

  it("changes nothing but white space, and nothing more the second time", async () => {
    for (const sql of accepted) {
      const formatted = await format(sql);
      assert.equal(packed(formatted), packed(sql));
      assert.equal(parseSql(formatted).problem, undefined, formatted);
      assert.equal(await format(formatted), formatted);
    }
    const spaced = fc.array(fc.constantFrom(" ", "\n", "\t", " -- c\n", " /* c\n d */ "), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...accepted),
        fc.infiniteStream(spaced),
        async (sql, gaps) => {
          const noisy = sql.replaceAll(/(?<=[\w`]) (?=[\w`])/g, () => nextOf(gaps));
          const formatted = await format(noisy);
          assert.equal(packed(formatted), packed(noisy));
          assert.equal(parseSql(formatted).problem?.kind, parseSql(noisy).problem?.kind);
        },
      ),
    );
  });

  it("moves nothing in PostgreSQL's texts between dollar signs", async () => {
    for (const sql of [
      "select * from pg (SELECT $$a\n  b$$)",
      "create view v (SELECT * FROM pg (SELECT $$a\n  b$$))",
      "create job j as (\n    SELECT  1; SELECT * FROM pg (SELECT $t$a\n b\n$t$ FROM x)\n)",
    ]) {
      const formatted = await format(sql);
      const [text] = /\$\w*\$[^$]*\$\w*\$/.exec(sql)!;
      assert.ok(formatted.includes(text), formatted);
      assert.equal(await format(formatted), formatted);
    }
  });

  it("takes linear time for native queries, and for names that are like its placeholders", () => {
    const run = (sql: string) => formatStatement(sql, spaces);
    const name = (size: number) => `select $body${"$".repeat(size)} from t`;
    assertLinear({ name: "names", make: name, run, size: 40_000 });
    const natives = (size: number) => `select * from ${"a (b),".repeat(size / 6)}c (d)`;
    assertLinear({ name: "native queries", make: natives, run, size: 20_000, floorMs: 300 });
  });

  it("takes little time for bodies in bodies, and leaves the inner ones as they are", async () => {
    const nested = (depth: number, count: number) =>
      `create job a as (${"create job a as (".repeat(depth)}${"select  1;".repeat(count)}${")".repeat(depth)})`;
    assert.match(await format(nested(3, 2)), /\n +select\n +1;\n +select\n +1;\n/);
    assert.match(await format(nested(4, 2)), /select {2}1;\n +select {2}1;/);
    for (const long of [nested(0, 8_000), nested(90, 400)]) {
      assert.ok(millisecondsOf(() => formatStatement(long, spaces)) < 3_000);
    }
  });

  it("takes linear time for brackets in brackets, and leaves more than a hundred as they are", async () => {
    const nested = (depth: number) => `select  ${"a(".repeat(depth)}b${")".repeat(depth)}`;
    assert.notEqual(await format(nested(100)), nested(100));
    assert.equal(await format(nested(101)), nested(101));
    for (const [open, close] of ["((a) + |)", '{"a": |}', "[|]"].map((pair) => pair.split("|"))) {
      const start = open === "((a) + " ? "select " : "create model a predict b using a = ";
      assertLinear({
        name: open!,
        make: (size) => {
          const depth = size / 20;
          return start + open!.repeat(depth) + "1" + close!.repeat(depth);
        },
        run: (sql) => formatStatement(sql, { tabSize: 2, insertSpaces: true }),
        floorMs: 300,
      });
    }
  });
});
