// A table of texts as a file: what other programs read there is what the table holds.
import assert from "node:assert/strict";
import Papa from "papaparse";
import * as fc from "fast-check";
import { formatTableFile, exportFormatFor } from "../../../src/chat/tables/exportFormat.ts";
import { withoutFormula } from "../../../src/shared/tableText.ts";
import { numericColumns } from "../../../src/chat/tables/textTable.ts";
import "../seed.ts";

const table = (columns: string[], ...rows: string[][]) => {
  return { columns, rows, numeric: numericColumns(columns, rows) };
};

describe("A table's file", () => {
  it("has the format that its name ends with", () => {
    const formats = ["a.csv", "a", "a.JSON", "b.jsonl", "c.ndjson"].map(exportFormatFor);
    assert.deepEqual(formats, ["csv", "csv", "json", "jsonLines", "jsonLines"]);
  });

  it("is CSV in which no cell starts a formula, and numbers are numbers", () => {
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

  it("is JSON with every digit of a number, and names that differ", () => {
    const source = table(["n", "n", "t"], ["9007199254740993", "x", "NULL"], ["", "", "7"]);
    const rows = ['{"n":9007199254740993,"n_1":"x","t":null}', '{"n":null,"n_1":"","t":7}'];
    assert.equal(formatTableFile(source, "json"), `[\n${rows.join(",\n")}\n]\n`);
    assert.equal(formatTableFile(source, "jsonLines"), `${rows.join("\n")}\n`);
  });

  it("gives back every text", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "'", "=", " ", "|") });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        const source = table(["a", "b"], ...rows);
        const csv = Papa.parse<string[]>(formatTableFile(source, "csv").slice(0, -2)).data.slice(1);
        const expected = rows.map((row) => row.map(withoutFormula));
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
