// What MindsDB changes in JSON without a message (seen with pandas 2.3.1 in MindsDB's reader).
import assert from "node:assert/strict";
import { listJsonWarnings } from "../../../src/tables/jsonWarnings.ts";

const ofLines = (...lines: string[]): string[] =>
  listJsonWarnings("x.jsonl", Buffer.from(lines.join("\n")));

describe("warnings before a JSON file is uploaded", () => {
  it("are about whole numbers beside null, or in rows that lack them", () => {
    assert.deepEqual(ofLines('{"id":9007199254740993,"n":1}', '{"id":null}', '{"id":7,"n":2}'), [
      "MindsDB reads the column id as numbers, so 9007199254740993 becomes 9007199254740992. In JSON, text stays text.",
      "The column n has empty cells, so MindsDB reads its whole numbers as decimals: in text, 1 becomes 1.0.",
    ]);
    assert.deepEqual(
      listJsonWarnings("x.json", Buffer.from('[{"a":9007199254740993},{"a":1e5}]')),
      [
        "MindsDB reads the column a as numbers, so 9007199254740993 becomes 9007199254740992. In JSON, text stays text.",
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
    for (const text of ["", "x", "[", "[1,2]", '{"a":', "\ufeff"]) {
      assert.deepEqual(ofLines(text), []);
    }
  });
});
