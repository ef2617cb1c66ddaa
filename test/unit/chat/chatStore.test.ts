// Conversations on disk: what is written comes back, also after a window went away in the middle.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ChatStore } from "../../../src/chat/host/chatStore.ts";
import type { ChatEvent } from "../../../src/chat/transcript.ts";

const agent = { connectionId: "local", connection: "Local", project: "mindsdb", name: "sales" };
const asked: ChatEvent = { type: "asked", run: 1, question: "How much?", startedAt: 5 };
const step: ChatEvent = {
  type: "stepped",
  run: 1,
  at: 7,
  event: { type: "step", step: { n: 1, kind: "plan", state: "done", parts: [] } },
};
const ended: ChatEvent = { type: "ended", run: 1, at: 9, state: "answered" };

describe("The chat store", () => {
  let folder = "";
  let errors: unknown[] = [];
  let store: ChatStore;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "chats-"));
    errors = [];
    store = new ChatStore(path.join(folder, "chats"), (error) => errors.push(error));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it("gives a conversation back as it was", async () => {
    store.create({ chatId: "a", agent });
    for (const event of [asked, step, ended]) store.append("a", event);
    const transcript = await store.read("a");
    assert.deepEqual(transcript?.agent, agent);
    assert.equal(transcript?.runs[0]?.state, "answered");
    assert.equal(transcript?.runs[0]?.steps.length, 1);
    assert.deepEqual(errors, []);
  });

  it("reads a run that was never ended as cut off, and goes on below it", async () => {
    store.create({ chatId: "a", agent });
    for (const event of [asked, step]) store.append("a", event);
    assert.equal((await store.read("a"))?.runs[0]?.state, "cutOff");
    store.append("a", { ...asked, run: 2 });
    store.append("a", { ...ended, run: 2 });
    const states = (await store.read("a"))?.runs.map(({ state }) => state);
    assert.deepEqual(states, ["cutOff", "answered"]);
  });

  it("writes many events in their order", async () => {
    store.create({ chatId: "a", agent });
    store.append("a", asked);
    for (let at = 0; at < 5000; at++) store.append("a", { ...step, at });
    const times = (await store.read("a"))?.runs[0]?.steps.map(({ at }) => at);
    assert.deepEqual(
      times,
      Array.from({ length: 5000 }, (_, at) => at),
    );
  });

  it("keeps the newest 50", async () => {
    for (let index = 0; index < 53; index++) {
      store.create({ chatId: `chat${String(index)}`, agent });
      await store.flush();
      const time = new Date(2020, 1, 1, 0, index);
      fs.utimesSync(path.join(folder, "chats", `chat${String(index)}.jsonl`), time, time);
    }
    store.create({ chatId: "last", agent });
    await store.flush();
    const names = fs.readdirSync(path.join(folder, "chats"));
    assert.equal(names.length, 50);
    for (const kept of ["last.jsonl", "chat4.jsonl"]) assert.ok(names.includes(kept));
    assert.ok(!names.includes("chat3.jsonl"));
  });

  it("keeps a conversation that is open, however old", async () => {
    store.create({ chatId: "old", agent });
    await store.flush();
    const time = new Date(2020, 1, 1);
    fs.utimesSync(path.join(folder, "chats", "old.jsonl"), time, time);
    for (let index = 0; index < 51; index++) {
      store.create({ chatId: `chat${String(index)}`, agent }, ["old"]);
    }
    store.append("old", asked);
    store.append("old", ended);
    assert.equal((await store.read("old"))?.runs[0]?.state, "answered");
  });

  it("forgets a conversation", async () => {
    store.create({ chatId: "a", agent });
    store.remove("a");
    assert.equal(await store.read("a"), undefined);
  });

  it("lists what was asked, the newest first, by head and first question", async () => {
    const other = { ...agent, name: "rents" };
    const first = "Two lines:\nhow\u2028much? " + "x".repeat(100_000);
    store.create({ chatId: "old", agent });
    store.create({ chatId: "new", agent: other });
    store.create({ chatId: "empty", agent });
    for (const event of [{ ...asked, question: first }, step, ended]) store.append("old", event);
    for (const event of [asked, ended, { ...asked, run: 2, question: "And now?" }]) {
      store.append("new", event);
    }
    await store.flush();
    const minute = (count: number) => new Date(2020, 1, 1, 0, count);
    for (const [index, id] of ["old", "new", "empty"].entries()) {
      fs.utimesSync(path.join(folder, "chats", `${id}.jsonl`), minute(index), minute(index));
    }
    fs.writeFileSync(path.join(folder, "chats", "torn.jsonl"), '\n{"type":"ch');
    assert.deepEqual(await store.list(), [
      { chatId: "new", agent: other, question: "How much?", changed: minute(1).getTime() },
      { chatId: "old", agent, question: first, changed: minute(0).getTime() },
    ]);
  });

  it("lists nothing where nothing was kept", async () => {
    assert.deepEqual(await store.list(), []);
    assert.deepEqual(errors, []);
  });

  it("has nothing for an id that leads out of its folder", async () => {
    fs.writeFileSync(
      path.join(folder, "x.jsonl"),
      JSON.stringify({ type: "chat", chatId: "x", agent }),
    );
    for (const id of ["../x", "..\\x", "", "a/b", "x".repeat(100)]) {
      assert.equal(await store.read(id), undefined, id);
    }
  });

  it("tells when it cannot write, and goes on", async () => {
    fs.writeFileSync(path.join(folder, "chats"), "a file where the folder should be");
    store.create({ chatId: "a", agent });
    store.append("a", asked);
    await store.flush();
    assert.ok(errors.length > 0);
  });
});
