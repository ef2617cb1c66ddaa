import assert from "node:assert/strict";
import {
  csvLine,
  tsvLine,
  withoutFormula,
  withoutFormulas,
} from "../../../src/shared/spreadsheetText.ts";

import { assertLinear } from "../../linearTime.ts";

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
      // The quote is doubled, which is an empty text before the formula.
      ['a;"=1+1;b', `a;'"=1+1;b`],
      ['a\n" -cmd|x', `a\n'" -cmd|x`],
    ] as const) {
      assert.equal(withoutFormulas(text), escaped);
    }
    assert.equal(csvLine(["x;=1", 'a "b"']), `x;'=1,"a ""b"""`);
    assert.equal(tsvLine(["x;=1"]), "x;=1");
    for (const text of [
      "a;b",
      "fine ;-)",
      ";+)",
      "a;-1;+2.5",
      "a; b=c;",
      ";",
      "&amp;-",
      'a;"-) b"',
    ]) {
      assert.equal(withoutFormulas(text), text);
    }
  });

  it("is escaped in files also at the beginning of each line", () => {
    for (const [text, escaped] of [
      ["x\n=1+1", "x\n'=1+1"],
      ["x\r\n@SUM(A1)\ry\n\n +A1", "x\r\n'@SUM(A1)\ry\n\n' +A1"],
      ["- a\n- cmd|' /C calc'!A0", "'- a\n'- cmd|' /C calc'!A0"],
      ['x\n- HYPERLINK("http://h","x")', 'x\n\'- HYPERLINK("http://h","x")'],
      ["x;\n\u200b＝1;\n=2", "x;\n'\u200b＝1;\n'=2"],
    ] as const) {
      assert.equal(withoutFormulas(text), escaped);
    }
    const list = "# Title\n\n- one, two\n+ three\n  - four\n\n---\nTitle\n=====\n-1\n+2.5e3";
    assert.equal(withoutFormulas(list), list);
    assert.equal(csvLine(["a", "x\n=1+1"]), `a,"x\n'=1+1"`);
    const make = (size: number): string => "x\n- a".repeat(size);
    assertLinear({ name: "lines", make, run: withoutFormulas });
  });

  it("stays as it is otherwise", () => {
    for (const text of ["", "-1", "+1.5e3", " -2", "a=b", "x@y", "(1)", " text", "１＋１"]) {
      assert.equal(withoutFormula(text), text);
    }
  });
});
