import assert from "node:assert/strict";
import { DiscoveryLimits } from "../../../src/agentTests/files/discoveryLimits.ts";

describe("The test files of a workspace", () => {
  const small = { textLength: 1_000, length: 1_000, tests: 10 };

  it("are read as long as they are small together", () => {
    const limits = new DiscoveryLimits();
    for (let n = 0; n < 500; n++) {
      assert.ok(limits.hasRoom(20_000, []));
      limits.count(20_000, 5);
    }
    assert.ok(!limits.hasRoom(20_000, []));
  });

  it("are not read after the time for all of them, which is longer for small ones", () => {
    const limits = new DiscoveryLimits();
    limits.count(1_000, 4_999);
    assert.ok(limits.hasRoom(30_000, [small]));
    limits.count(1_000, 2);
    assert.ok(!limits.hasRoom(30_000, [small]));
    assert.ok(limits.hasRoom(1_000, [small]));
    limits.count(1_000, 15_000);
    assert.ok(!limits.hasRoom(1_000, [small]));
  });

  for (const [what, held] of Object.entries({
    text: { ...small, textLength: 999_000 },
    "what templates make": { ...small, length: 5_000_000 },
    tests: { ...small, tests: 2_000 },
  })) {
    it(`are not read when those that were read before have too much in all: ${what}`, () => {
      const all = Array.from({ length: 10 }, () => held);
      assert.ok(new DiscoveryLimits().hasRoom(10_000, all.slice(1)));
      assert.ok(!new DiscoveryLimits().hasRoom(10_001, all));
    });
  }
});
