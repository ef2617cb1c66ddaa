import assert from "node:assert/strict";
import { AnswerCache } from "../../../src/predict/host/answerCache.ts";

describe("answers of servers for what is written in an editor", () => {
  it("are asked for only once the workspace is trusted: a file before that reaches no server", async () => {
    let isTrusted = false;
    let requests = 0;
    const load = () => Promise.resolve(++requests);
    const cache = new AnswerCache<number>(() => isTrusted);
    assert.equal(await cache.get("c", "a", load), undefined);
    assert.deepEqual(cache.know("c", "a", load), { value: undefined, pending: undefined });
    assert.equal(cache.peek("c", "a"), undefined);
    assert.equal(requests, 0);
    isTrusted = true;
    assert.equal(await cache.get("c", "a", load), 1);
    isTrusted = false;
    assert.equal(await cache.get("c", "b", load), undefined);
    assert.equal(requests, 1);
  });
});
