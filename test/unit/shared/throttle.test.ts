// What is called more often than it should be done.
import assert from "node:assert/strict";
import { throttle } from "../../../src/shared/throttle.ts";

describe("throttled work", () => {
  const { setTimeout: real } = globalThis;
  let waiting: (() => void)[] = [];
  let done = 0;
  let call: () => void;

  /** The time that was waited for has passed. */
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

  it("is done at once, and again after a while if it was asked for meanwhile", () => {
    call();
    assert.equal(done, 1);
    call();
    call();
    assert.equal(done, 1);
    pass();
    assert.equal(done, 2);
  });

  it("is not done again by itself, and at once when it is asked for after a pause", () => {
    call();
    pass();
    assert.equal(done, 1);
    assert.equal(waiting.length, 0);
    call();
    assert.equal(done, 2);
  });

  it("keeps its distance from what was done late, too", () => {
    call();
    call();
    pass();
    call();
    assert.equal(done, 2);
    pass();
    assert.equal(done, 3);
  });
});
