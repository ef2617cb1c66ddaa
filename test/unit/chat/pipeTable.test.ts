// The table text of servers: read as a table where it is one beyond doubt, left alone otherwise.
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { parsePipeTable } from "../../../src/chat/pipeTable.ts";
import "../seed.ts";

describe("A pipe table", () => {
  it("is read as 26.1.0 writes it, padded and without colons", () => {
    const text =
      "| location | max_rent |\n| -------- | -------- |\n| downtown | 1200     |\n| westbrae |          |";
    assert.deepEqual(parsePipeTable(text), {
      columns: ["location", "max_rent"],
      rows: [
        ["downtown", "1200"],
        ["westbrae", ""],
      ],
      numeric: [false, true],
    });
  });

  it("is read as tabulate writes it", () => {
    const table = parsePipeTable("|   n | s   |\n|----:|:----|\n| 1e5 | a   |\n| -.5 | b   |");
    assert.deepEqual(table?.numeric, [true, false]);
  });

  it("may have no rows", () => {
    assert.deepEqual(parsePipeTable("| n |\n| --- |")?.rows, []);
  });

  it("is none if a cell holds a pipe or a line end, which would move cells to wrong columns", () => {
    assert.equal(parsePipeTable("| a | b |\n| - | - |\n| x|y | 1 |"), undefined);
    assert.equal(parsePipeTable("| a | b |\n| - | - |\n| one\ntwo | 1 |"), undefined);
  });

  it("is none if there is no line of dashes, or text around it", () => {
    for (const text of [
      "",
      "a",
      "| a |",
      "| a |\n| b |",
      "a | b\n- | -",
      "Result:\n| a |\n| - |",
    ]) {
      assert.equal(parsePipeTable(text), undefined, text);
    }
  });

  it("gives back every cell that it was written from", () => {
    const cell = fc.string({ maxLength: 12 }).map((text) => text.replace(/[|\r\n]/g, "").trim());
    const table = fc
      .integer({ min: 1, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }),
      );
    fc.assert(
      fc.property(table, ([head = [], ...rows]) => {
        const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
        const text = [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
        const parsed = parsePipeTable(text);
        assert.deepEqual(parsed?.columns, head);
        assert.deepEqual(parsed?.rows, rows);
      }),
    );
  });
});
