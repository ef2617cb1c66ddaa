import assert from "node:assert/strict";
import { findCircles } from "../../scripts/importCircles.ts";

describe("The import check", () => {
  it("finds files that import each other, also through others", () => {
    const imports = new Map([
      ["a", ["b"]],
      ["b", ["c", "e"]],
      ["c", ["a", "d"]],
      ["d", []],
      ["e", ["f"]],
      ["f", ["e", "d"]],
    ]);
    const circles = findCircles(imports).map((circle) => circle.sort());
    assert.deepEqual(circles.sort(), [
      ["a", "b", "c"],
      ["e", "f"],
    ]);
  });

  it("accepts files that share imports", () => {
    const imports = new Map([
      ["a", ["b", "c"]],
      ["b", ["d"]],
      ["c", ["d"]],
      ["d", []],
    ]);
    assert.deepEqual(findCircles(imports), []);
  });
});
