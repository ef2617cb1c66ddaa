// Tables of what is wrong with the drafts of a form.
import assert from "node:assert/strict";
import type { Problem } from "../../src/shared/formPage.ts";

/** A change of a draft that will do, and how its problems begin: like "name: Enter" or "name (warning): Enter". */
export type ProblemCase<Draft> = [changed: Partial<Draft>, ...problems: (RegExp | string)[]];

/** Has a test for each case: the validation finds these problems, and no others. */
export function itFinds<Draft>(
  cases: ProblemCase<Draft>[],
  validate: (changed: Partial<Draft>) => Problem<string>[],
): void {
  for (const [changed, ...expected] of cases) {
    const named = expected.map((one) => (typeof one === "string" ? one : one.source));
    it(`${JSON.stringify(changed)} has ${named.join(", ") || "no problem"}`, () => {
      const found = validate(changed).map(
        ({ field, text, isWarning }) => `${field}${isWarning ? " (warning)" : ""}: ${text}`,
      );
      assert.equal(found.length, expected.length, found.join());
      for (const [at, text] of found.entries()) {
        const begin = expected[at]!;
        assert.ok(typeof begin === "string" ? text.startsWith(begin) : begin.test(text), text);
      }
    });
  }
}
