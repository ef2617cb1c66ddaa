// Text in a single line, whatever its shape.
import assert from "node:assert/strict";
import { oneLine } from "../../../src/shared/oneLine.ts";

describe("A text in one line", () => {
  it("has no line breaks and at most one space between words", () => {
    assert.equal(oneLine("  What\n\n does it\tcost? "), "What does it cost?");
  });

  it("is not longer than the limit, and is cut between characters", () => {
    assert.equal(oneLine("x".repeat(40), 40), "x".repeat(40));
    assert.equal(oneLine("x".repeat(41), 40), `${"x".repeat(39)}…`);
    assert.equal(oneLine("one two three", 9), "one two…");
    assert.equal(oneLine("ab😀cd", 4), "ab…");
  });
});
