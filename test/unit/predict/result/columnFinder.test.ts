import assert from "node:assert/strict";
import { ColumnFinder, type KnownColumns } from "../../../../src/predict/result/columnFinder.ts";
import type { AnsweredRow } from "../../../../src/predict/result/columnReader.ts";
import { parseRows } from "../../../../src/predict/rows/readRows.ts";
import { readResponseRows } from "../../../../src/predict/run/responseRows.ts";

/** Rows with their replies; a text in a reply's place is why the row was refused. */
function answered(...pairs: [row: string, reply: string][]): AnsweredRow[] {
  return pairs.map(([row, reply]) => {
    const [sent] = parseRows(Buffer.from(`[${row}]`)) as [AnsweredRow["row"]];
    if (!reply.startsWith("{")) return { row: sent, refused: reply };
    return { row: sent, reply: parseRows(Buffer.from(`[${reply}]`))[0]! };
  });
}

/** Rows with these replies, as one response has them. */
function answeredWith(replies: string[]): AnsweredRow[] {
  const given = readResponseRows(Buffer.from(`[${replies.join(",")}]`));
  const sent = parseRows(Buffer.from(`[${replies.map(() => '{"a":1}').join(",")}]`));
  return sent.map((row, at) => ({ row, reply: given[at]! }));
}

function found(finder: ColumnFinder): string[] {
  return finder.columns.columns.map(({ name, part, kind }) => `${part} ${name}: ${kind}`);
}

function columnsOf(known: KnownColumns, ...lots: AnsweredRow[][]): string[] {
  const finder = new ColumnFinder(known);
  for (const rows of lots) finder.add(rows);
  return found(finder);
}

const explain = (members: object): string => JSON.stringify(JSON.stringify(members));

const lightwood = `{"sqft":917,"__mindsdb_row_id":0,"rental_price":3901,"rental_price_original":null,
  "rental_price_confidence":0.99,"rental_price_explain":${explain({
    predicted_value: 3901,
    confidence: 0.99,
    anomaly: null,
    truth: null,
    confidence_lower_bound: 3800,
    confidence_upper_bound: 4000,
  })},"rental_price_anomaly":null,"rental_price_min":3800,"rental_price_max":4000,
  "select_data_query":null,"when_data":null}`;

describe("columns of a result", () => {
  it("are the prediction, the parts of its explanation, the actual value, and the inputs", () => {
    const rows = answered(['{"sqft":"917","rental_price":"3900.5","note":null}', lightwood]);
    const finder = new ColumnFinder({
      inputs: ["sqft"],
      target: { name: "rental_price", type: "float" },
    });
    finder.add(rows);
    assert.deepEqual(found(finder), [
      "predicted rental_price: number",
      "predicted confidence: number",
      "predicted interval: interval",
      "actual rental_price: number",
      "error rental_price: number",
      "input sqft: number",
      "input note: text",
    ]);
    assert.deepEqual(finder.columns.valuesOf(rows[0]!), [
      "3901",
      "0.99",
      "[3800,3901,4000]",
      '"3900.5"',
      "0.5",
      '"917"',
      "null",
    ]);
    assert.equal(finder.columns.valueOf(rows[0]!, 4), "0.5");
    assert.equal(finder.columns.valueOf(rows[0]!, 99), undefined);
  });

  it("include the probabilities of classes", () => {
    const reply = `{"location":"good","location_explain":${explain({
      predicted_value: "good",
      confidence: 0.8,
      probability_class_good: 0.8,
      probability_class_poor: 0.2,
    })}}`;
    assert.deepEqual(columnsOf({}, answered(['{"sqft":1}', reply])), [
      "predicted location: text",
      "predicted confidence: number",
      "predicted probability_class_good: number",
      "predicted probability_class_poor: number",
      "input sqft: number",
    ]);
  });

  it("begin with the model's target, even if every row is refused", () => {
    const refused = answered(['{"a":1,"b":2}', "no"], ['{"a":3}', "no"]);
    const target = { name: "p", type: "float" };
    const columns = ["predicted p: text", "input a: number", "input b: number"];
    assert.deepEqual(columnsOf({ target }, refused), columns);
    assert.deepEqual(columnsOf({}, refused), columns.slice(1));
    const finder = new ColumnFinder({ target });
    finder.add(refused);
    finder.add(answered(['{"a":5,"b":6}', '{"p":1}']));
    assert.deepEqual(found(finder), ["predicted p: number", ...columns.slice(1)]);
  });

  it("are the new columns of the replies if the model describes none", () => {
    const rows = answered(['{"a":1,"b":2}', '{"a":1,"b":2,"score":0.5,"label":"x"}']);
    assert.deepEqual(columnsOf({}, rows), [
      "predicted score: number",
      "predicted label: text",
      "input a: number",
      "input b: number",
    ]);
  });

  it("include parts that only one explanation has", () => {
    const reply = (more: object): string =>
      `{"p":1,"p_explain":${explain({ confidence: 0.5, ...more })}}`;
    const replies = Array.from({ length: 500 }, (_, at) =>
      reply(at === 321 ? { probability_class_new: 0.1 } : at === 499 ? { anomaly: 1 } : {}),
    );
    const finder = new ColumnFinder({ target: { name: "p" } });
    finder.add(answeredWith(replies));
    assert.deepEqual(found(finder).slice(1, 4), [
      "predicted confidence: number",
      "predicted probability_class_new: number",
      "predicted anomaly: number",
    ]);
  });

  it("omit parts without a value until one explanation has one", () => {
    const batch = (count: number, says: (at: number) => unknown): AnsweredRow[] => {
      const replies = Array.from({ length: count }, (_, at) => {
        const explanation = { confidence: 0.5, anomaly: says(at), confidence_lower_bound: null };
        return `{"p":1,"p_explain":${explain(explanation)},"p_anomaly":null}`;
      });
      return answeredWith(replies);
    };
    const finder = new ColumnFinder({ target: { name: "p" } });
    finder.add(batch(500, () => null));
    const before = ["predicted p: number", "predicted confidence: number", "input a: number"];
    assert.deepEqual(found(finder), before);
    finder.add(batch(500, (at) => (at === 321 ? false : null)));
    assert.deepEqual(found(finder), [...before, "predicted anomaly: text"]);
  });

  it("of later batches are added at the end, and the others keep their places", () => {
    const finder = new ColumnFinder({ target: { name: "p" } });
    finder.add(answered(['{"a":1}', '{"p":1}']));
    const before = found(finder);
    const late = answered(
      ['{"a":1}', '{"p":1}'],
      ['{"a":1,"late":"x","p":2}', '{"p":1,"extra":true}'],
    );
    finder.add(late);
    assert.deepEqual(found(finder), [
      ...before,
      "predicted extra: text",
      "actual p: number",
      "error p: number",
      "input late: text",
    ]);
    assert.deepEqual(finder.columns.valuesOf(late[0]!), [
      "1",
      "1",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    assert.deepEqual(finder.columns.valuesOf(late[1]!), ["1", "1", "true", "2", "-1", '"x"']);
  });

  it("of the first replies are inserted at the front after refused rows", () => {
    const finder = new ColumnFinder({});
    finder.add(answered(['{"a":1}', "no"]));
    assert.deepEqual(found(finder), ["input a: number"]);
    finder.add(answered(['{"a":1}', '{"p":"x"}']));
    assert.deepEqual(found(finder), ["predicted p: text", "input a: number"]);
  });

  it("are numbers or texts by their first values, including CSV's numbers in quotes", () => {
    const finder = new ColumnFinder({});
    finder.add(answered(['{"a":null,"b":"","c":"1e3"}', '{"p":null}']));
    assert.deepEqual(found(finder), [
      "predicted p: text",
      "input a: text",
      "input b: text",
      "input c: number",
    ]);
    assert.equal(finder.targetIsNumber, undefined);
    finder.add(answered(['{"a":2,"b":"x","c":"y"}', '{"p":1.5}']));
    assert.deepEqual(found(finder), [
      "predicted p: number",
      "input a: number",
      "input b: text",
      "input c: number",
    ]);
    assert.equal(finder.targetIsNumber, true);
  });

  it("have a numeric or class target by the model's description or its replies", () => {
    const rows = answered(['{"y":1}', '{"y":1}']);
    const isNumber = (known: KnownColumns, lot = rows): boolean | undefined => {
      const finder = new ColumnFinder(known);
      finder.add(lot);
      return finder.targetIsNumber;
    };
    assert.equal(isNumber({ target: { name: "y", type: "float" } }), true);
    assert.equal(isNumber({ target: { name: "y", type: "binary" } }), false);
    assert.equal(isNumber({ target: { name: "y" } }), true);
    const probable = `{"y":1,"y_explain":${explain({ confidence: 1, probability_class_1: 1 })}}`;
    assert.equal(isNumber({}, answered(['{"y":1}', probable])), false);
    assert.deepEqual(columnsOf({ target: { name: "y", type: "binary" } }, rows), [
      "predicted y: number",
      "actual y: number",
    ]);
  });

  it("work for names like __proto__ and for malicious ones", () => {
    const rows = answered(['{"__proto__":1,"toString":2}', '{"<b>":"x","hasOwnProperty":3}']);
    const finder = new ColumnFinder({});
    finder.add(rows);
    assert.deepEqual(found(finder), [
      "predicted <b>: text",
      "predicted hasOwnProperty: number",
      "input __proto__: number",
      "input toString: number",
    ]);
    assert.deepEqual(finder.columns.valuesOf(rows[0]!), ['"x"', "3", "1", "2"]);
  });

  it("are refused if rows have too many different ones, or too long ones", () => {
    const row = (start: string, count: number): string => {
      return `{${Array.from({ length: count }, (_, n) => `"${start}${n}":1`).join()}}`;
    };
    const rows = "abc".split("").map((start) => row(start, 9_000));
    for (const pairs of [
      rows.map((sent): [string, string] => [sent, "refused"]),
      rows.map((reply): [string, string] => ['{"x":1}', reply]),
      rows.map((given): [string, string] => {
        return ['{"x":1}', `{"p":1,"p_explain":${JSON.stringify(given)}}`];
      }),
    ]) {
      const lots = pairs.map((pair) => answered(pair));
      columnsOf({}, ...lots.slice(0, 1));
      assert.throws(() => columnsOf({}, ...lots), {
        kind: "tooLarge",
        message: /too many columns/,
      });
    }
    const long = "a".repeat(1_000_000);
    const lots = [1, 2, 3, 4, 5].map((n) => answered([`{"${long}${n}":1}`, "refused"]));
    assert.throws(() => columnsOf({}, ...lots), {
      kind: "tooLarge",
      message: /names are too long/,
    });
  });

  it("ignore an explanation with very many values", () => {
    const explanation = JSON.stringify(`{"a": [${"{},".repeat(100_000)}{}]}`);
    const rows = answered(['{"a":1}', `{"p":1,"p_explain":${explanation}}`]);
    assert.deepEqual(columnsOf({}, rows)[1], "predicted p_explain: text");
  });

  it("ignore an invalid explanation", () => {
    for (const explanation of ['"{not json"', "12", "null", '"null"', "[1]"]) {
      const rows = answered(['{"a":1}', `{"p":1,"p_explain":${explanation},"p_confidence":0.5}`]);
      const names = columnsOf({}, rows).map((column) => column.split(":")[0]);
      assert.deepEqual(names, [
        "predicted p",
        "predicted p_explain",
        "predicted p_confidence",
        "input a",
      ]);
    }
  });
});
