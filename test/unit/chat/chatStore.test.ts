// Conversations on disk: everything written is read back, also after a window was closed while writing.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ChatStore } from "../../../src/chat/host/chatStore.ts";
import { emptyTranscript, reduce, type ChatEvent } from "../../../src/chat/transcript.ts";

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
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
    assert.deepEqual(errors, []);
  });

  it("restores a conversation unchanged", async () => {
    store.create({ chatId: "a", agent });
    for (const event of [asked, step, ended]) store.append("a", event);
    const transcript = await store.read("a");
    assert.deepEqual(transcript?.agent, agent);
    assert.equal(transcript?.runs[0]?.state, "answered");
    assert.equal(transcript?.runs[0]?.steps.length, 1);
  });

  it("reads an unfinished run as cut off, and appends to it", async () => {
    store.create({ chatId: "a", agent });
    for (const event of [asked, step]) store.append("a", event);
    assert.equal((await store.read("a"))?.runs[0]?.state, "cutOff");
    store.append("a", { ...asked, run: 2 });
    store.append("a", { ...ended, run: 2 });
    const states = (await store.read("a"))?.runs.map(({ state }) => state);
    assert.deepEqual(states, ["cutOff", "answered"]);
  });

  it("writes many events in order", async () => {
    store.create({ chatId: "a", agent });
    store.append("a", asked);
    for (let at = 0; at < 5000; at++) store.append("a", { ...step, at });
    const times = (await store.read("a"))?.runs[0]?.steps.map(({ at }) => at);
    assert.deepEqual(
      times,
      Array.from({ length: 5000 }, (_, at) => at),
    );
  });

  const chats = () => path.join(folder, "chats");
  const fileOf = (id: string) => path.join(chats(), `${id}.jsonl`);
  const namesOf = () => fs.readdirSync(chats()).filter((name) => name.endsWith(".jsonl"));

  /** Makes a conversation's file very old. */
  async function age(of: ChatStore, id: string): Promise<void> {
    await of.flush();
    const time = new Date(2020, 1, 1);
    fs.utimesSync(fileOf(id), time, time);
  }

  async function createMany(in_: ChatStore, count: number, of = agent): Promise<void> {
    for (let index = 0; index < count; index++) {
      in_.create({ chatId: `${of.connectionId}${String(index)}`, agent: of });
      await in_.flush();
      const time = new Date(2021, 1, 1, 0, index);
      fs.utimesSync(fileOf(`${of.connectionId}${String(index)}`), time, time);
    }
  }

  it("lists no damaged conversation and no copy of one", async () => {
    store.create({ chatId: "a", agent });
    store.append("a", asked);
    await store.flush();
    fs.copyFileSync(fileOf("a"), fileOf("a-copy"));
    const head = { type: "chat", chatId: "b", agent };
    for (const [id, ...lines] of [
      ["empty"],
      ["null", null, 5, [], "x"],
      ["no-agent", { ...head, chatId: "no-agent", agent: null }, asked],
      ["no-name", { ...head, chatId: "no-name", agent: { ...agent, name: 5 } }, asked],
      ["no-id", { type: "chat", agent }, asked],
      ["no-text", { ...head, chatId: "no-text" }, { ...asked, question: { a: 1 } }],
      ["outside", { ...head, chatId: "../a" }, asked],
    ] as const) {
      fs.writeFileSync(fileOf(id), lines.map((line) => JSON.stringify(line)).join("\n"));
    }
    assert.deepEqual(
      (await store.list()).map(({ chatId }) => chatId),
      ["a"],
    );
    assert.equal(await store.read("no-agent"), undefined);
  });

  it("keeps the newest 50 conversations of each connection", async () => {
    const other = { ...agent, connectionId: "other" };
    store.create({ chatId: "apart", agent: other });
    await age(store, "apart");
    await createMany(store, 53);
    store.create({ chatId: "last", agent });
    await store.flush();
    const names = namesOf();
    assert.equal(names.length, 51);
    for (const kept of ["last.jsonl", "local4.jsonl", "apart.jsonl"]) {
      assert.ok(names.includes(kept), kept);
    }
    assert.ok(!names.includes("local3.jsonl"));
  });

  it("keeps a conversation that is open in any window, however old it is", async () => {
    const other = new ChatStore(chats(), (error) => errors.push(error));
    for (const [window, id] of [
      [store, "here"],
      [other, "there"],
      [other, "left"],
    ] as const) {
      window.create({ chatId: id, agent });
      window.open(emptyTranscript({ chatId: id, agent }));
      await age(window, id);
    }
    await createMany(store, 52);
    for (const [window, id] of [
      [store, "here"],
      [other, "there"],
    ] as const) {
      for (const event of [asked, ended]) window.append(id, event);
      assert.equal((await window.read(id))?.runs[0]?.state, "answered");
    }
    other.close("left");
    await age(other, "left");
    store.create({ chatId: "last", agent });
    await store.flush();
    assert.ok(!namesOf().includes("left.jsonl"));
  });

  it("keeps conversations for 30 days that a window had open when it closed", async () => {
    store.create({ chatId: "old", agent });
    store.open(emptyTranscript({ chatId: "old", agent }));
    await age(store, "old");
    const next = new ChatStore(chats(), (error) => errors.push(error));
    await createMany(next, 51);
    assert.ok(namesOf().includes("old.jsonl"));
    const open = path.join(chats(), "open");
    const time = new Date(Date.now() - 31 * 86_400_000);
    for (const name of fs.readdirSync(open)) fs.utimesSync(path.join(open, name), time, time);
    next.create({ chatId: "last", agent });
    await next.flush();
    assert.ok(!namesOf().includes("old.jsonl"));
    assert.deepEqual(fs.readdirSync(open), []);
  });

  it("rewrites an open conversation if its file is gone", async () => {
    const transcript = emptyTranscript({ chatId: "a", agent });
    store.create(transcript);
    store.open(transcript);
    const tell = (event: ChatEvent): void => {
      reduce(transcript, event);
      store.append("a", event);
    };
    for (const event of [asked, step, ended]) tell(event);
    await store.flush();
    fs.rmSync(fileOf("a"));
    for (const event of [
      { ...asked, run: 2 },
      { ...step, run: 2 },
      { ...ended, run: 2 },
    ]) {
      tell(event);
    }
    assert.deepEqual(await store.read("a"), transcript);
  });

  it("moves the conversations of another folder here, with their age", async () => {
    const former = new ChatStore(path.join(folder, "former"), (error) => errors.push(error));
    for (const id of ["a", "b"]) {
      former.create({ chatId: id, agent });
      former.append(id, asked);
      former.append(id, ended);
    }
    await former.flush();
    const time = new Date(2020, 1, 1);
    fs.utimesSync(path.join(folder, "former", "a.jsonl"), time, time);
    const failed = (error: unknown) => errors.push(error);
    const next = new ChatStore(chats(), failed, path.join(folder, "former"));
    assert.deepEqual(
      (await next.list()).map(({ chatId }) => chatId),
      ["b", "a"],
    );
    assert.equal((await next.read("a"))?.runs[0]?.state, "answered");
    assert.equal((await next.list()).at(-1)?.changed, time.getTime());
    assert.deepEqual(fs.readdirSync(path.join(folder, "former")), []);
    await new ChatStore(chats(), failed, path.join(folder, "former")).flush();
    await new ChatStore(chats(), failed, path.join(folder, "never")).flush();
    assert.equal((await next.list()).length, 2);
  });

  it("deletes a conversation", async () => {
    store.create({ chatId: "a", agent });
    store.remove("a");
    assert.equal(await store.read("a"), undefined);
  });

  it("keeps the name and the pin of a conversation, and lists pinned ones first", async () => {
    for (const id of ["a", "b"]) {
      store.create({ chatId: id, agent });
      store.append(id, asked);
    }
    await age(store, "a");
    store.label("a", { title: "Prices", isPinned: true });
    assert.deepEqual(
      (await store.list()).map(({ chatId, title, isPinned }) => [chatId, title, isPinned]),
      [
        ["a", "Prices", true],
        ["b", undefined, undefined],
      ],
    );
    assert.equal((await store.read("a"))?.title, "Prices");
    await createMany(store, 53);
    store.create({ chatId: "last", agent });
    await store.flush();
    assert.ok(namesOf().includes("a.jsonl"));
    store.label("a", {});
    assert.equal((await store.read("a"))?.title, undefined);
    assert.ok(!namesOf().includes("a.label.json"));
    store.label("a", { title: "Prices" });
    store.remove("a");
    await store.flush();
    assert.deepEqual(
      namesOf().filter((name) => name.startsWith("a.")),
      [],
    );
    fs.writeFileSync(path.join(folder, "chats", "last.label.json"), '{"title": 5');
    assert.equal((await store.read("last"))?.title, undefined);
  });

  it("lists conversations with questions, newest first, with head and first question", async () => {
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

  it("lists nothing if nothing is stored", async () => {
    assert.deepEqual(await store.list(), []);
  });

  it("ignores ids that lead out of its folder", async () => {
    fs.writeFileSync(
      path.join(folder, "x.jsonl"),
      JSON.stringify({ type: "chat", chatId: "x", agent }),
    );
    for (const id of ["../x", "..\\x", "", "a/b", "x".repeat(100)]) {
      assert.equal(await store.read(id), undefined, id);
    }
  });

  it("reports that it cannot write, and continues", async () => {
    fs.writeFileSync(path.join(folder, "chats"), "a file where the folder should be");
    store.create({ chatId: "a", agent });
    store.append("a", asked);
    await store.flush();
    assert.ok(errors.splice(0).length > 0);
  });
});
