import assert from "node:assert/strict";
import fc from "fast-check";
import { listingUse } from "../../../src/mindsdb/sql/listingUse.ts";
import { tokenizeSql } from "../../../src/mindsdb/sql/sqlTokens.ts";
import { findTables, kindOfSql } from "../../../src/mindsdb/sql/statementKind.ts";
import { assertLinear } from "../../linearTime.ts";
import {
  brokenStatement,
  changingStatements,
  costlyStatements,
  readingStatements,
  smugglingStatements,
  sqlStatement,
} from "../../sqlStatements.ts";

describe("kind of a SQL statement", () => {
  it("recognizes statements that only read", () => {
    for (const sql of readingStatements) assert.equal(kindOfSql(sql), "read", sql);
  });

  it("treats everything else as a change, even if it is disguised", () => {
    for (const sql of changingStatements) assert.equal(kindOfSql(sql), "write", sql);
  });

  it("treats statements as changes if MindsDB may send texts or names without their quotes", () => {
    for (const sql of smugglingStatements) assert.equal(kindOfSql(sql), "write", sql);
  });

  it("lets harmless quotes pass", () => {
    for (const sql of [
      "SELECT now() - INTERVAL '1 day', INTERVAL '-1.5 hours', INTERVAL '2 days 03:00', INTERVAL '1' DAY FROM t",
      "SELECT `Größe in m²`, `数量`, `Last Update`, `drop-off` FROM a JOIN b ON a.`x y` = b.`x y` RIGHT JOIN c",
      "SELECT * FROM a JOIN b ON a.x = b.x AND a.name = 'O''Brien' WHERE b.name IN ('it\\'s', 'x')",
      "SELECT `price ($)`, `a (b)` AS `it's` FROM shop.public.orders ORDER BY `price ($)` LIMIT 10 OFFSET 5",
      "SELECT avg(`price ($)`) FROM shop.orders WHERE name = 'O''Brien' GROUP BY city",
      "SELECT * FROM files.orders WHERE `price ($)` > 5 AND note = 'it''s (new); ok'",
      "SELECT * FROM t WHERE path = 'C:\\Users' AND a = '; DROP TABLE t; --'",
      "SHOW TABLES FROM `my source` LIKE 'a%'",
      'SELECT * FROM p.t WHERE j = \'{"a": "b"}\'',
    ]) {
      assert.equal(kindOfSql(sql), "read", sql);
    }
  });

  it("classifies an empty text as a read", () => {
    for (const sql of ["", " \n", ";", "-- DROP TABLE t", "/* x */;"]) {
      assert.equal(kindOfSql(sql), "read", sql);
    }
  });

  it("recognizes statements that may ask an agent or search with a hosted model", () => {
    const cases = [
      ["SELECT answer FROM P.`Helper` WHERE question = 'hi'", "costsMoney"],
      ["SELECT * FROM files.t AS t JOIN p.helper AS a ON a.question = t.q", "costsMoney"],
      ["SELECT * FROM p.docs", "read"],
      ["SELECT id, content FROM p.docs LIMIT 5", "read"],
      ["SELECT * FROM p.docs WHERE `content` = 'x'", "costsMoney"],
      ["SELECT * FROM p.docs WHERE chunk_content LIKE 'x'", "costsMoney"],
      ["SELECT * FROM p.docs AS d WHERE d.\"CHUNK_CONTENT\" = 'x'", "costsMoney"],
      ["SELECT * FROM t WHERE a IN (SELECT id FROM p.docs WHERE (CONTENT = 'x'))", "costsMoney"],
      ["SELECT * FROM files.t WHERE content = 'x'", "read"],
      ["SELECT * FROM information_schema.queries WHERE question = 'x'", "read"],
      ["SELECT * FROM unknown.thing WHERE a = 1", "read"],
      ["SELECT * FROM unknown.thing WHERE content = 'x'", "costsMoney"],
      // A data source of the engine web requests the address, in which anything can go away.
      [
        "SELECT * FROM web.crawler WHERE url = (SELECT concat('http://a/', b) FROM pg.t)",
        "costsMoney",
      ],
      [
        "SELECT * FROM files.t WHERE a IN (SELECT url FROM `web`.CRAWLER WHERE url = 'x')",
        "costsMoney",
      ],
      ['SELECT * FROM pg.t JOIN "web.crawler" AS c ON c.url = t.site', "costsMoney"],
      ["SELECT * FROM files.crawler WHERE url = 'x'", "read"],
      ["SELECT * FROM unknown.thing WHERE a = 'question'", "read"],
      // The server makes a condition on the column of it.
      ["SELECT * FROM p.docs WHERE metadata->>'content' = 'x'", "costsMoney"],
      [
        "SELECT * FROM p.docs WHERE a = 1 AND NOT (d.metadata -> '''content''' LIKE 'x')",
        "costsMoney",
      ],
      ["SELECT metadata->>'content' FROM p.docs WHERE metadata->>'city' = 'x'", "read"],
      ["SELECT * FROM p.docs WHERE metadata->>'`content`' = 'x'", "costsMoney"],
      [`SELECT * FROM p.docs WHERE "p.content" WITH ROLLUP = 'x'`, "costsMoney"],
      ["SELECT 1; SELECT * FROM p.helper WHERE question = 'x'", "costsMoney"],
      ["SELECT * FROM p.helper WHERE question = 'x'; DROP TABLE t", "write"],
      ["INSERT INTO files.t SELECT * FROM p.helper WHERE question = 'x'", "write"],
    ] as const;
    for (const [sql, kind] of cases) assert.equal(kindOfSql(sql), kind, sql);
  });

  it("names the tables that are read from", () => {
    const cases: [sql: string, ...names: string[]][] = [
      ["SELECT 1"],
      ["SELECT * FROM files.t AS t JOIN p.`Helper` AS a, `x`", "files.t", "p.Helper", "x"],
      ["WITH a AS (SELECT * FROM p.h) SELECT (SELECT extract(year FROM d) FROM q.r)", "p.h", "q.r"],
      ['SELECT * FROM "p.h"', "p.h", "p.h"],
      ["SELECT * FROM `p.h`", "p.h", "p.h"],
      ["SELECT * FROM p.m.3", "p.m"],
      ["SELECT 1 EXCEPT ALL TABLE x", "x"],
    ];
    for (const [sql, ...names] of cases) {
      const { tables, isSure } = findTables(sql);
      assert.deepEqual(
        tables.flatMap(({ readings }) => readings.map((parts) => parts.join("."))),
        names,
        sql,
      );
      assert.equal(isSure, true, sql);
    }
  });

  it("is not led astray by variables and parameters with the names of keywords", () => {
    for (const word of ["limit", "FROM", "select", "join", "union", "except", "where", "on"]) {
      for (const name of [`:${word}`, `@@${word}`, `@@a.${word}`]) {
        for (const sql of [
          `SELECT * FROM files.t JOIN p.m ON 1 = ${name}, mindsdb.agents`,
          `SELECT * FROM p.docs WHERE a = ${name} OR content = 'x'`,
        ]) {
          assert.equal(kindOfSql(sql), "write", sql);
          assert.equal(findTables(sql).isSure, false, sql);
        }
      }
    }
    assert.equal(kindOfSql("SELECT :a, @@version, a.table FROM t WHERE b = :limits"), "read");
  });

  it("splits a text into statements with their positions", () => {
    const sql = "SELECT ';' ; -- ;\n DROP TABLE t /* ; */;\nCREATE JOB j (a; b);;";
    const { statements, isSure } = tokenizeSql(sql);
    assert.deepEqual(
      statements.map(({ start, end }) => sql.slice(start, end)),
      ["SELECT ';'", "DROP TABLE t", "CREATE JOB j (a; b)"],
    );
    assert.equal(isSure, true);
  });

  it("never throws, whatever the text is", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .array(fc.constantFrom(..."'\"`\\-/*#;()@$<>.,", "select", "from", "last", " ", "é"))
        .map((parts) => parts.join("")),
      brokenStatement,
    );
    fc.assert(
      fc.property(texts, (sql) => {
        kindOfSql(sql);
        listingUse(sql);
        const { statements } = tokenizeSql(sql);
        let end = 0;
        for (const token of statements.flatMap(({ tokens }) => tokens)) {
          assert.ok(token.start >= end && token.end > token.start);
          assert.equal(sql.slice(token.start, token.end), token.text);
          end = token.end;
        }
      }),
      { numRuns: 800 },
    );
  });

  it("recognizes functions that ask a language model or another web server", () => {
    for (const sql of costlyStatements) {
      assert.equal(kindOfSql(sql), "costsMoney", sql);
    }
  });

  it("ignores letter case", () => {
    fc.assert(
      fc.property(sqlStatement, fc.infiniteStream(fc.boolean()), (sql, isUpper) => {
        const other = Array.from(sql, (char) =>
          isUpper.next().value ? char.toUpperCase() : char.toLowerCase(),
        ).join("");
        assert.equal(kindOfSql(other), kindOfSql(sql));
      }),
      { numRuns: 1_000 },
    );
  });

  it("ignores comments, which never make a change look like a read", () => {
    const comment = fc.constantFrom(" -- ; DROP '\n", "/* ) ' */", " ", "\n", "/**/");
    const statements = fc.oneof(
      sqlStatement,
      fc.constantFrom(...readingStatements, ...changingStatements),
    );
    fc.assert(
      fc.property(statements, fc.array(comment, { minLength: 1 }), (sql, comments) => {
        const { statements: found, isSure } = tokenizeSql(sql);
        if (!isSure) return;
        let at = 0;
        const parts = found.map(({ tokens }) =>
          tokens.map(({ text }) => text + comments[at++ % comments.length]).join(""),
        );
        // A dash or a slash may be half of a comment by itself.
        if (
          /[-/*<#>@]/.test(found.flatMap(({ tokens }) => tokens.map((one) => one.text)).join(""))
        ) {
          return;
        }
        const withoutComments = found.map(({ tokens }) => tokens.map(({ text }) => text).join(" "));
        // The server takes two words for one keyword only where no comment stands between them.
        const hasPair = /\b(by|last)\b/i.test(sql);
        for (const written of [sql, parts.join(";")]) {
          const kind = kindOfSql(written);
          if (hasPair && kind === "write") continue;
          assert.equal(kind, kindOfSql(withoutComments.join(";")));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes time that grows with the text alone", () => {
    for (const piece of [
      "(",
      ")",
      "'",
      '"',
      "`",
      "\\",
      "/*",
      "--",
      "-",
      "#",
      ";",
      "a.",
      "a ",
      ",",
      "((select ",
      "'' ",
      "from a (",
      "join a on ",
      "1 union select ",
      "@",
      "<#>",
      "--\n",
      "/**/",
    ]) {
      assertLinear({
        name: piece,
        size: 40_000,
        make: (size) => `SELECT ${piece.repeat(size / piece.length)}`,
        run: (sql) => [kindOfSql(sql), listingUse(sql)],
      });
    }
  });
});
