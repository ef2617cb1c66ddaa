import assert from "node:assert/strict";
import { splitQuestion } from "../../../src/chat/questionParts.ts";

const text = (text: string) => ({ kind: "text", text });

describe("The parts of a question", () => {
  it("are code blocks with their language, code within lines, and text", () => {
    assert.deepEqual(splitQuestion("Why `a`?\n\n```sql\nSELECT 1\n\n  `x`\n```\n\nAnd *b*?\n"), [
      text("Why "),
      { kind: "inlineCode", text: "a" },
      text("?"),
      { kind: "codeBlock", text: "SELECT 1\n\n  `x`", language: "sql" },
      text("And *b*?"),
    ]);
  });

  it("are one text where there is no code", () => {
    for (const question of ["How much?", "a\n\n b `", "``", "<b>`\n`</b>"]) {
      assert.deepEqual(splitQuestion(question), [text(question)]);
    }
  });

  it("end with a code block that is not closed, also in a longer fence", () => {
    const block = { kind: "codeBlock", text: "```\na", language: undefined };
    assert.deepEqual(splitQuestion("````c\n```\na"), [block]);
  });

  it("are one text where there would be very many", () => {
    for (const part of ["`a`", "```sql\nSELECT 1\n```\n"]) {
      const question = part.repeat(500_000);
      assert.deepEqual(splitQuestion(question), [{ kind: "text", text: question }]);
    }
  });
});
