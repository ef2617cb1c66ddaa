// Files and answers with one column more than are read.
import assert from "node:assert/strict";
import { toRows } from "../../src/knowledgeBases/fill/tableRows.ts";
import type { RowsFormat } from "../../src/predict/rows/readRows.ts";
import { describeTooManyColumns, maxColumns } from "../../src/predict/rows/row.ts";
import { readCsvStart } from "../../src/tables/csvChecks.ts";
import { readAll } from "./predict/files.ts";

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `c${String(n)}`);

describe("Columns of a table are refused where they are too many:", () => {
  const list = (count: number, quote = ""): string =>
    names(count)
      .map((name) => `${quote}${name}${quote}`)
      .join();
  const json = (count: number): string =>
    `{${names(count)
      .map((name) => `"${name}":1`)
      .join()}}`;
  const files: [name: string, format: RowsFormat, make: (count: number) => string][] = [
    ["a header", "csv", (count) => `${list(count)}\n1,2\n`],
    ["a header after blank lines", "csv", (count) => `\r\n\n${list(count)}\r\n1,2\r\n`],
    ["a header after its delimiter", "csv", (count) => `sep=,\n${list(count)}\n1,2\n`],
    ["names in quotes", "csv", (count) => `${list(count, '"')}\n1,2\n`],
    ["names with semicolons", "csv", (count) => `${list(count).replaceAll(",", ";")}\n1;2\n`],
    ["a header without rows", "csv", list],
    ["one row of JSON", "json", (count) => `[${json(count)}]`],
    ["a later row of JSON", "json", (count) => `{"data": [{"a": 1}, ${json(count)}]}`],
    ["a line", "jsonLines", (count) => `{"a": 1}\n${json(count)}`],
  ];
  for (const [name, format, make] of files) {
    it(name, async () => {
      const { error } = await readAll([Buffer.from(make(maxColumns + 1))], format);
      assert.equal(error?.message, describeTooManyColumns());
      const fits = await readAll([Buffer.from(make(maxColumns))], format);
      assert.notEqual(fits.error?.message, describeTooManyColumns());
      if (format === "csv") {
        assert.throws(() => readCsvStart(make(maxColumns + 1)), { kind: "refused" });
        assert.doesNotThrow(() => readCsvStart(make(maxColumns)));
      }
    });
  }

  it("a table of a server", () => {
    const table = (count: number) => ({ columns: names(count), rows: [names(count)] });
    assert.throws(() => toRows(table(maxColumns + 1)), { message: describeTooManyColumns() });
    assert.equal(toRows(table(maxColumns)).length, 1);
  });
});
