// Responses of every kind at and above their size limits, from a malicious server.
import assert from "node:assert/strict";
import fc from "fast-check";
import type http from "node:http";
import { Worker } from "node:worker_threads";
import zlib from "node:zlib";
import { getAgent, listAgents } from "../../../src/mindsdb/agents.ts";
import { responseLimits, maxErrorBytes } from "../../../src/mindsdb/http/responseBody.ts";
import { describeModel } from "../../../src/mindsdb/describeModel.ts";
import { AppError, isAppError } from "../../../src/mindsdb/errors.ts";
import { hasMoreValues } from "../../../src/mindsdb/hasMoreValues.ts";
import { getStatus, login } from "../../../src/mindsdb/http/login.ts";
import { predict } from "../../../src/mindsdb/predict.ts";
import { searchKnowledgeBase } from "../../../src/mindsdb/searchKnowledgeBase.ts";
import { readSteps } from "../../../src/mindsdb/stream/readSteps.ts";
import type { StepEvent } from "../../../src/mindsdb/stream/stepEvents.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { clientOver } from "../../clientOver.ts";
import { listen, useServer } from "./httpServer.ts";

const megabyte = 1024 * 1024;
const { small, listing, rows } = responseLimits;

const gzip = (data: Buffer | string): Buffer => zlib.gzipSync(data, { level: 1 });
const brotli = (data: Buffer): Buffer =>
  zlib.brotliCompressSync(data, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } });
const manySpaces = gzip(Buffer.alloc(megabyte, " "));

/** Returns JSON padded with whitespace to a size, compressed. Gzip members can be concatenated. */
function padJson(value: unknown, bytes: number): Buffer {
  const text = JSON.stringify(value);
  const missing = bytes - Buffer.byteLength(text);
  return Buffer.concat([
    gzip(text),
    ...Array.from({ length: Math.floor(missing / megabyte) }, () => manySpaces),
    gzip(" ".repeat(missing % megabyte)),
  ]);
}

describe("responses at and above their limits", () => {
  let respond: (response: http.ServerResponse) => void;
  const used = useServer((_, response) => respond(response));

  const send = (
    body: Buffer | string,
    headers: Record<string, string> = {},
    status = 200,
  ): void => {
    respond = (response) => {
      const type = { "content-type": "application/json" };
      response.writeHead(status, { ...type, ...headers }).end(body);
    };
  };

  const model = { project: "p", name: "m" };
  const search = { question: "q", limit: 1, filters: [] };
  const knowledgeBase = { project: "p", name: "k" };
  const kinds: [name: string, maxBytes: number, ask: () => Promise<unknown>, answer: unknown][] = [
    ["a status", small.maxBytes, () => getStatus(used.transport), { mindsdb_version: "26.1.0" }],
    [
      "a login",
      small.maxBytes,
      () => login(used.transport, { username: "a", password: "b" }),
      { token: "pat_made-up" },
    ],
    ["one agent", small.maxBytes, () => getAgent(used.client, "p", "a"), { name: "a" }],
    ["a description", small.maxBytes, () => describeModel(used.client, model), [{ a: 1 }]],
    ["a listing", listing.maxBytes, () => listAgents(used.client, "p"), [{ name: "a" }]],
    [
      "rows of a search",
      rows.maxBytes,
      () => searchKnowledgeBase(used.client, knowledgeBase, search),
      { type: "table", column_names: ["chunk_content"], data: [["a"]] },
    ],
    [
      "predictions",
      rows.maxBytes,
      () => predict(used.client, model, Buffer.from("{}")),
      [{ a: 1 }],
    ],
  ];
  for (const [name, maxBytes, ask, answer] of kinds) {
    it(`reads ${name} of the maximum size, and rejects a larger one`, async () => {
      const headers = { "content-encoding": "gzip" };
      const largest = padJson(answer, maxBytes);
      send(largest, headers);
      await ask();
      send(Buffer.concat([largest, gzip(" ")]), headers);
      await assert.rejects(ask(), /\bnot a MindsDB server\b|is larger than \d+ MB/);
    });
  }

  it("reads only the start of an error, and keeps its kind", async () => {
    send(Buffer.alloc(8 * megabyte, "a"), {}, 404);
    const error = await used.client.get("/api/x").catch((reason: unknown) => reason);
    assert.ok(isAppError(error, "notFound"), String(error));
    assert.ok((error.detail?.length ?? 0) <= maxErrorBytes);
    send(Buffer.alloc(8 * megabyte, "a"), {}, 401);
    const account = { username: "a", password: "b" };
    await assert.rejects(login(used.transport, account), (reason) =>
      isAppError(reason, "signInRefused"),
    );
    await assert.rejects(used.client.get("/api/x"), (reason) => isAppError(reason, "signInNeeded"));
  });

  it("takes no deleted cookie for a login", async () => {
    const account = { username: "a", password: "b" };
    const cookies = (...pairs: string[]): void => {
      respond = (response) => response.writeHead(200, { "set-cookie": pairs }).end("{}");
    };
    cookies("session=; Max-Age=0", "other=1; Path=/");
    assert.deepEqual(await login(used.transport, account), { cookie: "other=1" });
    cookies("session=; Max-Age=0");
    await assert.rejects(login(used.transport, account), (error) => isAppError(error, "badAnswer"));
  });

  it("counts the values of a list before it creates objects", async () => {
    const objects = `[${"{},".repeat(2_700_000)}{}]`;
    send(gzip(objects), { "content-encoding": "gzip" });
    await assert.rejects(
      used.client.get("/api/x", { limits: listing }),
      /has more than 1,000,000 values/,
    );
    const worker = new Worker(new URL("askInLittleMemory.ts", import.meta.url), {
      workerData: used.server.address,
      resourceLimits: { maxOldGenerationSizeMb: 100 },
    });
    const outcome = await new Promise((resolve, reject) => {
      worker.once("message", resolve).once("error", reject);
    });
    assert.equal(outcome, "AppError: The response has more than 1,000,000 values.");
  });

  it("counts values by the JSON grammar", () => {
    const cases: [text: string, values: number][] = [
      ['{"a":1,"b":[2,3]}', 5],
      ['["a,b","c\\",{[d"]', 3],
      ['["\\\\",1]', 3],
      ['["never ends,', 2],
      ['["a\\', 2],
    ];
    for (const [text, values] of cases) {
      assert.ok(!hasMoreValues(text, values), text);
      assert.ok(hasMoreValues(text, values - 1), text);
    }
  });

  it("counts the values of any JSON, whatever its texts hold", () => {
    const texts = fc.string({ unit: fc.constantFrom("\\", '"', ",", "[", "{", "a", "\n", "日") });
    const json = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, texts, fc.integer(), tie("list"), tie("object")),
      list: fc.array(tie("value")),
      object: fc.dictionary(texts, tie("value")),
    })).value;
    // A list or an object without values counts as one with a value.
    const separators = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? Object.values(value).reduce<number>(
            (sum, one) => sum + separators(one),
            Math.max(1, Object.keys(value).length),
          )
        : 0;
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value);
        const values = 1 + separators(value);
        assert.ok(!hasMoreValues(text, values), text);
        if (values > 1) assert.ok(hasMoreValues(text, values - 1), text);
      }),
    );
  });

  it("limits the decompressed size of responses", async () => {
    const bomb = Buffer.concat(Array.from({ length: 1_000 }, () => manySpaces));
    const answers: [coding: string, body: Buffer][] = [
      ["gzip", bomb],
      ["gzip, gzip", gzip(bomb)],
      ["gzip, br", brotli(bomb)],
    ];
    for (const [coding, body] of answers) {
      send(body, { "content-encoding": coding });
      await assert.rejects(
        used.client.get("/api/x", { limits: listing }),
        /is larger than 32 MB/,
        coding,
      );
    }
  });

  it("decodes at most two content codings", async () => {
    for (const count of [3, 2_500]) {
      const coding = Array.from({ length: count }, () => "gzip").join(",");
      send(gzip("[]"), { "content-encoding": coding });
      const error = await used.client.get("/api/x").catch((reason: unknown) => reason);
      assert.ok(isAppError(error, "badAnswer"));
      assert.equal(error.message, `The response has ${count} layers of compression.`);
    }
  });

  it("limits the time until a response is complete", async () => {
    let closed = 0;
    respond = (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.once("close", () => {
        clearInterval(timer);
        closed++;
      });
    };
    const limits = { ...listing, maxMs: 300 };
    const start = performance.now();
    for (const ask of [
      () => used.client.get("/api/x", { limits, timeoutMs: 0 }),
      () => used.client.post("/api/x", {}, { limits }),
      () => used.client.postBytes("/api/x", Buffer.from("{}"), { limits }),
    ]) {
      await assert.rejects(ask(), (reason) => isAppError(reason, "timeout"));
    }
    assert.ok(performance.now() - start >= 3 * limits.maxMs - 10);
    while (closed < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    for (const { maxMs } of Object.values(responseLimits)) assert.ok(maxMs <= 600_000);
  });

  it("reads a response in chunks of two bytes", async () => {
    respond = (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("[");
      for (let at = 0; at < 20_000; at++) response.write("1,");
      response.end("1]");
    };
    const answer = (await used.client.get("/api/x")) as unknown[];
    assert.equal(answer.length, 20_001);
  });
});

describe("an agent's run at and above its limits", () => {
  const frame = (value: unknown): Buffer => Buffer.from(`data: ${JSON.stringify(value)}\n\n`);
  const status = frame({ type: "status", content: "Working" });

  async function collect(
    body: AsyncIterable<Uint8Array>,
    maxBytes?: number,
  ): Promise<{ events: StepEvent[]; error: unknown }> {
    const events: StepEvent[] = [];
    try {
      for await (const event of readSteps(body, { ...(maxBytes ? { maxBytes } : {}) })) {
        events.push(event);
      }
      return { events, error: undefined };
    } catch (error) {
      return { events, error };
    }
  }

  async function* endless(chunk: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) yield await Promise.resolve(chunk);
  }

  it("ends with an error message after the frames before it", async () => {
    const server = await listen((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const write = (): void => {
        while (!response.destroyed && response.write(status));
        if (!response.destroyed) response.once("drain", write);
      };
      write();
    });
    const transport = createTransport(server.address);
    try {
      const reply = await clientOver(transport).stream("/api/x", {});
      assert.ok("events" in reply);
      const { events, error } = await collect(reply.events, megabyte);
      const steps = events.filter(({ type }) => type === "step").length;
      assert.ok(steps > 10_000 && steps <= megabyte / status.length);
      assert.ok(error instanceof AppError && error.kind === "tooLarge");
      assert.equal(
        error.message,
        "The agent sent more than 1 MB for one question. The rest is left out.",
      );
    } finally {
      await transport.close();
      await server.close();
    }
  });

  it("allows 256 MB in total, including frames that are not steps", async () => {
    const { error } = await collect(endless(Buffer.alloc(256 * megabyte + 1)));
    assert.match(String(error), /more than 256 MB for one question/);
  });

  it("allows 200,000 steps and step updates", async () => {
    const many = Buffer.concat(Array.from({ length: 1_000 }, () => status));
    const { events, error } = await collect(endless(many));
    assert.match(String(error), /more than 200,000 steps for one question/);
    assert.ok(events.length <= 200_000);
  });

  it("shows a frame with too many values unparsed", async () => {
    const text = `{"type":"context","content":[${"{},".repeat(600_000)}{}]}`;
    const end = `data: ${JSON.stringify({ type: "end" })}\n\n`;
    async function* body(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from(`data: ${text}\n\n${end}`));
    }
    const { events, error } = await collect(body());
    assert.equal(error, undefined);
    const [first] = events;
    assert.ok(first?.type === "step" && first.step.kind === "unknown");
    assert.deepEqual(first.step.parts, [{ kind: "raw", text }]);
  });
});
