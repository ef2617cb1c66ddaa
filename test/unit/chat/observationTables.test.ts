// Observations read as tables: those of real servers, and texts that only look like tables.
import assert from "node:assert/strict";
import path from "node:path";
import * as fc from "fast-check";
import { readCsv } from "../../../src/chat/tables/readExcelCsv.ts";
import { readObservation } from "../../../src/chat/tables/observationTables.ts";
import { readPythonDict } from "../../../src/shared/pythonDict.ts";
import { sortedRowIndexes } from "../../../src/shared/textTable.ts";
import type { StepPart } from "../../../src/mindsdb/stream/stepEvents.ts";
import { hostileTexts } from "../../page/hostile.ts";
import { eventsOf, recordedStreams } from "../mindsdb/stream/recorded.ts";

const preface = (names: string) =>
  `Output columns: ${names}\nResult in CSV format (dialect is 'excel'):\n`;

/** Formats CSV like Python's csv module. */
function csvLine(cells: string[]): string {
  const quoted = cells.map((cell) =>
    /[",\r\n]/.test(cell) || (cells.length === 1 && cell === "")
      ? `"${cell.replaceAll('"', '""')}"`
      : cell,
  );
  return `${quoted.join(",")}\r\n`;
}

describe("An observation", () => {
  const chunk = "relevance|chunk_content|id|neighborhood";
  const notes =
    "_chunk_index|_content_column|_end_char|_original_doc_id|_original_row_index|_source|_start_char|_updated_at";
  const chunks = `${chunk}|distance|chunk_id|${notes}`;
  const homes =
    "number_of_rooms|number_of_bathrooms|sqft|location|neighborhood|days_on_market|rental_price";
  /** By stream: columns and row counts of each observation that is a table. */
  const tables: Record<string, string[]> = {
    "01_kb": [`${chunks}: 3`],
    "01b_kbfull": [`${chunks}: 2`],
    "02_sql": ["location|avg_price: 3"],
    "02b_sqlrows": [`${homes}: 5`],
    "12_wildcard": [`${chunks}: 2`],
    "13b_badkb_agent": [`${chunks}: 3`],
    "15_after_restart": [`${chunks}: 3`],
    "16_missing_output_1": [`${chunks}: 3`],
    "16_missing_output_18": ["location|avg_price: 3"],
    "16_missing_output_19": ["location|avg_price: 3"],
    text_exploratory: ["number_of_rooms|location|rental_price: 3", "location|avg_rent|n: 3"],
    text_kb_query: [`${chunk}: 5`],
  };

  it("is read as the expected table or text in every recorded stream", () => {
    const found: Record<string, string[]> = {};
    for (const { name, bytes } of recordedStreams) {
      for (const { text } of observationsOf(bytes)) {
        const table = readObservation(text);
        if (!table) continue;
        (found[path.basename(name)] ??= []).push(
          `${table.columns.join("|")}: ${String(table.rows.length)}`,
        );
      }
    }
    assert.deepEqual(found, tables);
  });

  it("of a knowledge base is sorted by relevance, with metadata as columns", () => {
    const metadata = (place: string) =>
      `{'_chunk_index': 0, '_source': "it's", 'place': '${place}', 'tags': ['a', {'b': 1}]}`;
    const text = [
      preface("'id', 'chunk_content', 'distance', 'relevance', 'metadata'"),
      csvLine(["id", "chunk_content", "distance", "relevance", "metadata"]),
      csvLine(["7", 'one, "two"\nthree', "0.8", "0.55", metadata("here")]),
      csvLine(["9", "nearer", "0.1", "0.91", metadata("there\\n\\u00e9")]),
    ].join("");
    assert.deepEqual(readObservation(text), {
      columns: [
        "relevance",
        "chunk_content",
        "id",
        "place",
        "tags",
        "distance",
        "_chunk_index",
        "_source",
      ],
      rows: [
        ["0.91", "nearer", "9", "there\né", "['a', {'b': 1}]", "0.1", "0", "it's"],
        ["0.55", 'one, "two"\nthree', "7", "here", "['a', {'b': 1}]", "0.8", "0", "it's"],
      ],
      numeric: [true, false, true, false, false, true, true, false],
    });
  });

  it("keeps metadata as text if it is not a dictionary", () => {
    const text = csvLine(["id", "chunk_content", "metadata"]) + csvLine(["1", "a", "{'x': "]);
    assert.deepEqual(readObservation(text)?.rows, [["a", "1", "{'x': "]]);
  });

  it("is a text unless every line has as many cells as the first", () => {
    for (const text of [
      "",
      "No knowledge bases found.",
      '["rentals_kb"]',
      "files.`home_rentals`, files.`other`",
      "Hello, world\nHow, are you",
      "a,b\r\n1,2,3\r\n",
      "a,b\r\n1\r\n",
      'a,b\r\n"1,2\r\n',
      'a,b\r\n"1"2,3\r\n',
      'a,b\r\nx"y,3\r\n',
      preface("'a', 'b'"),
      preface("'a', 'b'") + "a,b\r\n1,2,3\r\n",
      "Result has 20000 rows. Description of data:\na,b\r\n1,2\r\n",
      '{"a": 1,\n"b": 2}',
      "| a | b |\n| - | - |\n| 1 | 2 | 3 |",
      ...hostileTexts.filter((text) => !text.includes("|")),
    ]) {
      assert.equal(readObservation(text), undefined, text);
    }
  });

  it("is a table also with one column, without rows, and without text around the CSV", () => {
    assert.deepEqual(readObservation(preface("'n'") + "n\r\n1\r\n")?.rows, [["1"]]);
    assert.deepEqual(readObservation(preface("'n', 'm'") + "n,m\r\n")?.rows, []);
    assert.deepEqual(readObservation("n,count(*)\r\n1,\r\n")?.rows, [["1", ""]]);
  });

  it("has only complete rows if it is truncated", () => {
    const text = preface("'n', 'm'") + "n,m\r\n1,2\r\n3,4\r\n5,";
    assert.deepEqual(readObservation(text, true)?.rows, [
      ["1", "2"],
      ["3", "4"],
    ]);
    assert.deepEqual(readObservation(`${text}"six`, true)?.rows.length, 2);
    const pipes = "| n |\n| - |\n| 1 |\n| 2";
    assert.deepEqual(readObservation(pipes, true)?.rows, [["1"]]);
  });

  it("preserves every cell of its CSV, also if truncated anywhere", () => {
    const cell = fc.string({ unit: fc.constantFrom(..."ab ,\"\r\n|é𝕏'{"), maxLength: 8 });
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }),
      );
    fc.assert(
      fc.property(table, fc.double({ min: 0, max: 1, noNaN: true }), (rows, where) => {
        const text = rows.map(csvLine).join("");
        assert.deepEqual(readCsv(text), rows);
        const beginning = readCsv(text.slice(0, Math.floor(text.length * where)), true);
        assert.deepEqual(beginning, rows.slice(0, beginning?.length));
      }),
    );
  });

  it("is read quickly, whatever it contains", () => {
    const long = 200_000;
    for (const text of [
      `| a |\n| ${"-".repeat(long)}x`,
      `| a |\n${"|-".repeat(long / 2)}`,
      `a,b\n${"1".repeat(long)}x,1`,
      `{'${"\\".repeat(long)}`,
      '"'.repeat(long),
      `chunk_content,metadata\n1,"${"{'a': ".repeat(long / 6)}"`,
    ]) {
      const began = process.cpuUsage();
      readObservation(text);
      readObservation(text, true);
      const { user } = process.cpuUsage(began);
      // A backtracking pattern would take minutes here.
      assert.ok(user < 2_000_000, `${text.slice(0, 20)}: ${String(user)} µs`);
    }
  });
});

describe("A Python dictionary", () => {
  it("is parsed in Python's format and as JSON", () => {
    const read = (text: string) => Object.fromEntries(readPythonDict(text) ?? []);
    assert.deepEqual(read(`{'a': 'it\\'s', "b'": None, 'c': -1.5, 'd': ('x', [1])}`), {
      a: "it's",
      "b'": "None",
      c: "-1.5",
      d: "('x', [1])",
    });
    assert.deepEqual(read('{"a": "b\\nc", "d": null}'), { a: "b\nc", d: "null" });
    assert.deepEqual(read("{'a': datetime.date(2024, 1, 5), 'b': Timestamp('2024-01-05')}"), {
      a: "datetime.date(2024, 1, 5)",
      b: "Timestamp('2024-01-05')",
    });
    assert.deepEqual(read("{}"), {});
  });

  it("is rejected if it is incomplete or followed by anything", () => {
    for (const text of ["", "{", "{'a'}", "{'a': }", "{'a': 1", "{'a': 1} x", "{a: 1}", "['a']"]) {
      assert.equal(readPythonDict(text), undefined, text);
    }
  });
});

describe("Sorting a table's rows", () => {
  const rows = [["10"], ["9"], [""], ["-1"], ["9"]];
  it("compares numbers by value, missing values last", () => {
    const table = { columns: ["n"], rows, numeric: [true] };
    assert.deepEqual(sortedRowIndexes(table, 0, false), [3, 1, 4, 0, 2]);
    assert.deepEqual(sortedRowIndexes(table, 0, true), [0, 1, 4, 3, 2]);
  });

  it("compares all digits of numbers that are longer than JavaScript's", () => {
    const sort = (cells: string[]): string[] => {
      const rows = cells.map((cell) => [cell]);
      const order = sortedRowIndexes({ columns: ["n"], rows, numeric: [true] }, 0, false);
      return order.map((row) => cells[row] ?? "");
    };
    const sorted = [
      "-1498392753700442114",
      "-1498392753700442113",
      "0.30000000000000000001",
      "0.30000000000000000002",
      "1498392753700442112",
      "01498392753700442113",
      "1498392753700442113.5",
    ];
    assert.deepEqual(sort([...sorted].reverse()), sorted);
    assert.deepEqual(sort(["1e400", "2", "1e401"]), ["2", "1e400", "1e401"]);
  });
});

function observationsOf(bytes: Uint8Array): StepPart[] {
  return eventsOf(bytes)
    .flatMap((event) => {
      if (event.type === "step") return event.step.parts;
      return event.type === "add" ? event.parts : [];
    })
    .filter(({ kind }) => kind === "observation");
}
