// What a name in SQL refers to, for hovers and definitions.
import assert from "node:assert/strict";
import * as grammar from "../../../src/mindsdb/sql/parser/caretPosition.ts";
import { findMeaning } from "../../../src/predict/completion/sqlMeaning.ts";
import { assertLinear } from "../../linearTime.ts";
import { names } from "./sqlNames.ts";

/** What is said of the name at "^", in one line. */
function say(text: string): string {
  const offset = text.indexOf("^");
  const sql = text.replace("^", "");
  const meaning = findMeaning(sql, offset, grammar, names);
  if (!meaning) return "";
  const at = sql.slice(meaning.span.start, meaning.span.end);
  const list = (columns: readonly { name: string }[]): string =>
    columns.map(({ name }) => name).join(" ");
  switch (meaning.kind) {
    case "function":
      return `${at}: ${meaning.signature}`;
    case "column":
      return `${at}: column ${meaning.column.type ?? "?"} of ${meaning.table ?? "?"}`;
    case "alias": {
      const { start } = meaning.definition;
      return `${at}: alias at ${start} of ${meaning.path?.join(".") ?? "a query"} (${list(meaning.columns)})`;
    }
    case "database":
      return `${at}: ${meaning.isProject ? "project" : "source"} ${meaning.name}`;
    case "object":
      return `${at}: ${meaning.type} ${meaning.path.join(".")} (${list(meaning.columns)})`;
  }
}

describe("The meaning of a name in SQL", () => {
  for (const [text, expected] of [
    ["SELECT * FROM sh^op.orders", "shop: source shop"],
    ["SELECT * FROM shop.or^ders", "orders: table shop.public.orders (id customer Total Sum)"],
    [
      "SELECT * FROM shop.PUBLIC.`orders`^",
      "`orders`: table shop.public.orders (id customer Total Sum)",
    ],
    ["SELECT * FROM che^ap", "cheap: view mindsdb.cheap (price)"],
    ["SELECT * FROM mindsdb.re^nt.2", "rent: model mindsdb.rent ()"],
    ["DROP KNOWLEDGE_BASE gui^de", "guide: knowledge_base mindsdb.guide ()"],
    ["SELECT id^ FROM shop.orders", "id: column int of orders"],
    ["SELECT 1; SELECT o.`Total Sum^` FROM shop.orders o", "`Total Sum`: column ? of o"],
    [
      "SELECT ^o.id FROM shop.orders AS o",
      "o: alias at 32 of shop.public.orders (id customer Total Sum)",
    ],
    [
      "SELECT 1 FROM shop.orders o^",
      "o: alias at 26 of shop.public.orders (id customer Total Sum)",
    ],
    [
      "WITH a AS (SELECT id AS n FROM shop.orders) SELECT * FROM a^",
      "a: alias at 5 of a query (n)",
    ],
    ["WITH a AS (SELECT id AS n FROM shop.orders) SELECT n^ FROM a", "n: column ? of a"],
    ["WITH a^ AS (SELECT id AS n FROM shop.orders) SELECT 1", "a: alias at 5 of a query (n)"],
    ["WITH a AS (SELECT 1 AS n) SELECT a^.n FROM a", "a: alias at 5 of a query (n)"],
    ["WITH a AS (SELECT 1 AS n) SELECT a^.n FROM b a", "a: alias at 44 of a query ()"],
    ["SELECT q.n^ FROM (SELECT 1 AS n) q", "n: column ? of q"],
    [
      "SELECT orders^.id FROM shop.orders",
      "orders: table shop.public.orders (id customer Total Sum)",
    ],
    ["SELECT date_tr^unc('day', id) FROM shop.orders", "date_trunc: date_trunc(part, date)"],
    ["SELECT LEFT^('a', 1)", "LEFT: left(text, count)"],
    ["USE mind^sdb", "mindsdb: project mindsdb"],
    ["CREATE VIEW v AS (SELECT id^ FROM shop.orders)", "id: column int of orders"],
    ["SELECT * FROM nosuch^", ""],
    ["SELECT nosuch^ FROM shop.orders", ""],
    ["SELECT 'id^' FROM shop.orders", ""],
    ["SELECT * -- id^\nFROM shop.orders", ""],
    ["^", ""],
    ["SELECT id FROM shop.orders ^", ""],
  ] as const) {
    it(`is "${expected}" in ${text}`, () => assert.equal(say(text), expected));
  }

  it("is found in broken statements, in linear time", () => {
    assert.equal(say("SELECT id^ FROM FROM shop.orders WHERE ("), "id: column int of orders");
    assertLinear({
      name: "the meaning of the last name",
      size: 2_000,
      make: (count) => `SELECT ${"a.b, ".repeat(count)} x FROM ${"shop.orders, ".repeat(count)} y`,
      run: (sql) => findMeaning(sql, sql.length - 1, grammar, names),
    });
    assertLinear({
      name: "a long name among many",
      size: 5_000,
      make: (count) => ({
        sql: `SELECT * FROM ${"A".repeat(10 * count)}`,
        objects: Array.from({ length: count }, (_, at) => ({ name: `T${at}`, type: "table" })),
      }),
      run: ({ sql, objects }) =>
        findMeaning(sql, sql.length, grammar, { ...names, objects: () => objects }),
    });
  });
});
