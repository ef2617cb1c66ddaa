// What to write instead of calls that the server lacks or calculates otherwise than PostgreSQL.
import assert from "node:assert/strict";
import {
  findCallReplacement,
  findExtractReplacement,
} from "../../../src/predict/sqlFile/callReplacements.ts";

describe("The replacement of a call", () => {
  for (const [name, values, fixed] of [
    ["DATE", ["a.at"], "CAST(a.at AS date)"],
    ["btrim", ["a", "'x'"], "trim(a, 'x')"],
    ["every", ["a > 1"], "bool_and(a > 1)"],
    ["div", ["a + 1", "b"], "trunc((a + 1) / b)"],
    ["lpad", ["a", "5"], "lpad(a, 5, ' ')"],
    ["lpad", ["a", "5", "'0'"], undefined],
    ["rpad", ["a", "5"], "rpad(a, 5, ' ')"],
    ["trunc", ["a.x", "2"], "trunc(a.x * 100) / 100"],
    ["trunc", ["a + b", "0"], "trunc((a + b) * 1) / 1"],
    ["trunc", ["a"], undefined],
    ["trunc", ["a", "b"], undefined],
    ["to_char", ["a", "'DD.MM.YYYY HH24:MI:SS'"], "strftime(a, '%d.%m.%Y %H:%M:%S')"],
    ["to_char", ["a", "'FMMonth'"], undefined],
    ["to_char", ["a", "'999'"], undefined],
    ["to_char", ["a", "b"], undefined],
    ["to_char", ["a"], undefined],
    ["format", ["'%s of %s!'", "a", "b"], "concat(a, ' of ', b, '!')"],
    ["format", ["'it''s %s'", "a"], "concat('it''s ', a)"],
    ["format", ["'%s of %s'", "a"], undefined],
    ["format", ["'%I %s'", "a"], undefined],
    ["format", ["a", "b"], undefined],
    ["round", ["a"], "CAST(a AS bigint)"],
    ["round", ["a", "2"], undefined],
    ["now", [], undefined],
    ["upper", ["a"], undefined],
  ] as const) {
    it(`${name}(${values.join(", ")}): ${String(fixed)}`, () => {
      assert.equal(findCallReplacement(name, values)?.fixed, fixed);
    });
  }

  it("is that of a part of a difference, and of a second with its decimals", () => {
    assert.equal(findExtractReplacement("day", "a - b", true)?.fixed, "date_part('day', a - b)");
    assert.equal(
      findExtractReplacement("SECOND", "a", false)?.fixed,
      "EXTRACT(microseconds FROM a) / 1000000.0",
    );
    assert.equal(findExtractReplacement("minute", "a", false), undefined);
  });
});
