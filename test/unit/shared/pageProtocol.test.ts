// The calls of a page: checked before anything is done, and answered.
import assert from "node:assert/strict";
import * as v from "valibot";
import { answerCall, fromPage, InvalidCallError } from "../../../src/shared/pageProtocol.ts";

const calls = { refresh: [], rename: [v.string(), v.object({ at: v.number() })] } as const;

describe("A page's calls", () => {
  let made: unknown[] = [];
  const handlers = {
    refresh: () => made.push("refresh"),
    rename: (name: string, { at }: { at: number }) => {
      made.push([name, at]);
      return Promise.resolve(`${name} ${String(at)}`);
    },
  };
  const answer = (name: string, ...given: unknown[]) =>
    answerCall(calls, handlers, { name, given });
  beforeEach(() => (made = []));

  it("are answered with what the handler returns", async () => {
    assert.equal(await answer("rename", "b", { at: 2 }), "b 2");
    assert.equal(await answer("refresh"), 2);
  });

  for (const [why, name, ...given] of [
    ["names a call that is not declared", "drop"],
    ["names a property of every object", "constructor"],
    ["names what a prototype could hold", "__proto__"],
    ["has too many arguments", "refresh", "secret-0456"],
    ["has too few arguments", "rename", "b"],
    ["has an argument of another type", "rename", 5, { at: 2 }],
    ["has an argument with a wrong part", "rename", "b", { at: "secret-0456" }],
  ] as const) {
    it(`are refused if one ${why}`, async () => {
      await assert.rejects(answer(name, ...given), (error: Error) => {
        assert.ok(error instanceof InvalidCallError);
        assert.doesNotMatch(error.message, /secret-0456/);
        return true;
      });
      assert.deepEqual(made, []);
    });
  }

  it("are nothing else than messages of three kinds", () => {
    for (const message of [
      undefined,
      "ready",
      { type: "state" },
      { type: "call", id: "1", name: "refresh", given: [] },
      { type: "call", id: 1, name: "refresh", given: {} },
    ]) {
      assert.equal(v.is(fromPage, message), false, JSON.stringify(message));
    }
  });
});
