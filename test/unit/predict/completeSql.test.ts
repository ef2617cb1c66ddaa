// What completion offers in SQL: what the grammar allows at the caret, and the names known of a server.
import assert from "node:assert/strict";
import fs from "node:fs";
import * as grammar from "../../../src/mindsdb/sql/parser/caretPosition.ts";
import { parseSql } from "../../../src/mindsdb/sql/parser/parseSql.ts";
import { completeSql, type SqlCompletion } from "../../../src/predict/completion/completeSql.ts";
import type { SqlNames } from "../../../src/predict/completion/queryColumns.ts";
import type { SuggestionKind } from "../../../src/predict/completion/suggestion.ts";
import { hostileTexts } from "../../hostileTexts.ts";
import { assertLinear } from "../../linearTime.ts";
import { names } from "./sqlNames.ts";

/** Completes at "^" in a text. */
function complete(text: string, known = names): SqlCompletion | undefined {
  const caret = text.indexOf("^");
  return completeSql(text.replace("^", ""), caret, grammar, known);
}

/** The texts that are offered, of these kinds. */
function offered(text: string, ...kinds: SuggestionKind[]): string[] {
  const { suggestions = [] } = complete(text) ?? {};
  return suggestions
    .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
    .map(({ label, text = label }) => text);
}

const postgresKeys =
  '"port": |"database": |"user": |"password": |"schema": |"sslmode": |"connection_parameters": ';
const nameKinds: SuggestionKind[] = [
  ...(["column", "alias", "database", "schema", "table", "view"] as const),
  ...(["model", "agent", "knowledgeBase", "object"] as const),
];

describe("Completion in SQL", () => {
  it("reads the statement at the caret alone, also while it is broken", () => {
    const [before, after] = ["SELECT (a FROM t;\nSELECT ';' -- ;\n; ", "; SELECT b FROM u"];
    for (const part of [
      "SELECT ^ FROM shop.orders",
      "SELECT max(^",
      "SELECT `^` FROM shop.orders",
    ]) {
      const alone = complete(part);
      const found = complete(`SELECT 1; ${part}${after}`);
      const shift = "SELECT 1; ".length;
      assert.deepEqual(found?.suggestions, alone?.suggestions, part);
      assert.deepEqual(
        [found?.start, found?.end],
        [shift + alone!.start, shift + alone!.end],
        part,
      );
    }
    assert.deepEqual(
      complete(`${before}^`)?.suggestions,
      complete("SELECT (a FROM t; ^")?.suggestions,
    );
  });

  for (const [text, expected] of [
    ["SELECT a FROM t LIMIT 1 ^", "EXCEPT FOR INTERSECT OFFSET UNION USING"],
    ["select a from t limit 1 of^", "except for intersect offset union using"],
    ["DELETE ^", "FROM"],
    ["CREATE MODEL m ^", "FROM PREDICT"],
    ["CREATE DATABASE d ^", "ENGINE PARAMETERS USING WITH"],
    [
      "SELECT a FROM t GROUP BY a HAVING ^",
      "CASE CAST CONVERT DATE EXISTS FALSE INTERVAL LATEST NOT,NOT EXISTS NULL TRUE",
    ],
    [
      "SELECT a, FROM t WHERE a = 1 ORDER BY a DESC ^",
      "ASC DESC EXCEPT,FETCH FIRST FOR INTERSECT LIMIT,NULLS FIRST,NULLS LAST OFFSET UNION USING",
    ],
    ["CREATE VIEW v (SELECT a FROM t LIMIT 1 ^", "EXCEPT FOR INTERSECT OFFSET UNION USING"],
    ["CREATE JOB j (DROP VIEW a; DELETE ^", "FROM"],
    ["SELECT * FROM ^", ""],
    ["SELECT a.^", ""],
  ] as const) {
    it(`offers the keywords that the grammar allows: ${text}`, () => {
      const keywords = offered(text, "keyword");
      assert.equal(keywords.sort().join(" "), expected.replaceAll(",", " "));
    });
  }

  for (const [text, expected] of [
    ["SELECT ^ FROM shop.public.orders o", "id, customer, `Total Sum`, o"],
    ["SELECT o.^ FROM shop.public.orders o WHERE", "id, customer, `Total Sum`"],
    ["SELECT public.orders.^ FROM shop.public.orders", "id, customer, `Total Sum`"],
    [
      "SELECT ^ FROM shop.orders JOIN shop.Customers c ON",
      "orders.id, customer, `Total Sum`, c.id, name, orders, c",
    ],
    ["SELECT * FROM cheap, files.homes WHERE ^", "price, sqft, cheap, homes"],
    [
      "SELECT * FROM shop.orders o WHERE EXISTS (SELECT 1 FROM shop.Customers c WHERE c.id = o.^)",
      "id, customer, `Total Sum`",
    ],
    [
      "WITH x AS (SELECT id, count(*) AS n, a + b, `Total Sum` FROM shop.orders) SELECT x.^ FROM x",
      "id, n, `Total Sum`",
    ],
    ["WITH x (p, q) AS (SELECT 1, 2) SELECT x.^ FROM x", "p, q"],
    ["WITH x AS (SELECT * FROM x) SELECT x.^ FROM x", ""],
    ["SELECT s.^ FROM (SELECT id i, o.* FROM shop.orders o) AS s", "i, id, customer, `Total Sum`"],
    ["SELECT * FROM shop (SELECT ^ FROM orders)", "id, customer, `Total Sum`, orders"],
    ["SELECT * FROM postgres (SELECT ^ FROM orders)", 'id, "Total Sum", orders'],
    ["SELECT * FROM postgres (SELECT 1 FROM ^)", 'orders, "Log"'],
    ["SELECT ^ FROM postgres.orders", "id, `Total Sum`, orders"],
    ["CREATE MODEL m FROM shop (SELECT id, name FROM Customers) PREDICT ^", "id, name"],
    ["INSERT INTO shop.orders (^)", "id, customer, `Total Sum`"],
    ["INSERT INTO shop.orders (id, ^", "id, customer, `Total Sum`"],
    ["UPDATE shop.orders SET ^", "id, customer, `Total Sum`"],
    ["SELECT 1; SELECT ^ FROM files.homes; SELECT a FROM shop.orders", "sqft, homes"],
    ["SELECT `s^ FROM files.homes", "`sqft`, `homes`"],
    [
      "SELECT * FROM ^",
      "rental_agent, guide, rent, cheap, files.homes, mindsdb, shop, files, `My Shop`, postgres",
    ],
    [
      "SELECT * FROM cheap JOIN ^ ON",
      "rental_agent, guide, rent, cheap, files.homes, mindsdb, shop, files, `My Shop`, postgres",
    ],
    ["SELECT * FROM shop.^ WHERE a = 1", "orders, `Customers`, archive.orders, public, archive"],
    ["SELECT * FROM shop.archive.^", "orders"],
    ["SELECT * FROM shop.public.c^", "orders, `Customers`"],
    ["SELECT * FROM shop (SELECT * FROM ^", "orders, `Customers`, archive.orders, public, archive"],
    ["INSERT INTO shop.^", "orders, `Customers`"],
    ["DROP AGENT ^", "rental_agent, mindsdb"],
    ["DROP VIEW ^", "cheap, mindsdb"],
    ["DROP JOB mindsdb.^", "nightly"],
    ["USE ^", "mindsdb, shop, files, `My Shop`, postgres"],
    ["CREATE AGENT ^", ""],
    ["SELECT a FROM cheap ^", ""],
  ] as const) {
    it(`offers the names that fit: ${text}`, () => {
      assert.equal(offered(text, ...nameKinds).join(", "), expected);
    });
  }

  for (const [text, expected] of [
    ["CREATE AGENT a USING model = {}, ^", "data = |prompt_template = |timeout = |mode = "],
    [
      "ALTER AGENT a USING model = {^}",
      '"provider": |"model_name": |"api_key": |"base_url": |"api_version": |"method": ',
    ],
    ["CREATE DATABASE d ENGINE = 'sqlite', PARAMETERS = {\"^\"}", '"db_file"'],
    ["CREATE DATABASE d ENGINE = 'clickhouse', PARAMETERS = {^}", '"host": |"protocol": '],
    ["CREATE DATABASE d WITH ENGINE = 'clickhouse', PARAMETERS = {^", '"host": |"protocol": '],
    ["CREATE DATABASE d ENGINE = 'constructor', PARAMETERS = {\"host\": 'h', ^}", postgresKeys],
    ["CREATE ML_ENGINE e FROM openai USING api_base = 'a', ^", "openai_api_key = "],
    ["CREATE ML_ENGINE e FROM other USING ^", ""],
    [
      'CREATE KNOWLEDGE_BASE k USING storage = a.b, preprocessing = {"text_chunking_config": {^',
      '"chunk_size": |"chunk_overlap": |"separators": ',
    ],
    ["SELECT a FROM t USING ^", ""],
    ["CREATE JOB j (SELECT 1) EVERY ^", "minute|hour|day|week|month"],
    ["CREATE JOB j (SELECT 1) START '2030-01-01' EVERY 2 h^", "minutes|hours|days|weeks|months"],
    ["SELECT every ^ FROM t", ""],
  ] as const) {
    it(`offers options: ${text}`, () => {
      assert.equal(offered(text, "option").join("|"), expected);
    });
  }

  for (const [text, expected] of [
    ["CREATE DATABASE d WITH ENGINE = ^", "'clickhouse', 'sqlite'"],
    ["create database d engine ^", "'clickhouse', 'sqlite'"],
    ["CREATE OR REPLACE DATABASE d ENGINE = cl^", "'clickhouse', 'sqlite'"],
    ["CREATE MODEL m PREDICT a USING engine = ^", "'lightwood', 'my openai'"],
    [
      "CREATE MODEL m FROM a (SELECT 1) PREDICT b USING x = 1, engine = l^",
      "'lightwood', 'my openai'",
    ],
    ["CREATE DATABASE d ENGINE = 'cl^'", "'clickhouse', 'sqlite'"],
    ["CREATE DATABASE d ENGINE = 'cl^', PARAMETERS = {'a': 1}", "'clickhouse', 'sqlite'"],
    ['CREATE DATABASE d ENGINE "^"', "'clickhouse', 'sqlite'"],
    ["CREATE MODEL m PREDICT a USING x = 'y', engine='^'", "'lightwood', 'my openai'"],
    ["CREATE ML_ENGINE e FROM ^", "openai"],
    ["CREATE ML_ENGINE e FROM '^'", ""],
    ["CREATE ML_ENGINE engine ^", ""],
    ["SELECT engine ^ FROM cheap", ""],
    ["SELECT 1 FROM cheap WHERE engine = ^", "price, cheap"],
  ] as const) {
    it(`offers engines: ${text}`, () => {
      assert.equal(offered(text, ...nameKinds).join(", "), expected);
    });
  }

  it("offers functions with their parameters where a value may be", () => {
    const round = complete("SELECT ^")?.suggestions.find(({ label }) => label === "round");
    assert.deepEqual(round, {
      kind: "function",
      label: "round",
      text: "round($0)",
      detail: "round(number, digits)",
    });
    assert.ok(offered("SELECT r^(a)").includes("round"));
    assert.ok(!offered("SELECT * FROM r^").includes("round($0)"));
  });

  it("replaces the word at the caret, and the quotes around it", () => {
    for (const [text, replaced] of [
      ["SELECT sq^ft FROM files.homes", "sqft"],
      ["SELECT `sq^ft` FROM files.homes", "`sqft`"],
      ["CREATE DATABASE d ENGINE = 'cl^ick', PARAMETERS = {'a': 1}", "'click'"],
      ["CREATE DATABASE d ENGINE = 'cl^", "'cl"],
      ["SELECT o.^ FROM shop.orders o", ""],
    ] as const) {
      const { start, end } = complete(text)!;
      assert.equal(text.replace("^", "").slice(start, end), replaced);
    }
  });

  it("offers names after a backtick that end it, whatever they hold", () => {
    const hostile = "x` WHERE a = 1; DROP TABLE y; -- ";
    const known = { ...names, objects: () => [{ name: hostile, type: "table" }] };
    const texts = complete("SELECT * FROM `^", known)!.suggestions.flatMap(({ kind, text }) =>
      kind === "table" ? [text] : [],
    );
    assert.deepEqual(texts, [`"${hostile}"`, `files."${hostile}"`]);
  });

  it("offers a limited number of columns, however often a statement names them", () => {
    const wide = Array.from({ length: 10_000 }, (_, at) => ({ name: `c${at}` }));
    const known = { ...names, columns: () => wide };
    const tables = Array.from({ length: 100 }, (_, at) => `cheap t${at}`).join();
    const list = complete(`SELECT ^ FROM ${tables}`, known)!.suggestions;
    assert.ok(list.length > 10_000 && list.length < 60_000, String(list.length));
    const written = wide.map(({ name }) => name).join();
    const stars = `SELECT ${"*, ".repeat(1_999)}* FROM ${"q, ".repeat(99)}q`;
    const inner = complete(`WITH q (${written}) AS (SELECT 1) SELECT z.^ FROM (${stars}) z`)!;
    assert.ok(inner.suggestions.length >= 10_000);
  });

  it("offers nothing in texts, comments and numbers", () => {
    for (const text of ["SELECT 'a^", 'SELECT "a^', "-- a^", "/* a^", "SELECT 12^", "SELECT :a^"]) {
      assert.equal(complete(text), undefined, text);
    }
  });

  it("offers only keywords with which the server's parser goes on", () => {
    const recorded = JSON.parse(
      fs.readFileSync(new URL("../../fixtures/sqlPlaces.json", import.meta.url), "utf8"),
    ) as [sql: string, place: unknown][];
    for (const [sql, place] of recorded) {
      if (place !== true || sql.length > 300) continue;
      for (const { start } of grammar.lexSql(sql, false).tokens) {
        const before = sql.slice(0, start);
        const { tokens } = grammar.lexSql(before, false);
        for (const keyword of grammar.readCaretPosition(tokens)?.keywords ?? []) {
          const { problem } = parseSql(`${before} ${keyword}`);
          const isRefused = problem?.kind === "token" && problem.start > before.length;
          assert.ok(!isRefused, `${before} ${keyword}`);
        }
      }
    }
  });

  const parts = [
    ..."SELECT FROM WHERE WITH AS JOIN ON UNION INSERT INTO UPDATE SET CREATE VIEW USING".split(
      " ",
    ),
    ...["(", ")", "((", ",", ".", ";", "*", "- ", "'", '"', "`", "@'a", "/*", "--", "\n", "{", "}"],
    ...["a", "b", "`c d`", "1", "é", "#", "\\", "\ud83d", "GROUP BY", "shop", "shop.orders"],
  ];

  it("never throws, whatever is written", () => {
    let seed = 1;
    const next = (count: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % count;
    };
    for (let round = 0; round < 3_000; round++) {
      const text = Array.from({ length: next(30) }, () => parts[next(parts.length)]).join(
        next(2) ? " " : "",
      );
      const offset = next(text.length + 1);
      assert.doesNotThrow(() => completeSql(text, offset, grammar, names), `${text} at ${offset}`);
    }
  });

  for (const part of [...parts, "a = ", "(SELECT ", "a JOIN ", "a, ", "a.", ") a", "- 1 )"]) {
    it(`takes linear time for ${JSON.stringify(part)}`, () => {
      const make = (size: number): string => `SELECT ${part.repeat(size / part.length)} `;
      const run = (sql: string): unknown => completeSql(sql, sql.length, grammar, names);
      assertLinear({ name: part, make, run });
    });
  }

  it("offers nothing of a server that would end what it is written into", () => {
    const hostile = [
      ...hostileTexts,
      "x = 1; DROP DATABASE y; --",
      '": 1}; DROP DATABASE y; --',
      "a\\",
    ];
    const known: SqlNames = {
      ...names,
      handlers: () => [...hostile, "plain"].map((name) => ({ name, keys: [...hostile, "host"] })),
      mlEngines: () => hostile,
      objects: () => hostile.map((name) => ({ name: `${name}" `, type: "table" })),
    };
    const texts = (sql: string): string[] =>
      complete(`${sql}^`, known)!
        .suggestions.filter(({ kind }) => ["option", "object", "table"].includes(kind))
        .map(({ label, text = label }) => text);
    const engine = "CREATE DATABASE d ENGINE = 'plain', PARAMETERS = ";
    assert.deepEqual(texts("CREATE ML_ENGINE e FROM plain USING "), ["host = "]);
    assert.deepEqual(texts(`${engine}{`), ['"host": ']);
    assert.deepEqual(texts(`${engine}{"`), ['"host"']);
    for (const sql of ["CREATE DATABASE d ENGINE = ", "CREATE MODEL m PREDICT y USING engine = "]) {
      assert.ok(texts(sql).length > 5);
      for (const text of texts(sql)) {
        const { tokens } = grammar.lexSql(text, false);
        assert.deepEqual(
          tokens.map(({ kind }) => kind),
          ["SINGLE_QUOTED"],
          text,
        );
      }
    }
    for (const text of texts("SELECT * FROM postgres (SELECT * FROM ")) {
      assert.match(text, /^"[^"]*"$/, text);
    }
  });

  it("does not repeat a long alias for each column of its table", () => {
    const columns = Array.from({ length: 2_000 }, (_, at) => `c${String(at)}`).join();
    const from = ["a", "b"].map((name) => `(SELECT ${columns}) AS ${name.repeat(2_000)}`);
    const { suggestions } = complete(`SELECT ^ FROM ${from.join()}`)!;
    assert.ok(suggestions.every(({ label, text = "" }) => label.length + text.length < 3_000));
    assert.ok(suggestions.some(({ kind }) => kind === "function"));
  });
});
