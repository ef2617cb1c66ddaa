// Text in a single line, whatever its shape.
import assert from "node:assert/strict";
import { oneLine, plainLabel, visibleLine } from "../../../src/shared/oneLine.ts";

describe("A text in one line", () => {
  it("has no line breaks and at most one space between words", () => {
    assert.equal(oneLine("  What\n\n does it\tcost? "), "What does it cost?");
  });

  it("is not longer than the limit, and is cut between characters", () => {
    assert.equal(oneLine("x".repeat(40), 40), "x".repeat(40));
    assert.equal(oneLine("x".repeat(41), 40), `${"x".repeat(39)}…`);
    assert.equal(oneLine("one two three", 9), "one two…");
    assert.equal(oneLine("ab😀cd", 4), "ab…");
  });

  it("shows what would be invisible or obeyed", () => {
    for (const [text, shown] of [
      ["a\u202Eb", String.raw`a\u{202E}b`],
      ["a\u2066b\u2069", String.raw`a\u{2066}b\u{2069}`],
      ["a\u200Bb\u00ADc\u2060d", String.raw`a\u{200B}b\u{AD}c\u{2060}d`],
      ["ad\u200Dmin", String.raw`ad\u{200D}min`],
      ["a\uFE0Fb", String.raw`a\u{FE0F}b`],
      ["a\u3164b\u2800c\u{E0041}d", String.raw`a\u{3164}b\u{2800}c\u{E0041}d`],
      ["\u001B[2Ja\u0007", String.raw`\u{1B}[2Ja\u{7}`],
      ["a\r\nb\u2028c", "a b c"],
    ]) {
      assert.equal(visibleLine(text!), shown);
    }
    assert.equal(visibleLine("a\u202E".repeat(100), 20).length, 20);
  });

  it("leaves emoji and joined letters as they are", () => {
    for (const text of ["⚠️ 👩🏽‍💻 ❤️‍🔥", "می‌خواهم", "क्‍ष", "Größe 日本語 אב"]) {
      assert.equal(visibleLine(text), text);
    }
  });
});

describe("A label for VS Code", () => {
  /** VS Code's patterns for links and icons (1.103 and 1.139). */
  const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
  const icon = /(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/;

  for (const [text, obeyed] of [
    ["No agent [Fix it](command:workbench.action.quit) here.", link],
    ['[a](https://mindsdb.example.com "why")', link],
    ["[[a]](file:///etc/passwd)[b](command:x)", link],
    ["$(warning) x", icon],
    ["a $(sync~spin)", icon],
    [String.raw`\$(trash)$(check)`, icon],
  ] as const) {
    it(`has nothing to click or to draw in ${text}`, () => {
      assert.match(text, obeyed);
      assert.doesNotMatch(plainLabel(text), obeyed);
      assert.equal(plainLabel(text).replaceAll("\u200B", ""), text);
      assert.equal(plainLabel(plainLabel(text)), plainLabel(text));
    });
  }

  it("has an end, whatever the length of a name", () => {
    // Replacing in all of it takes seconds.
    assert.ok(plainLabel("\u200b".repeat(1_000_000)).length <= 20_000);
  });

  it("does not change other texts", () => {
    const text = "Column [a] (of $3) is missing.";
    assert.equal(plainLabel(text), text);
  });
});
