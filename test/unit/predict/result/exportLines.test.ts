import assert from "node:assert/strict";
import fc from "fast-check";
import Papa from "papaparse";
import { exportLines } from "../../../../src/predict/result/exportLines.ts";
import { chooseExportFormat, type ExportFormat } from "../../../../src/shared/exportFormat.ts";
import type { ResultColumn } from "../../../../src/predict/messages.ts";
import type { RowTable } from "../../../../src/predict/result/rowTable.ts";

const columns: ResultColumn[] = [
  { name: "price", part: "predicted", kind: "number" },
  { name: "price", part: "actual", kind: "number" },
  { name: "__proto__", part: "input", kind: "text" },
];

type Values = (string | undefined)[];

function exported(
  format: ExportFormat,
  rows: { values: Values; refused?: string }[],
  of = columns,
  order?: Uint32Array,
): string {
  const table: RowTable = {
    columns: of,
    length: rows.length,
    refused: rows.filter(({ refused }) => refused !== undefined).length,
    valueOf: (row, column) => rows[row]?.values[column],
    valuesOf: (row) => rows[row]?.values ?? [],
    refusedAt: (row) => rows[row]?.refused,
  };
  return [...exportLines(table, format, order)].join("");
}

const rows = [
  { values: ["9007199254740993", '"0.10"', String.raw`"\u00e9,\"x\"\r\ny"`] },
  { values: [undefined, "null", '{"a":[1]}'], refused: 'ValueError: "two"' },
];

describe("an export", () => {
  it("to JSON holds every row with unchanged values", () => {
    const text = exported("json", rows);
    assert.equal(
      text,
      String.raw`[
{"price (predicted)":9007199254740993,"price":"0.10","__proto__":"\u00e9,\"x\"\r\ny"},
{"price":null,"__proto__":{"a":[1]},"refused":"ValueError: \"two\""}
]
`,
    );
    assert.equal((JSON.parse(text) as unknown[]).length, 2);
    assert.equal(exported("json", []), "[\n]\n");
  });

  it("to CSV for Excel begins with a byte order mark", () => {
    for (const some of [rows, rows.slice(0, 1), []]) {
      assert.equal(exported("excelCsv", some), `\uFEFF${exported("csv", some)}`);
    }
  });

  it("holds the rows of a view only, in its order", () => {
    const lines = [1, 2, 3].map((price) => ({ values: [String(price)] }));
    const price = [{ name: "price", part: "input" as const, kind: "number" as const }];
    const text = exported("json", lines, price, Uint32Array.of(2, 0));
    assert.equal(text, '[\n{"price":3},\n{"price":1}\n]\n');
  });

  it("keeps a column with the name of the reasons", () => {
    const table = [{ name: "refused", part: "input" as const, kind: "text" as const }];
    const some = [{ values: ['"mine"'], refused: "why" }];
    assert.equal(exported("jsonLines", some, table), '{"refused":"mine","refused_1":"why"}\n');
    assert.equal(exported("csv", some, table), "refused,refused_1\r\nmine,why\r\n");
  });

  it("gives columns with equal names different titles", () => {
    const twice: ResultColumn[] = [
      { name: "confidence", part: "predicted", kind: "number" },
      { name: "confidence", part: "input", kind: "number" },
    ];
    const some = [{ values: ["0.9", "5"] }];
    assert.equal(exported("json", some, twice), '[\n{"confidence":0.9,"confidence_1":5}\n]\n');
    assert.equal(exported("csv", some, twice), "confidence,confidence_1\r\n0.9,5\r\n");
  });

  it("to JSON Lines writes a value of several lines on one line", () => {
    const nested = '{\r\n  "a": [\n    1\n  ]\n}';
    const line = exported("jsonLines", [{ values: ["1", "2", nested] }]);
    assert.equal(line.indexOf("\n"), line.length - 1);
    assert.deepEqual((JSON.parse(line) as Record<string, number>)["price (predicted)"], 1);
    assert.match(line, /"__proto__":\{ *"a": \[ *1 *\] *\}/);
  });

  it("to JSON Lines holds the same rows, one per line", () => {
    const lines = exported("jsonLines", rows).split("\n");
    assert.equal(lines.length, 3);
    assert.equal(lines[2], "");
    const [, ...inJson] = exported("json", rows).split("\n");
    assert.deepEqual(
      lines.slice(0, 2).map((line) => JSON.parse(line) as unknown),
      inJson.slice(0, 2).map((line) => JSON.parse(line.replace(/,$/, "")) as unknown),
    );
  });

  it("to CSV holds the same cells with a header; null and absent values are empty", () => {
    const { data, errors } = Papa.parse<string[]>(exported("csv", rows), { skipEmptyLines: true });
    assert.deepEqual(errors, []);
    assert.deepEqual(data, [
      ["price (predicted)", "price", "__proto__", "refused"],
      ["9007199254740993", "0.10", 'é,"x"\r\ny', ""],
      ["", "", '{"a":[1]}', 'ValueError: "two"'],
    ]);
  });

  it("to CSV has a column of reasons only if a row was refused, and a line for every row", () => {
    const [column] = columns as [ResultColumn];
    const some = [{ values: ["1"] }, { values: ["null"] }];
    assert.equal(exported("csv", some, [column]), 'price\r\n1\r\n""\r\n');
  });

  it("to CSV starts no formula in cells, names or reasons, and keeps numbers", () => {
    const hostile = [
      "=1+1",
      "+cmd|' /C calc'!A0",
      "-2+3",
      "@SUM(A1)",
      "\t=1",
      "\r=1",
      "\n=1",
      '="a"',
      " -",
    ];
    const harmless = ["-1.5", "+3", "-1e-7", "a=b", "", "a -", "-0"];
    for (const text of [...hostile, ...harmless]) {
      const column: ResultColumn = { name: text || "empty", part: "input", kind: "text" };
      const row = { values: [JSON.stringify(text)], refused: text };
      const csv = exported("csv", [row], [column]);
      const { data } = Papa.parse<string[]>(csv, { delimiter: ",", newline: "\r\n" });
      const isHostile = hostile.includes(text);
      // A new line begins a cell where semicolons separate them.
      const escaped = isHostile ? `'${text.replace(/(?<=[\r\n])=/, "'=")}` : text;
      assert.deepEqual(data[1], [escaped, escaped], text);
      if (isHostile) assert.equal(data[0]?.[0], escaped);
    }
    assert.match(exported("csv", [{ values: ["-1", "+1"] }]), /\n-1,\+1\r/);
  });

  it("to CSV can be read again for any texts", () => {
    const cell = fc.string({ unit: fc.constantFrom(..."ab\",;'\n\r\t éx".split("")) });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), (cells) => {
        const safe = cells.map((pair) => pair.map((text) => `x${text}`));
        const csv = exported(
          "csv",
          safe.map((pair) => ({ values: pair.map((text) => JSON.stringify(text)) })),
          columns.slice(0, 2),
        );
        const { data } = Papa.parse<string[]>(csv, {
          delimiter: ",",
          newline: "\r\n",
          skipEmptyLines: true,
        });
        assert.deepEqual(data.slice(1), safe);
      }),
    );
  });

  it("has the format of its file extension", () => {
    const formats = ["a.json", "A.JSONL", "a.ndjson", "a.csv", "a", "json"].map((name) =>
      chooseExportFormat(name),
    );
    assert.deepEqual(formats, ["json", "jsonLines", "jsonLines", "csv", "csv", "csv"]);
  });
});
