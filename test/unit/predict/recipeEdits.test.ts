import assert from "node:assert/strict";
import { parseRecipe } from "../../../src/predict/notebook/recipe.ts";
import {
  removeProperty,
  repairCount,
  setProperty,
  type TextChange,
} from "../../../src/predict/notebook/recipeEdits.ts";
import { describeProblems } from "../../../src/predict/notebook/recipeProblems.ts";

function changed(text: string, change: TextChange | undefined): string | undefined {
  return change && text.slice(0, change.start) + change.text + text.slice(change.end);
}

describe("recipe edits", () => {
  it("replace a property, or insert it before the others", () => {
    const set = (text: string) => changed(text, setProperty(text, "model", '"a.b"'));
    assert.equal(set('{"rows": 1, "model": 2}'), '{"rows": 1, "model": "a.b"}');
    assert.equal(set('{ "rows": 1 }'), '{ "model": "a.b", "rows": 1 }');
    assert.equal(set('{\n  "rows": 1\n}'), '{\n  "model": "a.b",\n  "rows": 1\n}');
    assert.equal(set("{}"), '{ "model": "a.b" }');
    assert.equal(set("\n"), '{ "model": "a.b" }');
    assert.equal(set("{"), undefined);
    assert.equal(set("[1]"), undefined);
  });

  it("remove a property with its comma", () => {
    for (const [text, expected] of [
      ['{"limt": 1, "rows": 2}', '{"rows": 2}'],
      ['{"rows": 2, "limt": 1}', '{"rows": 2}'],
      ['{\n  "rows": 2,\n  "limt": {"a": [1, 2]},\n  "x": 3\n}', '{\n  "rows": 2,\n  "x": 3\n}'],
      ['{"limt": 1}', "{}"],
    ] as const) {
      const key = parseRecipe(text).members.find(({ name }) => name === "limt")?.key;
      assert.ok(key);
      assert.equal(changed(text, removeProperty(text, key)), expected);
    }
    assert.equal(removeProperty("{}", { start: 0, end: 1 }), undefined);
  });

  it("repair a count", () => {
    assert.deepEqual(
      ['"5"', "0", "20000", "1.6", '"five"', "true", '""', "[1]"].map((text) =>
        repairCount(text, 10_000),
      ),
      [5, 1, 10_000, 2, undefined, undefined, undefined, undefined],
    );
  });
});

describe("the problems of a recipe", () => {
  it("are described with their lines if there are several", () => {
    const told = (text: string) => describeProblems(text, parseRecipe(text).problems);
    assert.match(told('{"model": "a.b", "rows": 1}'), /^Rows can be a file/);
    assert.match(
      told('{\n  "model": "a.b",\n  "limt": 1,\n  "rows": 1\n}'),
      /^Line 3: Unknown property “limt”\..* Line 4: Rows can be a file/,
    );
    assert.match(told('{\n  "model": "a.b"\n}'), /^Specify the rows/);
    assert.match(told('{\n  "model": "a.b"\n  "rows": 1\n}'), /^Line 3: /);
  });
});
