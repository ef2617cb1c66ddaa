import assert from "node:assert/strict";
import MarkdownIt from "markdown-it";
import Papa from "papaparse";
import fc from "fast-check";
import { isAppError } from "../../../../src/mindsdb/errors.ts";
import { parseSql } from "../../../../src/mindsdb/sql/parser/parseSql.ts";
import { tokenizeSql } from "../../../../src/mindsdb/sql/sqlTokens.ts";
import { ClipboardText } from "../../../../src/predict/result/clipboardText.ts";
import type { CopyFormat, ResultColumn } from "../../../../src/predict/messages.ts";
import { withoutFormulas } from "../../../../src/shared/spreadsheetText.ts";

const columns: ResultColumn[] = [
  { name: "price", part: "predicted", kind: "number" },
  { name: "price", part: "actual", kind: "number" },
  { name: "price", part: "error", kind: "number" },
  { name: "note", part: "input", kind: "text" },
];

function copied(rows: (string | undefined)[][], format: CopyFormat, of = columns): string {
  const text = new ClipboardText(of, format);
  for (const row of rows) text.add([row]);
  return text.text;
}

const texts = fc.string({ unit: fc.constantFrom(..."ab1 \t\n\r\"',;|\\`*_<>[]&é😀=~#".split("")) });
const asColumns = (names: string[]): ResultColumn[] =>
  names.map((name) => ({ name, part: "input", kind: "text" }));

describe("a copy as TSV", () => {
  it("has the cells, numbers with all digits, and null and absent values empty", () => {
    const row = ["9007199254740993", "0.10", undefined, '"a b"'];
    assert.equal(
      copied([row, ["null", "1e400", "-0", '""']], "tsv"),
      "9007199254740993\t0.10\t\ta b\n\t1e400\t-0\t",
    );
  });

  it("can be read back, whatever the cells hold, also as CSV", () => {
    // What starts like a formula is told apart below.
    const cells = texts.map((text) => (/^(?:\p{L}|$)/u.test(text) ? text : `a${text}`));
    fc.assert(
      fc.property(fc.array(fc.tuple(cells, cells), { minLength: 1 }), (rows) => {
        // A line with nothing but an empty cell is none to papaparse.
        const marked = rows.map((row) => [...row, "end"]);
        const values = marked.map((row) => row.map((cell) => JSON.stringify(cell)));
        for (const [format, delimiter] of [
          ["tsv", "\t"],
          ["csv", ","],
        ] as const) {
          const text = copied(values, format, asColumns(["a", "b", "c"]));
          const { data, errors } = Papa.parse(text, { delimiter, newline: "\n" });
          assert.deepEqual(errors, []);
          const escaped = marked.map((row) => row.map(withoutFormulas));
          assert.deepEqual(data, format === "csv" ? escaped : marked);
        }
      }),
    );
  });
});

describe("a copy for a spreadsheet", () => {
  it("starts no formula in cells and names, and keeps numbers", () => {
    const formulas = ["=1+1", "+1+1", "-1+1", "@sum(a)", '=HYPERLINK("http://x")'];
    const text = new ClipboardText(asColumns(formulas), "tsv");
    text.addHeader();
    text.add([formulas.map((formula) => JSON.stringify(formula))]);
    const { data } = Papa.parse<string[]>(text.text, { delimiter: "\t", newline: "\n" });
    for (const line of data) {
      assert.deepEqual(
        line,
        formulas.map((formula) => `'${formula}`),
      );
    }
    assert.equal(copied([["-1", "-1e400", '"-5"', '"a=b"']], "tsv"), "-1\t-1e400\t-5\ta=b");
  });
});

describe("a copy as JSON", () => {
  it("is a list of rows with unchanged values, without absent ones", () => {
    const text = copied(
      [
        ["9007199254740993", "0.10", "-0", String.raw`"\u00e9"`],
        ["1", undefined, undefined, '{"a":[1]}'],
      ],
      "json",
    );
    assert.equal(
      text,
      String.raw`[
  {"price (predicted)": 9007199254740993, "price": 0.10, "price (error)": -0, "note": "\u00e9"},
  {"price (predicted)": 1, "note": {"a":[1]}}
]`,
    );
    assert.equal((JSON.parse(text) as unknown[]).length, 2);
  });

  it("works for names like __proto__ and any text", () => {
    const text = copied([["1", '"x"']], "json", asColumns(["__proto__", '"\n<b>']));
    assert.deepEqual(Object.entries((JSON.parse(text) as [object])[0]), [
      ["__proto__", 1],
      ['"\n<b>', "x"],
    ]);
  });
});

describe("a copy as Markdown", () => {
  it("is a table with a header and right-aligned numbers", () => {
    assert.equal(
      copied([["1", "2", "-1", '"a|b\\nc"']], "markdown"),
      [
        "| price (predicted) | price | price (error) | note |",
        "| --: | --: | --: | --- |",
        "| 1 | 2 | -1 | a\\|b c |",
      ].join("\n"),
    );
  });

  it("escapes all markup", () => {
    const markdown = new MarkdownIt({ html: true });
    fc.assert(
      fc.property(texts, texts, (name, cell) => {
        const text = copied(
          [[JSON.stringify(cell), '"end"']],
          "markdown",
          asColumns([name, "end"]),
        );
        const tokens = markdown.parse(text, {});
        const inline = tokens.filter(({ type }) => type === "inline");
        assert.equal(inline.length, 4);
        const shown = inline.map(({ children }) => {
          assert.ok(children!.every(({ type }) => type.startsWith("text")));
          return children!.map(({ content }) => content).join("");
        });
        const plain = (value: string): string => value.replace(/\s+/g, " ").trim();
        assert.deepEqual(shown, [plain(name), "end", plain(cell), "end"]);
      }),
      { examples: [["<img src=x onerror=alert(1)>", "[a](http://127.0.0.1)"]] },
    );
  });
});

describe("a copy as SQL", () => {
  const named = asColumns(["id", "Order", "select", "a b", "id"]);

  it("inserts rows, with names that are quoted where they must be, and NULL", () => {
    const text = copied(
      [
        ["9007199254740993", "-0.10", "1e400", "true", "null"],
        [undefined, '"it\'s"', '""', '{"a":[1]}', '"1; DROP TABLE t --"'],
      ],
      "insert",
      named,
    );
    assert.equal(
      text,
      "INSERT INTO table_name (id, `Order`, `select`, `a b`, id_1)\nVALUES\n" +
        "  (9007199254740993, -0.10, '1e400', TRUE, NULL),\n" +
        "  (NULL, 'it''s', '', '{\"a\":[1]}', '1; DROP TABLE t --');",
    );
    assert.ok(parseSql(text).tree);
  });

  it("has the values of one column in a list, each once and without NULL", () => {
    const [id] = named;
    const rows = [["1"], ["null"], ["\"x') OR ('a\""], ["1"], [undefined]];
    const text = copied(rows, "inList", [id!]);
    assert.equal(text, "(1, 'x'') OR (''a')");
    assert.ok(parseSql(`SELECT a FROM t WHERE b IN ${text}`).tree);
    assert.throws(() => copied([["1", "2"]], "inList", named.slice(0, 2)), /one column/);
  });

  it("is refused where SQL can't express a text or a name", () => {
    for (const value of ["'a", "a'", "a\\", "a\\'b"]) {
      const row = [JSON.stringify(value)];
      const isRefused = (error: unknown) => isAppError(error, "sql");
      assert.throws(() => copied([row], "insert", asColumns(["a"])), isRefused, value);
      assert.throws(() => copied([row], "inList", asColumns(["a"])), isRefused, value);
      assert.throws(() => copied([["1"]], "insert", asColumns(["a`b"])), isRefused);
    }
  });

  it("stays one statement, whatever the cells hold", () => {
    const hostile = fc.string({
      unit: fc.constantFrom(..."ab1 ';-*/\\\"`\n(),\0é😀".split("")),
    });
    fc.assert(
      fc.property(hostile, hostile, (name, cell) => {
        let text: string;
        try {
          text = copied([[JSON.stringify(cell), "1"]], "insert", asColumns([name, "end"]));
        } catch (error) {
          assert.ok(isAppError(error, "sql"));
          return;
        }
        const [statement, ...others] = tokenizeSql(text).statements;
        assert.deepEqual(others, []);
        const literal = statement!.tokens.filter(({ kind }) => kind === "text");
        assert.equal(literal.length, 1, text);
      }),
    );
  });
});

describe("a copy", () => {
  it("of too many characters is refused with advice", () => {
    const text = new ClipboardText(asColumns(["a"]), "tsv");
    const long = `"${"x".repeat(1024 * 1024)}"`;
    for (let row = 0; row < 16; row++) {
      text.add([[long.slice(0, -1).slice(0, 1024 * 1024 - 1) + '"']]);
    }
    assert.throws(
      () => text.add([[long]]),
      (error) => isAppError(error, "tooLarge") && error.message.includes("Export it"),
    );
  });
});
