// Rows are redrawn when nothing is loading, and not much later than that.
import assert from "node:assert/strict";
import { mock } from "node:test";
import type { ExplorerNode } from "../../../src/explorer/node.ts";
import { RedrawQueue } from "../../../src/explorer/redrawQueue.ts";

describe("redrawing rows", () => {
  const [one, other] = [{ kind: "connection" }, { kind: "connection" }] as ExplorerNode[];
  let drawn: ExplorerNode[][];
  let queue: RedrawQueue;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    drawn = [];
    queue = new RedrawQueue((nodes) => drawn.push(nodes));
  });
  afterEach(() => {
    queue.dispose();
    mock.timers.reset();
  });

  /** A list that loads until `loaded` is called. */
  function load(): { loaded: () => Promise<void> } {
    let resolve = (): void => undefined;
    const held = queue.hold(new Promise<void>((end) => (resolve = end)));
    return {
      loaded: async () => {
        resolve();
        await held;
      },
    };
  }

  it("happens once for all rows, soon", () => {
    queue.add(one!);
    mock.timers.tick(200);
    queue.add(one!, other!);
    mock.timers.tick(200);
    assert.deepEqual(drawn, []);
    mock.timers.tick(50);
    assert.deepEqual(drawn, [[one, other]]);
    mock.timers.tick(10_000);
    assert.equal(drawn.length, 1);
  });

  it("waits for lists that load, and for those that VS Code asks for next", async () => {
    const first = load();
    queue.add(one!);
    mock.timers.tick(1_000);
    await first.loaded();
    mock.timers.tick(200);
    const second = load();
    mock.timers.tick(200);
    await second.loaded();
    mock.timers.tick(249);
    assert.deepEqual(drawn, []);
    mock.timers.tick(1);
    assert.deepEqual(drawn, [[one]]);
  });

  it("does not wait for a server that does not answer", () => {
    load();
    queue.add(one!);
    mock.timers.tick(2_999);
    assert.deepEqual(drawn, []);
    mock.timers.tick(1);
    assert.deepEqual(drawn, [[one]]);
  });

  it("ends with the tree", () => {
    queue.add(one!);
    queue.dispose();
    mock.timers.tick(10_000);
    assert.deepEqual(drawn, []);
  });
});
