import assert from "node:assert/strict";
import { lazy } from "../../../src/shared/lazy.ts";

describe("A part that is created with its first use", () => {
  it("is created once, also if it is asked for twice at once", async () => {
    let created = 0;
    const load = lazy(() => Promise.resolve(++created));
    assert.equal(load.loaded, undefined);
    assert.equal(created, 0);
    const first = load();
    assert.equal(load.loaded, first);
    assert.deepEqual(await Promise.all([first, load(), load()]), [1, 1, 1]);
  });
});
