import assert from "node:assert/strict";
import fc from "fast-check";
import {
  formatEntry,
  formatEverythingIn,
  isPattern,
  matches,
  findOwner,
  splitEntry,
  withOwner,
} from "../../../src/mindsdb/dataPatterns.ts";

describe("entries of an agent's lists", () => {
  it("quotes a part that contains a dot", () => {
    assert.equal(formatEntry(["files", "home_rentals"]), "files.home_rentals");
    assert.equal(formatEntry(["files", "sales.2024"]), "files.`sales.2024`");
    assert.deepEqual(splitEntry("files.`sales.2024`"), ["files", "sales.2024"]);
  });

  it("matches exactly the table that a written name stands for", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((text) => !/[`*?]/.test(text) && text.trim() === text);
    fc.assert(
      fc.property(fc.array(name, { minLength: 2, maxLength: 3 }), name, (parts, other) => {
        const entry = formatEntry(parts);
        assert.deepEqual(splitEntry(entry), parts);
        assert.equal(findOwner(entry), parts[0]);
        assert.ok(matches(entry, parts));
        const last = parts.at(-1) ?? "";
        const same = other.toLowerCase() === last.toLowerCase();
        assert.equal(matches(entry, [...parts.slice(0, -1), other]), same);
      }),
    );
  });

  it("matches everything in a data source with any name", () => {
    const name = fc
      .string({ minLength: 1 })
      .filter((text) => !text.includes("`") && /\S/.test(text));
    fc.assert(
      fc.property(name, (table) => {
        assert.ok(matches(formatEverythingIn("files"), ["files", table]));
        assert.ok(!matches(formatEverythingIn("files"), ["other", table]));
      }),
    );
  });

  for (const [entry, parts, expected] of [
    ["files.*", ["files", "a"], true],
    ["files.sales_*", ["files", "sales_2024"], true],
    ["files.sales_*", ["files", "rents"], false],
    ["FILES.Homes", ["files", "homes"], true],
    ["files.a.c", ["files", "abc"], false],
    ["pg.*", ["pg", "public", "orders"], true],
    ["pg.orders", ["pg", "public", "orders"], true],
    ["pg.public.*", ["pg", "public", "orders"], true],
    ["pg.other.*", ["pg", "public", "orders"], false],
    ["pg.public.orders", ["pg", "orders"], false],
    ["homes", ["files", "homes"], false],
    ["files.(a+)+$", ["files", "aaa"], false],
  ] as const) {
    it(`${entry} ${expected ? "matches" : "does not match"} ${parts.join(".")}`, () => {
      assert.equal(matches(entry, parts), expected);
    });
  }

  it("recognizes patterns, and resolves unqualified knowledge bases", () => {
    assert.ok(isPattern("files.*"));
    assert.ok(!isPattern("files.homes"));
    assert.equal(withOwner("guide", "mindsdb"), "mindsdb.guide");
    assert.equal(withOwner("support.guide", "mindsdb"), "support.guide");
  });
});
