// The order in which Find… lists things.
import assert from "node:assert/strict";
import { sortByRelevance, type Findable } from "../../../src/explorer/findOrder.ts";

const named = (name: string, kind: Findable["kind"] = "agent", isUnusable = false): Findable => {
  return { name, kind, isUnusable };
};
const order = (typed: string, items: Findable[]) =>
  sortByRelevance(items, typed, (item) => item).map(({ name, kind }) => `${kind} ${name}`);

describe("What is found", () => {
  it("comes by how its name fits: itself, its beginning, a word's, anywhere, not at all", () => {
    const names = ["unrelated", "carrental", "the_rental", "xrental-rental", "rentals", "Rental"];
    const expected = [
      "Rental",
      "rentals",
      "the_rental",
      "xrental-rental",
      "carrental",
      "unrelated",
    ];
    for (const typed of ["rental", " RENTAL "]) {
      assert.deepEqual(
        order(
          typed,
          names.map((name) => named(name)),
        ),
        expected.map((name) => `agent ${name}`),
      );
    }
  });

  it("comes by kind as in the tree, and by name, where the names fit alike", () => {
    const items = [
      named("a10", "model"),
      named("a2", "model"),
      named("b", "agent"),
      named("c", "knowledgeBase"),
      named("a1", "model", true),
      named("d", "connection"),
    ];
    const expected = ["connection d", "knowledgeBase c", "agent b", "model a2", "model a10"];
    assert.deepEqual(order("", items), [...expected, "model a1"]);
    assert.equal(order("a1", items)[0], "model a1");
  });
});
