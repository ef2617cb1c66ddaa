// A table of texts as a file that other programs read correctly.
import assert from "node:assert/strict";
import Papa from "papaparse";
import * as fc from "fast-check";
import { chooseExportFormat } from "../../../src/shared/exportFormat.ts";
import { formatTableFile } from "../../../src/chat/tables/tableFile.ts";
import { withoutFormulas } from "../../../src/shared/spreadsheetText.ts";
import { numericColumns } from "../../../src/shared/textTable.ts";

const table = (columns: string[], ...rows: string[][]) => {
  return { columns, rows, numeric: numericColumns(columns, rows) };
};

describe("An exported table", () => {
  it("has the format of its file extension", () => {
    const names = ["a.csv", "a", "a.JSON", "b.jsonl", "c.ndjson"];
    const formats = ["json", "jsonLines", "jsonLines"];
    assert.deepEqual(
      names.map((name) => chooseExportFormat(name)),
      ["csv", "csv", ...formats],
    );
    assert.deepEqual(
      names.map((name) => chooseExportFormat(name, true)),
      ["excelCsv", "excelCsv", ...formats],
    );
  });

  it("is CSV whose cells never start a formula and whose numbers stay numbers", () => {
    const rows = [
      ["=1+1", "-5"],
      ["@x, y", "1e3"],
      ["-a", ""],
      ["+1", "2"],
    ];
    assert.equal(
      formatTableFile(table(["a", "n"], ...rows), "csv"),
      `a,n\r\n'=1+1,-5\r\n"'@x, y",1e3\r\n'-a,\r\n+1,2\r\n`,
    );
  });

  it("begins with a byte order mark for Excel, also without rows", () => {
    for (const rows of [[["ä", "漢"]], [["=1", ""]], []]) {
      const source = table(["é", "n"], ...rows);
      assert.equal(formatTableFile(source, "excelCsv"), `\uFEFF${formatTableFile(source, "csv")}`);
    }
  });

  it("is JSON with every digit of a number, and with unique names", () => {
    const source = table(["n", "n", "t"], ["9007199254740993", "x", "NULL"], ["", "", "7"]);
    const rows = ['{"n":9007199254740993,"n_1":"x","t":null}', '{"n":null,"n_1":"","t":7}'];
    assert.equal(formatTableFile(source, "json"), `[\n${rows.join(",\n")}\n]\n`);
    assert.equal(formatTableFile(source, "jsonLines"), `${rows.join("\n")}\n`);
  });

  it("preserves every text", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "'", "=", " ", "|") });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        const source = table(["a", "b"], ...rows);
        const csv = Papa.parse<string[]>(formatTableFile(source, "csv").slice(0, -2)).data.slice(1);
        const expected = rows.map((row) => row.map(withoutFormulas));
        assert.deepEqual(csv, expected);
        const json = JSON.parse(formatTableFile(source, "json")) as { a: string; b: string }[];
        assert.deepEqual(
          json.map(({ a, b }) => [a, b]),
          rows,
        );
      }),
    );
  });
});
