import assert from "node:assert/strict";
import { cellKeys, contentHash } from "../../../src/predict/notebook/cellKeys.ts";

describe("keys of cells", () => {
  const cell = (text: string, language = "json") => ({ language, text });

  it("are the same wherever a cell stands, and other ones for another text", () => {
    const [first, second] = cellKeys([cell("a"), cell("b")]);
    assert.deepEqual(cellKeys([cell("b"), cell("new"), cell("a")]), [
      second,
      cellKeys([cell("new")])[0],
      first,
    ]);
    assert.notEqual(first, second);
  });

  it("tell cells of the same text apart", () => {
    const keys = cellKeys([cell("a"), cell("b"), cell("a")]);
    assert.equal(new Set(keys).size, 3);
    assert.equal(cellKeys([cell("a")])[0], keys[0]);
  });

  it("do not depend on line ends or on how a recipe's language is written, and tell recipes from SQL", () => {
    assert.equal(contentHash(cell("a\r\nb\rc")), contentHash(cell("a\nb\nc")));
    assert.equal(contentHash(cell("a", "JSON")), contentHash(cell("a", "json")));
    assert.notEqual(contentHash(cell("a", "sql")), contentHash(cell("a")));
  });

  it("give nothing of the text away", () => {
    assert.match(contentHash(cell("secret")), /^[0-9a-f]{32}$/);
  });
});
