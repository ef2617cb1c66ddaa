import assert from "node:assert/strict";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { quotePath } from "../../../src/mindsdb/sql/quoteName.ts";

describe("A dotted name in SQL", () => {
  for (const [parts, expected] of [
    [["shop", "orders"], "`shop`.`orders`"],
    [["shop", "public", "my orders"], "`shop`.`public`.`my orders`"],
    [["a.b", "orders"], "`a.b`.`orders`"],
    [["a`b", "c`d"], '"a`b"."c`d"'],
    [["a", "b", "c", "d_1"], "`a`.`b`.`c`.`d_1`"],
  ] as const) {
    it(`is ${expected}`, () => assert.equal(quotePath(parts), expected));
  }

  for (const parts of [
    ["`a", "orders"],
    ["a`", "orders"],
    ["a`b.c", "orders"],
    ["shop", 'a`"b'],
    ["a", "b", "c", "my orders"],
  ]) {
    it(`is refused where the server would read another one: ${parts.join(" ")}`, () => {
      assert.throws(
        () => quotePath(parts),
        (error: unknown) => isAppError(error, "sql"),
      );
    });
  }
});
