// The figures of a result in words.
import assert from "node:assert/strict";
import { setLanguage } from "../../../src/shared/page/l10n.ts";
import type { RunProgress } from "../../../src/predict/messages.ts";
import {
  formatMetrics,
  formatProgress,
  formatRowCount,
  formatTime,
} from "../../../src/predict/page/formatProgress.ts";

setLanguage({ locale: "en", texts: {} });

function said(progress: Partial<RunProgress>): string {
  const running: RunProgress = { state: { kind: "running" }, count: 0, refused: 0, notes: [] };
  return formatProgress({ ...running, ...progress });
}

describe("the text of a run's progress", () => {
  it("describes statements, and says that one without rows is done", () => {
    assert.equal(said({ count: 0 }), "Predicting");
    const activity = "Running statement… 12 s";
    assert.equal(said({ count: 0, state: { kind: "running", activity } }), activity);
    assert.equal(said({ count: 0, state: { kind: "done" }, hasNoTable: true }), "Done");
    assert.equal(said({ count: 0, state: { kind: "done" } }), "0 rows");
    const changed = (changedRows: number): string =>
      said({ count: 0, state: { kind: "done" }, hasNoTable: true, changedRows });
    assert.deepEqual([0, 1, 2_400].map(changed), [
      "0 rows changed",
      "1 row changed",
      "2,400 rows changed",
    ]);
  });

  it("has a total and a time left if known, and marks estimates", () => {
    const progress = { count: 7_000, rowsPerSecond: 1_000 };
    assert.equal(said(progress), "7,000 rows · 1,000 rows/s");
    assert.equal(
      said({ ...progress, expected: { rows: 20_000, isGuess: true } }),
      "7,000 of about 20,000 rows · 1,000 rows/s · 13 s left",
    );
    assert.equal(
      said({ ...progress, expected: { rows: 20_000, isGuess: false } }),
      "7,000 of 20,000 rows · 1,000 rows/s · 13 s left",
    );
  });

  it("omits a speed of zero", () => {
    assert.equal(said({ count: 3, rowsPerSecond: 0.2 }), "3 rows");
    assert.equal(said({}), "Predicting");
  });

  it("says that a statement returned no rows", () => {
    assert.equal(said({ state: { kind: "done" } }), "0 rows");
    assert.equal(said({ state: { kind: "failed", message: "why" } }), "");
  });
});

describe("the texts of a result's figures", () => {
  it("tell the time that a statement took", () => {
    const times = [0, 0.084, 1.236, 12.34, 59.94, 59.96, 125.4, 3_600].map(formatTime);
    const expected = ["0.01", "0.08", "1.24", "12.3", "59.9", "1 min 0", "2 min 5", "60 min 0"];
    assert.deepEqual(
      times,
      expected.map((time) => `${time} s`),
    );
  });

  it("distinguish one from several", () => {
    assert.equal(formatRowCount(1), "1 row");
    assert.equal(formatRowCount(1_000), "1,000 rows");
    const classes = { kind: "classes" as const, accuracy: 0.5, classes: [], confusion: [] };
    assert.equal(
      formatMetrics({ ...classes, count: 1 }),
      "Compared with actual values (1 row): accuracy 0.5",
    );
    assert.equal(
      formatMetrics({ ...classes, count: 1_000 }),
      "Compared with actual values (1,000 rows): accuracy 0.5",
    );
  });

  it("omit r² for one row", () => {
    const numbers = { kind: "numbers" as const, count: 1, mae: 2, rmse: 2, r2: null };
    const said = "Compared with actual values (1 row): MAE 2, RMSE 2, r² –";
    assert.equal(formatMetrics(numbers), said);
  });
});
