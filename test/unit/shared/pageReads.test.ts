import assert from "node:assert/strict";
import { PageReads } from "../../../src/shared/pageReads.ts";

function later() {
  let resolve: (answer: string) => void = () => undefined;
  const promise = new Promise<string>((end) => (resolve = end));
  return { promise, resolve };
}

describe("PageReads", () => {
  const create = () => {
    const reads = new PageReads();
    const read = reads.create();
    const seen: string[] = [];
    const ends = {
      show: (answer: string) => void seen.push(answer),
      fail: (error: unknown) => void seen.push(String(error)),
    };
    return { reads, read, seen, ends };
  };

  it("show the last answer alone, whichever comes first", async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { read, seen, ends } = create();
      const answers = [later(), later()];
      const signals: AbortSignal[] = [];
      const both = answers.map(({ promise }) =>
        read.run((signal) => {
          signals.push(signal);
          return promise;
        }, ends),
      );
      for (const at of order) answers[at]?.resolve(`answer ${String(at)}`);
      assert.deepEqual(await Promise.all(both), [false, true]);
      assert.deepEqual(seen, ["answer 1"]);
      assert.deepEqual([signals[0]?.aborted, signals[1]?.aborted], [true, false]);
    }
  });

  it("tell neither the error of a read that was replaced nor of one that was aborted", async () => {
    const { read, seen, ends } = create();
    const failing = (signal: AbortSignal) =>
      new Promise<string>((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")));
      });
    const [first, second] = [read.run(failing, ends), read.run(failing, ends)];
    read.abort();
    assert.deepEqual(await Promise.all([first, second]), [false, false]);
    assert.deepEqual(seen, []);
    await read.run(() => Promise.reject(new Error("of the server")), ends);
    assert.deepEqual(seen, ["Error: of the server"]);
  });

  it("end with the page, and begin again with it", async () => {
    const { reads, read, seen, ends } = create();
    const late = later();
    const running = read.run(() => late.promise, ends);
    reads.close();
    late.resolve("late");
    await running;
    const begun: string[] = [];
    const begin = () => {
      begun.push("begun");
      return Promise.resolve("answer");
    };
    assert.equal(await read.run(begin, ends), false);
    assert.deepEqual([seen, begun], [[], []]);
    reads.reopen();
    assert.equal(await read.run(begin, ends), true);
    assert.deepEqual(seen, ["answer"]);
  });
});
