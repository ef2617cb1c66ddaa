import assert from "node:assert/strict";
import fc from "fast-check";
import { parseRows } from "../../../src/predict/rows/readRows.ts";
import { readResponseRows, TooManyRowsError } from "../../../src/predict/run/responseRows.ts";
import { rowBytes, RowsError, readValueText } from "../../../src/predict/rows/row.ts";

describe("the rows of a response", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const row = fc.dictionary(fc.string({ unit: "binary", maxLength: 6 }), value, { maxKeys: 6 });
  const space = fc.constantFrom("", " ", "\n  ");

  it("beyond those sent are counted up to a limit, and not kept", () => {
    const list = (rows: number): Buffer => Buffer.from(`[${"{},".repeat(rows - 1)}{}]`);
    assert.equal(readResponseRows(list(3), 3).length, 3);
    for (const rows of [4, 10_003, 10_004, 2_700_000]) {
      const count = rows > 10_003 ? "more than 10003" : String(rows);
      assert.throws(
        () => readResponseRows(list(rows), 3),
        (error) => error instanceof TooManyRowsError && error.count === count,
      );
    }
  });

  it("are the same as in the parsed JSON", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), fc.nat(3), space, (rows, indent, space) => {
        const list = rows.map((row) => JSON.stringify(row, null, indent)).join(`${space},${space}`);
        const bytes = Buffer.from(`${space}[${space}${list}${space}]${space}`);
        const quick = readResponseRows(bytes);
        const slow = parseRows(bytes);
        assert.deepEqual(
          quick.map((row) => rowBytes(row).toString()),
          slow.map((row) => rowBytes(row).toString()),
        );
        for (const [index, row] of quick.entries()) {
          assert.deepEqual(row.shape.names, slow[index]!.shape.names);
          for (const name of row.shape.names) {
            assert.equal(readValueText(row, name), readValueText(slow[index]!, name));
          }
        }
      }),
    );
  });

  it("are also found in an object's data, and one object is one row", () => {
    const name = fc.string({ unit: "binary", maxLength: 6 }).filter((text) => text !== "data");
    const others = fc.dictionary(name, value, { maxKeys: 3 });
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 4 }),
        others,
        others,
        fc.nat(2),
        (rows, before, after, indent) => {
          const written = (value: unknown) => Buffer.from(JSON.stringify(value, null, indent));
          const texts = (bytes: Buffer) =>
            readResponseRows(bytes).map(
              (found) => JSON.parse(rowBytes(found).toString()) as unknown,
            );
          const asList = texts(written(rows));
          assert.deepEqual(texts(written({ ...before, data: rows, ...after })), asList);
          const names = Object.keys(before);
          if (names.length > 1 || (names.length === 1 && names[0] !== "error")) {
            assert.deepEqual(texts(written(before)), texts(written([before])));
          }
        },
      ),
    );
    const one = Buffer.from('{"data": "x", "price": 1e400}');
    const [found] = readResponseRows(one);
    assert.equal(found && readValueText(found, "price"), "1e400");
    assert.throws(() => readResponseRows(one, 2), RowsError);
  });

  it("share a shape if they have the same names", () => {
    const [first, second] = readResponseRows(Buffer.from('[{"a":1},{"a":2}]'));
    assert.equal(first?.shape, second?.shape);
  });

  it("have equal signatures if and only if they have the same names", () => {
    const names = fc.uniqueArray(fc.string({ unit: "grapheme", maxLength: 6 }), { maxLength: 6 });
    const signatureOf = (names: string[], values: unknown[], indent: number): number => {
      const row = Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
      const [reply] = readResponseRows(Buffer.from(JSON.stringify([row], null, indent)));
      return reply!.signature;
    };
    fc.assert(
      fc.property(
        names,
        fc.array(value),
        fc.array(value),
        fc.nat(2),
        (names, some, others, indent) => {
          const signature = signatureOf(names, some, 0);
          assert.equal(signatureOf(names, others, indent), signature);
          assert.notEqual(signatureOf([...names, "one more"], some, 0), signature);
          if (names.length > 0) assert.notEqual(signatureOf(names.slice(1), some, 0), signature);
        },
      ),
    );
    assert.notEqual(signatureOf(["price"], [], 0), signatureOf(["score"], [], 0));
  });

  it("have a signature of the names in an explanation and of which values are null", () => {
    const name = fc.string({ unit: "binary", minLength: 1, maxLength: 6 });
    const signatureOf = (explanation: unknown, indent: number): number[] => {
      const inText = JSON.stringify(explanation, null, indent);
      return [inText, explanation].map((p_explain) => {
        const text = JSON.stringify([{ p: 1, p_explain, q: '{"no":1}' }], null, indent);
        return readResponseRows(Buffer.from(text))[0]!.signature;
      });
    };
    const isNull = (value: unknown) => JSON.stringify(value ?? null) === "null";
    const flat = fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.constant(null));
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { maxLength: 5 }),
        fc.array(flat),
        fc.array(flat),
        fc.nat(2),
        (names, some, others, indent) => {
          const explain = (names: string[], values: unknown[]) =>
            Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
          const signatures = signatureOf(explain(names, some), 0);
          const alike = names.map((_, at) =>
            isNull(some[at]) ? null : isNull(others[at]) ? 1 : others[at],
          );
          assert.deepEqual(signatureOf(explain(names, alike), indent), signatures);
          const unlike = names.map((_, at) => (at > 0 ? some[at] : isNull(some[0]) ? 1 : null));
          const one = names.length === 0 ? [] : [signatureOf(explain(names, unlike), indent)];
          for (const different of [signatureOf(explain([...names, "one more"], some), 0), ...one]) {
            for (const at of [0, 1]) assert.notEqual(different[at], signatures[at]);
          }
        },
      ),
    );
    const [red, bed] = ["red", "bed"].map((label) =>
      signatureOf({ [`probability_class_${label}`]: 1 }, 0),
    );
    assert.notDeepEqual(red, bed);
  });

  it("may hold invalid JSON: such a row has no values, and keeps its bytes", () => {
    const [first, second] = readResponseRows(Buffer.from('[{"a":NaN},{"a":"}\\\\"}]'));
    assert.deepEqual(first?.shape.names, []);
    assert.equal(first && rowBytes(first).toString(), '{"a":NaN}');
    assert.equal(second && readValueText(second, "a"), '"}\\\\"');
  });

  it("are rejected if one has too many names", () => {
    const row = (count: number) =>
      Buffer.from(`[{${Array.from({ length: count }, (_, n) => `"${n}":{"a":1}`).join()}}]`);
    assert.equal(readResponseRows(row(20_000))[0]?.shape.names.length, 20_000);
    assert.throws(() => readResponseRows(row(20_001)), /too many columns/);
  });

  it("are rejected wherever they are cut off, and if they are no list of rows", () => {
    const whole = '[{"a":"x\\"]}"}, {"b":[1,{}]}]';
    for (let length = 0; length < whole.length; length++) {
      assert.throws(() => readResponseRows(Buffer.from(whole.slice(0, length))), RowsError);
    }
    for (const other of [
      "",
      "{}",
      '{"data":[{}',
      '{"data":[{}, 1]}',
      '{"a":1',
      '{"error":"x"}',
      "[1]",
      "[[]]",
      '["a"]',
      "[{} {}]",
      "[{},]",
      "<p>",
    ]) {
      assert.throws(() => readResponseRows(Buffer.from(other)), RowsError, other);
    }
  });
});
