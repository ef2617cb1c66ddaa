import assert from "node:assert/strict";
import fc from "fast-check";
import { quoteLargeIntegers } from "../../../src/mindsdb/http/largeIntegers.ts";
import { assertLinear } from "../../linearTime.ts";

describe("large integers of a JSON text", () => {
  it("become texts with all their digits, and nothing else does", () => {
    const unchanged = [
      "9007199254740991",
      "-9007199254740991",
      "0.12345678901234567890",
      "12345678901234567890.5",
      "12345678901234567890e2",
      "1e12345678901234567890",
      "1E-12345678901234567890",
      "1e+12345678901234567890",
      '"12345678901234567890"',
      '"\\"12345678901234567890"',
      '{"12345678901234567890":1}',
      '"never ends 12345678901234567890',
      "[]",
      "",
    ];
    for (const json of unchanged) assert.equal(quoteLargeIntegers(json), json);
    assert.equal(
      quoteLargeIntegers('{"a":9007199254740993,"b":[-12345678901234567890 ,1,9007199254740992]}'),
      '{"a":"9007199254740993","b":["-12345678901234567890" ,1,"9007199254740992"]}',
    );
  });

  it("are found in any JSON", () => {
    const large = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    const json = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        large.map(String),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
        fc
          .string({ unit: fc.constantFrom("\\", '"', "9", "-", ".", "e") })
          .map((text) => JSON.stringify(text)),
        fc.array(tie("value")).map((items) => `[${items.join(",")}]`),
        fc.dictionary(fc.constantFrom("9".repeat(20), "a\\"), tie("value")).map(
          (fields) =>
            `{${Object.entries(fields)
              .map(([name, value]) => `${JSON.stringify(name)} :${value}`)
              .join(" , ")}}`,
        ),
      ),
    })).value;
    const keepDigits = (_: string, value: unknown, context?: { source?: string }): unknown => {
      const source = context?.source ?? "";
      return /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value;
    };
    fc.assert(
      fc.property(json, (text) => {
        assert.deepEqual(JSON.parse(quoteLargeIntegers(text)), JSON.parse(text, keepDigits));
      }),
    );
  });

  it("are found in time in proportion to the text, whatever it is", () => {
    const texts: Record<string, (length: number) => string> = {
      digits: (length) => "1".repeat(length),
      signs: (length) => "-".repeat(length),
      "large integers": (length) => "12345678901234567,".repeat(length / 18),
      backslashes: (length) => `"${"\\".repeat(length)}`,
      quotes: (length) => '""'.repeat(length / 2),
    };
    for (const [name, make] of Object.entries(texts)) {
      assertLinear({ name, make, run: quoteLargeIntegers, size: 1_000_000 });
    }
  });
});
