import assert from "node:assert/strict";
import { cleanFileName, toFileName } from "../../../../src/shared/files/fileName.ts";

describe("a file name made of a question", () => {
  it("has no signs that paths give a meaning", () => {
    assert.equal(toFileName("../etc: a*b?"), "___etc_ a_b_");
  });

  it("ends with a whole word", () => {
    const question = "Which is the cheapest home per neighborhood?";
    assert.equal(toFileName(question), "Which is the cheapest home per");
    assert.equal(toFileName(`${"a".repeat(40)} b`), "a".repeat(40));
  });

  it("is cut within a long word, but within no character", () => {
    assert.equal(toFileName("x".repeat(100)), "x".repeat(40));
    assert.equal(toFileName(`${"x".repeat(39)}\u{20000}y`), "x".repeat(39));
  });

  it("is no device of Windows, leads into no other folder, and has nothing invisible", () => {
    for (const device of ["CON", "nul", "Com1", "LPT9", "aux"]) {
      assert.equal(toFileName(device), `${device}_`);
      assert.equal(cleanFileName(`${device}.2026`), `${device}_.2026`);
    }
    assert.equal(cleanFileName("..\\..\\evil\u202Evsc.\n"), ".._.._evil_vsc._");
    assert.equal(cleanFileName("console.2026 é"), "console.2026 é");
    assert.equal(cleanFileName("x".repeat(300)).length, 100);
  });
});
