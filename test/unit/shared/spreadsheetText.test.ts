import assert from "node:assert/strict";
import { tsvLine, withoutFormula } from "../../../src/shared/spreadsheetText.ts";

describe("text for spreadsheets", () => {
  it("is escaped where a spreadsheet would see a formula", () => {
    const starts = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "−", "﹢", "﹣", "﹦", "﹫"];
    const before = ["", " ", "\u00a0", "\u3000", "\ufeff", "\u200b", "\0", "\t", "\r", "\n"];
    for (const start of starts) {
      for (const space of before) {
        const text = `${space}${start}HYPERLINK("http://h","x")`;
        assert.equal(withoutFormula(text), `'${text}`, JSON.stringify(text));
      }
    }
    assert.equal(tsvLine(["＝1+1", "\t=1"]), `'＝1+1\t"'\t=1"`);
  });

  it("stays as it is otherwise", () => {
    for (const text of ["", "-1", "+1.5e3", " -2", "a=b", "x@y", "(1)", " text", "１＋１"]) {
      assert.equal(withoutFormula(text), text);
    }
  });
});
