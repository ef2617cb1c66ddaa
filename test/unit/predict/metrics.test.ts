import assert from "node:assert/strict";
import fc from "fast-check";
import type { Metrics } from "../../../src/predict/messages.ts";
import { MetricsCollector } from "../../../src/predict/run/metrics.ts";
import { millisecondsOf } from "../../linearTime.ts";

type Pair = [actual: string | undefined, predicted: string | undefined];

function metricsOf(numeric: boolean, pairs: Pair[]): Metrics | undefined {
  const collector = new MetricsCollector(numeric);
  for (const [actual, predicted] of pairs) collector.add(actual, predicted);
  return collector.metrics;
}

function numbers(pairs: Pair[]): Extract<Metrics, { kind: "numbers" }> {
  const metrics = metricsOf(true, pairs);
  assert.equal(metrics?.kind, "numbers");
  return metrics;
}

function classes(pairs: Pair[]): Extract<Metrics, { kind: "classes" }> {
  const metrics = metricsOf(false, pairs);
  assert.equal(metrics?.kind, "classes");
  return metrics;
}

describe("metrics of numbers", () => {
  it("are MAE, RMSE and r²", () => {
    // Errors 1, -1, 2, 0; actual values around 2.5 with squares 5.
    const { count, mae, rmse, r2 } = numbers([
      ["1", "2"],
      ["2", "1"],
      ["3", "5"],
      ["4", "4"],
    ]);
    assert.equal(count, 4);
    assert.equal(mae, 1);
    assert.equal(rmse, Math.sqrt(1.5));
    assert.ok(Math.abs(r2! - (1 - 6 / 5)) < 1e-12);
  });

  it("match their definitions for values of any size", () => {
    const value = fc.integer({ min: -1_000, max: 1_000 });
    const offset = fc.constantFrom(0, 0.5, -1e9);
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { minLength: 2 }), offset, (pairs, offset) => {
        const rows = pairs.map(([actual, predicted]) => [actual + offset, predicted + offset]);
        const mean = rows.reduce((sum, [actual]) => sum + actual!, 0) / rows.length;
        let absolute = 0;
        let squares = 0;
        let spread = 0;
        for (const [actual = 0, predicted = 0] of rows) {
          absolute += Math.abs(predicted - actual);
          squares += (predicted - actual) ** 2;
          spread += (actual - mean) ** 2;
        }
        const texts = rows.map((row): Pair => [String(row[0]), JSON.stringify(String(row[1]))]);
        const { mae, rmse, r2 } = numbers(texts);
        const close = (a: number, b: number): boolean =>
          Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));
        assert.ok(close(mae, absolute / rows.length));
        assert.ok(close(rmse, Math.sqrt(squares / rows.length)));
        if (spread > 1) {
          assert.ok(close(r2!, 1 - squares / spread), `${r2} ${1 - squares / spread}`);
        }
      }),
    );
  });

  it("have no r² if all actual values are equal", () => {
    const { r2, mae } = numbers([
      ["5", "4"],
      ["5", "6"],
    ]);
    assert.equal(r2, null);
    assert.equal(mae, 1);
  });

  it("skip values that are not numbers", () => {
    const pairs: Pair[] = [
      ["1", "1"],
      ['"2"', '"2.0"'],
      ["null", "1"],
      ["1", "null"],
      ['""', "1"],
      ["1", undefined],
      [undefined, "1"],
      ['"abc"', "1"],
      ["1", '"abc"'],
      ["1e400", "1"],
      ['"  "', "1"],
    ];
    const { count, mae } = numbers(pairs);
    assert.deepEqual([count, mae], [2, 0]);
    assert.equal(metricsOf(true, pairs.slice(2)), undefined);
  });
});

describe("metrics of classes", () => {
  it("are the accuracy and the confusion table", () => {
    const metrics = classes([
      ['"good"', '"good"'],
      ['"good"', '"poor"'],
      ['"poor"', '"poor"'],
      ['"great"', '"good"'],
      ["null", '"good"'],
    ]);
    assert.equal(metrics.count, 4);
    assert.equal(metrics.accuracy, 0.5);
    assert.deepEqual(metrics.classes, ["good", "great", "poor"]);
    assert.deepEqual(metrics.confusion, [
      [1, 0, 1],
      [1, 0, 0],
      [0, 0, 1],
    ]);
  });

  it("take no time for each of very many predicted classes", () => {
    const collector = new MetricsCollector(false);
    const ms = millisecondsOf(() => {
      for (let n = 0; n < 200_000; n++) {
        collector.add('"a"', `"${n}"`);
        if (n % 1_000 === 0) void collector.metrics;
      }
      collector.add('"a"', '"a"');
    });
    assert.ok(ms < 1_000, String(ms));
    const { metrics } = collector;
    assert.ok(metrics?.kind === "classes");
    assert.deepEqual(
      [metrics.count, metrics.accuracy, metrics.classes],
      [200_001, 1 / 200_001, []],
    );
  });

  it("treat a class as equal whether it is a string or a number", () => {
    const { accuracy, classes: names } = classes([
      ['"1"', "1"],
      ["0", '"0"'],
      ["true", '"true"'],
    ]);
    assert.equal(accuracy, 1);
    assert.deepEqual(names, ["0", "1", "true"]);
  });

  it("treat a class as equal in all formats of files and servers", () => {
    const { accuracy, classes: names } = classes([
      ['"True"', "true"],
      ["false", '"False"'],
      ["1", '"1.0"'],
      ['"-2.00"', "-2"],
      ['"v1.0"', '"v1"'],
      ['"01"', '"1"'],
      ['"1.50"', '"1.5"'],
      ['"Good"', '"good"'],
    ]);
    assert.equal(accuracy, 0.5);
    assert.deepEqual(names.slice(0, 4), ["-2", "01", "1", "1.5"]);
  });

  it("go on counting if there are too many classes for a table", () => {
    const pairs = Array.from({ length: 100 }, (_, n): Pair => [`"${n}"`, `"${n - (n % 2)}"`]);
    const metrics = classes(pairs);
    assert.deepEqual(metrics, {
      kind: "classes",
      count: 100,
      accuracy: 0.5,
      classes: [],
      confusion: [],
    });
  });

  it("work for classes called __proto__ and constructor", () => {
    const { confusion, classes: names } = classes([
      ['"__proto__"', '"constructor"'],
      ['"constructor"', '"constructor"'],
    ]);
    assert.deepEqual(names, ["__proto__", "constructor"]);
    assert.deepEqual(confusion, [
      [0, 1],
      [0, 1],
    ]);
  });
});
