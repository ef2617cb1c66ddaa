import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { formatModelName, parseModelName } from "../../../src/predict/notebook/modelName.ts";
import {
  maxBatchRows,
  parseRecipe,
  recipeKeys,
  type RecipeProblem,
} from "../../../src/predict/notebook/recipe.ts";
import { serverSourceKeys } from "../../../src/predict/notebook/serverSource.ts";
import { rowBytes, rowPlace } from "../../../src/predict/rows/row.ts";

interface SchemaProperty {
  description?: string;
  maximum?: number;
  oneOf?: { properties?: Record<string, SchemaProperty> }[];
}

/** What a problem is about, as it stands in the recipe, and what it says. */
function marked(text: string): [at: string, message: string][] {
  const { recipe, problems } = parseRecipe(text);
  assert.equal(recipe === undefined, problems.length > 0);
  return problems.map(({ start, end, message }: RecipeProblem) => [
    text.slice(start, end),
    message,
  ]);
}

describe("model names", () => {
  it("are project and name, and a version if there is one", () => {
    assert.deepEqual(parseModelName("mindsdb.rentals"), { project: "mindsdb", name: "rentals" });
    assert.deepEqual(parseModelName("p.m.12"), { project: "p", name: "m", version: 12 });
    assert.deepEqual(parseModelName("p.2"), { project: "p", name: "2" });
    assert.deepEqual(parseModelName("rentals"), { project: "mindsdb", name: "rentals" });
    assert.deepEqual(parseModelName("`my model`"), { project: "mindsdb", name: "my model" });
    assert.deepEqual(parseModelName("`a.b`.`c ``d```.3"), {
      project: "a.b",
      name: "c `d`",
      version: 3,
    });
    for (const wrong of [
      "",
      "p.",
      ".m",
      "p.m.x",
      "p.m.0",
      "p.m.1.2",
      "p m.x",
      "`p.m",
      "p..m",
      "p.m.`2`",
      "``.m",
      `p.${"m".repeat(4_095)}`,
    ]) {
      assert.equal(parseModelName(wrong), undefined, wrong);
    }
  });

  it("are parsed from their own format", () => {
    const name = fc.string({
      minLength: 1,
      unit: fc.oneof(fc.constantFrom(".", "`", " ", "1", "a"), fc.string()),
    });
    const named = fc.record(
      {
        project: name.filter(Boolean),
        name: name.filter(Boolean),
        version: fc.integer({ min: 1, max: 999 }),
      },
      { requiredKeys: ["project", "name"] },
    );
    fc.assert(
      fc.property(named, (model) =>
        assert.deepEqual(parseModelName(formatModelName(model)), { ...model }),
      ),
    );
  });
});

describe("recipes", () => {
  it("name a model and a file of rows", () => {
    const text =
      '{"model": "mindsdb.rentals.2", "rows": "data/homes.jsonl",\n "limit": 10, "batchRows": 500}';
    const { recipe, values } = parseRecipe(text);
    assert.deepEqual(recipe, {
      model: { project: "mindsdb", name: "rentals", version: 2 },
      rows: { file: "data/homes.jsonl", format: "jsonLines" },
      params: undefined,
      limit: 10,
      batchRows: 500,
    });
    assert.equal(text.slice(values.model?.start, values.model?.end), '"mindsdb.rentals.2"');
    assert.equal(text.slice(values.limit?.start, values.limit?.end), "10");
  });

  it("name two models for one set of rows", () => {
    const read = (models: unknown) => parseRecipe(JSON.stringify({ models, rows: "a.csv" })).recipe;
    assert.deepEqual(read(["p.m.1", "p.m"]), {
      model: { project: "p", name: "m", version: 1 },
      comparedWith: { project: "p", name: "m" },
      rows: { file: "a.csv", format: "csv" },
      params: undefined,
      limit: undefined,
      batchRows: undefined,
    });
    for (const wrong of [
      [],
      ["p.m"],
      ["p.m", "p.m"],
      ["m", "mindsdb.m"],
      ["a", "b", "c"],
      "p.m",
      [["a"], ["b"]],
      ["a", 3],
    ]) {
      const [[at, message] = []] = marked(JSON.stringify({ models: wrong, rows: "a.csv" }));
      assert.equal(at, JSON.stringify(wrong));
      assert.match(message ?? "", /^Specify two different models/);
    }
    assert.deepEqual(
      marked('{"models": ["p.m", "p..\\"m"], "rows": "a.csv"}')[0]?.[0],
      '"p..\\"m"',
    );
    assert.deepEqual(marked('{"model": "p.m", "models": ["p.m", "p.n"], "rows": "a.csv"}'), [
      ['"p.m"', "“model” can't be used with “models”."],
    ]);
  });

  it("name a table of the server, with a condition and a limit, or a query", () => {
    const rowsOf = (rows: unknown) =>
      parseRecipe(JSON.stringify({ model: "p.m", rows })).recipe?.rows;
    assert.deepEqual(rowsOf({ table: "files.`my homes`" }), {
      source: { table: ["files", "my homes"] },
      table: "files.`my homes`",
    });
    assert.deepEqual(rowsOf({ table: "pg.public.homes", where: "sqft > 800 -- large", limit: 7 }), {
      source: { table: ["pg", "public", "homes"], where: "sqft > 800 -- large" },
      table: "pg.public.homes",
      limit: 7,
    });
    const select = "WITH a AS (SELECT 1 AS b) SELECT * FROM a;";
    assert.deepEqual(rowsOf({ sql: select }), { source: { select } });
  });

  it("keep rows and params unchanged, each row with its place in the recipe", () => {
    const text =
      '{"model": "p.m", "rows": [{"ä": 9007199254740993},\n  {"a": -0, "a": 1e400}],\n "params": { "x" : 0.10 }}';
    const { recipe } = parseRecipe(text);
    assert.ok(Array.isArray(recipe?.rows));
    assert.deepEqual(
      recipe.rows.map((row) => rowBytes(row).toString()),
      ['{"ä": 9007199254740993}', '{"a": -0, "a": 1e400}'],
    );
    assert.deepEqual(recipe.rows.map(rowPlace), [
      { line: 1, column: 27 },
      { line: 2, column: 3 },
    ]);
    assert.equal(recipe.params, '{ "x" : 0.10 }');
  });

  it("accept file extensions in any case, and .ndjson and .tsv", () => {
    const detectRowsFormat = (file: string): unknown =>
      parseRecipe(`{"model":"p.m","rows":"${file}"}`).recipe?.rows;
    assert.deepEqual(detectRowsFormat("A.JSON"), { file: "A.JSON", format: "json" });
    assert.deepEqual(detectRowsFormat("a.ndjson"), { file: "a.ndjson", format: "jsonLines" });
    assert.deepEqual(detectRowsFormat("a.b.tsv"), { file: "a.b.tsv", format: "csv" });
    assert.equal(detectRowsFormat("a.constructor"), undefined);
  });

  it("do not take a saved run of an agent for rows", () => {
    const text = '{"model":"p.m","rows":"answer.mindsdb-run.json"}';
    assert.equal(parseRecipe(text).recipe?.rows, undefined);
  });

  const good = '"model": "p.m", "rows": "r.json"';
  const rows = (text: string) => `{"model": "p.m", "rows": ${text}}`;
  /** Texts with the part in «» that is marked. */
  const wrong: [title: string, text: string, message: RegExp][] = [
    ["no text", "« »\n", /looks like this/],
    ["no object", " «[»1]", /starts with \{/],
    ["no JSON", `{"ä": "日本", ${good}, «l»imit: 1}`, /Property names must be in double quotes/],
    ["a recipe cut off", `{${good}«»`, /has no closing }/],
    ["a second recipe", `{${good}}\n«{»}`, /Remove the text after/],
    [
      "an unknown key",
      `{«"é"»: 1, ${good}}`,
      /property “é”.*“model”, “models”, “rows”, “into”, “params”/,
    ],
    ["a key twice", `{${good}, «"model"»: "p.x"}`, /twice/],
    ["no model", '«{"rows": "r.json"}»', /Specify the model/],
    ["no rows", '«{"model": "p.m"}»', /Specify the rows/],
    ["a model of two words", '{"model": «"m m"», "rows": "r.json"}', /"project.name"/],
    ["a model that is no text", '{"model": «1», "rows": "r.json"}', /"project.name"/],
    ["rows of no known kind", rows('«"r.txt"»'), /\.json, \.jsonl, or \.csv/],
    ["rows that are a number", rows("«1»"), /a file.*a list/],
    ["no table", rows("«{}»"), /"table": "source\.table"/],
    [
      "an unknown key of rows",
      rows('{«"tabel"»: "a.b"}'),
      /“tabel”.*“table”, “where”, “sql”, “limit”/,
    ],
    ["a table without its source", rows('{"table": «"homes"»}'), /"source\.table"/],
    [
      "a table with a backtick in its name",
      rows('{"table": «"files.`a``\\"b`"»}'),
      /"source\.table"/,
    ],
    [
      "a condition that leads out",
      rows('{"table": "a.b", "where": «"1); DROP TABLE a.b --"»}'),
      /one SELECT/,
    ],
    [
      "a condition that reads another table",
      rows('{"table": "a.b", "where": «"1=1) UNION SELECT * FROM c.d WHERE (1=1"»}'),
      /brackets/,
    ],
    [
      "a condition of comments",
      rows('{"table": "a.b", "where": «"-- none"»}'),
      /A condition must be a string/,
    ],
    ["a table twice", rows('{"table": "a.b", «"table"»: "a.c"}'), /“table” appears twice/],
    ["a comment behind it", `{${good}} «/»/ all`, /JSON can.t have comments/],
    ["a comment before it", `«/»* all */ {${good}}`, /JSON can.t have comments/],
    [
      "a condition that is no text",
      rows('{"table": "a.b", "where": «1»}'),
      /A condition must be a string/,
    ],
    [
      "a statement that changes something",
      rows('{"sql": «"DROP TABLE a.b"»}'),
      /Only a SELECT that can't change anything/,
    ],
    ["a statement that is no SELECT", rows('{"sql": «"SHOW MODELS"»}'), /Only a SELECT/],
    ["no statement", rows('{"sql": «" -- "»}'), /one SELECT/],
    [
      "a search that may cost money",
      rows('{"sql": «"SELECT * FROM a.b WHERE content = 1"»}'),
      /paid model/,
    ],
    [
      "lists of the server",
      rows('{"sql": «"SELECT * FROM information_schema.databases"»}'),
      /credentials/,
    ],
    ...["mindsdb.agents", "`mindsdb.agents`.1", "log.llm_log", "MindsDB.Views"].map(
      (table): [string, string, RegExp] => [
        `the list ${table}`,
        rows(`{"table": «${JSON.stringify(table)}»}`),
        /credentials/,
      ],
    ),
    [
      "a table beside a statement",
      rows('{"sql": "SELECT 1", "table": «"a.b"»}'),
      /“table” can't be used with “sql”/,
    ],
    ["a wrong limit of rows", rows('{"table": "a.b", "limit": «0»}'), /whole number/],
    ["a list without rows", rows("«[]»"), /no rows/],
    ["a row that is no object", '{"model": "p.m",\n "rows": [{"é":1}, «"»x"]}', /This row is text/],
    [
      "a target that is no table",
      rows('{"table": "a.b"}, "into": «"out"»'),
      /^A table is "source\.table"/,
    ],
    [
      "a target beside rows of a file",
      `{${good}, "into": «"files.out"»}`,
      /^To write predictions into a table, use rows on the server/,
    ],
    [
      "a target that the rows are read from",
      rows('{"table": "s.Out"}, "into": «"s.out"»'),
      /^The rows are read from this table/,
    ],
    [
      "a target that no uploaded table can be called",
      rows('{"table": "a.b"}, "into": «"files.My-Out"»'),
      /^Table names in files can contain only lowercase letters/,
    ],
    [
      "params beside a target",
      rows('{"table": "a.b"}, "into": "s.out", "params": «{}»'),
      /^“params” can't be used with “into”\.$/,
    ],
    [
      "two models beside a target",
      '{"models": «["p.m.1", "p.m.2"]», "rows": {"table": "a.b"}, "into": "s.out"}',
      /^“models” can't be used with “into”\.$/,
    ],
    ["params that are a list", `{${good}, "params": «[1]»}`, /an object/],
    ["a limit of 0", `{${good}, "limit": «0»}`, /“limit” must be a whole number of at least 1\./],
    ["a limit in quotes", `{${good}, "limit": «"5"»}`, /a whole number/],
    ["half a batch", `{${good}, "batchRows": «1.5»}`, /“batchRows” must be .* from 1 to 10000/],
    ["too large a batch", `{${good}, "batchRows": «10001»}`, /from 1 to 10000/],
  ];
  for (const [title, text, message] of wrong) {
    it(`mark ${title}`, () => {
      const { recipe, problems } = parseRecipe(text.replace(/[«»]/g, ""));
      assert.equal(recipe, undefined);
      assert.equal(problems.length, 1);
      const { start, end } = problems[0]!;
      assert.deepEqual([start, end], [text.indexOf("«"), text.indexOf("»") - 1]);
      assert.match(problems[0]!.message, message);
    });
  }

  it("read the table that predictions are written into", () => {
    const text = '{"model": "p.m", "rows": {"sql": "SELECT 1"}, "into": "pg.public.`my out`"}';
    assert.deepEqual(parseRecipe(text).recipe?.into, {
      name: "pg.public.`my out`",
      parts: ["pg", "public", "my out"],
    });
  });

  it("report all problems, and still find the values", () => {
    const text = '{"model": 1, "rows": "x", "other": true}';
    assert.deepEqual(
      marked(text)
        .map(([at]) => at)
        .sort(),
      ['"other"', '"x"', "1"].sort(),
    );
    assert.deepEqual(Object.keys(parseRecipe(text).values), ["model", "rows"]);
  });

  it("match their JSON schema", () => {
    const file = path.resolve(import.meta.dirname, "../../../media/predict.schema.json");
    const schema = JSON.parse(fs.readFileSync(file, "utf8")) as {
      required?: string[];
      properties: Record<string, SchemaProperty>;
    };
    assert.deepEqual(Object.keys(schema.properties), [...recipeKeys]);
    // What is missing is marked by the extension, in its own words and only once.
    assert.equal(schema.required, undefined);
    for (const { description } of Object.values(schema.properties)) {
      assert.match(description ?? "", /\.$/);
    }
    assert.equal(schema.properties["batchRows"]?.maximum, maxBatchRows);
    const ofServer = schema.properties["rows"]?.oneOf?.at(-1)?.properties;
    assert.deepEqual(Object.keys(ofServer ?? {}).sort(), [...serverSourceKeys].sort());
  });
});
