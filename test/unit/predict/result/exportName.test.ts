import assert from "node:assert/strict";
import { exportName } from "../../../../src/predict/result/exportName.ts";

describe("name of an export", () => {
  const notebook = "/home/ada/first.predict.md";

  it("is made of the rows file for predictions", () => {
    for (const [rowsFile, expected] of [
      ["/data/flats.json", "flats-predictions.csv"],
      ["/data/flats.2026.jsonl", "flats.2026-predictions.csv"],
      ["/data/Prices é.csv", "Prices é-predictions.csv"],
      ["/data/..\\..\\evil.csv", ".._.._evil-predictions.csv"],
    ] as const) {
      assert.equal(exportName({ notebook, rowsFile, isPrediction: true }), expected);
    }
  });

  it("is made of the table for its predictions", () => {
    const nameFor = (table: string) => exportName({ notebook, table, isPrediction: true });
    assert.equal(nameFor("files.flats"), "flats-predictions.csv");
    assert.equal(nameFor("pg.public.`a/b c`"), "a_b c-predictions.csv");
  });

  it("is made of the notebook for rows in the recipe and for statements", () => {
    assert.equal(exportName({ notebook, isPrediction: true }), "first-predictions.csv");
    assert.equal(exportName({ notebook, isPrediction: false }), "first-result.csv");
    assert.equal(
      exportName({ notebook: "Untitled-1", isPrediction: false }),
      "Untitled-1-result.csv",
    );
    assert.equal(exportName({ notebook: "", isPrediction: true }), "predictions.csv");
  });
});
