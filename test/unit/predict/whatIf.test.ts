// One row with other values: what is sent for the text of a field, and in which order answers come.
import assert from "node:assert/strict";
import {
  findRange,
  formatInputText,
  readInputText,
  type InputRange,
  spreadNumbers,
} from "../../../src/predict/whatIf/inputValue.ts";
import {
  isTooLongToVary,
  limitChoices,
  type WhatIfInput,
} from "../../../src/predict/whatIf/whatIfPage.ts";
import { runSql } from "../../../src/mindsdb/sql/runSql.ts";
import { DescriptionCache } from "../../../src/models/descriptionCache.ts";
import { readExample } from "../../../src/predict/readExample.ts";
import { RequestQueue } from "../../../src/predict/whatIf/requestQueue.ts";
import { predictRows } from "../../../src/predict/whatIf/predictRows.ts";
import { startSampleServer } from "../../../src/sample/server/server.ts";
import { useTestClient } from "../../useTestClient.ts";

describe("the values of a what-if row", () => {
  it("keep every digit, and the kind that they had", () => {
    assert.equal(readInputText("9007199254740993", "1", true), "9007199254740993");
    assert.equal(readInputText(" 0.10 ", "1", true), "0.10");
    assert.equal(readInputText("800", '"750"', true), '"800"');
    assert.equal(readInputText("800", '"great"', false), '"800"');
    assert.equal(readInputText("800", "null", true), "800");
    assert.equal(readInputText("good", "1", true), '"good"');
    assert.equal(readInputText("true", "false", false), "true");
    assert.equal(readInputText("", '"great"', false), "null");
    assert.equal(readInputText('a "b"', '"great"', false), '"a \\"b\\""');
  });

  it("are what they were when a field shows their text again", () => {
    for (const json of ["1.50", '"1"', "null", '"a\\u0041"', "true", '{"a": 1}']) {
      assert.equal(readInputText(formatInputText(json), json, true), json);
    }
  });

  it("are spread evenly, and end where they should", () => {
    assert.deepEqual(spreadNumbers(0, 1, 5, false), ["0", "0.25", "0.5", "0.75", "1"]);
    assert.deepEqual(spreadNumbers(1, 3, 21, true), ["1", "2", "3"]);
    assert.equal(spreadNumbers(0, 1, 1e9, false).length, 200);
  });

  it("range over what the rows have", () => {
    assert.deepEqual(findRange("5", ["1", "9", "null"], true), {
      kind: "numbers",
      from: 1,
      to: 9,
      isWhole: true,
    });
    assert.deepEqual(findRange("4.5", [], true), {
      kind: "numbers",
      from: 2.25,
      to: 6.75,
      isWhole: false,
    });
    const rooms = ["2", "0", "10", "2"].flatMap((json) => [json, json, json]);
    assert.deepEqual(findRange("2", rooms, true), { kind: "values", values: ["0", "2", "10"] });
    const long = JSON.stringify("long".repeat(100));
    assert.deepEqual(findRange('"great"', ['"good"', long, '"great"'], false), {
      kind: "values",
      values: ['"great"', '"good"'],
    });
  });
});

describe("a page of inputs that a server lists", () => {
  const input = (name: string, own = '"a"', values: string[] = []): WhatIfInput => {
    return { name, isNumber: false, own, range: { kind: "values", values } };
  };
  const many = (count: number, values?: string[]): WhatIfInput[] =>
    Array.from({ length: count }, (_, at) => input(`c${at}`, '"a"', values));

  it("offers choices for as many as it can draw", () => {
    const values = Array.from({ length: 50 }, (_, at) => `"${at}"`);
    const inputs = limitChoices(many(1_000, values));
    const count = (one: WhatIfInput) => (one.range.kind === "values" ? one.range.values.length : 0);
    assert.equal(inputs.filter((one) => count(one) === 50).length, 100);
    assert.equal(inputs.filter((one) => count(one) === 0).length, 900);
    assert.deepEqual(limitChoices(many(100, values)), many(100, values));
  });

  it("is too long with thousands of inputs, or with long names and values", () => {
    assert.equal(isTooLongToVary(many(1_000)), false);
    assert.equal(isTooLongToVary(many(1_001)), true);
    assert.equal(isTooLongToVary([input("a", `"${"x".repeat(99_000)}"`)]), false);
    assert.equal(isTooLongToVary([input("a", `"${"x".repeat(100_000)}"`)]), true);
    assert.equal(isTooLongToVary([input("x".repeat(500_000))]), true);
    assert.equal(isTooLongToVary([input("a", '"a"', [`"${"x".repeat(500_000)}"`])]), true);
  });
});

describe("predicting one row at a time", () => {
  it("never overlaps, and skips what nobody waits for any more", async () => {
    const tasks = new RequestQueue();
    const seen: string[] = [];
    let running = 0;
    const task = (name: string) => async (): Promise<void> => {
      assert.equal(++running, 1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      seen.push(name);
    };
    for (const name of ["a", "b", "c"]) tasks.add("predict", task(name));
    tasks.add("vary", task("curve"));
    while (seen.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(seen, ["a", "c", "curve"]);
  });

  describe("on the sample server", () => {
    const sample = useTestClient(startSampleServer);

    it("varies each input of a model over what its training rows have", async () => {
      const server = {
        client: sample.client,
        connectionId: "sample",
        descriptions: new DescriptionCache(),
      };
      const model = { project: "mindsdb", name: "home_rentals_model" };
      const { row } = await readExample(server, model, 60_000);
      const rangeOf = (name: string): InputRange => {
        const seen = row!.seen.get(name)!.map((value) => JSON.stringify(value));
        return findRange(JSON.stringify(row!.values.get(name)), seen, name !== "location");
      };
      const { rows } = await runSql(
        sample.client,
        "SELECT min(sqft), max(sqft), min(number_of_rooms), max(number_of_rooms) FROM files.home_rentals",
      );
      const [fewest, most, fewestRooms, mostRooms] = rows[0]!;
      const numbers = { kind: "numbers", isWhole: true };
      assert.deepEqual(rangeOf("sqft"), { ...numbers, from: fewest, to: most });
      const rooms = rangeOf("number_of_rooms");
      assert.ok(rooms.kind === "values");
      assert.deepEqual(
        [rooms.values[0], rooms.values.at(-1)],
        [String(fewestRooms), String(mostRooms)],
      );
      const location = rangeOf("location");
      assert.ok(location.kind === "values" && location.values.length === 3);
    });

    it("gives a prediction with its confidence for each row, with one request", async () => {
      const home = { number_of_rooms: "2", number_of_bathrooms: "1", sqft: "850" };
      const others = { location: '"great"', neighborhood: '"old_town"', days_on_market: "10" };
      const row = { ...home, ...others };
      const { target, predictions } = await predictRows(
        sample.client,
        { project: "mindsdb", name: "home_rentals_model" },
        {
          names: Object.keys(row),
          rows: [Object.values(row), Object.values({ ...row, sqft: "1200" })],
        },
        { signal: new AbortController().signal, timeLimitMs: 10_000 },
      );
      assert.equal(target, "rental_price");
      const [own, larger] = predictions;
      assert.ok(Number(larger!.value) > Number(own!.value));
      assert.equal(own!.confidence, 0.95);
      assert.ok(own!.lower! < Number(own!.value));
    });
  });
});
