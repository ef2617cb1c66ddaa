// What MindsDB changes in JSON without a message (seen with pandas 2.3.1 in MindsDB's reader).
import assert from "node:assert/strict";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { assertLinear } from "../../linearTime.ts";
import { listJsonWarnings } from "../../../src/tables/jsonWarnings.ts";

const ofLines = (...lines: string[]): string[] =>
  listJsonWarnings("x.jsonl", Buffer.from(lines.join("\n")));

describe("warnings before a JSON file is uploaded", () => {
  it("are found in linear time, also of many values inside of one with a long name", () => {
    for (const [open, close] of [
      ["{", "}"],
      ["[", "]"],
    ] as const) {
      const make = (size: number): Buffer => {
        const inside = Array.from({ length: size / 10 }, (_, at) =>
          open === "{" ? `"${at.toString(36)}":1` : "{}",
        );
        const key = "k".repeat(size);
        return Buffer.from(
          `[{"a":{"${key}":${open}${inside.join()}${close}},"${key}":[{"b":1},{}]}]`,
        );
      };
      const run = (file: Buffer) => listJsonWarnings("x.json", file);
      assertLinear({ name: open, make, run, size: 60_000 });
    }
  });

  it("are about whole numbers beside null, or in rows that lack them", () => {
    assert.deepEqual(ofLines('{"id":9007199254740993,"n":1}', '{"id":null}', '{"id":7,"n":2}'), [
      "MindsDB reads 9007199254740993 in the column id as 9007199254740992. To keep it, upload JSON with the value as text.",
      "The column n has empty cells, so MindsDB reads its whole numbers as decimals: in text, 1 becomes 1.0.",
    ]);
    assert.deepEqual(
      listJsonWarnings("x.json", Buffer.from('[{"a":9007199254740993},{"a":1e5}]')),
      [
        "MindsDB reads 9007199254740993 in the column a as 9007199254740992. To keep it, upload JSON with the value as text.",
      ],
    );
  });

  it("are about objects that get the keys of others", () => {
    const warning = (column: string): string =>
      `The objects in the column ${column} have different keys. MindsDB gives all of them the same keys, with null for what is missing.`;
    assert.deepEqual(ofLines('{"o":{"a":1}}', '{"o":{"b":1}}'), [warning("o")]);
    assert.deepEqual(ofLines('\ufeff{"o":{"a":1}}', '{"o":{"b":1}}'), [warning("o")]);
    assert.deepEqual(ofLines('{"x":1,"o":{"p":[{"a":1},{}]}}'), [warning("o")]);
    assert.deepEqual(ofLines('{"o":[{"a":1}]}', '{"o":[{"a":2},{"a":null,"b":3}]}'), [
      warning("o"),
    ]);
  });

  it("are about whole numbers in lists and objects, beside null or missing ones", () => {
    const decimal = (path: string): string =>
      `The column ${path} has empty cells, so MindsDB reads its whole numbers as decimals: in text, 1 becomes 1.0.`;
    const lost = (path: string): string =>
      `MindsDB reads 9007199254740993 in the column ${path} as 9007199254740992. To keep it, upload JSON with the value as text.`;
    assert.deepEqual(ofLines('{"o":{"a":1}}', '{"o":{"a":null}}'), [decimal("o.a")]);
    assert.deepEqual(ofLines('{"o":[1,null]}', '{"o":[2]}'), [decimal("o[]")]);
    assert.deepEqual(ofLines('{"o":{"a":9007199254740993}}', '{"o":{"a":null}}'), [lost("o.a")]);
    const [first] = ofLines('{"o":[{"b":9007199254740993},{}]}');
    assert.equal(first, lost("o[].b"));
    assert.deepEqual(ofLines('{"o":[9007199254740993]}', '{"o":[]}', '{"o":null}'), []);
    assert.deepEqual(ofLines('{"o":{"a":1}}', '{"o":{"a":2.5}}'), []);
  });

  it("are about numbers that only Python knows, and what else changes beside them", () => {
    const warning = (number: string): string =>
      `MindsDB reads ${number}, which is not valid JSON, as null.`;
    const decimal =
      "The column a has empty cells, so MindsDB reads its whole numbers as decimals: in text, 1 becomes 1.0.";
    assert.deepEqual(ofLines('{"a":NaN}', '{"a":1}'), [warning("NaN"), decimal]);
    const text = '[{"a":1,"b":"NaN"},{"a":-Infinity ,"b":"x"}]';
    assert.deepEqual(listJsonWarnings("x.json", Buffer.from(text)), [
      warning("-Infinity"),
      decimal,
    ]);
    assert.deepEqual(ofLines('{"a":"NaN"}', '{"a":"[1,NaN]"}'), []);
    assert.match(
      ofLines('{"a":1e400}', '{"a":2}').join(),
      /reads Infinity in the column a as null/,
    );
  });

  it("are about rows inside of an object, of which MindsDB makes one", () => {
    const ofFile = (text: string, isWhole = true): string[] =>
      listJsonWarnings("x.json", Buffer.from(text), { isWhole });
    const warning =
      "MindsDB reads x.json as one row. For one row per object, upload only the list.";
    for (const text of [
      '{"data":[{"a":1},{"a":null}]}',
      '{"count":1,"items":[{"a":1}]}',
      ' {"data":[{"a":1}],"next":null}',
    ]) {
      assert.deepEqual(ofFile(text), [warning], text);
    }
    assert.deepEqual(ofFile('{"data":[{"a":1},{"a"', false), [warning]);
    assert.deepEqual(ofFile('{"data":[1,2],"a":{"b":1}}'), []);
    assert.deepEqual(ofLines('{"data":[{"a":1}]}'), []);
  });

  it("are a refusal for files of which MindsDB makes tables that cannot be read", () => {
    const refusal = (name: string, text: string): string => {
      try {
        return listJsonWarnings(name, Buffer.from(text)).join();
      } catch (error) {
        assert.ok(isAppError(error, "refused"));
        return error.message;
      }
    };
    for (const text of ["[]", " [ ]\n", "[{}]", "[{},{}]", "{}"]) {
      assert.equal(refusal("x.json", text), "x.json has no columns.", text);
    }
    for (const text of ["\n{}\n", "\ufeff", "\n"]) {
      assert.equal(refusal("x.jsonl", text), "x.jsonl has no columns.");
    }
    for (const text of ["[[]]", "5", "[1]", "["]) assert.equal(refusal("x.json", text), "", text);
    assert.deepEqual(listJsonWarnings("x.json", Buffer.from("[{},"), { isWhole: false }), []);
  });

  it("are none for what stays as it is", () => {
    assert.deepEqual(
      ofLines(
        '{"id":9007199254740993,"zip":"01067","v":1.10,"e":1e5,"long":0.12345678901234567890,"t":"NA","b":true}',
        '{"id":2,"zip":null,"v":1.9,"e":2,"long":1.5,"t":"TRUE","b":null}',
      ),
      [],
    );
    assert.deepEqual(ofLines('{"o":{"a":1,"b":[]}}', '{"o":null}', '{"o":{"b":[2],"a":2}}'), []);
    assert.deepEqual(ofLines('{"":1}', '{"":null}'), []);
    for (const text of ["x", "[", "[1,2]", '{"a":']) {
      assert.deepEqual(ofLines(text), []);
    }
  });
});
