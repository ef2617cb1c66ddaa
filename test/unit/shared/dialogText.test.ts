// What a dialog shows before the user agrees: a stranger's names hide nothing and write no lines of their own.
import assert from "node:assert/strict";
import {
  fitsDialog,
  joinInLine,
  joinParagraphs,
  toReadableLines,
} from "../../../src/shared/dialogText.ts";
import { formatStatement } from "../../../src/shared/statementText.ts";

describe("The text of a dialog", () => {
  it("has the lines that we wrote, and no others", () => {
    const name = "sales\n\nProduction connection: none\u2028x\r\u0085y";
    assert.equal(
      joinParagraphs([name, ["Asked:", name], "", []]),
      [
        String.raw`sales Production connection: none x \u{85}y`,
        `Asked:\n${String.raw`sales Production connection: none x \u{85}y`}`,
      ].join("\n\n"),
    );
  });

  it("tells paragraphs apart where there is only one line", () => {
    const connection = "Production connection: Live (http://127.0.0.1).";
    assert.equal(
      joinInLine(["Everyone loses it.", ["DROP TABLE", "files.a"], "", connection, "Enter a."]),
      `Everyone loses it. DROP TABLE files.a · ${connection} Enter a.`,
    );
    assert.equal(joinInLine([]), "");
  });

  it("shows what would reorder or hide it", () => {
    assert.equal(
      joinParagraphs("a\u202Eb\u2066c\u200Bd $(check) [x](command:y)").replaceAll("\u200B", ""),
      String.raw`a\u{202E}b\u{2066}c\u{200B}d $(check) [x](command:y)`,
    );
  });

  it("does not fit if its end could not be seen", () => {
    const many = Array.from({ length: 60 }, (_, at) => `agent_${at}`);
    assert.ok(fitsDialog("Delete it?", ["It is deleted for everyone.", many.slice(0, 30)]));
    assert.ok(!fitsDialog("Ask 60 questions?", [many, "Costs money."]));
    assert.ok(!fitsDialog(`Delete ${"x".repeat(500)}?`, "It is deleted for everyone."));
    assert.ok(!fitsDialog("Open it?", `https://example.com/?q=${"x".repeat(5_000)}`));
    // Each of these takes eight characters when it is shown.
    assert.ok(!fitsDialog("Open it?", "\u202E".repeat(500)));
  });
});

describe("A text that is read in an editor", () => {
  it("is seen without scrolling to the right or past empty lines", () => {
    const text = toReadableLines(
      `SELECT 1${" ".repeat(5_000)}; DROP TABLE a;${"\n \t".repeat(5_000)}\nDROP TABLE b; ${"x".repeat(12_000)} DROP TABLE c`,
    );
    const lines = text.split("\n");
    assert.ok(lines.every((line) => line.length <= 120));
    assert.deepEqual(
      lines.slice(0, 3).map((line) => line.slice(0, 30)),
      ["SELECT 1 … ; DROP TABLE a;", "", "DROP TABLE b; xxxxxxxxxxxxxxxx"],
    );
    assert.ok(lines.at(-1)!.endsWith("DROP TABLE c"));
  });

  it("may be a line of any length", () => {
    const text = toReadableLines("x".repeat(30_000_000));
    assert.equal(text.replaceAll("\n", "").length, 30_000_000);
  });

  it("shows what is invisible, and has no line that the reader does not expect", () => {
    assert.equal(toReadableLines("a\u202Eb\u2028c\r\nd\re"), "a\\u{202E}b\nc\nd\ne");
  });
});

describe("A statement in a dialog", () => {
  it("keeps names whole, and loses the middle of long values only", () => {
    const name = "a".repeat(200);
    const shown = formatStatement(`DELETE FROM "${name}" WHERE x = '${"v".repeat(300)}'`);
    assert.ok(shown?.includes(name));
    assert.ok(shown?.includes(" … "));
  });
});
