// Statements with what they do to a server, and a source of many more that look like them.
import fc from "fast-check";

export const readingStatements = [
  "SELECT 1",
  "select * from files.home_rentals",
  "SELECT * FROM files.t;",
  "SELECT * FROM files.t;;",
  "(SELECT 1)",
  "((SELECT 1))",
  "(SELECT 1) UNION ALL (SELECT 2)",
  "SELECT a FROM t UNION SELECT b FROM u",
  "SELECT a FROM t EXCEPT SELECT b FROM u",
  "TABLE files.t",
  "WITH x AS (SELECT 1 AS n), y AS (SELECT 2) SELECT * FROM x JOIN y ON x.n = y.n",
  "SELECT `a` FROM `files`.`my table` WHERE `b` = 'DROP TABLE t; --'",
  'SELECT "a" FROM files.t WHERE b = "insert into"',
  "SELECT 'it''s', 'it\\'s', 'a\\\\' FROM t",
  "SELECT count(*), avg(rental_price) FROM files.home_rentals GROUP BY location ORDER BY 2 DESC NULLS LAST",
  "SELECT date_trunc('month', d) FROM t GROUP BY date_trunc('month', d) HAVING count(*) > 1",
  "SELECT t.*, m.y FROM files.t AS t JOIN p.m AS m WHERE t.size > 3 LIMIT 10, 20",
  "SELECT t.*, m.y FROM files.t AS t, p.m AS m LIMIT 5 OFFSET 2",
  "SELECT * FROM a LEFT JOIN b ON lower(a.x) = lower(b.x) AND (a.y IN (1, 2) OR b.z IS NOT NULL)",
  "SELECT * FROM (SELECT id FROM files.t WHERE id BETWEEN 1 AND 3) AS s",
  "SELECT * FROM p.m.1 WHERE sqft = 800 AND location = 'good'",
  "SELECT rank() OVER (PARTITION BY a ORDER BY b) FROM t",
  "SELECT CASE WHEN (a > 1) THEN upper(b) ELSE 'c' END FROM t",
  "SELECT CAST(a AS decimal(10, 2)), CAST(b AS int), c::text FROM t",
  "SELECT extract(year FROM d) FROM t",
  "SELECT * FROM t WHERE EXISTS (SELECT 1 FROM u) AND a NOT IN (SELECT b FROM v)",
  "SELECT 'a\\'; DROP TABLE t; -- '",
  "SELECT a - -1, b <-> c, d <#> e FROM t",
  "SELECT t.last FROM t",
  "SELECT * FROM t WHERE name = 'last'",
  "SELECT DISTINCT (a) FROM t",
  "SELECT @@version",
  "SELECT database(), version()",
  "-- DROP TABLE t\nSELECT 1",
  "/* DROP TABLE t */ SELECT /* ; */ 1 -- ;",
  "SHOW DATABASES",
  "SHOW FULL TABLES FROM files",
  "SHOW MODELS FROM p WHERE name = 'm'",
  "SHOW TABLES LIKE 'a%'",
  "SHOW CREATE TABLE t",
  "SHOW CHARACTER SET",
  "DESCRIBE p.m",
  "DESCRIBE KNOWLEDGE_BASE p.kb",
  "DESCRIBE p.`m`.features",
  "EXPLAIN files.t",
  "SELECT * FROM information_schema.queries",
  "SELECT * FROM log.jobs_history WHERE project = 'p' ORDER BY run_start DESC LIMIT 1",
] as const;

export const changingStatements = [
  "DROP TABLE files.t",
  "drop\tdatabase x",
  "INSERT INTO files.t (a) VALUES (1)",
  "UPDATE t SET a = 1",
  "DELETE FROM p.kb",
  "CREATE TABLE files.t (SELECT 1)",
  "CREATE MODEL p.m FROM files (SELECT * FROM t) PREDICT y",
  "CREATE JOB j AS (SELECT 1; SELECT 2) EVERY 1 day",
  "RETRAIN p.m",
  "FINETUNE p.m FROM files (SELECT 1)",
  "EVALUATE KNOWLEDGE_BASE p.kb USING test_table = files.t",
  "ALTER DATABASE x NAME = 'y'",
  "SET ACTIVE p.m.1",
  "SET show_secrets = true",
  "USE p",
  "BEGIN",
  "COMMIT",
  // Native queries.
  "SELECT * FROM files (DROP TABLE t)",
  "SELECT * FROM files(SELECT 1)",
  "SELECT * FROM `files` (DROP TABLE t)",
  'SELECT * FROM "files" (DROP TABLE t)',
  "SELECT * FROM count (SELECT 1)",
  "SELECT * FROM offset (SELECT 1)",
  "SELECT * FROM all (SELECT 1)",
  "SELECT * FROM exists (SELECT 1)",
  "SELECT * FROM a JOIN lower (SELECT 1) AS b",
  "SELECT * FROM a, lower (SELECT 1)",
  "SELECT * FROM a offset, lower (SELECT 1)",
  "SELECT * FROM a JOIN b ON a.x = b.x, lower (SELECT 1)",
  "SELECT * FROM a, group /**/ by, lower (SELECT 1)",
  "SELECT * FROM (SELECT * FROM lower (SELECT 1))",
  "SELECT * FROM t WHERE a IN (SELECT * FROM files (SELECT 1))",
  "WITH x AS (SELECT * FROM files (SELECT 1)) SELECT * FROM x",
  "SELECT 1 UNION SELECT * FROM files (SELECT 1)",
  "SELECT * FROM files /* ( */ (DROP TABLE t)",
  "SELECT * FROM files -- x\r(DROP TABLE u)\n(DROP TABLE t)",
  // Statements where sub-queries are expected.
  "SELECT * FROM (DROP TABLE files.t)",
  "SELECT * FROM (INSERT INTO files.t (a) VALUES (1)) AS x",
  "SELECT * FROM a, (DELETE FROM p.kb)",
  "SELECT * FROM a JOIN (RETRAIN p.m)",
  // Functions that do something, or that nobody knows.
  "SELECT query_cancel(6)",
  "SELECT `query_cancel`(6)",
  'SELECT "query_cancel"(6)',
  "SELECT x.query_cancel(6)",
  "SELECT QUERY_RESUME(6)",
  "SELECT `llm`('hi')",
  "SELECT engine.llm('hi')",
  "SELECT * FROM llm('hi')",
  "SELECT llm(query_cancel(6))",
  "SELECT * FROM t WHERE pg_terminate_backend(1)",
  "SELECT nextval('s')",
  "SELECT engine.lower('a')",
  // Positions that the server stores.
  "SELECT * FROM t WHERE id > LAST",
  "SELECT * FROM t WHERE id > coalesce(last, 0)",
  "SELECT * FROM t WHERE id > coalesce(`LAST`, 0)",
  'SELECT * FROM t WHERE id > coalesce("last", 0)',
  'SELECT * FROM t WHERE id > coalesce("""last""", 0)',
  "SELECT * FROM t USING batch_size = 10, track_column = id",
  "SELECT * FROM t FOR UPDATE",
  "SELECT * INTO x FROM t",
  // Several statements, and text that a server may read in another way.
  "SELECT 1; DROP TABLE t",
  "SELECT 'a",
  "SELECT `a",
  "SELECT `` FROM t",
  "SELECT (1",
  "SELECT 1)",
  "SELECT 1 /* x",
  "SELECT a # b FROM files (DROP TABLE t)",
  "SELECT @'ab\\' FROM files (DROP TABLE t) --'",
  "SELECT$x FROM t",
  "ſELECT 1",
  "SELECT\u00a01",
  "EXPLAIN ANALYZE DELETE FROM t",
  "EXPLAIN SELECT lower(a) FROM t",
  "CALL x()",
  "VALUES (1)",
  "TRUNCATE t",
  "GRANT ALL",
  "hello",
] as const;

/** Statements that change nothing and ask a language model or another web server. */
export const costlyStatements = [
  "SELECT llm('hi')",
  "SELECT LLM('hi') FROM files.t",
  "SELECT upper(llm(concat('a', b))) FROM files.t",
  "SELECT a, to_markdown('http://x') FROM t",
  "SELECT * FROM files.t WHERE llm(a) = 'yes'",
] as const;

const anyOf = (...values: readonly string[]) => fc.constantFrom(...values);

const name = anyOf(
  "files.t",
  "t",
  "`t`",
  '"t"',
  "p.m.1",
  "lower",
  "count",
  "offset",
  "last",
  "all",
  "session",
  "replace",
  "group",
  "by",
);
const gap = anyOf(" ", "\n", "\t", " /* ; */ ", " -- '\n", " /* ( */ ");
const text = anyOf("'a'", "'it''s'", "'it\\'s'", "'a\\\\'", '"a"', "'--'", "'/*'", "'('", "'\\'");
const functionName = anyOf(
  "lower",
  "count",
  "coalesce",
  "llm",
  "query_cancel",
  "`query_cancel`",
  '"query_cancel"',
  "x.lower",
  "replace",
  "if",
  "left",
  "nextval",
);

/** Statements of MindsDB's grammar and what is nearly one; most of them parse. */
export const sqlStatement: fc.Arbitrary<string> = fc.letrec<
  Record<"query" | "expression" | "source" | "other" | "statement", string>
>((tie) => {
  const join = (...parts: (fc.Arbitrary<string> | string)[]): fc.Arbitrary<string> =>
    fc
      .tuple(...parts.flatMap((part) => [gap, typeof part === "string" ? fc.constant(part) : part]))
      .map((all) => all.join(""));
  const maybe = (part: fc.Arbitrary<string>) => fc.oneof(fc.constant(""), part);
  const { query, expression, source, other } = {
    query: tie("query"),
    expression: tie("expression"),
    source: tie("source"),
    other: tie("other"),
  };
  return {
    statement: fc.oneof(
      { arbitrary: query, weight: 8 },
      other,
      join(query, ";"),
      join(query, ";", other),
    ),
    query: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      join("SELECT", expression, "FROM", source),
      join("SELECT", expression),
      join("SELECT", expression, "FROM", source, "WHERE", expression, "=", expression),
      join("SELECT * FROM", source, "GROUP BY", expression, "ORDER BY", expression, "LIMIT 3"),
      join("SELECT * FROM", source, maybe(anyOf("FOR UPDATE", "USING batch_size = 1", "OFFSET 2"))),
      join(query, anyOf("UNION", "UNION ALL", "EXCEPT"), query),
      join("(", query, ")"),
      join("WITH x AS (", query, ")", query),
      join("TABLE", name),
    ),
    source: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      name,
      join(name, anyOf("AS x", "x", "offset", "by")),
      join(name, "(", other, ")"),
      join(name, "(", query, ")"),
      join("(", query, ")", "AS x"),
      join("(", other, ")"),
      join(source, ",", source),
      join(source, anyOf("JOIN", "LEFT JOIN", "JOIN LATERAL"), source),
      join(source, "JOIN", source, "ON", expression, "=", expression),
    ),
    expression: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      name,
      text,
      anyOf("1", "*", "last", "`last`", '"last"', "LATEST", "@@version", "@x", "@'a\\'", "x.last"),
      join(functionName, "(", expression, ")"),
      join(functionName, "(", expression, ",", expression, ")"),
      join("extract(year FROM", expression, ")"),
      join("CASE WHEN", expression, "= 1 THEN", expression, "END"),
      join("(", query, ")"),
      join("a IN (", query, ")"),
      join("EXISTS (", query, ")"),
      join(expression, anyOf("+", "-", ">", "AND", "OR", "<->", "<#>", "||", "::"), expression),
      join("rank() OVER (PARTITION BY", expression, "ORDER BY", expression, ")"),
    ),
    other: anyOf(
      "DROP TABLE files.t",
      "INSERT INTO files.t (a) VALUES (1)",
      "DELETE FROM p.kb",
      "UPDATE t SET a = 1",
      "CREATE TABLE files.t (SELECT 1)",
      "RETRAIN p.m",
      "SHOW TABLES",
      "SHOW MODELS FROM p",
      "DESCRIBE p.m",
      "EXPLAIN files.t",
      "SET ACTIVE p.m.1",
      "USE p",
    ),
  };
}).statement;

/** Statements with pieces of others in them. */
export const brokenStatement: fc.Arbitrary<string> = fc
  .tuple(sqlStatement, sqlStatement, fc.nat(), fc.nat())
  .map(([one, other, at, from]) => {
    const place = at % (one.length + 1);
    return one.slice(0, place) + other.slice(from % (other.length + 1)) + one.slice(place);
  });
