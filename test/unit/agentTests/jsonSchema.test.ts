// JSON schemas are judged as Ajv judges them, which promptfoo uses, or refused.
import assert from "node:assert/strict";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { AssertionError } from "../../../src/agentTests/files/finding.ts";
import { findSchemaError, readSchema } from "../../../src/agentTests/checks/jsonSchema.ts";
import { formats, formatTexts, refusedByBoth, refusedHere, schemas } from "./schemaCases.ts";

/** As promptfoo 0.123 makes it; what is only logged changes no verdict. */
function createAjv(): Ajv {
  const ajv = new Ajv({ strictSchema: true, logger: false });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  return ajv;
}

/** Undefined where the schema or the value is refused. */
function judge(schema: unknown, value: unknown): boolean | undefined {
  try {
    return findSchemaError(value, readSchema(schema)) === undefined;
  } catch (error) {
    assert.ok(error instanceof AssertionError, String(error));
    return undefined;
  }
}

const someText = fc.constantFrom("a", "b", "ab", "x", "", "toString", ...formatTexts);
const name = fc.constantFrom("a", "b", "ab", "c1");
const small = fc.integer({ min: -1, max: 4 });
const types = ["array", "boolean", "integer", "null", "number", "object", "string"];
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, 0, 1, 1.5, -2, 1e21, "a"),
    someText,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  ),
}));
const { schema } = fc.letrec((tie) => {
  const one = tie("schema");
  const several = fc.array(one, { maxLength: 3 });
  const named = fc.dictionary(name, one, { maxKeys: 3 });
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.boolean(),
      fc
        .record(
          {
            type: fc.oneof(fc.constantFrom(...types), fc.uniqueArray(fc.constantFrom(...types))),
            enum: fc.array(value, { maxLength: 4 }),
            const: value,
            minimum: small,
            exclusiveMaximum: small,
            minLength: small,
            maxLength: small,
            pattern: fc.constantFrom("^a", "b$", "[", "\\d"),
            format: fc.constantFrom(...formats, "int64", "other"),
            items: fc.oneof(one, several),
            additionalItems: one,
            contains: one,
            minItems: small,
            maxItems: small,
            uniqueItems: fc.boolean(),
            properties: named,
            additionalProperties: one,
            propertyNames: one,
            required: fc.array(name, { maxLength: 2 }),
            maxProperties: small,
            if: one,
            then: one,
            else: one,
            not: one,
            allOf: several,
            anyOf: several,
            oneOf: several,
            title: someText,
            minContains: small,
          },
          { requiredKeys: [] },
        )
        .map((whole) => {
          // Few keywords at a time: otherwise hardly a schema is valid.
          const entries = Object.entries(whole).filter(
            (_, at, all) => (at * 7 + all.length) % 9 < 2,
          );
          return Object.fromEntries(entries);
        }),
      fc.record({ patternProperties: fc.dictionary(fc.constantFrom("a", "1$"), one) }),
      fc.record({ format: fc.constantFrom(...formats) }),
    ),
  };
});

describe("a JSON schema", () => {
  it("is judged as Ajv does, or refused", () => {
    const ajv = createAjv();
    let judged = 0;
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 3, maxLength: 6 }), (written, values) => {
        // JSON has no -0 and no objects without prototypes.
        const read = JSON.parse(JSON.stringify([written, values])) as [boolean | object, unknown[]];
        for (const one of read[1]) {
          const ours = judge(read[0], one);
          if (ours === undefined) continue;
          judged++;
          assert.equal(ours, ajv.compile(read[0])(one), JSON.stringify([read[0], one]));
        }
      }),
      { numRuns: 500 },
    );
    assert.ok(judged > 500, String(judged));
  });

  it("is supported as a map, and as YAML or JSON text", () => {
    for (const one of schemas) {
      const rendered = typeof one === "string" ? one.replace("{{missing}}", "") : one;
      assert.doesNotThrow(() => readSchema(rendered), JSON.stringify(one));
    }
  });

  it("is refused where Ajv refuses it, and where Ajv has more than is supported", () => {
    for (const one of [...refusedByBoth, ...refusedHere]) {
      assert.throws(() => readSchema(one), AssertionError, JSON.stringify(one));
    }
  });

  it("is refused with the place of what is not supported", () => {
    assert.throws(
      () => readSchema({ properties: { a: { minContains: 1 } } }),
      /Not supported here: #\/properties\/a\/minContains in the JSON schema/,
    );
  });

  it("is refused with a list that is so long that comparing its values takes long", () => {
    const schemaOf = (count: number) => ({ properties: { a: { enum: [...Array(count).keys()] } } });
    assert.doesNotThrow(() => readSchema(schemaOf(1_000)));
    assert.throws(() => readSchema(schemaOf(1_001)), /a list of more than 1000 values/);
    for (const list of ["enum", "examples", "anyOf"]) {
      // Each pair would be compared value by value: three of 900 lists took seven seconds.
      const nested = (length: number) => ({
        [list]: Array.from({ length }, (_, at) => (list === "anyOf" ? { const: at } : [at])),
      });
      assert.throws(() => readSchema(nested(51)), /a list of more than 50 values/);
      assert.doesNotThrow(() => readSchema(nested(50)));
    }
  });

  it("says where the JSON does not match", () => {
    const read = readSchema({ properties: { a: { items: { type: "number" } } } });
    assert.match(findSchemaError({ a: [1, "x"] }, read) ?? "", /^#\/a\/1: .*"string"/);
  });

  it("judges no value that Ajv sees in another way, or that is nested too deeply", () => {
    for (const text of ["[1e400]", '{"toString":1}', '{"a":{"__proto__":1}}']) {
      assert.equal(judge({}, JSON.parse(text)), undefined, text);
    }
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    assert.equal(judge({ type: "array" }, deep), undefined);
  });

  it("ends a pattern that takes exponential time", () => {
    assert.equal(judge({ pattern: "^(a+)+$" }, `${"a".repeat(60)}b`), undefined);
  });
});
