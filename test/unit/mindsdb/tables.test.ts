import assert from "node:assert/strict";
import { typeOfValues } from "../../../src/mindsdb/tables.ts";

describe("The type of a column's values", () => {
  const long = "1498392753700442114";
  const cases: [values: unknown[], type: string | undefined][] = [
    [[1, null, 2.5], "number"],
    [["a", "5"], "text"],
    [[1, "a"], "mixed"],
    [[null, undefined], undefined],
    [[5, long], "number"],
    [[long, null], "number"],
    [["-9007199254740993", 0.5], "number"],
    [[long, "5"], "text"],
    [[long, "a", 1], "mixed"],
    [["2024010112000000"], "text"],
  ];
  for (const [values, type] of cases) {
    it(`is ${String(type)} for ${JSON.stringify(values)}, whole numbers beyond 2^53 being texts`, () => {
      assert.equal(typeOfValues(values), type);
    });
  }
});
