import assert from "node:assert/strict";
import { sqlLanguage } from "../../../src/ids.ts";
import { createCellKeys, hashContent } from "../../../src/predict/notebook/cellKeys.ts";

describe("keys of cells", () => {
  const cell = (text: string, language = "json") => ({ language, text });

  it("do not depend on a cell's position, and differ for other texts", () => {
    const [first, second] = createCellKeys([cell("a"), cell("b")]);
    assert.deepEqual(createCellKeys([cell("b"), cell("new"), cell("a")]), [
      second,
      createCellKeys([cell("new")])[0],
      first,
    ]);
    assert.notEqual(first, second);
  });

  it("distinguish cells with the same text", () => {
    const keys = createCellKeys([cell("a"), cell("b"), cell("a")]);
    assert.equal(new Set(keys).size, 3);
    assert.equal(createCellKeys([cell("a")])[0], keys[0]);
  });

  it("do not depend on line ends or the case of the language, and distinguish recipes from SQL", () => {
    assert.equal(hashContent(cell("a\r\nb\rc")), hashContent(cell("a\nb\nc")));
    assert.equal(hashContent(cell("a", "JSON")), hashContent(cell("a", "json")));
    assert.notEqual(hashContent(cell("a", sqlLanguage)), hashContent(cell("a")));
  });

  it("do not contain the text", () => {
    assert.match(hashContent(cell("secret")), /^[0-9a-f]{32}$/);
  });
});
