import assert from "node:assert/strict";
import {
  QuestionConsent,
  type PlannedQuestion,
  type QuestionPrompt,
} from "../../../src/agentTests/runs/questionConsent.ts";

const connection = { id: "1", name: "Open", address: "http://a" };
const one: PlannedQuestion = {
  file: "file:///a.yaml",
  connection,
  kind: "agent",
  project: "p",
  name: "agent",
  repeat: 1,
};

function create(answer = true): { consent: QuestionConsent; asked: QuestionPrompt[] } {
  const state = new Map<string, unknown>();
  const asked: QuestionPrompt[] = [];
  const store = {
    get: (key: string) => state.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void state.set(key, value)),
  };
  const ask = (prompt: QuestionPrompt): Promise<boolean> => {
    asked.push(prompt);
    return Promise.resolve(answer);
  };
  return { consent: new QuestionConsent(store, ask), asked };
}

describe("the consent to a test file's questions", () => {
  it("is asked for once, with the number and who is asked", async () => {
    const { consent, asked } = create();
    assert.ok(await consent.allows([one, { ...one, repeat: 4 }]));
    assert.ok(await consent.allows([one]));
    assert.deepEqual(asked, [{ questions: 5, targets: ["p/agent · Open (http://a)"] }]);
  });

  it("is asked for again for another file, agent, connection or server, and for many questions", async () => {
    for (const other of [
      { ...one, file: "file:///b.yaml" },
      { ...one, name: "dear" },
      { ...one, kind: "knowledgeBase" as const },
      { ...one, connection: { ...connection, id: "2" } },
      { ...one, connection: { ...connection, address: "http://b" } },
      { ...one, repeat: 101 },
    ]) {
      const { consent, asked } = create();
      await consent.agree([one]);
      await consent.allows([one, other]);
      assert.equal(asked.length, 1, JSON.stringify(other));
    }
  });

  it("is not remembered if it is refused, nor needed where nothing is asked", async () => {
    const { consent, asked } = create(false);
    assert.ok(await consent.allows([]));
    assert.equal(await consent.allows([one]), false);
    assert.equal(await consent.allows([one]), false);
    assert.equal(asked.length, 2);
  });
});
