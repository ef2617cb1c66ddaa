// Rows made of an SQL answer without parsing its cells.
import assert from "node:assert/strict";
import fc from "fast-check";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { RowText } from "../../../src/mindsdb/http/rowText.ts";
import { readTextAt, readValueText, rowBytes, type Row } from "../../../src/predict/rows/row.ts";
import { readSqlRows } from "../../../src/predict/rows/sqlRows.ts";

describe("rows of an SQL answer", () => {
  const read = (
    columns: string[],
    json: string,
    isWanted?: (column: string) => boolean,
    length = 10,
  ): Row[] => readSqlRows({ columns, rows: new RowText(Buffer.from(json), length) }, isWanted);
  const texts = (rows: Row[]): string[] => rows.map((row) => rowBytes(row).toString());

  it("have the cells' own text", () => {
    const rows = read(["n", 'ä "b"'], ' [ [1.0 , "\\u00e4"],[ 1e400, {"c": [1, 2]} ] ] ');
    assert.deepEqual(texts(rows), [
      '{"n":1.0,"ä \\"b\\"":"\\u00e4"}',
      '{"n":1e400,"ä \\"b\\"":{"c": [1, 2]}}',
    ]);
    assert.equal(readValueText(rows[1]!, "n"), "1e400");
    assert.equal(readValueText(rows[0]!, 'ä "b"'), '"\\u00e4"');
    assert.deepEqual(
      rows[0]?.shape.encoded.map((name) => Buffer.from(name).toString()),
      ['n"', 'ä \\"b\\""'],
    );
  });

  it("have null where a row is too short, and no cell without a column", () => {
    assert.deepEqual(texts(read(["a", "b"], "[[1],[],[1,2,3]]")), [
      '{"a":1,"b":null}',
      '{"a":null,"b":null}',
      '{"a":1,"b":2}',
    ]);
    assert.deepEqual(read([], "[[],[]]"), []);
    assert.deepEqual(read(["a"], "[]", undefined, 0), []);
  });

  it("are refused where the names of the columns would fill the memory", () => {
    const columns = Array.from({ length: 3_000 }, (_, at) => `c${at}`);
    for (const names of [columns, ["x".repeat(20_000)]]) {
      const json = `[${"[1],".repeat(20_000)}[1]]`;
      assert.throws(
        () => read(names, json, undefined, 20_001),
        (error) => isAppError(error, "tooLarge"),
      );
      assert.equal(read(names, "[[1],[1]]", undefined, 2).length, 2);
    }
  });

  it("have the wanted columns only, and of columns with the same name the last", () => {
    const isWanted = (column: string) => column !== "b";
    assert.deepEqual(texts(read(["a", "b", "a"], "[[1,2,3]]", isWanted)), ['{"a":3}']);
    assert.deepEqual(texts(read(["b", "b"], "[[1,2]]", isWanted)), ["{}"]);
  });

  it("are refused if they are not JSON", () => {
    const wrong = [
      "[[NaN]]",
      "[[1}]",
      "[1]",
      "[[1] [2]]",
      "[[1],2]",
      "[[1 2]]",
      '[["\n"]]',
      "[[01]]",
    ];
    for (const json of wrong) {
      assert.throws(
        () => read(["a"], json),
        (error) => isAppError(error, "badAnswer"),
        json,
      );
    }
  });

  it("equal what JSON.parse makes of any cells", () => {
    const columns = ["a", "b", "c"];
    const tables = fc.array(fc.tuple(fc.jsonValue(), fc.jsonValue(), fc.jsonValue()));
    fc.assert(
      fc.property(tables, fc.constantFrom("", " ", "\n\t"), (table, indent) => {
        const json = JSON.stringify(table, null, indent);
        const rows = read(columns, json, undefined, table.length);
        const cells = JSON.parse(json) as unknown[][];
        assert.deepEqual(
          rows.map((row) => columns.map((_, at) => JSON.parse(readTextAt(row, at)) as unknown)),
          cells,
        );
        assert.deepEqual(
          texts(rows).map((text) => JSON.parse(text) as unknown),
          cells.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]]))),
        );
      }),
    );
  });
});
