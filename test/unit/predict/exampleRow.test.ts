import assert from "node:assert/strict";
import MarkdownIt from "markdown-it";
import { formatExampleRows, escapeMarkdownName } from "../../../src/predict/notebook/exampleRow.ts";
import { hostileTexts } from "../../hostileTexts.ts";

describe("the example row of a new notebook", () => {
  it("has placeholders of each column's kind if no values are known", () => {
    const inputs = [
      { name: "sqft", type: "integer" },
      { name: "place", type: "categorical" },
      { name: "other" },
    ];
    assert.equal(
      formatExampleRows(inputs),
      '[\n    { "sqft": 0, "place": "", "other": null }\n  ]',
    );
  });

  it("has known values of any kind", () => {
    const values = {
      a: 1.5,
      b: 'say "no"\n',
      c: null,
      d: [1, { e: 2 }],
      f: true,
      g: "x".repeat(900),
    };
    const inputs = Object.keys(values).map((name) => ({ name, type: "integer" }));
    const text = formatExampleRows(inputs, new Map(Object.entries(values)));
    assert.deepEqual(JSON.parse(text), [{ ...values, g: "x".repeat(200) }]);
    assert.equal(text.split("\n").length, 2 + 2 + 6, "a line for each value of a long row");
  });

  it("keeps a column named __proto__", () => {
    const text = formatExampleRows([{ name: "__proto__" }], new Map([["__proto__", 3]]));
    assert.equal(text, '[\n    { "__proto__": 3 }\n  ]');
  });

  it("escapes names for Markdown", () => {
    const markdown = new MarkdownIt({ html: true });
    for (const name of [
      ...hostileTexts,
      "home_rentals_model",
      "![x](http://127.0.0.1/x.png)",
      "C #",
    ]) {
      const [, inline] = markdown.parse(`# ${escapeMarkdownName(name)}`, {});
      const tokens = inline?.children ?? [];
      assert.deepEqual(
        [...new Set(tokens.map(({ type }) => type))].filter((type) => !type.startsWith("text")),
        [],
      );
      const shown = tokens.map(({ content }) => content).join("");
      assert.equal(shown, name.replace(/\s+/g, " ").trim());
    }
  });
});
