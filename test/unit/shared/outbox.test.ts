// Messages from host to page: numbered, few in flight, with snapshots and limits.
import assert from "node:assert/strict";
import { Outbox, type Post } from "../../../src/shared/outbox.ts";

function start(weigh?: (message: string) => number) {
  const posts: Post<string>[] = [];
  return { posts, outbox: new Outbox<string>((post) => posts.push(post), weigh) };
}

describe("The outbox", () => {
  it("posts nothing before the page is ready, then a snapshot", () => {
    const { outbox, posts } = start();
    outbox.post("early");
    assert.deepEqual(posts, []);
    outbox.ready(["early", "and all"]);
    assert.deepEqual(posts, [{ post: 1, snapshot: true, messages: ["early", "and all"] }]);
  });

  it("posts at once while little is in flight, and batches what waits", () => {
    const { outbox, posts } = start();
    outbox.ready([]);
    for (const message of "abcdefghij") outbox.post(message);
    const singly = [..."abcdefg"].map((message, index) => {
      return { post: index + 2, snapshot: false, messages: [message] };
    });
    assert.deepEqual(posts.slice(1), singly);
    outbox.shown(1);
    assert.deepEqual(posts.slice(8), [{ post: 9, snapshot: false, messages: ["h", "i", "j"] }]);
  });

  it("keeps at most 10,000 messages for a page that is not drawing, then requests a snapshot", () => {
    const { outbox, posts } = start();
    outbox.ready([]);
    for (let at = 0; at < 100_000; at++) outbox.post("step");
    assert.equal(posts.length, 8);
    assert.equal(outbox.waiting, 0);
    // The page was only slow: it notices the missing number and reports ready again.
    outbox.shown(1);
    assert.deepEqual(posts[8], { post: 10, snapshot: false, messages: [] });
    outbox.shown(2);
    outbox.post("in the snapshot by now");
    assert.equal(posts.length, 9);
    outbox.ready(["all of it"]);
    outbox.post("next");
    assert.deepEqual(posts.slice(9), [
      { post: 11, snapshot: true, messages: ["all of it"] },
      { post: 12, snapshot: false, messages: ["next"] },
    ]);
  });

  it("keeps at most 16 million characters for such a page", () => {
    const { outbox } = start(() => 900_000);
    outbox.ready([]);
    for (let at = 0; at < 17; at++) outbox.post("heavy");
    assert.ok(outbox.waiting > 0);
    outbox.post("heavy");
    outbox.post("heavy");
    assert.equal(outbox.waiting, 0);
  });

  it("does not count a snapshot as waiting, however long it is", () => {
    const { outbox, posts } = start();
    const snapshot = Array.from({ length: 50_000 }, String);
    outbox.ready(snapshot);
    outbox.post("next");
    // Each acknowledgment causes more messages.
    for (const { post } of posts) outbox.shown(post);
    assert.deepEqual(
      posts.flatMap(({ messages }) => messages),
      [...snapshot, "next"],
    );
  });

  it("posts nothing to a closed page", () => {
    const { outbox, posts } = start();
    outbox.ready([]);
    outbox.shown(1);
    outbox.close();
    outbox.post("late");
    outbox.shown(1);
    assert.equal(posts.length, 1);
  });

  it("ignores acknowledgments of the previous page", () => {
    const { outbox, posts } = start(() => 1_000_000);
    outbox.ready([]);
    outbox.ready(["again"]);
    outbox.post("a");
    outbox.shown(1);
    assert.equal(posts.length, 2);
    outbox.shown(2);
    assert.equal(posts.length, 3);
  });

  it("starts again when the page is ready again, without the messages that waited for the old one", () => {
    const { outbox, posts } = start(() => 1_000_000);
    outbox.ready(["heavy"]);
    outbox.post("in the snapshot by now");
    outbox.ready(["snapshot"]);
    outbox.shown(2);
    assert.deepEqual(posts.slice(1), [{ post: 2, snapshot: true, messages: ["snapshot"] }]);
  });

  it("has at most 500 messages in flight", () => {
    const { outbox, posts } = start();
    outbox.ready(Array.from({ length: 1200 }, String));
    assert.equal(posts.length, 1);
    outbox.shown(1);
    assert.equal(posts.length, 2);
    outbox.shown(2);
    assert.deepEqual(
      posts.map(({ messages }) => messages.length),
      [500, 500, 200],
    );
    assert.deepEqual(
      posts.map(({ snapshot }) => snapshot),
      [true, false, false],
    );
  });

  it("has at most about a million characters in flight, but always one message", () => {
    const { outbox, posts } = start((message) => Number(message));
    outbox.ready(["2000000", "400000", "400000", "400000"]);
    outbox.shown(1);
    outbox.shown(2);
    assert.deepEqual(
      posts.map(({ messages }) => messages.length),
      [1, 2, 1],
    );
  });
});
