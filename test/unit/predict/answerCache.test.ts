import assert from "node:assert/strict";
import { AnswerCache } from "../../../src/predict/host/answerCache.ts";

describe("answers of servers for what is written in an editor", () => {
  it("are asked for only once the workspace is trusted: a file before that reaches no server", async () => {
    let isTrusted = false;
    let requests = 0;
    const load = () => Promise.resolve(++requests);
    const cache = new AnswerCache<number>(() => isTrusted);
    assert.equal(await cache.get("c", "a", load), undefined);
    assert.deepEqual(cache.know("c", "a", load), { value: undefined, at: 0, pending: undefined });
    assert.equal(cache.peek("c", "a"), undefined);
    assert.equal(requests, 0);
    isTrusted = true;
    assert.equal(await cache.get("c", "a", load), 1);
    isTrusted = false;
    assert.equal(await cache.get("c", "b", load), undefined);
    assert.equal(requests, 1);
  });

  it("are asked for again once they are older than their reader wants, one request at a time", async () => {
    let answers = 0;
    let isDown = false;
    const load = async () => {
      const answer = ++answers;
      await Promise.resolve();
      if (isDown) throw new Error("down");
      return answer;
    };
    const cache = new AnswerCache<number>(() => true);
    await cache.get("c", "a", load);
    const { at } = cache.know("c", "a", load, 60_000);
    assert.ok(Date.now() - at < 60_000);
    assert.equal(answers, 1);
    assert.equal(cache.know("c", "a", load, 0).value, 1);
    await cache.know("c", "a", load, 0).pending;
    assert.equal(answers, 2);
    assert.equal(cache.know("c", "a", load, 60_000).value, 2);
    isDown = true;
    await cache.know("c", "a", load, 0).pending;
    const afterFailure = cache.know("c", "a", load, 60_000);
    assert.equal(afterFailure.value, 2);
    assert.ok(afterFailure.at >= at);
  });
});
