import assert from "node:assert/strict";
import { isTooLongToEdit } from "../../../src/shared/formPage.ts";

describe("a form", () => {
  it("is not for texts that a page would read for seconds with each key", () => {
    const isTooLong = (draft: object) => isTooLongToEdit({ id: "a", connectionId: "b", draft });
    assert.equal(isTooLong({ name: "a", query: "SELECT 1 ".repeat(40_000) }), false);
    assert.equal(isTooLong({ name: "a", query: "SELECT 1 ".repeat(400_000) }), true);
    assert.equal(isTooLong({ tables: Array.from({ length: 10_000 }, (_, at) => `t${at}`) }), false);
    assert.equal(isTooLong({ values: { a: { b: ["x".repeat(4_000_000)] } } }), true);
  });
});
