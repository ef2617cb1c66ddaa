// JSON schemas as values of assertions: draft 7, with the verdicts of Ajv 8 in strict mode, which promptfoo 0.123 uses. Ajv
// itself is too large to ship.
import * as l10n from "@vscode/l10n";
import { format as formats, Validator, type Schema } from "@cfworker/json-schema";
import ajvFormats from "ajv-formats/dist/formats.js";
import { isObject } from "../../mindsdb/json.ts";
import { AssertionError } from "../files/finding.ts";
import { checkPattern } from "./checkPattern.ts";
import { limitTime } from "./limitTime.ts";
import { readYaml, toPlainValue } from "../files/yamlTree.ts";

const patternFormat = "unicode-regex";
// Ajv's formats instead of the library's, which accept other texts.
Object.assign(formats, createTextFormats(), { [patternFormat]: isPattern });

/** Ajv looks for properties where every object has these, too. */
const inherited = Object.getOwnPropertyNames(Object.prototype);
const schema: Schema = { $ref: "#" };
const schemas: Schema = { type: "array", minItems: 1, items: schema };
const namedSchemas: Schema = { type: "object", additionalProperties: schema };
const propertyName: Schema = { type: "string", not: { enum: inherited } };
const propertyNames: Schema = { type: "array", uniqueItems: true, items: propertyName };
const count: Schema = { type: "integer", minimum: 0 };
const number: Schema = { type: "number" };
const text: Schema = { type: "string" };
const types = ["array", "boolean", "integer", "null", "number", "object", "string"];

/**
 * The schemas that Ajv and the library judge alike, as a schema. Ajv takes a few more: references, `nullable`,
 * `multipleOf`, `dependencies`, formats of numbers, and `patternProperties` beside `properties` that match none of
 * them.
 */
const supported: Schema = {
  type: ["object", "boolean"],
  additionalProperties: false,
  properties: {
    $schema: { enum: ["http://json-schema.org/draft-07/schema#"] },
    $comment: text,
    title: text,
    description: text,
    default: true,
    examples: { type: "array" },
    readOnly: { type: "boolean" },
    type: {
      if: { type: "array" },
      then: { minItems: 1, uniqueItems: true, items: { enum: types } },
      else: { enum: types },
    },
    enum: { type: "array", minItems: 1, uniqueItems: true },
    const: true,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    minLength: count,
    maxLength: count,
    pattern: { type: "string", format: patternFormat },
    format: { enum: Object.keys(createTextFormats()) },
    items: { if: { type: "array" }, then: schemas, else: schema },
    additionalItems: schema,
    contains: schema,
    minItems: count,
    maxItems: count,
    uniqueItems: { type: "boolean" },
    properties: { ...namedSchemas, propertyNames: propertyName },
    patternProperties: { ...namedSchemas, propertyNames: { format: patternFormat } },
    additionalProperties: schema,
    propertyNames: schema,
    required: propertyNames,
    minProperties: count,
    maxProperties: count,
    if: schema,
    then: schema,
    else: schema,
    not: schema,
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
  },
  // Ajv refuses keywords that would have no effect.
  dependencies: {
    additionalItems: { required: ["items"], properties: { items: { type: "array" } } },
    if: { anyOf: [{ required: ["then"] }, { required: ["else"] }] },
    then: ["if"],
    else: ["if"],
    patternProperties: { not: { required: ["properties"] } },
  },
};

const supportedSchema = new Validator(supported, "7");

/** Longer lists are refused: whether their values are unique takes quadratic time. */
const maxListLength = 1_000;
/** Of lists and maps: each pair of them is compared value by value. */
const maxNestedLength = 50;

/** Small files are read in the extension host. */
const maxReadMs = 250;

/** Schemas that have been read: one can be the value of many tests, and the check takes longer than most answers. */
const readSchemas = new WeakSet<object>();

/**
 * Returns the schema of an assertion's value: a map, or YAML or JSON text. Throws AssertionError if it is not
 * supported.
 */
export function readSchema(value: unknown): Schema {
  const read = typeof value === "string" ? readSchemaText(value) : value;
  if (!isObject(read)) throw new AssertionError(l10n.t("The JSON schema must be a map."));
  if (readSchemas.has(read)) return read;
  const longest = findLongList(read);
  if (longest !== undefined) {
    throw new AssertionError(
      l10n.t("Not supported here: a list of more than {0} values in a JSON schema.", longest),
    );
  }
  // promptfoo replaces every reference in a file, also those in examples.
  if (JSON.stringify(read).includes('"$ref":')) {
    throw new AssertionError(l10n.t("Not supported here: {0} in the JSON schema.", "$ref"));
  }
  const { errors } = limitTime(() => supportedSchema.validate(read), maxReadMs);
  const error = errors.at(-1);
  if (!error) {
    readSchemas.add(read);
    return read;
  }
  throw new AssertionError(
    l10n.t("Not supported here: {0} in the JSON schema.", error.instanceLocation),
  );
}

/** How long a list may be that is longer; undefined if none is. */
function findLongList(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const items: unknown[] = Object.values(value);
  const isNested = items.some((item) => typeof item === "object" && item !== null);
  const longest = isNested ? maxNestedLength : maxListLength;
  if (Array.isArray(value) && items.length > longest) return longest;
  for (const item of items) {
    const found = findLongList(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readSchemaText(written: string): unknown {
  const { root, problems } = limitTime(() => readYaml(written), maxReadMs);
  const [problem] = problems;
  if (problem) throw new AssertionError(problem.message);
  return root && toPlainValue(root);
}

/** The first problem of a value by the schema; undefined if there is none. */
export function findSchemaError(value: unknown, schema: Schema): string | undefined {
  try {
    checkValue(value);
    const { errors } = limitTime(() => new Validator(schema, "7").validate(value));
    const error = errors.at(-1);
    return error && `${error.instanceLocation}: ${error.error}`;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new AssertionError(l10n.t("Not supported here: JSON nested this deeply."));
  }
}

/** Throws AssertionError for what Ajv judges in another way than the library. */
function checkValue(value: unknown): void {
  // JSON.parse reads 1e400 as infinite.
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new AssertionError(l10n.t("Not supported here: a number that is too large."));
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    // Ajv calls what it finds there when it compares values.
    if (inherited.includes(key)) {
      throw new AssertionError(l10n.t("Not supported here: a property called {0}.", key));
    }
    checkValue(item);
  }
}

/** Ajv compiles patterns with the flag `u`. */
function isPattern(pattern: string): boolean {
  try {
    checkPattern(pattern);
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

type TextCheck = RegExp | true | ((text: string) => boolean);

/** ajv-formats' formats of texts, as functions. */
function createTextFormats(): Record<string, (text: string) => boolean> {
  return Object.fromEntries(
    Object.entries(ajvFormats.fullFormats).flatMap(([name, format]) => {
      if (typeof format === "object" && "type" in format) return [];
      const isMap = typeof format === "object" && "validate" in format;
      const check = (isMap ? format.validate : format) as TextCheck;
      return [[name, (text: string) => matches(check, text)]];
    }),
  );
}

function matches(check: TextCheck, text: string): boolean {
  return check === true || (check instanceof RegExp ? check.test(text) : check(text));
}
