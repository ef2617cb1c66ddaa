import assert from "node:assert/strict";
import { cellKeys, contentHash } from "../../../src/predict/notebook/resultKeys.ts";

describe("keys of cells", () => {
  const cell = (text: string, language = "json") => ({ language, text });

  it("do not depend on a cell's position, and differ for other texts", () => {
    const [first, second] = cellKeys([cell("a"), cell("b")]);
    assert.deepEqual(cellKeys([cell("b"), cell("new"), cell("a")]), [
      second,
      cellKeys([cell("new")])[0],
      first,
    ]);
    assert.notEqual(first, second);
  });

  it("distinguish cells with the same text", () => {
    const keys = cellKeys([cell("a"), cell("b"), cell("a")]);
    assert.equal(new Set(keys).size, 3);
    assert.equal(cellKeys([cell("a")])[0], keys[0]);
  });

  it("do not depend on line ends or the case of the language, and distinguish recipes from SQL", () => {
    assert.equal(contentHash(cell("a\r\nb\rc")), contentHash(cell("a\nb\nc")));
    assert.equal(contentHash(cell("a", "JSON")), contentHash(cell("a", "json")));
    assert.notEqual(contentHash(cell("a", "sql")), contentHash(cell("a")));
  });

  it("do not contain the text", () => {
    assert.match(contentHash(cell("secret")), /^[0-9a-f]{32}$/);
  });
});
