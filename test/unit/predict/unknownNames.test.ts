// Names in statements that the server does not have.
import assert from "node:assert/strict";
import { readStatements } from "../../../src/predict/sqlFile/fileStatements.ts";
import { SqlChecker } from "../../../src/predict/sqlFile/sqlChecker.ts";
import type { KnownObject, ServerNames } from "../../../src/predict/sqlFile/serverNames.ts";
import { assertLinear, millisecondsOf } from "../../linearTime.ts";
import { check, databases, serverNames } from "./checkedNames.ts";
import { markedText, withoutMarks } from "./markedText.ts";

/** What is marked, as "text: message". */
function problemsOf(text: string, server = serverNames(), database?: string): string[] {
  const named = database === undefined ? server : { ...server, defaultDatabase: database };
  return check(text, named)
    .filter(({ code }) => code === "sqlUnknownName")
    .map(({ marked, message }) => `${marked}: ${message}`);
}

const markedBy = (code: string, text: string): string[] =>
  check(text).flatMap((one) => (one.code === code ? [one.marked] : []));

/** The text of the first fix of each problem of this kind. */
const fixesOf = (code: string, text: string): string[] =>
  check(text).flatMap((one) => (one.code === code ? [one.fixes()[0]!.text] : []));

/** The texts that the fixes of the first problem make of a text. */
function fixedTexts(text: string): string[] {
  const [problem] = check(text);
  return problem!
    .fixes()
    .map((change) => text.slice(0, change.start) + change.text + text.slice(change.end));
}

describe("Unknown names in SQL", () => {
  for (const [message, ...texts] of [
    [
      "No project or data source is named {0}.",
      "SELECT * FROM «shpo».orders",
      "SELECT * FROM «shpo» (SELECT x FROM y)",
      "USE «shpo»",
      "USE mindsdb.«shpo»",
      "USE «guide»",
      "DROP DATABASE «shpo»",
      "CREATE MODEL m FROM «shpo» (SELECT 1) PREDICT x",
    ],
    [
      "shop has no table {0}.",
      "SELECT * FROM shop.«order»",
      "SELECT * FROM shop.public.«order»",
      "SELECT * FROM shop.archive.«customers»",
      "INSERT INTO shop.«order» (id) VALUES (1)",
    ],
    ["shop has no schema {0}.", "SELECT * FROM shop.«archiv».orders"],
    [
      "PostgreSQL reads Total as total. Put the name of the column in backticks.",
      "SELECT «Total» FROM shop.public.orders",
      "SELECT o.«Total» FROM shop.public.orders o JOIN files.rents r ON r.rooms = o.id",
      "SELECT max(«Total») FROM shop.public.orders o JOIN shop.customers c ON c.id = o.customer_id",
    ],
    [
      "The column is named Total. PostgreSQL finds it only in backticks.",
      "SELECT o.«total» FROM shop.public.orders o",
      "SELECT «total» FROM shop.public.orders",
    ],
    [
      "Project mindsdb has nothing named {0}.",
      "SELECT * FROM mindsdb.«rentt»",
      "SELECT * FROM «chaep»",
      "SELECT * FROM «`chaep`»",
      "SELECT * FROM mindsdb.«rentt».2",
      "DROP MODEL mindsdb.«rentt»",
    ],
    [
      "customers has no column {0}.",
      "INSERT INTO shop.customers (id, «nmae») VALUES (1, 2)",
      "UPDATE shop.customers SET «nmae» = 'x' WHERE id = 1",
      "UPDATE shop.customers SET name = 'x' WHERE «di» = 1",
      "DELETE FROM shop.customers WHERE «di» = 1",
      "SELECT «nmae» FROM shop.customers",
      "SELECT c.«nmae» FROM shop.customers AS c",
      "SELECT customers.«nmae» FROM shop.customers",
      "SELECT count(«nmae») FROM shop.customers",
      "SELECT name FROM shop.customers ORDER BY «nmae»",
      "SELECT name FROM shop.customers GROUP BY «nmae»",
      "SELECT CASE WHEN «nmae» = 1 THEN 2 END FROM shop.customers",
      "SELECT c.«di» FROM shop.customers c JOIN mindsdb.rent m",
      "WITH a AS (SELECT «di» FROM shop.customers) SELECT 1 FROM a",
      "SELECT id FROM shop.customers c WHERE EXISTS (SELECT 1 FROM flat.rentals r WHERE r.price = c.«di»)",
      "CREATE VIEW v AS (SELECT «nmae» FROM shop.customers)",
      "CREATE JOB j AS (SELECT 1; SELECT «nmae» FROM shop.customers)",
    ],
    ["orders has no column {0}.", "SELECT id FROM shop.public.orders WHERE «`Total  Sum`» > 1"],
    [
      "No table of this query has a column {0}.",
      "SELECT «nmae» FROM shop.customers c JOIN shop.public.orders o ON c.id = o.customer_id",
      "SELECT 1 FROM shop.customers WHERE id IN (SELECT «roms» FROM flat.rentals)",
    ],
    [
      "q has no column {0}.",
      "SELECT q.«m» FROM (SELECT id AS n FROM shop.customers) AS q",
      "SELECT «m» FROM (SELECT * FROM shop.customers) AS q",
    ],
    ["a has no column {0}.", "WITH a AS (SELECT id AS n FROM shop.customers) SELECT «m» FROM a"],
    ["guide has no column {0}.", "SELECT * FROM guide WHERE «contant» = 'x'"],
    ["cheap has no column {0}.", "SELECT «prise» FROM cheap UNION SELECT id FROM shop.customers"],
    [
      "No table of this query is called {0}.",
      "SELECT «c».id FROM shop.customers",
      "SELECT «c».* FROM shop.customers",
      "SELECT id, «`c`».* FROM shop.customers",
      "SELECT count(«x».*) FROM shop.customers c",
      "SELECT * FROM (SELECT «x».* FROM shop.customers c) q",
      "SELECT «customers».id FROM shop.customers AS c",
      "SELECT id FROM shop.customers c WHERE «x».id = 1",
      "SELECT c.id FROM shop.customers c ORDER BY «x».name",
      "DELETE FROM shop.customers WHERE «x».id = 1",
      "SELECT «x».id FROM shop.customers c JOIN flat.rentals r ON r.rooms = c.id",
      "SELECT «x».id FROM (SELECT id FROM shop.customers) AS q",
      "WITH a AS (SELECT id FROM shop.customers) SELECT «b».id FROM a",
      "SELECT id FROM shop.customers c WHERE EXISTS (SELECT 1 FROM shop.public.orders o WHERE o.customer_id = «x».id)",
    ],
  ] as const) {
    for (const text of texts) {
      it(`are marked in ${text}, as ${message}`, () => {
        const [before = "", name = ""] = text.split(/[«»]/);
        const found = check(withoutMarks(text)).filter(({ code }) => code === "sqlUnknownName");
        const told = message.replace("{0}", name.replaceAll("`", ""));
        assert.deepEqual(
          found.map(({ start, marked, message: said }) => [start, marked, said]),
          [[before.length, name, told]],
        );
      });
    }
  }

  for (const text of [
    "SELECT * FROM SHOP.Orders",
    "SELECT * FROM shop.ARCHIVE.orders",
    "SELECT * FROM shop.pg_temp.orders",
    "SELECT * FROM shop.information_schema.tables",
    "SELECT * FROM other.anything.items",
    "SELECT CUSTOMERS.id FROM shop.customers",
    "SELECT public.customers.id FROM shop.customers",
    "SELECT shop.id FROM shop.customers",
    "SELECT x.rooms FROM files.rents",
    "SELECT id FROM shop.customers WHERE id IN (SELECT x.rooms FROM files.rents)",
    "SELECT x.id FROM shop.customers c JOIN shop (SELECT 1) q",
    "SELECT x.id FROM shop.customers c JOIN cheap",
    "SELECT x.id FROM shop.customers c JOIN mindsdb.rent m",
    "SELECT x.id FROM shop.unasked",
    "SELECT x.id FROM shop.customers c JOIN LATERAL (SELECT c.id AS id) x ON true",
    "SELECT o.n FROM shop.customers c JOIN LATERAL (SELECT o.id AS n FROM shop.public.orders o WHERE o.customer_id = c.id) o ON true",
    "SELECT id FROM shop.customers c WHERE EXISTS (SELECT 1 FROM shop.public.orders o WHERE o.customer_id = c.id)",
    "SELECT id, (SELECT max(o.id) FROM shop.public.orders o WHERE o.customer_id = c.id) FROM shop.customers c",
    "WITH a AS (SELECT c.id FROM shop.customers c) SELECT a.id, b.id FROM a JOIN a AS b ON a.id = b.id",
    "SELECT `Total` FROM shop.public.orders",
    "SELECT ID FROM shop.public.orders",
    // The server joins these itself, and reads a column once, with quotes if it has them anywhere.
    "SELECT o.Total FROM shop.public.orders o JOIN flat.rentals r ON r.price = o.`Total`",
    "SELECT c.ctid, c.xmin FROM shop.customers c",
    "SELECT User FROM shop.public.orders",
    "SELECT ROOMS, RENTALS.rooms FROM flat.`Rentals`",
    "SELECT q.Total FROM (SELECT id AS Total FROM shop.customers) q",
    "SELECT id AS Total FROM shop.public.orders ORDER BY Total",
    "INSERT INTO shop.public.orders (Total) VALUES (1)",
    "SELECT ROOMS FROM flat.rentals",
    "SELECT * FROM mindsdb.rent.3",
    "SELECT * FROM rent.3",
    "SELECT answer, anything FROM helper WHERE question = 'x'",
    "SELECT * FROM unread.anything",
    "SELECT * FROM silent.anything",
    "SELECT * FROM kb_store.anything",
    "SELECT anything FROM unread.anything",
    "SELECT anything FROM shop.unasked",
    "SELECT anything FROM shop.orders",
    "SELECT * FROM shop.pg_catalog.pg_tables",
    "SELECT * FROM shop.pg_stat_activity",
    "SELECT * FROM shop.a.b.c",
    "SELECT * FROM shop.`folder/file.csv`",
    "SELECT * FROM information_schema.nothing",
    "SELECT * FROM log.jobs_history",
    "SELECT * FROM mindsdb.jobs",
    "SELECT * FROM models",
    "SELECT anything FROM shop (SELECT anything FROM nowhere)",
    "SELECT title FROM github.issues WHERE query = 'x'",
    "SELECT m.rent_explain, c.name FROM shop.customers c JOIN mindsdb.rent m WHERE sqft = 1",
    "SELECT id AS n FROM shop.customers ORDER BY n",
    "SELECT id AS n FROM shop.customers GROUP BY n HAVING n > 1",
    "SELECT id FROM shop.customers UNION SELECT price FROM cheap ORDER BY id",
    "WITH a AS (SELECT 1 AS n) SELECT n FROM a",
    "WITH a (x) AS (SELECT 1) SELECT x FROM a",
    "SELECT count_0 FROM (SELECT count(*) FROM shop.customers) q",
    "SELECT x FROM (SELECT 1) AS q (x)",
    "SELECT anything FROM (SELECT * FROM unread.a) q",
    "SELECT c.* FROM shop.customers c",
    "SELECT customers.*, public.customers.*, shop.customers.*, CUSTOMERS.* FROM shop.customers",
    "SELECT data.* FROM shop.customers c",
    "SELECT x.* FROM files.rents",
    "SELECT x.* FROM shop.customers c JOIN mindsdb.rent m",
    "SELECT id, q.* FROM shop.customers c JOIN (SELECT * FROM shop.public.orders) q",
    "SELECT id FROM shop.customers c WHERE EXISTS (SELECT c.* FROM flat.rentals)",
    "SELECT * FROM shop.customers WHERE id = :id AND name = @name",
    "SELECT * FROM guide WHERE content = 'x' AND city = 'b' AND relevance > 0.5",
    "SELECT data.field, c.data.field FROM shop.customers c",
    "SELECT EXTRACT(year FROM name), date_trunc(month, name), current_date FROM shop.customers",
    "SELECT id FROM shop.customers c WHERE EXISTS (SELECT 1 FROM flat.rentals WHERE price = c.id AND price > id)",
    "SELECT ctid, __mindsdb_row_id FROM shop.customers",
    'SELECT "anything" FROM shop.customers',
    'SELECT * FROM "shpo.orders"',
    "SELECT 1e3 FROM shop.customers",
    "SELECT nothing",
    "DROP TABLE IF EXISTS shop.nothing",
    "DROP TRIGGER mindsdb.nothing",
    "SHOW TABLES FROM nothing",
    "DESCRIBE nothing",
    "CREATE TRIGGER t ON shop.orders (SELECT * FROM nothing)",
    "CREATE VIEW v FROM shop AS (SELECT nothing FROM nothing)",
    "SELECT * FROM cheap USING nothing = 1",
    "CREATE AGENT a USING model = 'x'",
    "SELECT nothing FROM nowhere.nothing WHERE (",
    "CREATE TABLE shop.made (a int); SELECT a FROM shop.made",
    "CREATE VIEW made AS (SELECT 1); SELECT anything FROM made",
    "CREATE DATABASE made WITH ENGINE = 'postgres'; SELECT * FROM made.anything; SELECT * FROM made (SELECT 1)",
    "CREATE MODEL made PREDICT x; SELECT * FROM made.1",
    "CREATE OR REPLACE TABLE shop.customers (x int); SELECT x FROM shop.customers",
    "ALTER TABLE shop.customers add x; SELECT x FROM shop.customers",
    "DROP VIEW cheap; CREATE VIEW cheap AS (SELECT 1 AS x); SELECT x FROM cheap",
    "USE shop; SELECT id FROM customers",
    "USE mindsdb.shop; SELECT id FROM customers",
    "USE information_schema; SELECT * FROM anything",
  ]) {
    it(`are none in ${text}`, () => assert.deepEqual(problemsOf(text), []));
  }

  const nullTests = (text: string, database?: string): string[] => {
    const server = serverNames();
    return check(text, { ...server, defaultDatabase: database ?? server.defaultDatabase }).flatMap(
      ({ code, marked, fixes }) =>
        code === "earlyFilter" ? [`${marked}: ${fixes()[0]?.text}`] : [],
    );
  };
  const optional = "files.rents r ON r.rooms = c.id";
  it("are not what is wrong with IS NULL on what an outer join adds", () => {
    for (const text of [
      "SELECT 1 FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id WHERE «r.rooms» IS NULL",
      "SELECT 1 FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id WHERE «r.rooms» IS NOT TRUE",
      "SELECT 1 FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id WHERE «r.rooms» IS NOT FALSE",
      "SELECT 1 FROM shop.customers c left outer join files.rents r ON r.rooms = c.id WHERE c.id > 1 AND («r.`rooms`» is null)",
      "SELECT 1 FROM shop.customers c FULL JOIN files.rents r ON r.rooms = c.id WHERE «c.id» IS NULL",
      "SELECT 1 FROM files.rents r RIGHT JOIN shop.customers c ON r.rooms = c.id WHERE «r.rooms» IS NULL",
      "SELECT 1 FROM files.rents c LEFT JOIN files.rents r ON 1 = 1 WHERE «r.rooms» IS NULL",
      "SELECT 1 FROM shop.customers c LEFT JOIN cheap r ON r.price = c.id WHERE «r.price» IS NULL",
      "SELECT 1 FROM shop.customers c LEFT JOIN (SELECT rooms FROM files.rents) r ON r.rooms = c.id WHERE «r.rooms» IS NULL",
      "WITH R AS (SELECT rooms FROM files.rents) SELECT 1 FROM shop.customers c LEFT JOIN r ON r.rooms = c.id WHERE «r.rooms» IS NULL",
      "SELECT 1 FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id WHERE c.id IS NULL",
      "SELECT 1 FROM shop.customers c JOIN files.rents r ON r.rooms = c.id WHERE r.rooms IS NULL",
      "SELECT 1 FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id WHERE r.rooms IS TRUE",
      "SELECT 1 FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id WHERE r.rooms IS NOT NULL",
      "SELECT 1 FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id WHERE r.rooms IS NULL OR r.rooms = 1",
      "SELECT 1 FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id WHERE coalesce(r.rooms, NULL) IS NULL",
      "SELECT r.rooms FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id GROUP BY r.rooms HAVING r.rooms IS NULL",
      "SELECT 1 FROM shop.customers c LEFT JOIN shop.public.orders o ON 1 = 1 WHERE o.id IS NULL",
      "WITH o AS (SELECT id FROM shop.orders) SELECT 1 FROM shop.customers c LEFT JOIN o ON 1 = 1 WHERE o.id IS NULL",
      "USE shop; SELECT 1 FROM customers c LEFT JOIN public.orders o ON 1 = 1 WHERE o.id IS NULL",
    ]) {
      const sql = withoutMarks(text);
      const found = check(sql).filter(({ code }) => code === "earlyFilter");
      assert.equal(markedText(sql, found), text);
      for (const { marked, fixes } of found) {
        assert.equal(fixes()[0]?.text, `coalesce(${marked}, NULL)`);
      }
    }
    const own = "SELECT 1 FROM customers c LEFT JOIN public.orders o ON 1 = 1 WHERE o.id IS NULL";
    assert.deepEqual(nullTests(own, "shop"), []);
  });

  const join = "SELECT 1 FROM shop.customers c JOIN files.rents r ON r.rooms = c.id";
  for (const [condition, ...marked] of [
    ["NOT c.id > 3", "c.id"],
    ["c.id > 1 AND NOT (r.rooms LIKE 'x%' AND c.name IN ('a', 'b'))", "r.rooms", "c.name"],
    ["c.id % 2 = 0 AND 1.5 < r.rooms", "c.id"],
    ["CASE WHEN r.rooms > 3 THEN 'x' ELSE 'y' END = 'x'", "r.rooms"],
    ["coalesce(c.id = 3, true)", "c.id"],
    ["(c.id BETWEEN 1 AND 2) = false", "c.id"],
    ["NOT c.id IS NULL", "c.id"],
    ["NOT c.id IN (SELECT id FROM shop.orders)", "c.id"],
    ["c.data ->> 'a' LIKE 'x%'", "c.data"],
  ] as const) {
    it(`are not what is wrong with a part of a condition on joined tables: ${condition}`, () => {
      const fixes = marked.map((name) => `${name}: coalesce(${name}, NULL)`);
      assert.deepEqual(nullTests(`${join} WHERE ${condition}`), fixes);
      const ofOneSource = "SELECT 1 FROM shop.customers c JOIN shop.public.orders r ON r.id = c.id";
      assert.deepEqual(nullTests(`${ofOneSource} WHERE ${condition}`), []);
      assert.deepEqual(nullTests(`SELECT 1 FROM files.rents c WHERE ${condition}`), []);
    });
  }

  it("are not what is wrong with OR on a query that is joined", () => {
    const text =
      "SELECT 1 FROM files.rents r JOIN (SELECT id FROM shop.customers) c ON c.id = r.rooms WHERE c.id = 1 OR r.rooms > 2";
    assert.deepEqual(nullTests(text), ["c.id: coalesce(c.id, NULL)"]);
  });

  it("are not what is wrong with conditions on columns whose quotes the server leaves out", () => {
    const joined = "FROM shop.public.orders o JOIN files.rents r ON r.rooms = o.id";
    for (const name of ["o.`Total`", "o.Total"]) {
      assert.deepEqual(nullTests(`SELECT 1 ${joined} WHERE ${name} > 3 AND r.rooms = 1`), [
        `${name}: coalesce(${name}, NULL)`,
      ]);
    }
    for (const name of ["o.`Total Sum`", "o.`User`", "o.ID"]) {
      assert.deepEqual(nullTests(`SELECT 1 ${joined} WHERE ${name} > 3`), [], name);
    }
    assert.deepEqual(nullTests("SELECT 1 FROM shop.public.orders o WHERE o.`Total` > 3"), []);
  });

  it("are not what is wrong with conditions on joined tables that the server applies rightly", () => {
    for (const condition of [
      "c.id > 3 AND (r.rooms <> 2) AND c.name NOT LIKE 'x%' AND r.rooms IN (1, 2, 3)",
      "c.id > 3 OR NOT r.rooms = 2",
      "NOT coalesce(c.id, NULL) > 3 AND abs(c.id) > r.rooms AND c.id + r.rooms = 3",
      "NOT name = 'x'",
    ]) {
      assert.deepEqual(nullTests(`${join} WHERE ${condition}`), [], condition);
    }
  });

  it("are not what is wrong with conditions on a view with LIMIT that the server applies before it", () => {
    for (const [text, ...marked] of [
      ["SELECT price FROM top WHERE price > 3", "top: (SELECT * FROM mindsdb.top) AS top"],
      [
        "SELECT max(t.price) FROM mindsdb.top AS t WHERE city = 'x' AND t.price IS NULL",
        "mindsdb.top: (SELECT * FROM mindsdb.top)",
      ],
      [
        "SELECT 1 FROM shop.customers c JOIN mindsdb.top t ON t.price = c.id WHERE 'a' <= t.city",
        "mindsdb.top: (SELECT * FROM mindsdb.top)",
      ],
      [
        "SELECT * FROM (SELECT price FROM top WHERE city LIKE 'B%') AS q",
        "top: (SELECT * FROM mindsdb.top) AS top",
      ],
      ["SELECT price FROM top"],
      ["SELECT price FROM top ORDER BY price LIMIT 3"],
      ["SELECT price FROM top WHERE city IN ('a', 'b') AND price BETWEEN 1 AND 3"],
      ["SELECT price FROM top WHERE price = 3 OR city = 'a'"],
      ["SELECT price FROM top WHERE abs(price) = 3"],
      ["SELECT price FROM (SELECT * FROM top) AS top WHERE price = 3"],
      ["SELECT price FROM cheap WHERE price = 3"],
      ["SELECT 1 FROM shop.customers c JOIN top t ON t.price = c.id WHERE c.id = 3"],
    ] as const) {
      assert.deepEqual(nullTests(text), marked, text);
    }
  });

  const joined = "FROM shop.public.orders o JOIN files.rents r ON r.rooms = o.id";

  it("are not divisions of whole numbers, which the server calculates with decimals", () => {
    for (const text of [
      "«o.id / 10»",
      "«7 / 2»",
      "«o.id / 10» * 10",
      "«(day::date - due::date) / 7»",
      "«(100 * Total - 1) / -customer_id»",
      "sum(«7 / o.id»)",
      "«sum(o.id) / count(*)»",
      "«sum(o.id::int) / 7»",
      "«max(o.total) / 7»",
      "«count(*) * 100 / (SELECT count(*) FROM shop.customers)»",
      "«o.id / (SELECT max(id) + 1 AS m FROM shop.customers)»",
      "«(SELECT sum(n) FROM (SELECT id AS n FROM shop.public.orders) AS q) / 5»",
      "«count(*) / 7»",
      "«r.rooms::int / 10»",
      "«CAST(r.rooms AS bigint) / 10»",
      "«char_length(r.rooms) / 2»",
      "ceil(«o.id / 10»)",
      "round(«o.id / 10»)",
      "«abs(o.id) / nullif(o.total, 0)»",
      "«sum(CASE WHEN r.rooms > 1 THEN o.id WHEN r.rooms = 0 THEN NULL ELSE 0 END) / count(*)»",
      // Those that are the same everywhere, or mean decimals.
      "trunc(o.id / 10)",
      "FLOOR((o.id / 10))",
      "round(o.id / 10, 2)",
      "avg(o.id / 10)",
      "o.id / 10.0",
      "1.0 * o.id / 10",
      "`User` / 10",
      "rooms / 10",
      "7 / 2.0",
      "sqrt(o.id) / 10",
      "coalesce(o.id, 1.5) / 10",
      "CASE WHEN o.id > 1 THEN o.id ELSE 0.5 END / 10",
      "CASE WHEN o.id > 1 THEN r.rooms END / 10",
      "sum(CASE WHEN o.id > 1 THEN 0.5 ELSE 0 END) / count(*)",
      "sum(o.`User`) / count(*)",
      // PostgreSQL's sum of a bigint is numeric.
      "sum(o.total) / count(*)",
      "sum(o.id + o.total) / 7",
      "sum(o.id::bigint) / 7",
      "count(*) / sum(count(*)) OVER ()",
      "sum(o.id) * 100 / sum(sum(o.id)) OVER ()",
      "o.id / (SELECT sum(total) FROM shop.public.orders)",
      "o.id / (SELECT avg(id) FROM shop.public.orders)",
      "o.id / (SELECT 1.5)",
      "o.id / (SELECT rooms FROM files.rents)",
      "(SELECT sum(n) FROM (SELECT count(*) AS n FROM shop.public.orders) AS q) / 5",
      "(SELECT sum(n) FROM (SELECT sum(id) AS n FROM shop.public.orders) AS q) / 5",
      "(SELECT sum(n) FROM (SELECT id::bigint AS n FROM shop.public.orders) AS q) / 5",
      "(SELECT sum(n) FROM (SELECT (SELECT count(*) FROM shop.customers) AS n FROM shop.public.orders) AS q) / 5",
      "sum((SELECT count(*) FROM shop.customers)) / 5",
    ]) {
      const [, divided] = /«(.*)»/.exec(text) ?? [];
      const fixes = divided === undefined ? [] : [`trunc(${divided})`];
      const sql = `SELECT ${withoutMarks(text)} AS x ${joined}`;
      assert.deepEqual(fixesOf("calculation", sql), fixes, text);
    }
    assert.deepEqual(fixesOf("calculation", `SELECT count(*) ${joined} GROUP BY o.id / 10`), [
      "trunc(o.id / 10)",
    ]);
    assert.deepEqual(fixesOf("calculation", "SELECT id / 10 FROM shop.public.orders"), []);
  });

  it("are not divisions of what windows return", () => {
    for (const [value, isMarked] of [
      ["count(*) OVER ()", true],
      ["row_number() OVER (ORDER BY o.id)", true],
      ["lag(o.id, 1, 0) OVER (ORDER BY o.id)", true],
      ["sum(o.id) OVER ()", true],
      ["sum(o.total) OVER ()", false],
      ["avg(o.id) OVER ()", false],
      ["lead(r.rooms) OVER (ORDER BY o.id)", false],
    ] as const) {
      const text = `SELECT q.v / 3 AS x FROM (SELECT ${value} AS v ${joined}) AS q`;
      assert.equal(fixesOf("calculation", text).length, isMarked ? 1 : 0, value);
    }
  });

  it("are not divisions before OVER, which no function can have around it", () => {
    for (const [value, marked] of [
      ["o.id / sum(o.id) OVER (PARTITION BY r.rooms)", "o.id / sum(o.id)"],
      ["7 - 100 * o.id / count(*) OVER ()", "100 * o.id / count(*)"],
    ] as const) {
      const found = check(`SELECT ${value} AS x ${joined}`).filter(
        ({ code }) => code === "calculation",
      );
      assert.deepEqual(
        found.map((one) => [one.marked, one.fixes()]),
        [[marked, []]],
      );
      assert.match(found[0]!.message, /in a subquery/);
    }
  });

  it("are not what the server calculates otherwise, whatever is in the columns", () => {
    const changed = (condition: string): string[] =>
      check(`SELECT ${condition} AS x ${joined}`)
        .filter(({ code }) => code === "calculation")
        .map(({ marked, fixes, message }) => `${marked} > ${fixes()[0]?.text ?? message}`);
    // The number of decimals is the user's to know.
    const zeros =
      "MindsDB leaves out the last zeros of this number, unlike PostgreSQL. Cast it to its number of decimals first, such as";
    for (const [condition, ...marked] of [
      ["length(r.rooms) = 3", "length > char_length"],
      ["round(r.rooms::numeric, 4) = 1", "r.rooms::numeric > CAST(r.rooms AS numeric(38, 10))"],
      ["CAST(price AS decimal) = 1", "CAST(price AS decimal) > CAST(price AS numeric(38, 10))"],
      ["o.id::float > 1", "o.id::float > CAST(o.id AS double)"],
      [
        "CAST(r.city AS varchar(3)) = 'a'",
        "CAST(r.city AS varchar(3)) > left(CAST(r.city AS text), 3)",
      ],
      ["r.city ~ '^A'", "r.city ~ '^A' > regexp_matches(r.city, '^A')"],
      [
        "o.id = 1 AND lower(r.city) !~ 'a' OR NOT r.rooms ~ 'b' AND o.id = 2",
        "lower(r.city) !~ 'a' > NOT regexp_matches(lower(r.city), 'a')",
        "r.rooms ~ 'b' > regexp_matches(r.rooms, 'b')",
      ],
      ["('a' || o.amount) = 'b'", `o.amount > ${zeros} CAST(o.amount AS decimal(38, 2)).`],
      ["concat(amount, o.id) = 'b'", `amount > ${zeros} CAST(amount AS decimal(38, 2)).`],
      ["o.amount::text = 'b'", `o.amount > ${zeros} CAST(o.amount AS decimal(38, 2)).`],
      ["concat(is_open, 'b')", "is_open > CAST(is_open AS text)"],
      ["round(o.ratio) = 2", "round(o.ratio) > CAST(o.ratio AS bigint)"],
      ["o.amount::int = 2", "o.amount::int > CAST(round(o.amount) AS int)"],
      ["CAST(avg(o.id) AS bigint)", "CAST(avg(o.id) AS bigint) > CAST(round(avg(o.id)) AS bigint)"],
      [
        "(o.amount * 1.5)::integer",
        "(o.amount * 1.5)::integer > CAST(round(o.amount * 1.5) AS integer)",
      ],
      [
        "EXTRACT(second FROM o.at)",
        "EXTRACT(second FROM o.at) > EXTRACT(microseconds FROM o.at) / 1000000.0",
      ],
      [
        "date_part('second', at)",
        "date_part('second', at) > date_part('microseconds', at) / 1000000.0",
      ],
      [
        "extract(epoch FROM (o.at - o.day))",
        "extract(epoch FROM (o.at - o.day)) > date_part('epoch', (o.at - o.day))",
      ],
      ["to_char(o.at, 'YYYY-MM')", "to_char(o.at, 'YYYY-MM') > strftime(o.at, '%Y-%m')"],
      ["char_length(r.rooms) = 3"],
      ["CAST(price AS decimal(10, 2)) = 1"],
      ["price::double > 1"],
      ["CAST(o.id AS varchar) = 'a' AND (o.id || 'a') = 'b'"],
      ["regexp_matches(r.city, 'a')"],
      ["o.is_open || 'a'"],
      ["round(o.id) + round(o.ratio, 1) + round(o.ratio * 2)"],
      ["o.ratio::int + o.id::int + avg(o.ratio)::int + (o.ratio * 1.5)::int"],
      ["extract(year FROM o.at) + date_part('epoch', o.at - o.day)"],
      ["(o.id * 2)::int"],
      ["2.5::int", "2.5::int > CAST(round(2.5) AS int)"],
    ] as const) {
      assert.deepEqual(changed(condition), marked, condition);
    }
    assert.deepEqual(
      fixesOf("calculation", "SELECT 1 FROM shop.customers WHERE length(name) = 1"),
      [],
    );
    assert.deepEqual(fixesOf("calculation", "SELECT length(rooms), 2.5::int FROM files.rents"), [
      "char_length",
    ]);
  });

  it("are not time spans, which the server returns as numbers", () => {
    for (const [value, withoutZones] of [
      ["o.at - o.day", "CAST(o.at AS timestamp) - CAST(o.day AS timestamp)"],
      ["now() - day", "CAST(now() AS timestamp) - CAST(day AS timestamp)"],
      ["max(o.at) - min(o.at)", "CAST(max(o.at) AS timestamp) - CAST(min(o.at) AS timestamp)"],
      [
        "avg(o.at - current_timestamp)",
        "avg(CAST(o.at AS timestamp) - CAST(current_timestamp AS timestamp))",
      ],
      [
        "(SELECT max(at) FROM shop.public.orders) - o.at",
        "CAST((SELECT max(at) FROM shop.public.orders) AS timestamp) - CAST(o.at AS timestamp)",
      ],
      [
        "o.day - (SELECT min(at) FROM shop.public.orders)",
        "CAST(o.day AS timestamp) - CAST((SELECT min(at) FROM shop.public.orders) AS timestamp)",
      ],
      ["age(o.day)", "age(o.day)"],
    ] as const) {
      const fixed = [`CAST(${value} AS text)`];
      assert.deepEqual(fixesOf("calculation", `SELECT ${value} AS x ${joined}`), [
        `CAST(${withoutZones} AS text)`,
      ]);
      const ofOneSource = `SELECT ${value} FROM shop.public.orders o`;
      assert.deepEqual(fixesOf("calculation", ofOneSource), fixed, value);
    }
    for (const text of [
      "SELECT o.id - o.total, o.at - INTERVAL '1 day', o.at::date - o.day FROM shop.public.orders o",
      "SELECT o.day - o.due, o.at - o.nosuch, count(o.at - o.day) FROM shop.public.orders o",
      "SELECT id FROM shop.public.orders o WHERE o.at - o.day > INTERVAL '1 day'",
      "SELECT date_part('day', x) FROM (SELECT o.at - o.day AS x FROM shop.public.orders o) q",
      "WITH q AS (SELECT at - day AS x FROM shop.public.orders) SELECT x::text FROM q",
      "INSERT INTO shop.public.orders SELECT o.at - o.day AS at FROM shop.public.orders o",
      "SELECT rooms - rooms FROM files.rents",
      // The first is NULL, and with NULL in a column all are texts.
      "SELECT o.at - lag(o.at, 1) OVER (ORDER BY o.id) FROM shop.public.orders o",
    ]) {
      assert.deepEqual(fixesOf("calculation", text), [], text);
    }
  });

  it("are not subqueries whose alias the server loses", () => {
    const query = "(SELECT max(id) FROM shop.public.orders)";
    const fixed = `coalesce(${query}, NULL)`;
    assert.deepEqual(fixesOf("calculation", `SELECT rooms, ${query} AS x FROM files.rents`), [
      fixed,
    ]);
    assert.deepEqual(fixesOf("calculation", `SELECT ${query} AS x, ${query} y ${joined}`), [
      fixed,
      fixed,
    ]);
    for (const text of [
      // It fails in either form, or the server has all rows of both and keeps the name.
      "SELECT r.rooms, (SELECT max(o.id) FROM shop.public.orders o WHERE o.id = r.rooms) AS x FROM files.rents r",
      `SELECT id, ${query} AS x FROM shop.public.orders`,
      `SELECT ${query} AS x, (SELECT max(rooms) FROM files.rents) AS y`,
      `SELECT rooms, ${query}, ${fixed} AS x FROM files.rents`,
      `SELECT rooms FROM files.rents WHERE rooms = ${query}`,
    ]) {
      assert.deepEqual(fixesOf("calculation", text), [], text);
    }
  });

  it("are not outputs that the server groups by, where PostgreSQL groups by a column of their name", () => {
    for (const [text, ...fixes] of [
      [`SELECT abs(o.total) AS total, count(*) ${joined} GROUP BY total`, "o.total"],
      [`SELECT lower(user) AS \`User\`, rooms ${joined} GROUP BY rooms, (\`user\`)`, "o.user"],
      [`SELECT abs(o.total) AS total, count(*) ${joined} GROUP BY o.total`],
      [`SELECT abs(o.total) AS size, count(*) ${joined} GROUP BY size`],
      [`SELECT o.total AS total, count(*) ${joined} GROUP BY total`],
      [`SELECT abs(o.total) AS total ${joined} ORDER BY total`],
      ["SELECT abs(total) AS total FROM shop.public.orders GROUP BY total"],
    ] as const) {
      assert.deepEqual(fixesOf("calculation", text), fixes, text);
    }
  });

  it("are not differences of dates, of which the server makes an interval", () => {
    for (const [value, fixed] of [
      ["o.day - o.due", "CAST(o.day AS date) - CAST(o.due AS date)"],
      ["o.day::date - o.due", "o.day::date - CAST(o.due AS date)"],
      ["max(o.day) - min(due)", "CAST(max(o.day) AS date) - CAST(min(due) AS date)"],
      ["max(current_date - day)", "current_date - CAST(day AS date)"],
      ["o.day - DATE '2024-01-01'", "CAST(o.day AS date) - DATE '2024-01-01'"],
      [
        "o.day - (SELECT min(due) FROM shop.public.orders)",
        "CAST(o.day AS date) - CAST((SELECT min(due) FROM shop.public.orders) AS date)",
      ],
      [
        "(SELECT day FROM shop.public.orders) - o.due",
        "CAST((SELECT day FROM shop.public.orders) AS date) - CAST(o.due AS date)",
      ],
      [
        "7 * (CAST('2024-01-01' AS date) - o.day)",
        "CAST('2024-01-01' AS date) - CAST(o.day AS date)",
      ],
    ] as const) {
      assert.deepEqual(fixesOf("calculation", `SELECT ${value} AS x ${joined}`), [fixed], value);
    }
  });

  it("are not differences of dates that are compared with numbers, which the server refuses", () => {
    for (const text of [
      "«o.day - o.due» > 20",
      "30 >= («o.day - o.due»)",
      "«o.day - o.due» BETWEEN 5 AND 10",
      "CASE WHEN «o.day - o.due» = 0 THEN 1 END = 1",
      "«o.day - o.due» > o.total",
      "coalesce(o.total, 7) * 2 < «o.day - o.due»",
      "o.day - o.due > INTERVAL '7 days'",
      "o.day - o.due > o.`User`",
      "o.day - o.due > r.rooms",
      "o.day - o.due > o.due - o.day",
      "o.day - o.due > (SELECT max(due - day) FROM shop.public.orders)",
      "o.day - o.due IS NULL",
    ]) {
      const fixes = text.includes("«") ? ["CAST(o.day AS date) - CAST(o.due AS date)"] : [];
      const sql = `SELECT ${withoutMarks(text)} AS x ${joined}`;
      assert.deepEqual(fixesOf("calculation", sql), fixes, text);
    }
  });

  it("are found where queries in place of tables return the columns", () => {
    const inner = `SELECT o.id, o.total AS sum, o.day AS d, max(o.due) AS last, o.at, count(*) AS n ${joined}`;
    const taken = `SELECT * FROM (${inner}) i`;
    for (const [value, fixed] of [
      ["c.sum / c.n", "trunc(c.sum / c.n)"],
      ["id / 7", "trunc(id / 7)"],
      ["c.last - c.d", "CAST(c.last AS date) - CAST(c.d AS date)"],
      ["d + 7", "d + INTERVAL '7 days'"],
      ["c.at - c.d", "CAST(CAST(c.at AS timestamp) - CAST(c.d AS timestamp) AS text)"],
    ] as const) {
      for (const text of [
        `WITH c AS (${inner}) SELECT ${value} AS x FROM c`,
        `SELECT ${value} AS x FROM (${taken}) c`,
        `WITH b AS (${inner}), c AS (SELECT b.* FROM b) SELECT ${value} AS x FROM c JOIN files.rents r ON r.rooms = c.id`,
      ]) {
        assert.deepEqual(fixesOf("calculation", text), [fixed], text);
      }
    }
    for (const value of ["c.at - c.nosuch", "c.nosuch / 7", "c.last / 2"]) {
      const text = `WITH c AS (${inner}) SELECT ${value} AS x FROM c`;
      assert.deepEqual(fixesOf("calculation", text), [], text);
    }
  });

  it("are looked for once in queries that read each other many times", () => {
    const deeper = (at: number): string =>
      `c${at} AS (SELECT a.x + b.x AS x FROM c${at - 1} a JOIN c${at - 1} b ON a.x = b.x)`;
    const queries = Array.from({ length: 40 }, (_, at) => deeper(at + 1)).join(", ");
    const text = `WITH c0 AS (SELECT o.id AS x ${joined}), ${queries} SELECT x / 2 FROM c40`;
    const took = millisecondsOf(() => {
      assert.deepEqual(fixesOf("calculation", text), ["trunc(x / 2)"]);
    });
    assert.ok(took < 2_000, `${took} ms`);
  });

  it("are not sums of a date and a number, which the server refuses", () => {
    for (const [value, ...fixes] of [
      ["o.day + 30", "o.day + INTERVAL '30 days'"],
      ["CASE WHEN day - 7 > o.due THEN 1 END", "day - INTERVAL '7 days'"],
      ["o.day + o.total", "o.day + o.total * INTERVAL '1 day'"],
      ["o.day - (id)", "o.day - (id) * INTERVAL '1 day'"],
      ["o.day + r.rooms"],
      ["o.day + o.ratio"],
      ["o.id + o.total"],
      ["o.id + 30"],
      ["o.day::date + 30"],
      ["o.at + 30"],
      ["o.day + 1.5"],
    ] as const) {
      assert.deepEqual(fixesOf("calculation", `SELECT ${value} AS x ${joined}`), fixes, value);
    }
    assert.deepEqual(fixesOf("calculation", "SELECT day + 30 FROM shop.public.orders"), []);
  });

  it("are found whatever the number of calls in calls", () => {
    const text = `SELECT ${"max(".repeat(20_000)}o.day${")".repeat(20_000)} - o.due ${joined}`;
    assert.deepEqual(fixesOf("calculation", text), []);
  });

  it("are not differences of dates that are right", () => {
    for (const text of [
      `SELECT o.day::date - CAST(o.due AS date) ${joined}`,
      `SELECT o.day - INTERVAL '7 days', o.id - o.total, r.rooms - o.day ${joined}`,
      `SELECT o.id ${joined} ORDER BY o.at - o.day, now() - o.day, age(o.day, o.due)`,
      `SELECT date_part('day', o.at - o.day), (o.day - o.due)::text ${joined}`,
      `SELECT 1 ${joined} WHERE o.at - o.day > INTERVAL '7 days' ORDER BY o.day - o.due DESC`,
      "SELECT day - due FROM shop.public.orders",
    ]) {
      assert.deepEqual(fixesOf("calculation", text), [], text);
    }
  });

  it("are not patterns with an escape, which the server does not know", () => {
    for (const [condition, ...marked] of [
      ["c.name LIKE '100\\%%'", "'100\\%%'"],
      ["c.name NOT LIKE 'a\\_b' OR c.id = 1", "'a\\_b'", "c.id"],
      ["CASE WHEN c.name LIKE 'a\\\\' THEN 1 END = 1", "'a\\\\'"],
      ["c.name LIKE 'a\\b%'"],
      ["c.name = 'a\\%'"],
    ]) {
      const text = `SELECT 1 FROM shop.customers c JOIN ${optional} WHERE ${condition}`;
      const found = markedBy("earlyFilter", text).filter((one) => one.startsWith("'"));
      assert.deepEqual(found, marked.slice(0, 1), text);
    }
    assert.deepEqual(markedBy("earlyFilter", "SELECT 1 FROM files.rents WHERE rooms LIKE '\\%'"), [
      "'\\%'",
    ]);
    const own = "SELECT 1 FROM shop.customers c WHERE c.name LIKE '100\\%%'";
    assert.deepEqual(markedBy("earlyFilter", own), []);
  });

  it("are columns of the table in the data source's own schema, where others have one of this name", () => {
    const marked = (sql: string) => problemsOf(sql);
    assert.deepEqual(marked("SELECT a FROM desk.passes"), ["a: passes has no column a."]);
    assert.deepEqual(marked("SELECT a FROM desk.guests"), []);
    const update = (table: string) =>
      marked(`UPDATE desk.passes SET id = 1 WHERE id IN (SELECT id FROM ${table})`);
    assert.deepEqual(update("desk.passes"), []);
    assert.match(update("shop.customers").join(), /can't read from shop/);
  });

  it("are not schemas that rows lose, but for that of the data source", () => {
    for (const [name, ...lost] of [
      ["desk.desk.passes"],
      ["desk.public.passes", "desk.public.passes"],
      ["shop.public.orders", "shop.public.orders"],
      ["files.public.rents"],
    ] as const) {
      for (const sql of [
        `INSERT INTO ${name} (id) VALUES (1)`,
        `CREATE TABLE ${name} (SELECT rooms FROM files.rents)`,
      ]) {
        const found = markedBy("sqlMisread", sql);
        assert.deepEqual(
          found.filter((text) => text === name),
          lost,
          sql,
        );
      }
    }
  });

  it("are not columns in ON that lack the table, which the server needs where it joins", () => {
    const fixes = (sql: string) => fixesOf("sqlUnknownName", sql);
    const join = "SELECT 1 FROM shop.customers c JOIN files.rents ON";
    assert.deepEqual(fixes(`${join} id = rents.rooms`), ["c.id"]);
    assert.deepEqual(fixes(`${join} c.id = abs(rooms) AND c.id = 3`), ["rents.rooms"]);
    assert.deepEqual(fixes(`${join} c.id = rents.rooms WHERE id = rooms`), []);
    assert.deepEqual(
      fixes("SELECT 1 FROM shop.customers c JOIN shop.public.orders o ON day = c.id"),
      [],
    );
    assert.deepEqual(fixes("SELECT 1 FROM shop.customers c JOIN guide g ON id = 1"), []);
  });

  for (const [title, wanted, message, ...texts] of [
    [
      "searches that the server drops or refuses",
      /^earlyFilter: /,
      /./,
      "SELECT 1 FROM shop.customers c JOIN guide g WHERE «g.content» = c.name",
      "SELECT 1 FROM shop.customers c, guide AS g WHERE c.id = 1 AND c.name = «g.content»",
      "SELECT 1 FROM shop.customers c JOIN guide g ON g.id = c.id AND «g.content» = 'x'",
      "SELECT 1 FROM shop.customers c JOIN guide ON «guide.content» = c.name",
      "SELECT 1 FROM shop.customers c JOIN guide g ON g.id = c.id WHERE g.content = 'x' LIMIT 5",
      "SELECT 1 FROM shop.customers c JOIN guide g ON g.chunk_content = c.name",
      "SELECT 1 FROM shop.customers c JOIN guide g ON g.id = c.content",
      "SELECT 1 FROM shop.customers c JOIN guide g WHERE g.chunk_content = c.name",
      "SELECT 1 FROM shop.customers c JOIN files.rents r ON r.content = c.name",
    ],
    [
      "columns that a knowledge base drops from the rows that it gets",
      /^sqlUnknownName: /,
      /./,
      "INSERT INTO guide (nr, content, city, «nosuch») VALUES (1, 'a', 'b', 'c')",
      "INSERT INTO guide SELECT id AS nr, name AS content, «data» FROM shop.customers",
      "INSERT INTO guide SELECT id, «name AS contnt» FROM shop.customers",
      "INSERT INTO guide SELECT *, upper(name) FROM shop.customers",
      "INSERT INTO guide (id, content, city) VALUES (1, 'a', 'b')",
      "SELECT «nr» FROM guide",
    ],
    [
      "columns of one name, of which a new table gets one",
      /^lostData: /,
      /./,
      "CREATE TABLE shop.new (SELECT o.id, o.day, «r.rooms AS ID» FROM shop.public.orders o JOIN files.rents r ON r.rooms = o.id)",
      "SELECT o.id, o.total AS id FROM shop.public.orders o",
      "CREATE TABLE shop.new (SELECT id, day FROM shop.public.orders)",
    ],
    [
      "ids of a knowledge base that are compared as numbers",
      /^earlyFilter: /,
      /./,
      "SELECT id FROM guide k WHERE «id» > 200 LIMIT 5",
      "SELECT id FROM guide k WHERE «k.id» BETWEEN 10 AND 20 AND 5 <= «id» LIMIT 5",
      "SELECT id FROM guide k WHERE id > 'a' LIMIT 5",
      "SELECT id FROM guide k WHERE id = 200 LIMIT 5",
      "SELECT id FROM guide k WHERE relevance > 0.5 LIMIT 5",
      "SELECT id FROM guide k WHERE city > 5 LIMIT 5",
      "SELECT id FROM shop.customers WHERE id > 200",
      "SELECT k.id FROM guide k JOIN shop.customers c ON c.id = k.id WHERE k.id > 200",
    ],
    [
      "what is wrong with rows for a data source, which USE may choose",
      /^sqlMisread: /,
      /./,
      "INSERT INTO shop.customers (id, «`name`») VALUES («upper('a')», «''»)",
      "USE shop; INSERT INTO customers (id, «`name`») VALUES («upper('a')», «''»)",
      "USE shop; UPDATE customers SET «`name`» = 'a' WHERE id = 1",
      "USE shop; INSERT INTO guide (id, `name`) VALUES (upper('a'), '')",
      "INSERT INTO guide (id, `name`) VALUES (upper('a'), '')",
      "USE files; INSERT INTO rents (id, `name`) VALUES (upper('a'), '')",
    ],
    [
      "files whose rows an INSERT can lose",
      /^lostData: /,
      /./,
      "INSERT INTO «files.rents» (rooms) VALUES (1)",
      "INSERT INTO «files.rents» SELECT rooms FROM files.rents",
      "USE files; INSERT INTO «rents» (rooms) VALUES (1)",
      "CREATE TABLE files.new (SELECT rooms FROM files.rents)",
      "DELETE FROM files.rents WHERE rooms = 1",
      "UPDATE files.rents SET rooms = 1",
      "INSERT INTO shop.customers (id) VALUES (1)",
      "SELECT rooms FROM files.rents",
    ],
    [
      "empty texts that become NULL in PostgreSQL",
      /^emptyText: /,
      /./,
      "INSERT INTO «shop.customers» (SELECT id, name FROM shop.customers)",
      "INSERT INTO «shop.customers» SELECT * FROM shop.customers c",
      "INSERT INTO «shop.customers» (SELECT c.* FROM shop.customers c)",
      "INSERT INTO shop.customers (SELECT id, day AS name FROM shop.public.orders)",
      "INSERT INTO shop.customers (SELECT r.* FROM shop.customers c JOIN files.rents r ON 1 = 1)",
      "INSERT INTO files.rents (SELECT id, name FROM shop.customers)",
      "INSERT INTO shop.customers (SELECT i.id FROM (SELECT id, name FROM shop.customers) i)",
      "INSERT INTO shop.customers (SELECT i.n FROM (SELECT count(*) AS n FROM shop.customers) i)",
      "INSERT INTO «shop.customers» (SELECT i.name FROM (SELECT id, name FROM shop.customers) i)",
      "INSERT INTO guide SELECT id, name AS content FROM shop.customers",
      "SELECT id, name FROM shop.customers",
      "CREATE VIEW mindsdb.v AS (SELECT id, name FROM shop.customers)",
      "UPDATE shop.customers SET name = s.name FROM (SELECT name FROM shop.customers) AS s WHERE 1 = 1",
    ],
    [
      "searches of a knowledge base that MindsDB does not combine with OR",
      /with OR/,
      /with OR/,
      "SELECT id FROM guide WHERE «content» = 'x' AND (city = 'a' OR city = 'b') LIMIT 10",
      "SELECT id FROM guide WHERE (city = 'a' OR city = 'b') AND «chunk_content» = 'x'",
      "SELECT 1 FROM guide g JOIN shop.customers c ON c.id = g.id WHERE «g.content» = 'x' AND (c.id = 1 OR c.id = 2)",
      "SELECT id FROM guide WHERE (content = 'x' OR «content» = 'y') AND city = 'a' LIMIT 10",
      "SELECT id FROM guide WHERE content = 'x' OR content = 'y' LIMIT 10",
      "SELECT id FROM guide WHERE (content = 'x' AND city = 'a') OR (content = 'y' AND city = 'b') LIMIT 10",
      "SELECT id FROM guide WHERE content = 'x' AND city IN ('a', 'b') LIMIT 10",
      "SELECT id FROM guide WHERE (city = 'a' OR city = 'b')",
    ],
    [
      "what is wrong with a search without LIMIT",
      /^(?!sqlMisread)/,
      /only 10 rows of a search/,
      "SELECT count(*) FROM «guide» WHERE content = 'x'",
      "SELECT city, count(*) FROM «guide» k WHERE k.content = 'x' GROUP BY city",
      "SELECT id FROM «guide» WHERE chunk_content = 'x' ORDER BY id",
      "SELECT id FROM guide WHERE content = 'x' ORDER BY relevance DESC",
      "SELECT c.id FROM «guide» k JOIN shop.customers c ON c.id = k.id WHERE k.chunk_content = 'x'",
      "WITH k AS (SELECT id FROM «guide» WHERE content = 'x') SELECT 1 FROM k JOIN shop.customers c ON c.id = k.id",
      "SELECT max(id) FROM (SELECT id FROM «guide» WHERE content = 'x') AS k",
      "SELECT id FROM shop.customers WHERE id IN (SELECT id FROM «guide» WHERE content = 'x')",
      "SELECT id FROM shop.customers WHERE id IN (SELECT id FROM guide WHERE content = 'x' LIMIT 50)",
      "INSERT INTO shop.customers (SELECT id FROM «guide» WHERE content = 'x')",
      "CREATE TABLE shop.found (SELECT id FROM «guide» WHERE content = 'x')",
      "CREATE VIEW found AS (SELECT id FROM «guide» WHERE content = 'x')",
      "CREATE VIEW found AS (SELECT id FROM guide WHERE content = 'x' LIMIT 50)",
      "WITH k AS (SELECT id FROM guide WHERE content = 'x') SELECT * FROM k ORDER BY id LIMIT 5",
      "SELECT id FROM guide WHERE content = 'x'",
      "SELECT count(*) FROM guide WHERE city = 'x'",
      "SELECT count(*) FROM (SELECT id FROM guide WHERE content = 'x' LIMIT 100) AS k",
    ],
    [
      "what is wrong with LIKE in a search",
      /./,
      /searches by meaning/,
      "SELECT id FROM guide WHERE «content» LIKE '%x%'",
      "SELECT id FROM guide g WHERE «g.chunk_content» LIKE 'x' AND city LIKE 'y'",
      "SELECT id FROM shop.customers WHERE name LIKE 'y'",
    ],
    [
      "what is wrong with LIMIT of joined tables where the server does not apply it last",
      /^earlyLimit: /,
      /^(\S+ ){4}c\b/,
      "SELECT sum(c.id) FROM shop.customers c JOIN files.rents r ON r.rooms = c.id «LIMIT 100»",
      "SELECT DISTINCT c.name FROM shop.customers c JOIN files.rents r ON r.rooms = c.id ORDER BY c.name «LIMIT 5»",
      "SELECT c.id, sum(c.id) OVER () FROM shop.customers c JOIN files.rents r ON r.rooms = c.id «LIMIT 5»",
      "SELECT c.id FROM shop.customers c JOIN files.rents r ON r.rooms = c.id ORDER BY c.name DESC, c.id «LIMIT 5»",
      "SELECT c.id FROM shop.customers c JOIN files.rents r ON r.rooms = c.id WHERE c.id + r.rooms > 3 «LIMIT 5»",
      "SELECT c.id FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id WHERE r.rooms > 3 «LIMIT 5»",
      "SELECT c.id FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id WHERE upper(c.name) = 'A' ORDER BY c.id «LIMIT 5»",
      "SELECT c.id FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id ORDER BY c.id «LIMIT 5» OFFSET 5",
      "SELECT c.id FROM shop.customers c FULL JOIN files.rents r ON r.rooms = c.id «LIMIT 5»",
      "SELECT c.id FROM shop.customers c RIGHT JOIN files.rents r ON r.rooms = c.id ORDER BY r.rooms «LIMIT 5»",
      "SELECT r.rooms FROM (SELECT id FROM shop.customers LIMIT 9) c JOIN files.rents r ON r.rooms = c.id ORDER BY r.rooms «LIMIT 5»",
      "SELECT r.rooms FROM (SELECT id FROM (SELECT id FROM shop.customers LIMIT 9) i WHERE i.id > 1) c JOIN files.rents r ON r.rooms = c.id ORDER BY r.rooms «LIMIT 5»",
      "SELECT c.id FROM shop.customers c FULL JOIN shop.public.orders o ON o.id = c.id WHERE c.id > (SELECT max(rooms) FROM files.rents) «LIMIT 5»",
      "SELECT c.id FROM shop.customers c JOIN rent m WHERE m.price > 3 «LIMIT 5»",
      "SELECT c.id FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id LIMIT 5",
      "SELECT c.id FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id WHERE c.id > 3 AND c.name = 'x' ORDER BY c.id LIMIT 5",
      "SELECT c.id FROM shop.customers c LEFT JOIN files.rents r ON r.rooms = c.id WHERE r.rooms > 3 ORDER BY c.id, r.rooms LIMIT 5 OFFSET 5",
      "SELECT c.id FROM shop.customers c JOIN files.rents r ON r.rooms = c.id WHERE r.rooms > 3 AND c.id > 2 LIMIT 5",
      "SELECT c.id FROM shop.customers c JOIN files.rents r ON r.rooms = c.id ORDER BY c.id LIMIT 5 OFFSET 5",
      "SELECT c.id FROM shop.customers c RIGHT JOIN files.rents r ON r.rooms = c.id ORDER BY r.rooms LIMIT 5 OFFSET 5",
      "SELECT r.rooms FROM (SELECT id FROM shop.customers LIMIT 9) c LEFT JOIN files.rents r ON r.rooms = c.id ORDER BY r.rooms LIMIT 5",
      "SELECT r.rooms FROM (SELECT id FROM shop.customers LIMIT 9) c JOIN files.rents r ON r.rooms = c.id",
      "SELECT c.id FROM shop.customers c FULL JOIN shop.public.orders o ON o.id = c.id LIMIT 5",
      "SELECT c.id, count(*) AS n FROM shop.customers c JOIN files.rents r ON r.rooms = c.id GROUP BY c.id LIMIT 5",
      "SELECT count(*) FROM shop.customers c JOIN files.rents r ON r.rooms = c.id",
      "SELECT * FROM (SELECT sum(c.id) AS n FROM shop.customers c JOIN files.rents r ON r.rooms = c.id) AS t LIMIT 5",
      "SELECT c.id FROM shop.customers c JOIN rent m WHERE m.rooms = 3 AND c.id > 3 LIMIT 5",
      "SELECT count(*) FROM shop.customers c JOIN shop.public.orders o ON o.id = c.id LIMIT 1",
      "SELECT count(*) FROM files.rents LIMIT 1",
    ],
    [
      "what is wrong with LIMIT of a knowledge base",
      /^earlyLimit: /,
      /^(\S+ ){4}guide\b/,
      "SELECT id FROM guide ORDER BY city DESC «LIMIT 4»",
      "SELECT id FROM guide «LIMIT 4» OFFSET 4",
      "SELECT count(*) FROM guide WHERE city = 'x' «LIMIT 4»",
      "SELECT count(*) FROM guide WHERE content = 'x' «LIMIT 4»",
      "SELECT city, max(id) FROM guide GROUP BY city «LIMIT 4»",
      "SELECT id FROM guide WHERE content = 'x' ORDER BY relevance DESC LIMIT 4",
    ],
  ] as const) {
    it(`are not ${title}`, () => {
      for (const text of texts) {
        const sql = withoutMarks(text);
        const found = check(sql).filter((one) => wanted.test(`${one.code}: ${one.message}`));
        assert.equal(markedText(sql, found), text);
        for (const one of found) assert.match(one.message, message, text);
      }
    });
  }

  it("are not files whose rows an INSERT can lose in a chosen data source", () => {
    const inFiles = { server: { ...serverNames(), defaultDatabase: "files" } };
    const sql = "INSERT INTO rents (rooms) VALUES (1)";
    assert.deepEqual(
      new SqlChecker().check(sql, readStatements(sql), 9, inFiles).map(({ code }) => code),
      ["lostData"],
    );
  });

  it("are not tables in a query of an UPDATE, which the data source reads without its own name", () => {
    for (const value of ["(SELECT max(id) FROM {0} AS o)", "1 WHERE id IN (SELECT id FROM {0})"]) {
      const update = (name: string) =>
        `UPDATE shop.customers SET id = ${value.replace("{0}", name)}`;
      assert.deepEqual(fixedTexts(update("shop.public.orders")), [update("public.orders")]);
      assert.deepEqual(fixedTexts(update("shop.custmers")), [update("custmers")]);
      // The last is a schema, although another source has its name.
      for (const name of ["orders", "public.orders", "custmers", "other.notes"]) {
        assert.deepEqual(problemsOf(update(name)), [], name);
      }
      for (const name of ["files", "mindsdb"]) {
        assert.deepEqual(problemsOf(update(`${name}.rents`)), [
          `${name}: In UPDATE, a subquery in a condition or value can't read from ${name}. Use UPDATE … SET … FROM (SELECT …) AS s WHERE ….`,
        ]);
      }
      assert.deepEqual(problemsOf(update("nowhere.rents")), []);
    }
    assert.deepEqual(
      problemsOf(
        "UPDATE shop.customers SET id = x.id FROM (SELECT id FROM nowhere.t) AS x WHERE 1 = 1",
      ),
      ["nowhere: No project or data source is named nowhere."],
    );
  });

  it("are not what is wrong after USE, which is known where only one database has the table", () => {
    const join = "JOIN files.rents r ON r.rooms = c.id WHERE r.rooms % 2 = 0";
    for (const [text, marked] of [
      [`USE shop; SELECT 1 FROM customers c ${join}`, ["r.rooms: coalesce(r.rooms, NULL)"]],
      [`USE shop; SELECT 1 FROM public.customers c ${join}`, ["r.rooms: coalesce(r.rooms, NULL)"]],
      [
        "USE shop; SELECT 1 FROM customers c JOIN public.orders o ON o.id = c.id WHERE o.id % 2 = 0",
        [],
      ],
      [
        "USE unread; SELECT 1 FROM customers c JOIN other.items r ON r.rooms = c.id WHERE r.rooms % 2 = 0",
        [],
      ],
      [
        "USE shop; USE flat; SELECT 1 FROM customers c JOIN other.items r ON r.rooms = c.id WHERE r.rooms % 2 = 0",
        [],
      ],
    ] as const) {
      assert.deepEqual(nullTests(text), marked, text);
    }
  });

  it("are looked for in the database that was chosen", () => {
    const server = serverNames();
    assert.deepEqual(problemsOf("SELECT id FROM customers", server, "shop"), []);
    assert.deepEqual(problemsOf("SELECT id FROM public.customers", server, "shop"), []);
    assert.deepEqual(problemsOf("SELECT id FROM archiv.customers", server, "shop"), [
      "archiv: shop has no schema archiv.",
    ]);
    assert.deepEqual(problemsOf("SELECT id FROM custmers", server, "shop"), [
      "custmers: shop has no table custmers.",
    ]);
    assert.deepEqual(problemsOf("SELECT id FROM custmers; USE flat", server, "shop"), [
      "custmers: shop has no table custmers.",
    ]);
  });

  it("are none while the server's lists are not there", () => {
    const server = { ...serverNames(), databases: () => undefined };
    assert.deepEqual(problemsOf("SELECT * FROM nowhere.nothing", server), []);
  });

  it("are found again when the server's names change, and columns are asked for where the text is edited", () => {
    const checker = new SqlChecker();
    const text = "SELECT nmae FROM shop.customers; SELECT rooms FROM flat.rentals";
    const asked: string[] = [];
    const check = (server: ServerNames, editedAt?: number): number =>
      checker.check(text, readStatements(text), 100, {
        server,
        usedAt: editedAt === undefined ? [] : [editedAt],
      }).length;
    const server = serverNames(asked);
    assert.equal(check(server), 1);
    assert.deepEqual(asked, []);
    assert.equal(check(server, text.length), 1);
    assert.deepEqual(asked, ["flat.Rentals"]);
    assert.equal(check({ ...server, columns: () => undefined }), 0);
  });

  it("are marked once their list was read again, and then stay until it has them", () => {
    const checker = new SqlChecker();
    const text = "SELECT * FROM shop.order; SELECT * FROM shpo.a; SELECT nmae FROM shop.customers";
    const readAgain: string[] = [];
    let isCurrent = false;
    const server: ServerNames = {
      ...serverNames(),
      isCurrent: (list) => {
        if (!isCurrent) readAgain.push(list ? ("kind" in list ? list.name : list.join(".")) : "");
        return isCurrent;
      },
    };
    const check = (connectionId = "a") =>
      checker.check(text, readStatements(text), 100, { server, connectionId }).length;
    assert.equal(check(), 0);
    assert.deepEqual(readAgain, ["shop", "", "shop.customers"]);
    isCurrent = true;
    assert.equal(check(), 3);
    isCurrent = false;
    readAgain.length = 0;
    assert.equal(check(), 3);
    assert.deepEqual(readAgain, []);
    checker.readAgain();
    assert.deepEqual(readAgain, ["shop", "", "shop.customers"]);
    assert.equal(check("b"), 0);
  });

  it("have few lists read again at a time", () => {
    let requests = 0;
    const server = { ...serverNames(), isCurrent: () => ++requests < 0 };
    problemsOf("SELECT * FROM nowhere.a; ".repeat(200), server);
    assert.equal(requests, 20);
  });

  it("have fixes with the closest names, in backticks where SQL needs them", () => {
    for (const [text, ...fixed] of [
      ["SELECT 1; SELECT * FROM shpo.orders", "SELECT 1; SELECT * FROM shop.orders"],
      ["SELECT * FROM flat.rental", "SELECT * FROM flat.`Rentals`"],
      [
        "SELECT `TotalSum` FROM shop.public.orders",
        "SELECT `Total Sum` FROM shop.public.orders",
        "SELECT `Total` FROM shop.public.orders",
      ],
      ["SELECT * FROM shop.archiv.orders", "SELECT * FROM shop.archive.orders"],
      ["SELECT c.id FROM shop.customers", "SELECT customers.id FROM shop.customers"],
      [
        "SELECT 1; SELECT c.* FROM shop.customers",
        "SELECT 1; SELECT customers.* FROM shop.customers",
      ],
      ["SELECT customers.id FROM shop.customers AS C", "SELECT C.id FROM shop.customers AS C"],
      [
        "SELECT bb.id FROM shop.customers AS a JOIN shop.customers AS b ON a.id = b.id",
        "SELECT b.id FROM shop.customers AS a JOIN shop.customers AS b ON a.id = b.id",
        "SELECT a.id FROM shop.customers AS a JOIN shop.customers AS b ON a.id = b.id",
      ],
      ["SELECT x.rooms FROM flat.`Rentals`", "SELECT `Rentals`.rooms FROM flat.`Rentals`"],
      ["SELECT total FROM shop.public.orders", "SELECT `Total` FROM shop.public.orders"],
      ["SELECT * FROM zzzzz"],
      ["SELECT * FROM shop.archive.custmers"],
    ] as const) {
      assert.deepEqual(fixedTexts(text), fixed, text);
    }
  });

  it("are compared with a limited number of names", () => {
    let read = 0;
    function* endless(): Generator<string> {
      for (;;) yield `nma${String(read++ % 100)}`;
    }
    const columns = { size: 1, has: () => false, values: endless } as never;
    const server = { ...serverNames(), columns: () => columns };
    const checker = new SqlChecker();
    const text = "SELECT nmae FROM cheap";
    const [problem] = checker.check(text, readStatements(text), 100, { server });
    assert.equal(checker.findNameFixes(problem!).length, 3);
    assert.ok(read <= 50_001, String(read));
  });

  it("are limited in number", () => {
    const text = "SELECT * FROM nowhere.a; ".repeat(200);
    assert.equal(problemsOf(text).length, 100);
  });

  it("are found with the default project asked for once: looking for it reads all databases", () => {
    let asked = 0;
    const server = {
      ...serverNames(),
      get defaultDatabase() {
        asked++;
        return "mindsdb";
      },
    };
    assert.equal(problemsOf(`SELECT * FROM ${"nowhere, ".repeat(50)} cheap`, server).length, 50);
    assert.equal(asked, 1);
  });

  it("are found also where a table is named often that many schemas have", () => {
    const others = Array.from({ length: 3_000 }, (_, at): KnownObject => {
      return { name: "orders", schema: `s${at}`, type: "table" };
    });
    const known = serverNames().objects(databases[1]!)!;
    const byName = new Map([["orders", [...others, ...known.byName.get("orders")!]]]);
    const server = { ...serverNames(), objects: () => ({ ...known, byName }) };
    // PostgreSQL finds `Total` in quotes only.
    const text = `SELECT ${"Total, ".repeat(90)} id FROM shop.public.orders`;
    assert.equal(problemsOf(text, server).length, 90);
  });

  it("are found in linear time: tables of the same name", () => {
    const make = (count: number) => {
      const listed = Array.from({ length: count }, (_, at): KnownObject => {
        return { name: "t", schema: `s${at}`, type: "table" };
      });
      const schemas = new Map(listed.map(({ schema = "" }) => [schema, schema]));
      const known = { byName: new Map([["t", listed]]), schemas };
      const text = `SELECT * FROM ${listed.map(({ schema }) => `shop.${schema}.t`).join(", ")}`;
      return { text, server: { ...serverNames(), objects: () => known } };
    };
    assertLinear({
      name: "schemas",
      size: 6_000,
      make,
      run: ({ text, server }) => problemsOf(text, server),
      floorMs: 1_000,
    });
  });

  it("are found in little time among the tables of many queries around them", () => {
    const level = (at: number): string =>
      `FROM ${Array.from({ length: 100 }, (_, n) => `shop.customers t${100 + at}${100 + n}`).join()}`;
    const make = (depth: number): string => {
      let text = `SELECT ${"t100100.id, ".repeat(20_000)} 1 ${level(depth)}`;
      for (let at = depth - 1; at >= 0; at--) text = `SELECT (${text}) ${level(at)}`;
      return text;
    };
    const text = make(30);
    assert.ok(millisecondsOf(() => problemsOf(text)) < 3_000);
  });

  for (const [name, make] of [
    ["columns", (count: number) => `SELECT ${"nmae, ".repeat(count)} id FROM shop.customers`],
    ["tables", (count: number) => `SELECT nmae FROM ${"shop.customers, ".repeat(count)} cheap`],
    [
      "tables and columns",
      (count: number) =>
        `SELECT ${"c.nmae, ".repeat(count)} 1 FROM ${"shop.customers, ".repeat(count)} cheap c`,
    ],
    [
      "queries",
      (count: number) => "SELECT * FROM (".repeat(count) + "SELECT 1" + ") q".repeat(count),
    ],
    [
      "unions",
      (count: number) => "SELECT id FROM shop.customers UNION ".repeat(count) + "SELECT 1",
    ],
    [
      "conditions",
      (count: number) =>
        `SELECT 1 FROM shop.customers WHERE ${"nmae = 1 AND ".repeat(count)} id = 1`,
    ],
    [
      "calculations",
      (count: number) =>
        `SELECT ${"nmae - ".repeat(count)} 1, ${"id / ".repeat(count)} 1 FROM shop.customers, files.rents`,
    ],
    [
      "unknown tables of columns",
      (count: number) =>
        `SELECT ${"x.id, ".repeat(count)} 1 FROM ${"shop.customers, ".repeat(count)} flat.rentals`,
    ],
    [
      "casts",
      (count: number) =>
        `SELECT ${"CAST(".repeat(5 * count)}c.id ${" AS numeric)".repeat(5 * count)} FROM shop.customers c JOIN files.rents r ON 1 = 1`,
    ],
    [
      "patterns",
      (count: number) =>
        `SELECT ${"lower(".repeat(5 * count)}c.id ${" ~ 'x')".repeat(5 * count)} FROM shop.customers c JOIN files.rents r ON 1 = 1`,
    ],
    ["parts", (count: number) => `SELECT ${"a.".repeat(count)}b FROM shop.customers`],
    [
      "chosen databases",
      (count: number) =>
        Array.from({ length: 2 * count }, (_, at) => `USE p${at}; SELECT * FROM u${at};`).join(
          "\n",
        ),
    ],
    [
      "columns of a long alias",
      (count: number) =>
        `SELECT ${"a.b, ".repeat(20 * count)} c FROM shop.orders AS ${"A".repeat(100 * count)}`,
    ],
    [
      "statements",
      (count: number) => "CREATE TABLE shop.a (b int); SELECT b FROM shop.a;".repeat(count),
    ],
  ] as const) {
    it(`are found in linear time: ${name}`, () => {
      assertLinear({
        name,
        size: 500,
        make,
        run: (text) => problemsOf(text),
      });
    });
  }
});
