// Fixes for the problems of statements.
import assert from "node:assert/strict";
import { parseSql } from "../../../src/mindsdb/sql/parser/parseSql.ts";
import { describeSqlProblem } from "../../../src/predict/notebook/sqlProblem.ts";
import { readStatements } from "../../../src/predict/sqlFile/fileStatements.ts";
import { assertLinear } from "../../linearTime.ts";
import { SqlChecker } from "../../../src/predict/sqlFile/sqlChecker.ts";
import { findSqlFixes } from "../../../src/predict/notebook/sqlFixes.ts";
import { markedText, withoutMarks } from "./markedText.ts";
import { applyChanges } from "../../../src/predict/notebook/sqlMisreading.ts";
import {
  findGluedComments,
  findMisreadings,
} from "../../../src/predict/notebook/sqlMisreadings.ts";

/** The statements that the fixes of a statement's first problem make of it. */
function fixed(sql: string): string[] {
  const { problem } = parseSql(sql);
  const place = problem ? describeSqlProblem(sql, problem) : findMisreadings(sql)[0];
  assert.ok(place, sql);
  return findSqlFixes(sql, place).map(({ changes }) => applyChanges(sql, changes));
}

describe("Fixes of statements", () => {
  it("correct syntax errors, if the parser accepts the statement then", () => {
    for (const [sql, first] of [
      ["SELCT a FROM t", "SELECT a FROM t"],
      ["SELECT a FROM t WEHRE b = 1", "SELECT a FROM t WHERE b = 1"],
      ["SELECT a FROM t ORDER YB b", "SELECT a FROM t ORDER BY b"],
      ["SELECT * FROM t LIMT 5", "SELECT * FROM t LIMIT 5"],
      ["SELECT a, FROM t", "SELECT a FROM t"],
      ["SELECT a FROM t WHERE b == 1", "SELECT a FROM t WHERE b = 1"],
      ["SELECT a FROM t WHERE b = E'x'", "SELECT a FROM t WHERE b = 'x'"],
      [
        "SELECT a FROM t WHERE b = timestamp '2024-01-02 14:00:00'",
        "SELECT a FROM t WHERE b = CAST('2024-01-02 14:00:00' AS timestamp)",
      ],
      ['INSERT INTO t ("a") VALUES (1)', "INSERT INTO t (`a`) VALUES (1)"],
      ["CREATE VIEW v AS SELECT 1", "CREATE VIEW v AS (SELECT 1)"],
      ["SELECT count(a FROM t", "SELECT count(a) FROM t"],
      ["SELECT (a FROM t", "SELECT (a) FROM t"],
      ["SELECT max(b", "SELECT max(b)"],
      ["DESC t", "DESCRIBE t"],
      ["SELECT * FORM shop.orders o WHERE a = 1", "SELECT * FROM shop.orders o WHERE a = 1"],
      ["SELECT a FROM t WHERE b = 'x", "SELECT a FROM t WHERE b = 'x'"],
      ["SELECT a FROM t WHERE b = 'x y\nLIMIT 5", "SELECT a FROM t WHERE b = 'x y'\nLIMIT 5"],
    ] as const) {
      const all = fixed(sql);
      assert.ok(all.includes(first), `${sql}: ${all.join(" | ")}`);
      for (const one of all) assert.equal(parseSql(one).problem, undefined, one);
    }
    assert.deepEqual(fixed("SELECT a FROM t WHERE !"), []);
    assert.deepEqual(fixed("qwertz asdf"), []);
  });

  const union = "SELECT a FROM t UNION ALL SELECT a FROM u";
  const ofAll = (clauses: string) =>
    `WITH all_rows AS (${union} ) SELECT * FROM all_rows ${clauses}`;
  const over = (order: string) =>
    `SELECT rank() OVER (PARTITION BY g ORDER BY ${order}) AS r FROM t`;
  const lateral = (kind: string) =>
    `SELECT 1 FROM s.a ${kind} (SELECT b FROM s.b WHERE b = a.id) AS l ON true`;
  const view = (query: string) => `CREATE VIEW v AS (${query})`;
  /** Statements with « and » around what the message is about, and with what the fixes make of them. */
  const misreadings: [title: string, message: RegExp, ...cases: [string, ...string[]][]][] = [
    [
      "that ORDER BY and LIMIT are those of the last SELECT of a UNION",
      /last SELECT/,
      ...["ORDER BY a DESC LIMIT 5 OFFSET 2", "LIMIT 5", "ORDER BY a"].map(
        (clauses): [string, string] => [`${union} «${clauses}»`, ofAll(clauses)],
      ),
      [`${union} UNION SELECT b FROM v «ORDER BY v.b»`],
      [`SELECT * FROM (${union} «LIMIT 1») AS x`],
      [`WITH x AS (${union} «LIMIT 1») SELECT * FROM x`],
      [union],
      ["(SELECT a FROM t LIMIT 1) UNION ALL (SELECT a FROM u ORDER BY a LIMIT 1)"],
      [`SELECT a FROM t WHERE a IN (${union} LIMIT 1)`],
      [`SELECT * FROM (${union}) AS x ORDER BY a LIMIT 1`],
    ],
    [
      "that NULLS FIRST and NULLS LAST are dropped in OVER",
      /drops this in OVER/,
      [over("a DESC «NULLS LAST», b"), over("a IS NULL, a DESC, b")],
      [over("b, a «NULLS FIRST»"), over("b, a IS NOT NULL, a")],
      [over("sum(a) DESC «NULLS FIRST»"), over("sum(a) IS NOT NULL, sum(a) DESC")],
      [over("a + b DESC «NULLS LAST»"), over("(a + b) IS NULL, a + b DESC")],
      [over("a NULLS LAST, b DESC")],
      [`${over("a")} ORDER BY a DESC NULLS LAST`],
      ["SELECT a FROM src (SELECT rank() OVER (ORDER BY a NULLS FIRST) FROM t)"],
    ],
    [
      "that a data source gets FULL OUTER JOIN as JOIN",
      /gets this as JOIN/,
      [
        "SELECT 1 FROM s.a «FULL OUTER JOIN» s.b ON b = c",
        "SELECT 1 FROM s.a FULL JOIN s.b ON b = c",
      ],
      ...["LEFT OUTER", "RIGHT", ""].map((kind): [string] => [
        `SELECT 1 FROM s.a ${kind} JOIN s.b ON b = c`,
      ]),
    ],
    [
      "that texts lose quotes at their ends",
      /drops quotes at the beginning and the end/,
      ["SELECT replace(a, «''''», ''), 'it''s', «'b'''» FROM t"],
      ["UPDATE s.t SET a = «'''q'» WHERE b = ''"],
    ],
    [
      "that AT TIME ZONE is an alias, once, and write what is the same",
      /^MindsDB ignores .*: a value can have only one alias/,
      [
        "SELECT t.day «AT TIME ZONE 'UTC'» AS d, t.day «at time zone» zone FROM t",
        "SELECT timezone('UTC', t.day) AS d, t.day at time zone zone FROM t",
      ],
      ...["", " AS b", " b"].map((alias): [string, string] => [
        `SELECT a «AT TIME ZONE 'UTC'»${alias}, c FROM t`,
        `SELECT timezone('UTC', a)${alias}, c FROM t`,
      ]),
    ],
    [
      "that NATURAL is an alias",
      /^MindsDB reads NATURAL as an alias/,
      ["SELECT a FROM s.t «NATURAL» JOIN s.u"],
      ["SELECT a FROM s.t AS n JOIN s.u ON 1 = 1"],
    ],
    [
      "that a data source gets LEFT JOIN LATERAL as JOIN LATERAL",
      /to a data source as JOIN LATERAL/,
      [lateral("«LEFT JOIN LATERAL»")],
      [lateral("«LEFT OUTER JOIN LATERAL»")],
      [lateral("JOIN LATERAL")],
      ["SELECT 1 FROM s.a LEFT JOIN s.b ON true"],
    ],
    [
      "that NOT before IS is dropped",
      /^MindsDB drops this NOT\. Use … IS (NOT )?(NULL|TRUE) instead\.$/,
      ["SELECT a FROM t WHERE «NOT» (a IS NULL)", "SELECT a FROM t WHERE (a IS NOT NULL)"],
      ["SELECT a FROM t WHERE «NOT» a IS NOT NULL", "SELECT a FROM t WHERE a IS NULL"],
      ["SELECT «NOT» ((a > 1) IS TRUE) AS b FROM t", "SELECT ((a > 1) IS NOT TRUE) AS b FROM t"],
      ["DELETE FROM t WHERE «NOT» a IS NULL", "DELETE FROM t WHERE a IS NOT NULL"],
      ["UPDATE t SET a = 1 WHERE «NOT» a IS NULL", "UPDATE t SET a = 1 WHERE a IS NOT NULL"],
      [view("SELECT a FROM t WHERE «NOT» a IS NULL"), view("SELECT a FROM t WHERE a IS NOT NULL")],
      [
        "CREATE JOB j (SELECT 1; DELETE FROM t WHERE «NOT» a IS NULL) EVERY 1 day",
        "CREATE JOB j (SELECT 1; DELETE FROM t WHERE a IS NOT NULL) EVERY 1 day",
      ],
      [
        "CREATE TRIGGER r ON s.t (DELETE FROM t WHERE «NOT» a IS NULL)",
        "CREATE TRIGGER r ON s.t (DELETE FROM t WHERE a IS NOT NULL)",
      ],
      ["SELECT a FROM t WHERE NOT (a = 1) AND NOT a IN (1) AND NOT (a IS NULL AND b IS NULL)"],
      ["SELECT * FROM src (DELETE FROM t WHERE NOT a IS NULL)"],
    ],
    [
      "that EXCEPT is none, except in a condition, which a data source gets",
      /runs EXCEPT as UNION/,
      ["SELECT a FROM t «EXCEPT» SELECT a FROM u"],
      ["SELECT * FROM (SELECT a FROM t «EXCEPT» ALL SELECT a FROM u) AS x"],
      [view("SELECT a FROM t «EXCEPT» SELECT a FROM u")],
      ["SELECT a FROM t INTERSECT SELECT a FROM u"],
      ["SELECT a FROM t WHERE a IN (SELECT a FROM u EXCEPT SELECT a FROM v)"],
    ],
    [
      "which rows of a view with * depend on conditions of the query that reads it",
      /applies conditions on the columns of this view before this/,
      ...[
        "SELECT * FROM t ORDER BY a DESC «LIMIT» 100",
        "SELECT * FROM t WHERE a = 1 «LIMIT» 5 OFFSET 2",
        "WITH x AS (SELECT 1) SELECT * FROM x «FETCH FIRST» 3 ROWS ONLY",
        "SELECT «DISTINCT» ON (a) * FROM t ORDER BY a",
        "SELECT *, «rank() OVER (ORDER BY a)» AS r FROM t",
      ].map((query): [string, string] => [
        view(query),
        view(`SELECT * FROM (${withoutMarks(query)}) AS t`),
      ]),
      [view("SELECT * FROM t ORDER BY a")],
      [view("SELECT DISTINCT * FROM t WHERE a = 1")],
      [view("SELECT a, count(*) AS n FROM t GROUP BY a LIMIT 3")],
      [view("SELECT * FROM t JOIN u ON t.a = u.a LIMIT 3")],
      ["CREATE VIEW v FROM src (SELECT * FROM t LIMIT 3)"],
    ],
    [
      "where a list of columns is ignored, and name the values as the columns",
      /ignores this list|ignores the schema c /,
      [
        "INSERT INTO t («a, b») SELECT x, max(y) FROM u",
        "INSERT INTO t (a, b) SELECT x AS a, max(y) AS b FROM u",
      ],
      [
        "INSERT INTO t («a, `b c`») SELECT u.a, y z FROM u",
        "INSERT INTO t (a, `b c`) SELECT u.a, y AS `b c` FROM u",
      ],
      [
        "INSERT INTO t («b, a») SELECT a, b FROM u",
        "INSERT INTO t (b, a) SELECT a AS b, b AS a FROM u",
      ],
      [
        "INSERT INTO t («a») (SELECT 1 UNION SELECT 2)",
        "INSERT INTO t (a) (SELECT 1 AS a UNION SELECT 2)",
      ],
      [
        "INSERT INTO t («a») WITH w AS (SELECT 1 AS b) SELECT DISTINCT b AS c FROM w",
        "INSERT INTO t (a) WITH w AS (SELECT 1 AS b) SELECT DISTINCT b AS a FROM w",
      ],
      ["INSERT INTO t («a, b») SELECT a FROM u"],
      ["INSERT INTO t («a») SELECT a, b FROM u"],
      ["INSERT INTO «s.c.t» («a») SELECT 1", "INSERT INTO s.c.t (a) SELECT 1 AS a"],
      ["INSERT INTO t (a, `B`) SELECT u.A, 1 AS b FROM u"],
      ["INSERT INTO t (a, b) VALUES (1, 2)"],
      ["INSERT INTO t SELECT x FROM u"],
      ["INSERT INTO t (a, b) SELECT * FROM u"],
      ["INSERT INTO t (a, b) SELECT u.*, 1 FROM u"],
      ["INSERT INTO t (a) SELECT `x.a` AS `a` FROM u"],
    ],
    [
      "where backticks of a written column are not removed",
      /backticks as a part of the column's name/,
      ["INSERT INTO shop.t (a, «`B`») VALUES (1, 2)", "INSERT INTO shop.t (a, B) VALUES (1, 2)"],
      ["INSERT INTO shop.t («`Unit Price`», «`in`») VALUES (1, 2)"],
      [
        "UPDATE shop.t SET «`c`» = t.`D`, «`E`» = 1 WHERE `Unit Price` = 1",
        "UPDATE shop.t SET c = t.`D`, `E` = 1 WHERE `Unit Price` = 1",
      ],
      ["CREATE TABLE shop.t («`a`» int NOT NULL)", "CREATE TABLE shop.t (a int NOT NULL)"],
      ["UPDATE shop.t SET a = 1 WHERE `Unit Price` = `b`"],
      ["UPDATE mindsdb.guide SET `metadata` = 1"],
      ["INSERT INTO files.t (`a`) VALUES (1)"],
      ["INSERT INTO shop.t (`a`) SELECT 1 AS a"],
    ],
    [
      "where CREATE TABLE loses the length of a type",
      /creates the column without/,
      [
        "CREATE TABLE shop.t (id int PRIMARY KEY, n varchar«(10)» NOT NULL, p decimal «(10, 2)», PRIMARY KEY (id))",
      ],
      ["CREATE TABLE shop.t (id int, n text NULL)"],
    ],
    [
      "where CREATE TABLE leaves the types to MindsDB",
      /decimal numbers become text/,
      ["CREATE «TABLE» shop.t (SELECT 1 AS a)"],
      ["CREATE OR REPLACE «TABLE» shop.t (SELECT 1 AS a)"],
      ["CREATE TABLE files.t (SELECT 1 AS a)"],
    ],
    [
      "where rows lose the schema that they are written to, and have no fix for it",
      /ignores the schema crm here|decimal numbers/,
      ["INSERT INTO «shop.crm.t» (a) VALUES (1)"],
      ["INSERT INTO «shop.crm.t» SELECT 1 AS a"],
      ["CREATE OR REPLACE «TABLE» «shop.`crm`.t» (SELECT 1 AS a)"],
      ["INSERT INTO shop.t (a) VALUES (1)"],
      ["CREATE TABLE shop.crm.t (a int)"],
      ["UPDATE shop.crm.t SET a = 1"],
      ["DELETE FROM shop.crm.t"],
    ],
    [
      "what a part of a text, the end of an interval, and types of PostgreSQL mean",
      /^MindsDB (can't calculate this|calculates this|ignores precision)/,
      ["SELECT «substring(t.a FROM 2)» AS x FROM t", "SELECT substring(t.a, 2) AS x FROM t"],
      [
        "SELECT «Substring( upper('a from b')  from  b + 1 )» FROM t",
        "SELECT substring(upper('a from b'), b + 1) FROM t",
      ],
      ["SELECT a + interval '7 days' «d» FROM t", "SELECT a + interval '7 days' AS d FROM t"],
      ["SELECT (t.a) + «' 5.5'» FROM t", "SELECT (t.a) + 5.5 FROM t"],
      ["UPDATE t SET a = («'5'») + b * 2", "UPDATE t SET a = (5) + b * 2"],
      ["SELECT a + «'1 day'» FROM t", "SELECT a + INTERVAL '1 day' FROM t"],
      ["SELECT '2025-01-01+02'::«timestamptz» FROM t", "SELECT '2025-01-01+02' FROM t"],
      ["SELECT CAST(a AS «timestamptz») AS x FROM t", "SELECT CAST(a AS timestamp) AS x FROM t"],
      ["SELECT '{}'::«JSONB» FROM t", "SELECT CAST('{}' AS json) FROM t"],
      ["SELECT a::double «precision» AS x FROM t", "SELECT a::double AS x FROM t"],
      ["SELECT substring(a FROM 2 FOR 3), substring(a, 2), extract(year FROM a) FROM t"],
      ["SELECT a + interval '7' day, a + interval '7 days' AS d FROM t"],
      ["SELECT a::timestamp, a::json, CAST(a AS text) FROM t"],
      ["SELECT a - '5', a || '5', a + 'x', a + CAST('5' AS int) FROM t"],
    ],
  ];
  for (const [title, message, ...cases] of misreadings) {
    it(`say ${title}`, () => {
      for (const [written, ...expected] of cases) {
        const sql = withoutMarks(written);
        const found = findMisreadings(sql);
        assert.equal(markedText(sql, found), written);
        for (const one of found) assert.match(one.message, message, sql);
        const fixes = found.flatMap((one) => findSqlFixes(sql, one));
        const texts = fixes.map(({ changes }) => applyChanges(sql, changes));
        assert.deepEqual(texts, expected, sql);
        for (const text of texts) {
          assert.equal(parseSql(text).problem, undefined, text);
          assert.equal(findMisreadings(text).length, found.length - 1, text);
        }
      }
    });
  }

  for (const [sql, expected] of [
    [
      "SELECT a FROM t RIGHT OUTER JOIN u ON t.a = u.a",
      "SELECT a FROM t RIGHT JOIN u ON t.a = u.a",
    ],
    [
      "SELECT * FROM s.t AS x JOIN p.u USING (id) LEFT JOIN p.v AS w USING (id, `a b`) WHERE x.c = 1",
      "SELECT * FROM s.t AS x JOIN p.u ON x.id = u.id LEFT JOIN p.v AS w ON x.id = w.id AND x.`a b` = w.`a b` WHERE x.c = 1",
    ],
    ["SELECT a FROM s.t JOIN u USING (id)", "SELECT a FROM s.t JOIN u ON t.id = u.id"],
    [
      "UPDATE a.t SET b = c.d FROM s.u c WHERE t.id = c.id",
      "UPDATE a.t SET b = c.d FROM (SELECT * FROM s.u) AS c WHERE t.id = c.id",
    ],
    [
      "UPDATE a.t SET b = u.d FROM s.u WHERE t.id = u.id",
      "UPDATE a.t SET b = u.d FROM (SELECT * FROM s.u) AS u WHERE t.id = u.id",
    ],
    ["DELETE FROM a.t u WHERE u.b = 1 AND x.u.c = 2", "DELETE FROM a.t WHERE b = 1 AND x.u.c = 2"],
    ["UPDATE a.t AS u SET b = 1 WHERE u.c = 2", "UPDATE a.t SET b = 1 WHERE c = 2"],
    ["UPDATE t u SET b = 1 WHERE U.c = 2", "UPDATE t SET b = 1 WHERE c = 2"],
    ["CREATE TABLE a.t AS SELECT 1 AS x", "CREATE TABLE a.t SELECT 1 AS x"],
    ["CREATE TABLE a.t AS (SELECT 1 AS x)", "CREATE TABLE a.t (SELECT 1 AS x)"],
    [
      "SELECT a FROM t WHERE b = 1 AND t.a NOT BETWEEN 1 AND 2",
      "SELECT a FROM t WHERE b = 1 AND (t.a < 1 OR t.a > 2)",
    ],
    [
      "SELECT a FROM t WHERE abs(coalesce(a, 1)) NOT BETWEEN 1 AND 2",
      "SELECT a FROM t WHERE (abs(coalesce(a, 1)) < 1 OR abs(coalesce(a, 1)) > 2)",
    ],
    [
      "SELECT a FROM t WHERE a NOT BETWEEN b.c AND 2 + 1",
      "SELECT a FROM t WHERE NOT a BETWEEN b.c AND 2 + 1",
    ],
    [
      "SELECT a FROM t WHERE a NOT BETWEEN 1 AND 2 + 1",
      "SELECT a FROM t WHERE NOT a BETWEEN 1 AND 2 + 1",
    ],
    [
      "SELECT a FROM t WHERE t.b ILIKE 'x%' OR a = 1",
      "SELECT a FROM t WHERE lower(t.b) LIKE lower('x%') OR a = 1",
    ],
    [
      "SELECT a FROM t WHERE `b c` NOT ILIKE 'x%'",
      "SELECT a FROM t WHERE lower(`b c`) NOT LIKE lower('x%')",
    ],
    ["TRUNCATE s.t", "DELETE FROM s.t"],
    ["truncate table s.t;", "DELETE FROM s.t;"],
    ["SELECT TOP 5 a FROM t ORDER BY a;", "SELECT a FROM t ORDER BY a LIMIT 5;"],
    [
      "SELECT a FROM t ORDER BY a OFFSET 5 LIMIT 10",
      "SELECT a FROM t ORDER BY a LIMIT 10 OFFSET 5",
    ],
    [
      "SELECT count(*) FILTER (WHERE a > (1)) AS n FROM t",
      "SELECT count(CASE WHEN a > (1) THEN 1 END) AS n FROM t",
    ],
    ["SELECT t.a::numeric(4, 2) FROM t", "SELECT CAST(t.a AS numeric(4, 2)) FROM t"],
    [
      "SELECT 1 + avg(a)::decimal(5,1)::text FROM t",
      "SELECT 1 + CAST(avg(a) AS decimal(5,1))::text FROM t",
    ],
    ["SELECT (a + 1)::varchar(3) FROM t", "SELECT left(CAST((a + 1) AS text), 3) FROM t"],
    ["SELECT '1.25'::numeric(3,1)", "SELECT CAST('1.25' AS numeric(3,1))"],
    [
      "SELECT count(DISTINCT a) FILTER (WHERE b = 'x') FROM t",
      "SELECT count(DISTINCT CASE WHEN b = 'x' THEN a END) FROM t",
    ],
    // What means something else.
    ["SELECT a FROM t WHERE b ILIKE c", undefined],
  ] as const) {
    it(`write what another dialect means: ${sql}`, () => assert.equal(fixed(sql)[0], expected));
  }

  it("write nothing of another dialect whose parentheses do not match", () => {
    for (const sql of [
      "SELECT t.a::numeric(4, 2 FROM t",
      "SELECT a)::numeric(4, 2) FROM t",
      "SELECT count(a) FILTER (WHERE b > 1 FROM t",
      "SELECT a) FILTER (WHERE b > 1) FROM t",
    ]) {
      const changed = fixed(sql).filter((text) => /CAST|CASE/.test(text));
      assert.deepEqual(changed, [], sql);
    }
  });

  it("write what PostgreSQL alone understands as the text of a query that it gets", () => {
    const native = (sql: string): string | undefined => {
      const { problem } = parseSql(sql);
      assert.ok(problem?.kind === "token", sql);
      const fixes = findSqlFixes(sql, problem);
      const fix = fixes.find(({ title }) => title.includes("SELECT * FROM "));
      return fix && applyChanges(sql, fix.changes);
    };
    for (const [sql, expected] of [
      [
        "SELECT id, sum(a) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS s FROM pg.t;",
        "SELECT * FROM pg (SELECT id, sum(a) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS s FROM t);",
      ],
      [
        "SELECT string_agg(pg.t.`Name`, ', ' ORDER BY id) FROM pg.t JOIN PG.public.u x ON x.pg = t.id",
        "SELECT * FROM pg (SELECT string_agg(t.\"Name\", ', ' ORDER BY id) FROM t JOIN public.u x ON x.pg = t.id)",
      ],
      [
        "WITH RECURSIVE n AS (SELECT id FROM pg.t) SELECT id FROM n",
        "SELECT * FROM pg (WITH RECURSIVE n AS (SELECT id FROM t) SELECT id FROM n)",
      ],
      [
        "SELECT string_agg(a, ',' ORDER BY a) FROM pg.pg.t",
        "SELECT * FROM pg (SELECT string_agg(a, ',' ORDER BY a) FROM pg.t)",
      ],
      ["SELECT string_agg(a, ',' ORDER BY a) FROM pg.t JOIN my.u ON 1 = 1", undefined],
      ["SELECT string_agg(a, ',' ORDER BY a) FROM files.t", undefined],
      ["SELECT string_agg(a, ',' ORDER BY a) FROM mindsdb.t", undefined],
      ["SELECT string_agg(a, ',' ORDER BY a) FROM t", undefined],
      ["DELETE FROM pg.t WHERE a = 1 RETURNING id", undefined],
    ] as const) {
      assert.equal(native(sql), expected, sql);
    }
  });

  it("say where values of an INSERT are stored otherwise", () => {
    const marked = (sql: string) =>
      findMisreadings(sql).map(({ start, end, message }) => {
        return [sql.slice(start, end), /as text|NULL|twice/.exec(message)?.[0]];
      });
    assert.deepEqual(
      marked("INSERT INTO shop.t (a, b, a) VALUES (1, upper('x'), 2), ('', max(1), '')"),
      [
        ["a", "twice"],
        ["upper('x')", "as text"],
        ["''", "NULL"],
      ],
    );
    assert.deepEqual(marked("INSERT INTO shop.t VALUES (concat('', 'a'))"), [
      ["concat('', 'a')", "as text"],
    ]);
    for (const sql of [
      "INSERT INTO shop.t (a, b) VALUES (1, now()), ('x', ' ')",
      "INSERT INTO shop.t (a) SELECT upper('') AS a",
      // Knowledge bases and files are written in another way.
      "INSERT INTO mindsdb.guide (content) VALUES ('')",
      "INSERT INTO files.t (a) VALUES ('')",
    ]) {
      assert.deepEqual(marked(sql), [], sql);
    }
  });

  it("say what is read otherwise than it is meant", () => {
    for (const [sql, ...expected] of [
      ['SELECT "Order" FROM t', "SELECT `Order` FROM t"],
      ['CREATE VIEW v AS (SELECT "a" FROM t)', "CREATE VIEW v AS (SELECT `a` FROM t)"],
      ['SELECT a FROM t WHERE "b" = 1', "SELECT a FROM t WHERE `b` = 1"],
      ['SELECT a FROM t ORDER BY "b" DESC', "SELECT a FROM t ORDER BY `b` DESC"],
      ["SELECT a FORM t", "SELECT a FROM t", "SELECT a, FORM, t"],
      ["SELECT a b c FROM t", "SELECT a, b, c FROM t"],
      ["SELECT a AS b c FROM t", "SELECT a AS b, c FROM t"],
      ["SELECT a b AS c FROM t", "SELECT a, b AS c FROM t"],
      ["SELECT a AS b AS c FROM t"],
      ["SELECT (SELECT 1) b c", "SELECT (SELECT 1), b, c"],
      ["SELECT ALL a FROM t", "SELECT a FROM t"],
      ["SELECT E'x' FROM t", "SELECT 'x' FROM t"],
      ["SELECT TIMESTAMP '2024-01-01'", "SELECT CAST('2024-01-01' AS timestamp)"],
      ["SELECT DATETIME '2024-01-01' AS d", "SELECT CAST('2024-01-01' AS datetime) AS d"],
      ["SELECT 1e3, a FROM t", "SELECT 1000, a FROM t"],
      ["SELECT a FROM t WHERE b > 0x1F", "SELECT a FROM t WHERE b > 31"],
      ["SELECT a || b = c FROM t", "SELECT (a || b) = c FROM t"],
      [
        "SELECT 1 FROM t WHERE a = 1 AND b ->> 'x' = 2",
        "SELECT 1 FROM t WHERE a = 1 AND (b ->> 'x') = 2",
      ],
      ["SELECT 1 FROM t WHERE a AND b || c = d", "SELECT 1 FROM t WHERE a AND (b || c) = d"],
      ["SELECT 1 FROM t WHERE a ~ 'x' AND b = 1", "SELECT 1 FROM t WHERE (a ~ 'x') AND b = 1"],
      ["SELECT 1 FROM t WHERE NOT a @> 'x'", "SELECT 1 FROM t WHERE NOT (a @> 'x')"],
      ["SELECT a || b || f(c) IN (1, 2) FROM t", "SELECT (a || b || f(c)) IN (1, 2) FROM t"],
      ["SELECT a || b = c || d FROM t", "SELECT (a || b) = c || d FROM t"],
      [
        "SELECT 1 FROM t WHERE a = b ->> 'x' ->> 'y'",
        "SELECT 1 FROM t WHERE a = (b ->> 'x' ->> 'y')",
      ],
      [
        "SELECT a FROM t WHERE b <-> 'x' BETWEEN 1 AND 2",
        "SELECT a FROM t WHERE (b <-> 'x') BETWEEN 1 AND 2",
      ],
      [String.raw`SELECT E'\n' FROM t`],
      ["CREATE VIEW v AS (SELECT a FROM t WHERE b = :p)"],
      ["SELECT * FROM shop (SELECT :p)"],
    ] as const) {
      assert.deepEqual(fixed(sql), expected, sql);
    }
  });

  it("leave alone what is read as it is meant", () => {
    for (const sql of [
      'SELECT a AS "Order", \'x\' AS y, t."Order" FROM "t" WHERE b = "x" AND f("y") > 1',
      "SELECT 'x' y, e1, n 'alias', all_of FROM t",
      'SELECT a FROM t WHERE b IN ("x", \'y\') AND c LIKE "z%" LIMIT 1',
      "SELECT :p FROM t WHERE a = :q",
      "SELECT (SELECT max(a) FROM t) AS most, (SELECT 1) one FROM u",
      "SELECT 1 FROM t WHERE a = b || c = d",
      "SELECT a || 'x' || (b = 1), c -> 'x' = 1, 1 + d || e FROM t WHERE (a ~ 'x') OR (b ->> 'c') = 'x'",
    ]) {
      assert.equal(parseSql(sql).problem, undefined, sql);
      assert.deepEqual(findMisreadings(sql), [], sql);
    }
  });

  it("are for problems whose places follow the text, also of statements that have not changed", () => {
    const checker = new SqlChecker();
    const check = (text: string, limit = 10) =>
      checker.check(text, readStatements(text), limit).map(({ start, end, code }) => {
        return [text.slice(start, end), code];
      });
    const [first, second] = [
      "SELECT 5--1\n;\nSELCT a FROM t;\n",
      'SELECT "a", 1e3 FROM t; SELECT b',
    ];
    const expected = [
      ["--1", "sqlMisread"],
      ["SELCT", "sqlSyntax"],
      ['"a"', "sqlMisread"],
      ["1e3", "sqlMisread"],
    ];
    assert.deepEqual(check(first + second), expected);
    assert.deepEqual(check(`SELECT 1;\n${first}${second}`), expected);
    assert.deepEqual(check(second), expected.slice(2));
    assert.equal(check(first + second, 2).length, 2);
  });

  it("find comments that were meant as minus a negative number", () => {
    const text = "SELECT 5--1;\nSELECT a --2\n, (b)--3\n-- 5--1\nFROM t; SELECT '5--1'";
    const found = findGluedComments(text).map(({ start, end, findFixes }) => [
      text.slice(start, end),
      applyChanges(text, findFixes()[0]!.changes).slice(start - 1, end + 1),
    ]);
    assert.deepEqual(found, [
      ["--1", "5- -1"],
      ["--3", ")- -3"],
    ]);
  });

  it("are found in linear time, however many names may be misspelled keywords", () => {
    const texts: Record<string, (size: number) => string> = {
      "in queries in a query": (size) => `SELECT ${"(SELECT a fro b), ".repeat(size / 18)}1`,
      "one after the other": (size) => `SELECT ${"fro ".repeat(size / 4)}FROM b`,
      "between operators": (size) => `SELECT ${"a || ".repeat(size / 5)} b = c fro d FROM b`,
      "in a list": (size) => `SELECT ${"a fro b, ".repeat(size / 9)}1 FROM b`,
    };
    for (const [name, make] of Object.entries(texts)) {
      const check = (text: string) => new SqlChecker().check(text, readStatements(text), 10);
      assertLinear({ name, make, run: check, size: 20_000, floorMs: 400 });
      const fix = (text: string) => findSqlFixes(text, check(text)[0]!);
      assertLinear({ name: `fixes of names ${name}`, make, run: fix, size: 20_000, floorMs: 800 });
    }
  });
});
