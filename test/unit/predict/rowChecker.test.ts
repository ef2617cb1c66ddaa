import assert from "node:assert/strict";
import fc from "fast-check";
import {
  describeFindings,
  RowChecker,
  type Finding,
  type RowsOrigin,
} from "../../../src/predict/run/rowChecker.ts";
import { parseRows } from "../../../src/predict/rows/readRows.ts";
import { millisecondsOf } from "../../linearTime.ts";

const inputs = [
  { name: "sqft", type: "integer" },
  { name: "location", type: "categorical" },
  { name: "photos", type: "num_array" },
  { name: "note" },
];

function findingsOf(text: string, target?: string): Finding[] {
  const checker = new RowChecker(inputs, target);
  checker.check(parseRows(Buffer.from(text)));
  return checker.findings;
}

/** What is said of rows. */
function sentencesOf(rows: string[], origin: RowsOrigin): string[] {
  const checker = new RowChecker(inputs);
  checker.check(parseRows(Buffer.from(`[${rows.join(",\n")}]`)));
  return describeFindings(checker.findings, origin, checker.count);
}

const good = '{"sqft": "823", "location": "good", "photos": [1, 2], "note": {"any": "thing"}}';

describe("checking rows", () => {
  it("ends where each of thousands of rows has other names and a model takes thousands of inputs", () => {
    const inputs = Array.from({ length: 10_000 }, (_, at) => ({ name: `input${String(at)}` }));
    const rows = Array.from({ length: 5_000 }, (_, at) => `{"name${String(at)}": 1}`);
    const checker = new RowChecker(inputs);
    const ms = millisecondsOf(() => checker.check(parseRows(Buffer.from(`[${rows.join()}]`))));
    assert.ok(ms < 4_000, `${String(ms)} ms`);
    assert.equal(checker.count, 5_000);
    assert.ok(checker.findings.length >= 10_000);
  });

  it("finds nothing in valid rows, including numbers in quotes and null", () => {
    const numbers = [
      "1",
      "-0.5",
      "1e400",
      '"823"',
      '" 1.5 "',
      '"+3"',
      '".5"',
      '"5."',
      '"1e-3"',
      "null",
    ];
    const rows = numbers.map((number) => good.replace('"823"', number));
    assert.deepEqual(findingsOf(`[${rows.join(",")}]`), []);
    assert.deepEqual(
      findingsOf(`[${good.replace("{", '{"rental_price": 1,')}]`, "rental_price"),
      [],
    );
  });

  it("finds a missing column once, with its first row and the number of rows", () => {
    const without = good.replace('"sqft": "823", ', "");
    assert.deepEqual(findingsOf(`[${good},\n${without},\n${good}, ${without}]`), [
      {
        kind: "missing",
        column: "sqft",
        rows: 2,
        first: { row: 2, place: { line: 2, column: 1 } },
      },
    ]);
  });

  it("finds columns that the model does not have, in any order", () => {
    const rows = [good.replace("{", '{"__proto__": 1,'), good.replace("note", "nöte"), good];
    const findings = findingsOf(`[${rows.join(",\n")}]`);
    assert.deepEqual(
      findings.map(({ kind, column, rows, first }) => [kind, column, rows, first.row]),
      [
        ["missing", "note", 1, 2],
        ["unknown", "__proto__", 1, 1],
        ["unknown", "nöte", 1, 2],
      ],
    );
  });

  it("finds values of the wrong kind", () => {
    const wrong = [
      '"abc"',
      '""',
      "true",
      "[1]",
      '"1,000"',
      '"0x10"',
      '"1e"',
      '"."',
      '"-"',
      '"1 2"',
      '"NaN"',
    ];
    for (const value of wrong) {
      const [finding, ...more] = findingsOf(`[${good},${good.replace('"823"', value)}]`);
      assert.deepEqual(more, []);
      assert.equal(finding?.kind, "wrongKind");
      assert.equal(finding.column, "sqft");
      assert.equal(finding.wanted, "number");
      assert.equal(finding.value, value);
      assert.equal(finding.first.row, 2);
    }
    const [nested] = findingsOf(`[${good.replace('"good"', '{"a":1}')}]`);
    assert.equal(nested?.wanted, "single value");
    assert.equal(nested.column, "location");
  });

  it("reads a string as a number where Number does, except for forms that engines do not know", () => {
    const text = fc.oneof(
      fc.stringMatching(/^ {0,2}[+-]?[0-9]{0,3}\.?[0-9]{0,2}([eE][+-]?[0-9]{0,2})? {0,2}$/),
      fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
      fc.string({ unit: fc.constantFrom(..." +-.eE019"), maxLength: 6 }),
    );
    fc.assert(
      fc.property(text, (text) => {
        const isNumber = text.trim() !== "" && !Number.isNaN(Number(text));
        const found = findingsOf(`[${good.replace("823", text)}]`);
        assert.equal(found.length === 0, isNumber, text);
      }),
      { numRuns: 1_000 },
    );
  });

  it("continues with further rows, and lists no more than 50 unknown columns", () => {
    const checker = new RowChecker([]);
    for (let row = 0; row < 200; row++) {
      checker.check(parseRows(Buffer.from(`[{"column ${row}": 1, "column 0": 2}]`)));
    }
    const { findings } = checker;
    assert.equal(findings.length, 50);
    assert.deepEqual([findings[0]!.rows, findings[0]!.first.row], [200, 1]);
    assert.deepEqual([findings[9]!.column, findings[9]!.first.row], ["column 9", 10]);
  });

  for (const [number, hint] of [
    ["1,5", "It has a decimal comma: write 1.5."],
    [" -1.234.567,50 ", "It has a decimal comma: write -1234567.50."],
    ["0,125", "It has a decimal comma: write 0.125."],
    ["1,234,567.5", "Write numbers without commas: 1234567.5."],
    ["1,234", "Write 1234, or 1.234 if that is a decimal comma."],
    ["1,2,3", ""],
    ["a,5", ""],
  ] as const) {
    it(`says how to write the number ${number}`, () => {
      const row = good.replace('"823"', `"${number}"`);
      const sentence = `“sqft” is not a number in 1 row, first in row 1 of t: "${number}".`;
      const wanted = hint === "" ? sentence : `${sentence} ${hint}`;
      assert.deepEqual(sentencesOf([row], { name: "t", hasLines: false }), [wanted]);
    });
  }

  it("describes a finding in a sentence", () => {
    const rows = [
      good,
      good.replace('"sqft": "823"', '"size": 1'),
      good.replace("823", "x".repeat(60)),
    ];
    assert.deepEqual(sentencesOf(rows, { name: "homes.json", hasLines: true }), [
      "“sqft” is missing in 1 row, first in row 2 (homes.json, line 2).",
      `“sqft” is not a number in 1 row, first in row 3 (homes.json, line 3): "${"x".repeat(38)}….`,
      "The model does not use the column “size” (first in row 2 (homes.json, line 2)).",
    ]);
    assert.deepEqual(
      sentencesOf([rows[1]!], { name: "files.homes", hasLines: false })[0],
      "“sqft” is missing in 1 row, first in row 1 of files.homes.",
    );
  });

  it("names all columns that no row has in one sentence, and all unknown ones in another", () => {
    const row = (unknown: string) => `{"location": "good", ${unknown}}`;
    const manyUnknown = Array.from({ length: 12 }, (_, n) => `"c${String(n)}": 1`).join();
    const [absent, unknown, ...more] = sentencesOf([row(manyUnknown), row('"c1": 1')], {
      name: "homes.json",
      hasLines: true,
    });
    assert.match(
      absent!,
      /^The model needs columns that the first 2 rows of homes\.json don't have: “sqft”, “photos”, “note”\.$/,
    );
    assert.match(unknown!, /: “c0”, .*“c9” and 2 more\.$/);
    assert.deepEqual(more, []);
    assert.match(
      sentencesOf(
        [good, good].map((text) => text.replace('"sqft"', '"size"')),
        {
          name: "homes.json",
          hasLines: true,
        },
      )[0]!,
      /^The model needs “sqft”, but the first 2 rows of homes\.json don't have it\.$/,
    );
  });
});
