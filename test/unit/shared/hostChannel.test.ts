// Items from host to page: few in flight, all again for a new page, with limits.
import assert from "node:assert/strict";
import { HostChannel } from "../../../src/shared/hostChannel.ts";
import type { ItemsPost } from "../../../src/shared/pageProtocol.ts";

function start(past: string[] = []) {
  const posts: ItemsPost<string>[] = [];
  const channel = new HostChannel<string>(() => past);
  channel.connect((post) => posts.push(post));
  const items = () => posts.map((post) => post.items.join(""));
  return { posts, channel, items };
}

describe("The channel", () => {
  it("posts nothing before the page is ready, then all items", () => {
    const { channel, posts } = start(["early", "and all"]);
    channel.append("early");
    assert.deepEqual(posts, []);
    channel.ready();
    const items = ["early", "and all"];
    assert.deepEqual(posts, [{ type: "items", isFirst: true, isUpToDate: true, items }]);
  });

  it("posts at once while little is in flight, and batches what waits", () => {
    const { channel, items } = start();
    channel.ready();
    for (const item of "abcdefghij") channel.append(item);
    assert.deepEqual(items(), ["", ..."abcdefg"]);
    channel.shown();
    assert.deepEqual(items().slice(8), ["hij"]);
  });

  it("posts at most a million characters at once, and says when the past is over", () => {
    const many = start(Array.from({ length: 1_200 }, () => "x"));
    many.channel.ready();
    for (let shown = 0; shown < 3; shown++) many.channel.shown();
    assert.deepEqual(
      many.posts.map(({ items, isFirst, isUpToDate }) => [items.length, isFirst, isUpToDate]),
      [
        [499, true, false],
        [499, false, false],
        [202, false, true],
      ],
    );
    const heavy = start(["a", "b", "c"].map((name) => name.repeat(600_000)));
    heavy.channel.ready();
    heavy.channel.append("d".repeat(3_000_000));
    for (let shown = 0; shown < 4; shown++) heavy.channel.shown();
    assert.deepEqual(
      heavy.items().map((text) => text[0]),
      ["a", "b", "c", "d"],
    );
  });

  for (const [name, count, length] of [
    ["many items", 100_000, 1],
    ["long items", 40, 900_000],
  ] as const) {
    it(`drops ${name} for a page that is not drawing, then begins again`, () => {
      const past: string[] = [];
      const { channel, posts } = start(past);
      channel.ready();
      const item = "x".repeat(length);
      for (let at = 0; at < count; at++) channel.append(item);
      assert.equal(channel.waiting, 0);
      const posted = posts.length;
      past.push("all", "of it");
      // The page was only slow.
      channel.shown();
      assert.equal(posts[posted]?.isFirst, true);
      for (let at = 0; at < 20; at++) channel.shown();
      channel.append("next");
      const items = posts.slice(posted).flatMap((post) => post.items);
      assert.deepEqual(items, ["all", "of it", "next"]);
    });
  }

  it("begins again for a page that has loaded once more, and when it is told to", () => {
    const { channel, posts } = start(["a"]);
    channel.ready();
    channel.append("b");
    channel.ready();
    channel.restart();
    assert.deepEqual(
      posts.map(({ isFirst, items }) => [isFirst, ...items]),
      [
        [true, "a"],
        [false, "b"],
        [true, "a"],
        [true, "a"],
      ],
    );
  });

  it("posts nothing to a page that is closed", () => {
    const { channel, posts } = start();
    channel.ready();
    channel.disconnect();
    channel.append("late");
    channel.restart();
    assert.equal(posts.length, 1);
  });
});
