// Number settings that were typed by hand.
import assert from "node:assert/strict";
import { readNumberSetting } from "../../../src/shared/readNumberSetting.ts";

describe("A number setting", () => {
  const range = { min: 1, max: 10_000, defaultValue: 1_000 };

  it("is read from numbers and numeric texts, rounded up", () => {
    assert.equal(readNumberSetting(500, range), 500);
    assert.equal(readNumberSetting("500", range), 500);
    assert.equal(readNumberSetting(2.4, range), 3);
  });

  it("is clamped to its range", () => {
    assert.equal(readNumberSetting(-5, range), 1);
    assert.equal(readNumberSetting(0, range), 1);
    assert.equal(readNumberSetting(1e30, range), 10_000);
    assert.equal(readNumberSetting(Infinity, range), 10_000);
  });

  it("falls back to the default if it is not a number", () => {
    for (const value of ["many", "", " ", null, undefined, NaN, true, [], [7], {}]) {
      assert.equal(readNumberSetting(value, range), 1_000, JSON.stringify(value));
    }
  });
});
