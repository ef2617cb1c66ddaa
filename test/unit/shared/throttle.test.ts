// Work that is requested more often than it should run.
import assert from "node:assert/strict";
import { throttle } from "../../../src/shared/throttle.ts";

describe("Throttled work", () => {
  const { setTimeout: real } = globalThis;
  let waiting: (() => void)[] = [];
  let done = 0;
  let call: () => void;

  /** Lets the waiting time pass. */
  const pass = (): void => {
    for (const callback of waiting.splice(0)) callback();
  };

  beforeEach(() => {
    waiting = [];
    done = 0;
    globalThis.setTimeout = ((callback: () => void) => waiting.push(callback)) as never;
    call = throttle(100, () => done++);
  });

  afterEach(() => {
    globalThis.setTimeout = real;
  });

  it("runs at once, and again later if it was requested meanwhile", () => {
    call();
    assert.equal(done, 1);
    call();
    call();
    assert.equal(done, 1);
    pass();
    assert.equal(done, 2);
  });

  it("does not run again unrequested, and runs at once after a pause", () => {
    call();
    pass();
    assert.equal(done, 1);
    assert.equal(waiting.length, 0);
    call();
    assert.equal(done, 2);
  });

  it("keeps the interval after a late run too", () => {
    call();
    call();
    pass();
    call();
    assert.equal(done, 2);
    pass();
    assert.equal(done, 3);
  });
});
