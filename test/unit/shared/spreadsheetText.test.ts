import assert from "node:assert/strict";
import {
  csvLine,
  tsvLine,
  withoutFormula,
  withoutFormulas,
} from "../../../src/shared/spreadsheetText.ts";

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

  it("is escaped in files also where semicolons separate cells", () => {
    for (const [text, escaped] of [
      ["x;=1+1", "x;'=1+1"],
      ["x; \u200b＝1+1;@A1;y", "x;' \u200b＝1+1;'@A1;y"],
      ["=1;-cmd|' /C calc'!A0;+A1", "'=1;'-cmd|' /C calc'!A0;'+A1"],
      ['{"a":"x;=1+1"}', `{"a":"x;'=1+1"}`],
    ] as const) {
      assert.equal(withoutFormulas(text), escaped);
    }
    assert.equal(csvLine(["x;=1", 'a "b"']), `x;'=1,"a ""b"""`);
    assert.equal(tsvLine(["x;=1"]), "x;=1");
    for (const text of ["a;b", "fine ;-)", ";+)", "a;-1;+2.5", "a; b=c;", ";", "&amp;-"]) {
      assert.equal(withoutFormulas(text), text);
    }
  });

  it("stays as it is otherwise", () => {
    for (const text of ["", "-1", "+1.5e3", " -2", "a=b", "x@y", "(1)", " text", "１＋１"]) {
      assert.equal(withoutFormula(text), text);
    }
  });
});
