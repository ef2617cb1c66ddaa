// The order in which Find… lists things.
import assert from "node:assert/strict";
import { compareFindables, type Findable } from "../../../src/explorer/findOrder.ts";

const named = (name: string, kind: Findable["kind"], isUnusable = false): Findable => {
  return { name, kind, isUnusable };
};

describe("Items of Find…", () => {
  it("are sorted by kind as in the tree, then by name; unusable items come last", () => {
    const items = [
      named("a10", "model"),
      named("a2", "model"),
      named("b", "agent"),
      named("c", "knowledgeBase"),
      named("a1", "model", true),
      named("d", "connection"),
    ];
    assert.deepEqual(
      items.sort(compareFindables).map(({ name, kind }) => `${kind} ${name}`),
      ["connection d", "knowledgeBase c", "agent b", "model a2", "model a10", "model a1"],
    );
  });
});
