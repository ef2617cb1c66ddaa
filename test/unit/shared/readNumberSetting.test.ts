// Numbers that somebody has written into a setting by hand.
import assert from "node:assert/strict";
import { readNumberSetting } from "../../../src/shared/readNumberSetting.ts";

describe("A number from a setting", () => {
  const range = { min: 1, max: 10_000, defaultValue: 1_000 };

  it("is taken as it is written", () => {
    assert.equal(readNumberSetting(500, range), 500);
    assert.equal(readNumberSetting("500", range), 500);
    assert.equal(readNumberSetting(2.4, range), 3);
  });

  it("stays within what makes sense", () => {
    assert.equal(readNumberSetting(-5, range), 1);
    assert.equal(readNumberSetting(0, range), 1);
    assert.equal(readNumberSetting(1e30, range), 10_000);
    assert.equal(readNumberSetting(Infinity, range), 10_000);
  });

  it("is the default where something else is written", () => {
    for (const value of ["many", "", " ", null, undefined, NaN, true, [], [7], {}]) {
      assert.equal(readNumberSetting(value, range), 1_000, JSON.stringify(value));
    }
  });
});
