import assert from "node:assert/strict";
import fc from "fast-check";
import { matches } from "../../../src/mindsdb/dataPatterns.ts";
import { globWildcards, holdsText, matchesWildcards } from "../../../src/mindsdb/matchWildcards.ts";
import { assertLinear } from "../../linearTime.ts";

/** Matches with a regular expression, which is correct but can take exponential time. */
function matchesByRegExp(text: string, pattern: string): boolean {
  const source = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${source.replaceAll("*", ".*").replaceAll("?", ".")}$`, "su").test(text);
}

const matchesGlob = (text: string, pattern: string): boolean =>
  matchesWildcards(text, pattern, globWildcards);

const likeWildcards = { any: "%", one: "_" };

describe("wildcards", () => {
  it("match like fnmatch and LIKE", () => {
    assert.ok(matchesGlob("sales_2024", "sales_*"));
    assert.ok(matchesGlob("", "*"));
    assert.ok(matchesGlob("", ""));
    assert.ok(matchesGlob("a", "**a*"));
    assert.ok(matchesGlob("aXbXb", "a*b"));
    assert.ok(matchesGlob("a\nb", "a?b"));
    assert.ok(!matchesGlob("ab", "a?b"));
    assert.ok(!matchesGlob("aba", "ab*ba"));
    assert.ok(!matchesGlob("Sales", "sales"));
    assert.ok(matchesGlob("a🏠b", "a?b"));
    assert.ok(matchesWildcards("50%", "5_%", likeWildcards));
    assert.ok(matchesWildcards("a*b", "a*b", likeWildcards));
    assert.ok(!matchesWildcards("axb", "a*b", likeWildcards));
  });

  it("match like an equivalent regular expression", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "🏠", "."), maxLength: 12 });
    const pattern = fc.string({
      unit: fc.constantFrom("a", "b", "*", "?", "🏠", "."),
      maxLength: 8,
    });
    fc.assert(
      fc.property(text, pattern, (text, pattern) => {
        const expected = matchesByRegExp(text, pattern);
        assert.equal(matchesGlob(text, pattern), expected);
      }),
      { numRuns: 5_000 },
    );
  });

  const worst: [name: string, text: (size: number) => string, pattern: (size: number) => string][] =
    [
      ["ten stars", (size) => "a".repeat(size), () => `${"*a".repeat(10)}X`],
      ["only stars", (size) => "a".repeat(size), (size) => "*".repeat(size)],
      [
        "as many stars as characters",
        (size) => "a".repeat(size),
        (size) => `${"*a".repeat(size / 2)}X`,
      ],
      [
        "a long part that almost fits everywhere",
        (size) => "a".repeat(size),
        (size) => `*${"a".repeat(size / 2)}b*`,
      ],
      ["a part with ?", (size) => "a".repeat(size), () => `*${"a?".repeat(100)}b*`],
      ["a long part with ?", (size) => "a".repeat(size), (size) => `*${"a".repeat(size / 2)}?b*`],
      ["question marks", (size) => "a".repeat(size), (size) => "?".repeat(size)],
      ["emoji", (size) => "🏠".repeat(size / 2), () => `*${"🏠?".repeat(20)}X*`],
    ];
  for (const [name, text, pattern] of worst) {
    it(`take linear time: ${name}`, () => {
      assertLinear({
        name,
        size: 50_000,
        make: (size) => ({ text: text(size), pattern: pattern(size) }),
        run: ({ text, pattern }) => matchesGlob(text, pattern),
      });
    });
  }

  it("in an agent's data take linear time", () => {
    assertLinear({
      name: "means",
      size: 50_000,
      make: (size) => ["files", "a".repeat(size)],
      run: (parts) => assert.ok(!matches(`files.${"*a".repeat(10)}X`, parts)),
    });
  });

  it("search for a text in linear time, with the same result as includes", () => {
    const text = "ab".repeat(4_000);
    for (const part of [
      "b".repeat(5_000),
      "ba".repeat(3_999),
      `${"ab".repeat(3_000)}c`,
      "",
      text,
    ]) {
      assert.equal(holdsText(text, part), text.includes(part), part.slice(0, 5));
    }
    assert.equal(holdsText("a", "ab"), false);
    assertLinear({
      name: "an almost equal text",
      size: 500_000,
      make: (size) => ({ text: "a".repeat(size), half: "a".repeat(size / 8) }),
      run: ({ text, half }) => assert.equal(holdsText(text, `${half}b${half}`), false),
    });
  });
});
