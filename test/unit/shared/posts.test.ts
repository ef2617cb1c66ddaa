// Posts from host to page: numbered, few in flight, snapshots, and never too much at once.
import assert from "node:assert/strict";
import { Outbox, type Post } from "../../../src/shared/posts.ts";

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

  it("posts at once while little is in flight, and together what came meanwhile", () => {
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

  it("posts nothing to a page that is gone", () => {
    const { outbox, posts } = start();
    outbox.ready([]);
    outbox.shown(1);
    outbox.close();
    outbox.post("late");
    outbox.shown(1);
    assert.equal(posts.length, 1);
  });

  it("takes no notice of an answer to a post of the page before", () => {
    const { outbox, posts } = start(() => 1_000_000);
    outbox.ready([]);
    outbox.ready(["again"]);
    outbox.post("a");
    outbox.shown(1);
    assert.equal(posts.length, 2);
    outbox.shown(2);
    assert.equal(posts.length, 3);
  });

  it("starts anew when the page is ready again, without what waited for the old one", () => {
    const { outbox, posts } = start(() => 1_000_000);
    outbox.ready(["heavy"]);
    outbox.post("in the snapshot by now");
    outbox.ready(["snapshot"]);
    outbox.shown(2);
    assert.deepEqual(posts.slice(1), [{ post: 2, snapshot: true, messages: ["snapshot"] }]);
  });

  it("has no more than 500 messages in flight", () => {
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

  it("nor more than about a million characters, but always a message", () => {
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
