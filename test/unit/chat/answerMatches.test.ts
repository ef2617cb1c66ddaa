// Values of an answer that also occur in an observation, exactly as written.
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { ObservedValues, type MatchPlace } from "../../../src/chat/answerMatches.ts";
import { assertLinear } from "../../linearTime.ts";

const place = (row: number): MatchPlace => ({ step: 3, part: 1, row, column: 0 });

function observed(...values: string[]): ObservedValues {
  const all = new ObservedValues();
  for (const [row, value] of values.entries()) all.addValue(value, place(row));
  return all;
}

/** The matches, each with its row. */
const marks = (all: ObservedValues, answer: string) =>
  all.find(answer).map(({ from, to, place }) => [answer.slice(from, to), place.row]);

describe("Values of an answer that occur in a step", () => {
  it("are numbers of four or more significant digits, exactly as written", () => {
    const all = observed("2602.7", "1646.28", "-0.004512", "999", "12000", "3,385", "2024");
    const answer =
      "2602.7 1646.2 1646.28. -0.004512, 999 12000 3,385 3385 2024 x2024 20245 2602.7k";
    assert.deepEqual(marks(all, answer), [
      ["2602.7", 0],
      ["1646.28", 1],
      ["-0.004512", 2],
      ["3,385", 5],
      ["2024", 6],
    ]);
  });

  it("are also numbers inside a value, but not parts of a date", () => {
    const all = observed("The rent is $3,250.50 now.", "95.25%", "2024-01-15", "-1234.5");
    const answer = "**3,250.50**, 95.25 %, 2024, 2024-01-15, -1234.5, 1234.5, \u22121234.5";
    assert.deepEqual(marks(all, answer), [
      ["3,250.50", 0],
      ["95.25", 1],
      ["-1234.5", 3],
    ]);
    assert.deepEqual(marks(observed("1234.5"), "\u22121234.5"), []);
  });

  it("are texts of twelve or more characters, only whole words, the longest first", () => {
    const all = observed("berkeley_hills", "berkeley_hills north", "great", "12 chars min");
    assert.deepEqual(marks(all, "In berkeley_hills north and berkeley_hills, great."), [
      ["berkeley_hills north", 1],
      ["berkeley_hills", 0],
    ]);
    assert.deepEqual(
      marks(all, "berkeley_hillside, berkeley_hills2, x_berkeley_hills, 12 chars min"),
      [["12 chars min", 3]],
    );
  });

  it("are whole sentences of a longer text", () => {
    const all = observed("Pets are welcome. Quiet hours begin at ten. No.");
    assert.deepEqual(marks(all, "Yes: Quiet hours begin at ten. Pets are few."), [
      ["Quiet hours begin at ten.", 0],
    ]);
  });

  it("point to the first place that contains them", () => {
    assert.deepEqual(marks(observed("1234", "1234"), "1234"), [["1234", 0]]);
  });

  it("are also found in texts that are not tables", () => {
    const all = new ObservedValues();
    all.addText("rows: 20417\nThe mean price is high.", { step: 0, part: 0 });
    assert.deepEqual(marks(all, "20417. The mean price is high."), [
      ["20417", undefined],
      ["The mean price is high.", undefined],
    ]);
  });

  it("are in order, do not overlap, and each occurs in an observation", () => {
    const word = fc.constantFrom("alpha", "beta", "1234.5", "gamma delta", ",", "98765", "x");
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), text, (values, answer) => {
        let end = 0;
        for (const { from, to, place } of observed(...values).find(answer)) {
          assert.ok(from >= end && to > from);
          end = to;
          assert.ok(values[place.row ?? -1]?.includes(answer.slice(from, to)));
        }
      }),
    );
  });

  it("are found quickly in any observation", () => {
    const alike = Array.from({ length: 30_000 }, (_, n) => `always the same ${String(n)}`);
    const spaces = `one${" ".repeat(200_000)}two`;
    for (const values of [alike, [spaces], ["_".repeat(40_000)]]) {
      const began = process.cpuUsage();
      observed(...values).find(values.join(" ").slice(0, 200_000));
      const { user } = process.cpuUsage(began);
      assert.ok(user < 2_000_000, `${String(user)} µs`);
    }
  });

  it("are found in linear time where texts differ only in their ends", () => {
    assertLinear({
      name: "similar texts",
      size: 1_000,
      make: (size) => {
        const all = new ObservedValues();
        for (let at = 1; at <= 50; at++) {
          all.addText("- ".repeat(size / 2) + "!".repeat(at), { step: 0, part: 0 });
        }
        return { all, answer: "- ".repeat(2 * size) };
      },
      run: ({ all, answer }) => all.find(answer),
    });
  });
});
