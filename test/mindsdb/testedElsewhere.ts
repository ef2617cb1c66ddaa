import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

/** A trap, and the test that provokes it: the file's name and a part of the title. */
export type TestedTrap = [trap: string, file: string, title: string];

/** Declares a test for each trap, that the test of it exists. */
export function describeTestedElsewhere(title: string, traps: readonly TestedTrap[]): void {
  describe(title, () => {
    for (const [trap, file, ofTest] of traps) {
      it(`have a test: ${trap}`, () => {
        const source = fs.readFileSync(path.join(import.meta.dirname, `${file}.test.ts`), "utf8");
        assert.ok(source.includes(ofTest), `${file} has no "${ofTest}"`);
      });
    }
  });
}
