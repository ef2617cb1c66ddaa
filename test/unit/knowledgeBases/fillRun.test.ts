// Filling a knowledge base of a server over HTTP, also when the server or the connection fails in the middle.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  awaitLastBatch,
  createFillMemory,
  runFill,
  type FillMemory,
  type FillOptions,
  type FillProgress,
  type FillResult,
} from "../../../src/knowledgeBases/fill/fillRun.ts";
import { createFillServer } from "../../../src/knowledgeBases/fill/fillServer.ts";
import type { FillDocument } from "../../../src/knowledgeBases/fill/documentReader.ts";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import type { SampleServer } from "../../../src/sample/server/server.ts";
import type { Dialect } from "../../sampleServer/routes.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { clientOver } from "../../clientOver.ts";
import { nginxTooLarge, startFaultProxy, type FaultProxy } from "../../proxy/faultProxy.ts";

const place = { project: "mindsdb", name: "notes" };
const put = /^PUT .*knowledge_bases/;
const sql = /^POST \/api\/sql/;
const times = { settle: 60, grace: 10_000, busy: 10 };

const document = (id: string, content = `Note ${id}`): FillDocument => ({
  id,
  row: { id, content },
  length: content.length,
});
const documents = (count: number): FillDocument[] =>
  Array.from({ length: count }, (_, at) => document(`n${at}`));
const refusal = (detail: string) => ({
  status: 400,
  headers: { "content-type": "application/problem+json" },
  body: JSON.stringify({ title: "Preprocessing Error", detail }),
});

describe("a run that fills a knowledge base", () => {
  let folder: string;
  let sample: SampleServer;
  let proxy: FaultProxy;
  let transport: Transport;
  let client: Client;
  let dialect: Dialect = "26";

  async function startSample(port = 0): Promise<void> {
    const changesFile = path.join(folder, "changes.json");
    sample = await startTestServer({ stepDelay: 0, changesFile, dialect, port, unguarded: true });
  }
  async function start(): Promise<void> {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "fill-"));
    await startSample();
    proxy = await startFaultProxy({ target: sample.url });
    const address = parseAddress(proxy.url);
    transport = createTransport(address);
    client = clientOver(transport);
    await client.post("/api/projects/mindsdb/knowledge_bases", {
      knowledge_base: { name: "notes", embedding_model: { provider: "openai" } },
    });
  }
  beforeEach(async () => {
    dialect = "26";
    await start();
  });
  afterEach(stop);
  async function stop(): Promise<void> {
    await transport.close();
    await proxy.stop();
    await sample.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }

  const fill = (
    given: Iterable<FillDocument>,
    more: Partial<FillOptions> & { memory?: FillMemory } = {},
  ): Promise<FillResult> =>
    runFill({
      server: createFillServer(client, place),
      documents: [[...given]],
      existing: "skip",
      memory: createFillMemory(),
      cancel: new AbortController().signal,
      onProgress: () => undefined,
      batchRows: 20,
      times,
      ...more,
    });
  const stored = async (): Promise<string[][]> => {
    const query = "SELECT id, chunk_content FROM mindsdb.notes";
    const answer = await fetch(`${sample.url}/api/sql/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    return ((await answer.json()) as { data: string[][] }).data;
  };
  const puts = (): number => proxy.requests.filter(({ method }) => method === "PUT").length;

  it("sends all documents in batches and tells how many are stored", async () => {
    const seen: FillProgress[] = [];
    const result = await fill(documents(50), { onProgress: (progress) => seen.push(progress) });
    assert.deepEqual(result, {
      end: "complete",
      sent: 50,
      skipped: 0,
      stored: 50,
      missing: [],
      refused: [],
    });
    assert.equal((await stored()).length, 50);
    assert.equal(puts(), 3);
    assert.deepEqual([...new Set(seen.map(({ done }) => done))], [0, 20, 40, 50]);
  });

  it("skips documents that are there", async () => {
    await fill(documents(10));
    const result = await fill(documents(30));
    assert.deepEqual([result.sent, result.skipped, result.stored], [20, 10, 20]);
    assert.equal((await stored()).length, 30);
  });

  for (const version of ["25", "26"] as const) {
    it(`replaces documents that are there, without old chunks, on ${version}.x`, async () => {
      await stop();
      dialect = version;
      await start();
      await fill([document("a", "old text"), document("b", "stays")]);
      const result = await fill([document("a", "new and longer text")], { existing: "replace" });
      assert.equal(result.stored, 1);
      assert.deepEqual((await stored()).sort(), [
        ["a", "new and longer text"],
        ["b", "stays"],
      ]);
    });
  }

  it("finds out that a batch is stored although the connection broke", async () => {
    proxy.set({ on: put, cutAfter: 0, times: 2 });
    const result = await fill(documents(50));
    assert.deepEqual([result.end, result.stored, result.missing], ["complete", 50, []]);
    assert.equal(puts(), 3, "no batch was sent twice");
    assert.equal((await stored()).length, 50);
  });

  it("splits batches that are too large for a proxy, and remembers the size", async () => {
    proxy.set({ on: put, largerThan: 2_000, answer: nginxTooLarge });
    const given = [...documents(38), document("large", "x".repeat(3_000)), document("last")];
    const result = await fill(given, { batchRows: 20 });
    assert.deepEqual([result.end, result.stored, result.missing], ["complete", 39, ["large"]]);
    assert.deepEqual(result.refused, [
      {
        reason: "The request is too large for the proxy in front of the server (HTTP 413).",
        ids: ["large"],
      },
    ]);
    assert.equal((await stored()).length, 39);
  });

  it("goes on where all of several documents are too large", async () => {
    proxy.set({ on: put, largerThan: 500, answer: { status: 413, body: "Payload Too Large" } });
    const large = ["a", "b", "c"].map((id) => document(id, "x".repeat(1_000)));
    const result = await fill([...large, document("small")]);
    assert.deepEqual([result.end, result.stored, result.refused.length], ["complete", 1, 3]);
  });

  it("sends a batch again that did not reach the server", async () => {
    proxy.set({ on: put, reset: true, times: 1 });
    const result = await fill(documents(30));
    assert.deepEqual([result.end, result.stored], ["complete", 30]);
    assert.equal((await stored()).length, 30);
  });

  it("replaces a document once although the connection broke, on 25.x", async () => {
    await stop();
    dialect = "25";
    await start();
    await fill([document("a", "old")]);
    for (const on of [sql, put]) {
      proxy.set({ on, cutAfter: 0, times: 1 });
      const result = await fill([document("a", `newer ${on.source}`)], { existing: "replace" });
      assert.equal(on === sql ? "interrupted" : "complete", result.end);
    }
    assert.deepEqual(await stored(), [["a", `newer ${put.source}`]]);
  });

  it("waits before it asks, because the server may still be storing a lost batch", async () => {
    const slow = 150;
    proxy.set({ on: put, cutAfter: 0, delay: slow, times: 1 });
    const phases: string[] = [];
    const before = Date.now();
    await fill(documents(5), { onProgress: ({ phase }) => phases.push(phase) });
    assert.ok(phases.includes("settling"));
    assert.ok(Date.now() - before >= 2 * slow, "as long as the request had taken");
  });

  it("waits before its first request when it takes over from a window that was closed", async () => {
    const memory = createFillMemory();
    proxy.requests.length = 0;
    awaitLastBatch(memory, { ...times, settle: 200 });
    const begin = Date.now();
    const requests = new Map<string, number>();
    await fill(documents(5), {
      memory,
      onProgress: ({ phase }) => requests.set(phase, proxy.requests.length),
    });
    assert.equal([...requests.keys()][0], "settling");
    assert.equal(requests.get("settling"), 0);
    assert.ok(Date.now() - begin >= 200);
  });

  it("counts a batch as sent that was stored although the connection broke for good", async () => {
    const memory = createFillMemory();
    proxy.set({ on: put, cutAfter: 0, times: 1 });
    const first = await fill(documents(5), {
      memory,
      onProgress: ({ phase }) => phase === "settling" && proxy.set({ on: sql, reset: true }),
    });
    assert.deepEqual([first.end, first.sent, first.stored], ["interrupted", 5, undefined]);
    proxy.set();
    const resumed = await fill(documents(5), { memory });
    assert.deepEqual([resumed.end, resumed.sent, resumed.stored], ["complete", 5, 5]);
    assert.equal(resumed.skipped, 0);
  });

  it("goes on after a refused batch, and names what is missing", async () => {
    proxy.set({ on: put, answer: refusal("Rate limit reached"), times: 1 });
    const memory = createFillMemory();
    const result = await fill(documents(60), { memory });
    assert.equal(result.end, "complete");
    assert.deepEqual([result.sent, result.stored, result.missing.length], [60, 40, 20]);
    assert.match(result.refused[0]!.reason, /Rate limit reached/);
    assert.deepEqual(result.refused[0]!.ids, result.missing);
    const again = await fill(documents(60), { memory, batchRows: 7 });
    assert.deepEqual([again.stored, again.missing], [60, []]);
  });

  it("stops if two batches in a row are refused", async () => {
    proxy.set({ on: put, answer: refusal("Wrong key") });
    const result = await fill(documents(200));
    assert.equal(result.end, "interrupted");
    assert.match(String(result.error), /Wrong key/);
    assert.equal(puts(), 2);
  });

  it("waits while the knowledge base is busy", async () => {
    const answer = refusal("Index is already used by another process");
    proxy.set({ on: put, answer, times: 3 });
    const result = await fill(documents(20));
    assert.deepEqual([result.end, result.stored, result.refused], ["complete", 20, []]);
  });

  it("takes a knowledge base for refusing that is busy for twenty attempts", async () => {
    proxy.set({ on: put, answer: refusal("Index is already used by another process"), times: 20 });
    const result = await fill(documents(40), { times: { ...times, busy: 1 } });
    assert.deepEqual([result.end, result.stored, result.missing.length], ["complete", 20, 20]);
    assert.equal(puts(), 21);
  });

  it("names documents that the server left out without a word", async () => {
    const result = await fill([...documents(3), document("blank", "   ")]);
    assert.deepEqual([result.sent, result.stored, result.missing], [4, 3, ["blank"]]);
  });

  it("is canceled after the batch under way, and resumed where it stopped", async () => {
    const cancel = new AbortController();
    proxy.set({ on: put, delay: 50 });
    const memory = createFillMemory();
    const onProgress = ({ done }: FillProgress): void => {
      if (done >= 40) cancel.abort();
    };
    const result = await fill(documents(200), { cancel: cancel.signal, onProgress, memory });
    assert.deepEqual([result.end, result.sent, result.stored], ["cancelled", 40, 40]);
    proxy.set();
    const before = puts();
    const resumed = await fill(documents(200), { memory });
    assert.deepEqual([resumed.end, resumed.stored], ["complete", 200]);
    assert.equal(puts() - before, 8, "only the rest was sent");
  });

  it("gives up a hanging batch some time after the cancellation", async () => {
    const cancel = new AbortController();
    proxy.set({ on: put, silent: true });
    const running = fill(documents(20), {
      cancel: cancel.signal,
      times: { ...times, grace: 200 },
    });
    await proxy.waitFor(({ method }) => method === "PUT");
    cancel.abort();
    const result = await running;
    assert.deepEqual([result.end, result.stored], ["cancelled", undefined]);
  });

  it("has one request under way at any time", async () => {
    let open = 0;
    let most = 0;
    const inner = createFillServer(client, place);
    const counted = async <T>(work: Promise<T>): Promise<T> => {
      most = Math.max(most, ++open);
      return work.finally(() => open--);
    };
    proxy.set({ on: put, cutAfter: 0, times: 2 });
    await fill(documents(100), {
      server: {
        insert: (rows, signal) => counted(inner.insert(rows, signal)),
        listIds: () => counted(inner.listIds()),
        delete: (ids) => counted(inner.delete(ids)),
      },
    });
    assert.equal(most, 1);
  });

  it("is whole after resuming, wherever the server died", async function () {
    this.timeout(300_000);
    const wanted = documents(300);
    for (let round = 0; round < 6; round++) {
      const memory = createFillMemory();
      const seed = round * 1_000;
      const these = wanted.map(({ id }) => document(`r${seed}-${id}`));
      const { port } = sample;
      const point = (7 * round) % 15;
      let stopping: Promise<void> | undefined;
      const first = await fill(these, {
        memory,
        existing: round % 2 === 0 ? "skip" : "replace",
        onProgress: ({ done }) => {
          if (done >= point * 20 && !stopping) {
            const delay = (3 * round) % 8;
            stopping = new Promise((resolve) => setTimeout(() => resolve(sample.stop()), delay));
          }
        },
      });
      await stopping;
      await startSample(port);
      if (first.end !== "complete") assert.equal(first.end, "interrupted");
      const resumed = await fill(these, { memory, existing: round % 2 === 0 ? "skip" : "replace" });
      assert.deepEqual([resumed.end, resumed.missing], ["complete", []], `point ${point}`);
      const ids = (await stored()).map(([id]) => id).filter((id) => id!.startsWith(`r${seed}-`));
      assert.deepEqual(ids.sort(), these.map(({ id }) => id).sort(), "each once");
    }
  });
});
