// Searching a run on disk finds what looking at every value in memory finds.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import type { AnsweredRow } from "../../../../src/predict/result/columnReader.ts";
import { rowContains, valueContains } from "../../../../src/predict/result/rowTable.ts";
import { DiskTable } from "../../../../src/predict/result/diskTable.ts";
import { FileRowTable } from "../../../../src/predict/result/fileRowTable.ts";
import { answerOf } from "../files.ts";

const worker = new URL("../../../../src/predict/result/tableWorker.ts", import.meta.url);
const root = fs.mkdtempSync(path.join(os.tmpdir(), "find-"));
let count = 0;
after(() => fs.rmSync(root, { recursive: true }));

type Answered = ReturnType<typeof answerOf>;

/** Which rows hold a text: as the search finds them, and as a look at every value does. */
async function both(answers: Answered[], finds: string[]): Promise<[number[][], number[][]]> {
  const folder = path.join(root, String(count++));
  const known = { inputs: ["a"], target: { name: "p" } };
  const table = await DiskTable.create({ folder, worker, known });
  const rows: AnsweredRow[] = [];
  for (const answer of answers) rows.push(...(await table.add(answer)));
  await table.written();
  const columns = table.resultColumns;
  const { length, refused } = table;
  const stored = new FileRowTable({ folder, length, refused, columns: columns.data });
  const all = [...rows.keys()];
  const found = finds.map((find) =>
    all.filter((row) => rowContains(stored, row, find.toLowerCase())),
  );
  const expected = finds.map((find) =>
    all.filter((row) => {
      const values = [rows[row]!.refused, ...columns.valuesOf(rows[row]!)];
      return values.some((value) => valueContains(value, find.toLowerCase()));
    }),
  );
  stored.close();
  await table.dispose();
  return [found, expected];
}

/** A text as some writer of JSON writes it: characters as they are, or escaped. */
function written(text: string, escapes: boolean): string {
  const plain = JSON.stringify(text);
  if (!escapes) return plain;
  return plain.replace(/[^"\\]/g, (one, at: number) => {
    const isEscape = plain[at - 1] === "\\";
    return isEscape ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

const letters = fc.constantFrom(...'aZkK\u212aiİıßſσΣςéÉ日本x9 0.1e-,"\\/\n\t{[:😀');
const text = fc.array(letters, { maxLength: 8 }).map((some) => some.join(""));
const number = fc.oneof(
  fc.constantFrom("0.10", "1e400", "-0", "1E5", "1e-7", "0.00000012", "9007199254740993", "3800.0"),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
);
const value = fc.oneof(
  fc.tuple(text, fc.boolean()).map(([some, escapes]) => written(some, escapes)),
  number,
  fc.constantFrom("null", "true", '{"in": [1, "Kx"]}'),
);

const answer = fc
  .record({ a: value, p: value, sent: fc.option(number), low: number, high: number, label: value })
  .chain(({ a, p, sent, low, high, label }) => {
    const row = `{"a": ${a}${sent === null ? "" : `,"p": ${sent}`}}`;
    const explain = `{"predicted_value": ${p}, "confidence": 0.9799999999999999, "label": ${label}, "confidence_lower_bound": ${low}, "confidence_upper_bound": ${high}}`;
    const reply = `{"p": ${p}, "p_explain": ${JSON.stringify(explain)}}`;
    return fc.oneof(
      { weight: 4, arbitrary: fc.constant(answerOf([row], [reply])) },
      { weight: 1, arbitrary: text.map((reason) => answerOf([row], `No ${reason}`)) },
    );
  });

describe("searching a run", () => {
  it("finds the same as a search of every value", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(answer, { minLength: 1, maxLength: 12 }),
        fc.array(
          fc.oneof(
            text,
            number,
            number.map((some) => some.slice(0, 4)),
          ),
          {
            minLength: 1,
            maxLength: 12,
          },
        ),
        async (answers, finds) => {
          const [found, expected] = await both(answers, finds);
          assert.deepEqual(found, expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  const rows: [what: string, find: string, row: string, reply: string, isFound: boolean][] = [
    ["a letter in another case", "WEST", '{"a":"in Westbrae"}', '{"p":1}', true],
    ["an escaped letter", "west", '{"a":"\\u0057est"}', '{"p":1}', true],
    ["the sign for Kelvin", "300k", '{"a":"300\u212a"}', '{"p":1}', true],
    ["a letter beyond ASCII", "日本", '{"a":"日本語"}', '{"p":1}', true],
    ["one that is escaped", "日本", '{"a":"\\u65e5\\u672c"}', '{"p":1}', true],
    ["an error that no byte says", "0.5", '{"a":1,"p":2}', '{"p":2.5}', true],
    ["a number with an exponent", "10000", '{"a":1}', explained("1e5"), true],
    ["a gap in an interval", "null", '{"a":1}', explained("1"), true],
    ["no name of a column", "sqft", '{"sqft":1}', '{"p":1}', false],
    ["no echo that is not shown", "echo", '{"a":1}', '{"p":1,"a":"echo"}', false],
  ];
  for (const [what, find, row, reply, isFound] of rows) {
    it(`finds ${what}`, async () => {
      const [found, expected] = await both([answerOf([row], [reply])], [find]);
      assert.deepEqual(found, expected);
      assert.deepEqual(found, [isFound ? [0] : []]);
    });
  }

  function explained(low: string): string {
    return `{"p":7,"p_explain":${JSON.stringify(`{"confidence_lower_bound":${low}}`)}}`;
  }
});
