// The colors of MindsDB SQL, as VS Code's own reader of grammars gives them.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";
import { sqlKeywords } from "../../../src/mindsdb/sql/sqlKeywords.ts";

const root = path.resolve(import.meta.dirname, "..", "..", "..");
const grammarFile = path.join(root, "media", "mindsdb-sql.tmLanguage.json");

describe("The colors of MindsDB SQL", () => {
  let grammar: textmate.IGrammar;

  before(async () => {
    const wasm = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
    await oniguruma.loadWASM(fs.readFileSync(wasm));
    const registry = new textmate.Registry({
      onigLib: Promise.resolve({
        createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
        createOnigString: (text) => new oniguruma.OnigString(text),
      }),
      loadGrammar: () =>
        Promise.resolve(
          textmate.parseRawGrammar(fs.readFileSync(grammarFile, "utf8"), grammarFile),
        ),
    });
    const loaded = await registry.loadGrammar("source.mindsdb-sql");
    assert.ok(loaded);
    grammar = loaded;
  });

  /** The texts that have a color, as `kind: text`; keywords as the text alone. */
  const colorsOf = (sql: string): string[] => {
    const found: string[] = [];
    let state = textmate.INITIAL;
    for (const line of sql.split("\n")) {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      for (const { startIndex, endIndex, scopes } of tokens) {
        const kind = scopes.at(-1)?.replace(".mindsdb-sql", "") ?? "";
        const text = line.slice(startIndex, endIndex).trim();
        if (text === "" || kind.startsWith("source") || kind === "keyword.operator") continue;
        found.push(kind === "keyword.other" ? text : `${kind}: ${text}`);
      }
    }
    return found;
  };

  it("are those of keywords only where a word is one", () => {
    assert.deepEqual(
      colorsOf("SELECT location, name, status, model, date FROM files.home_rentals"),
      ["SELECT", "FROM"],
    );
    assert.deepEqual(colorsOf("SELECT t.from, t.order FROM mindsdb.select AS t"), [
      ...["SELECT", "FROM", "AS"],
    ]);
    assert.deepEqual(colorsOf("SELECT latest.id, every FROM start WHERE engine.name IS NOT NULL"), [
      ...["SELECT", "FROM", "WHERE", "IS", "NOT", "constant.language: NULL"],
    ]);
  });

  it("are those of a keyword for each word that is never a name", () => {
    const constants = new Set(["true", "false", "null"]);
    for (const word of sqlKeywords) {
      const expected = constants.has(word) ? `constant.language: ${word}` : word;
      assert.deepEqual(colorsOf(word), [expected]);
      assert.deepEqual(colorsOf(`a.${word}`), []);
    }
  });

  it("are those of statements about the server's objects", () => {
    for (const [sql, ...keywords] of [
      ["SHOW TABLES FROM files", "SHOW TABLES", "FROM"],
      ["show full tables", "show full tables"],
      ["SHOW KNOWLEDGE BASES", "SHOW KNOWLEDGE BASES"],
      ["CREATE OR REPLACE VIEW v AS (SELECT 1)", "CREATE OR REPLACE VIEW", "AS", "SELECT"],
      ["CREATE TABLE IF NOT EXISTS a.b (SELECT 1)", "CREATE TABLE", "IF NOT EXISTS", "SELECT"],
      ["DROP DATABASE IF EXISTS shop", "DROP DATABASE", "IF EXISTS"],
      ["CREATE JOB j AS (SELECT 1) EVERY 2 hours", "CREATE JOB", "AS", "SELECT", "EVERY"],
      [
        "CREATE MODEL m FROM f (SELECT 1) PREDICT price",
        "CREATE MODEL",
        "FROM",
        "SELECT",
        "PREDICT",
      ],
      ["FINETUNE m FROM f (SELECT 1)", "FINETUNE", "FROM", "SELECT"],
      ["START TRANSACTION", "START TRANSACTION"],
    ] as const) {
      const found = colorsOf(sql).filter((text) => !text.startsWith("constant.numeric"));
      assert.deepEqual(found, keywords, sql);
    }
  });

  it("tell texts, numbers, functions, types, parameters, and comments", () => {
    assert.deepEqual(
      colorsOf("SELECT count(*), CAST(a AS int), b::text FROM t -- no SELECT\nWHERE c = :place"),
      [
        ...["SELECT", "support.function: count", "CAST", "AS", "storage.type: int"],
        ...["storage.type: text", "FROM", "comment.line.double-dash: -- no SELECT"],
        ...["WHERE", "variable.parameter: :place"],
      ],
    );
    assert.deepEqual(colorsOf("LIMIT 10 OFFSET 2.5"), [
      ...["LIMIT", "constant.numeric: 10", "OFFSET", "constant.numeric: 2.5"],
    ]);
    for (const text of ["'it''s \\' FROM'", "''", "''''", '"from"', "'a' 'b'"]) {
      for (const one of colorsOf(text)) assert.match(one, /^string\.quoted\./, text);
    }
    assert.equal(colorsOf("'a''' FROM 'b'").filter((one) => one === "FROM").length, 1);
    for (const one of colorsOf("/* a\nFROM */")) assert.match(one, /^comment\.block/);
    for (const one of colorsOf("`from`")) assert.match(one, /^string\.quoted\.other\.backtick/);
    assert.deepEqual(colorsOf("SELECT * FROM shop (SELECT 1)"), [
      ...["SELECT", "FROM", "SELECT", "constant.numeric: 1"],
    ]);
  });
});
