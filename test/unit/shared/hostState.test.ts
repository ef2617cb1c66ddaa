// The state of a page: whole for a new page, then only changes, with one post in flight.
import assert from "node:assert/strict";
import { HostState } from "../../../src/shared/hostState.ts";
import type { StatePost } from "../../../src/shared/pageProtocol.ts";

interface State {
  name: string;
  count: number;
  notice?: string | undefined;
}

function start() {
  const posts: StatePost<State>[] = [];
  const state = new HostState<State>({ name: "a", count: 0, notice: "Wait." });
  // As webviews do it.
  state.connect((post) => posts.push(JSON.parse(JSON.stringify(post)) as StatePost<State>));
  const last = () => posts.at(-1);
  return { state, posts, last };
}

describe("The state of a page", () => {
  it("is posted whole to a page that is ready, and to none before", () => {
    const { state, posts } = start();
    state.update({ count: 1 });
    state.shown();
    assert.deepEqual(posts, []);
    state.ready();
    const changes = { name: "a", count: 1, notice: "Wait." };
    assert.deepEqual(posts, [{ type: "state", isWhole: true, changes, removed: [] }]);
  });

  it("is posted where it has changed, one post after the other", () => {
    const { state, posts, last } = start();
    state.ready();
    state.update({ count: 1 });
    state.update({ count: 2 });
    state.update({ name: "b" });
    assert.equal(posts.length, 1);
    state.shown();
    const changes = { count: 2, name: "b" };
    assert.deepEqual(last(), { type: "state", isWhole: false, changes, removed: [] });
    state.shown();
    assert.equal(posts.length, 2);
    state.update({ count: 3 });
    assert.deepEqual(last()?.changes, { count: 3 });
  });

  it("names keys that have become undefined, which JSON leaves out", () => {
    const { state, last } = start();
    state.ready();
    state.shown();
    state.update({ notice: undefined });
    assert.deepEqual(last(), { type: "state", isWhole: false, changes: {}, removed: ["notice"] });
  });

  it("is posted whole again to a page that VS Code has created again, whatever was in flight", () => {
    const { state, posts, last } = start();
    state.ready();
    state.update({ count: 1 });
    state.ready();
    assert.equal(last()?.isWhole, true);
    assert.equal(last()?.changes.count, 1);
    state.shown();
    assert.equal(posts.length, 2);
  });

  it("is not posted to a closed page", () => {
    const { state, posts } = start();
    state.ready();
    state.shown();
    state.disconnect();
    state.update({ count: 1 });
    state.shown();
    assert.equal(posts.length, 1);
    assert.equal(state.current.count, 1);
  });
});
