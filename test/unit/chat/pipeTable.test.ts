// Tables in servers' texts: read only if they are unambiguous, and otherwise left as text.
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { parsePipeTable } from "../../../src/chat/tables/pipeTable.ts";
import { assertLinear } from "../../linearTime.ts";

describe("A pipe table", () => {
  it("is read in the format of 26.1.0, padded and without colons", () => {
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

  it("is read in the format of tabulate", () => {
    const table = parsePipeTable("|   n | s   |\n|----:|:----|\n| 1e5 | a   |\n| -.5 | b   |");
    assert.deepEqual(table?.numeric, [true, false]);
  });

  it("may have no rows", () => {
    assert.deepEqual(parsePipeTable("| n |\n| --- |")?.rows, []);
  });

  it("keeps pipes and line breaks in padded cells if all rows agree on the column positions", () => {
    const table = parsePipeTable(
      [
        "| name    | note       |",
        "| ------- | ---------- |",
        "| a|b     | x | y      |",
        "| \u{1F600} smile | one\ntwo    |",
        "| |       | ||         |",
      ].join("\n"),
    );
    assert.deepEqual(table?.columns, ["name", "note"]);
    assert.deepEqual(table?.rows, [
      ["a|b", "x | y"],
      ["\u{1F600} smile", "one\ntwo"],
      ["|", "||"],
    ]);
  });

  it("is rejected if one padded row does not agree with the others", () => {
    for (const row of ["| a|b    | 1 |", "| a|b     | 1  |", "| a|b    || 1 |"]) {
      const text = `| name    | n |\n| ------- | - |\n| a       | 1 |\n${row}`;
      assert.equal(parsePipeTable(text), undefined, row);
    }
  });

  it("has only complete rows if it is truncated", () => {
    const text = "| name | n |\n| ---- | - |\n| a|b  | 1 |\n| c\nd  | 2 |\n| e    | 3 |";
    const rows = [
      ["a|b", "1"],
      ["c\nd", "2"],
      ["e", "3"],
    ];
    for (let length = 25; length <= text.length; length++) {
      const whole = Math.floor((length - 26 + 1) / 13);
      const table = parsePipeTable(text.slice(0, length), true);
      assert.deepEqual(table?.rows, rows.slice(0, Math.max(0, whole)), String(length));
    }
  });

  it("is rejected if a pipe or line break in a cell would shift cells to wrong columns", () => {
    assert.equal(parsePipeTable("| a | b |\n| - | - |\n| x|y | 1 |"), undefined);
    assert.equal(parsePipeTable("| a | b |\n| - | - |\n| one\ntwo | 1 |"), undefined);
  });

  it("is rejected without a line of dashes, or with text around it", () => {
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

  it("preserves every cell", () => {
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

  it("preserves every cell that 26.1.0 has padded, whatever it contains", () => {
    const cell = fc
      .string({
        maxLength: 12,
        unit: fc.constantFrom("|", " ", "-", "\n", "a", "\u{1F600}", "\u00e9"),
      })
      .map((text) => text.trim());
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }),
      );
    fc.assert(
      fc.property(table, (rows) => {
        const head = (rows[0] ?? []).map((_, column) => `column ${String(column)}`);
        const parsed = parsePipeTable(padded([head, ...rows]));
        assert.deepEqual(parsed?.columns, head);
        assert.deepEqual(parsed?.rows, rows);
      }),
    );
  });

  it("is read in linear time, whatever it contains", () => {
    const texts: [name: string, make: (size: number) => string][] = [
      ["rows of pipes", (size) => `| a | b |\n| - | - |\n${"| ||||| | 1 |\n".repeat(size)}`],
      ["many columns", (size) => `|${" - |".repeat(size)}\n|${" - |".repeat(size)}`],
      ["one row of pipes", (size) => `| a |\n| - |\n${"|".repeat(4 * size)}`],
      ["characters of two units", (size) => `| a |\n| - |\n${"| \u{1F600} |\n".repeat(size)}`],
    ];
    for (const [name, make] of texts) assertLinear({ name, make, run: parsePipeTable });
  });
});

/** Formats a table like 26.1.0 without `tabulate`: cells are padded to the column's width in Python's characters. */
function padded(lines: string[][]): string {
  const width = (text: string): number => Array.from(text).length;
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(2, ...lines.map((cells) => width(cells[column] ?? ""))),
  );
  const line = (cells: string[]): string =>
    `| ${cells.map((text, column) => text + " ".repeat((widths[column] ?? 0) - width(text))).join(" | ")} |`;
  const [head = [], ...rows] = lines;
  return [line(head), line(widths.map((count) => "-".repeat(count))), ...rows.map(line)].join("\n");
}
