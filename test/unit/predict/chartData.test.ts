// The points of a chart of a result.
import assert from "node:assert/strict";
import { heightOf, numberColumns, readChartData } from "../../../src/predict/sqlFile/chartData.ts";

const rows = (...values: (string | null)[][]) =>
  values.map((one, at) => ({ number: at + 1, values: one }));

describe("The chart of a result", () => {
  it("has points where both columns are numbers, and a line in their order", () => {
    const data = readChartData(
      "line",
      rows(["10", "1"], ["0", "-3"], ["5", null], ["5", "2"]),
      0,
      1,
    );
    assert.deepEqual(
      data.points.map(({ label, value, across }) => [label, value, across]),
      [
        ["0", -3, 0],
        ["5", 2, 0.5],
        ["10", 1, 1],
      ],
    );
    assert.deepEqual([data.low, data.high, data.isScale], [-3, 2, true]);
    assert.equal(heightOf(data, 2), 1);
  });

  it("has bars beside each other, from 0", () => {
    const data = readChartData("bar", rows(['"a"', "4"], ["null", "8"]), 0, 1);
    assert.deepEqual(
      data.points.map(({ label, across }) => [label, across]),
      [
        ["a", 0.25],
        ["null", 0.75],
      ],
    );
    assert.deepEqual([data.low, data.high, data.isScale], [0, 8, false]);
  });

  it("keeps the digits of values, and places those that are further apart than any number", () => {
    const data = readChartData(
      "line",
      rows(["1e308", "0.0004"], ["-1e308", "1.7e308"], ["0", "-1.7e308"]),
      0,
      1,
    );
    assert.deepEqual(
      data.points.map(({ text, across, value }) => [text, across, heightOf(data, value)]),
      [
        ["1.7e308", 0, 1],
        ["-1.7e308", 0.5, 0],
        ["0.0004", 1, 0.5],
      ],
    );
    const tiny = readChartData("scatter", rows(["0", "0"], ["1", "5e-324"]), 0, 1);
    assert.deepEqual(
      [0, 5e-324].map((value) => heightOf(tiny, value)),
      [0, 1],
    );
  });

  it("may have a single point, or none", () => {
    const one = readChartData("scatter", rows(["1", "7"]), 0, 1);
    assert.deepEqual([one.points[0]?.across, heightOf(one, 7)], [0.5, 0.5]);
    assert.deepEqual(readChartData("scatter", rows(["1", '"x"']), 0, 1).points, []);
    assert.deepEqual(
      numberColumns([
        { name: "a", part: "input", kind: "text" },
        { name: "b", part: "input", kind: "number" },
      ]),
      [1],
    );
  });
});
