import assert from "node:assert/strict";
import fc from "fast-check";
import { colorCode, findLanguage, type CodeLanguage } from "../../../src/shared/codeColors.ts";
import { assertLinear } from "../../linearTime.ts";

const languages: CodeLanguage[] = ["sql", "json", "python", "script"];

/** The colored pieces of a text. */
const colored = (text: string, language: CodeLanguage) =>
  (colorCode(text, language) ?? [])
    .filter(({ color }) => color)
    .map(({ text, color }) => `${String(color)} ${text}`);

describe("The colors of code", () => {
  it("are those of SQL", () => {
    const sql = "select t1.a -- b\nFROM `where` /* c */ LIMIT 1.5 'it\\'s' \"d";
    assert.deepEqual(colored(sql, "sql"), [
      "keyword select",
      "comment -- b",
      "keyword FROM",
      "comment /* c */",
      "keyword LIMIT",
      "number 1.5",
      "string 'it\\'s'",
      'string "d',
    ]);
  });

  it("are those of JSON, where a name is no text", () => {
    const names = ['name "a"', 'string "b: \\""', 'name "c"', "keyword null", "number 2"];
    assert.deepEqual(colored('{"a": "b: \\"", "c" : [null, 2]}', "json"), names);
  });

  it("are those of Python and JavaScript", () => {
    const python = ["keyword def", "string '''a\n'b'''", "keyword return", "comment # c"];
    assert.deepEqual(colored("def f():\n  '''a\n'b'''\n  return x # c", "python"), python);
    const script = ["keyword const", "string `b`", "comment // c", "comment /* d"];
    assert.deepEqual(colored("const a = `b`; // c\n/* d", "script"), script);
  });

  it("lose nothing of any text, in linear time", () => {
    const marks = ["'", '"', "`", "\\", "/*", "*/", "--", "#", "//", "\n", " ", ":", "a", "1", "ä"];
    const text = fc.array(fc.constantFrom(...marks), { maxLength: 200 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text, fc.constantFrom(...languages), (text, language) => {
        const pieces = colorCode(text, language) ?? [];
        assert.equal(pieces.map(({ text }) => text).join(""), text);
      }),
    );
    // Whether a text in quotes is a name of JSON, only what follows it tells.
    const around = [["", ""], ...["'", '"', "`"].map((quote) => [quote, `${quote} }`])];
    for (const language of languages) {
      for (const mark of marks) {
        for (const [before = "", after = ""] of around) {
          assertLinear({
            name: `coloring ${before}${mark}${after} in ${language}`,
            make: (size) => before + mark.repeat(size / mark.length) + after,
            run: (text) => colorCode(text, language),
            size: 4_800,
          });
        }
      }
    }
    assert.equal(colorCode("1".repeat(10_001), "sql"), undefined);
  });

  it("are known by what is written after a fence, and by VS Code's ids", () => {
    const names = ["SQL", "mindsdb-sql", "py", "typescriptreact", "json", "", "constructor", "c"];
    const found = ["sql", "sql", "python", "script", "json", undefined, undefined, undefined];
    assert.deepEqual(names.map(findLanguage), found);
  });
});
