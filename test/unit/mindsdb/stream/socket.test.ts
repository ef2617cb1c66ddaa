// Reads from a real socket. The connection is always closed in the end, even if the server keeps it open.
import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { readSteps, type ReadOptions } from "../../../../src/mindsdb/stream/readSteps.ts";
import { createTransport, type Transport } from "../../../../src/mindsdb/http/transport.ts";
import { listen, type TestServer } from "../httpServer.ts";

const answer = 'data: {"type": "data", "text": "42"}\n\n';
const end = 'data: {"type": "end"}\n\n';

describe("reading from a socket that the server keeps open", () => {
  let server: TestServer;
  let transport: Transport;
  let response: ServerResponse | undefined;
  let text: string;

  beforeEach(async () => {
    response = undefined;
    server = await listen((_request, answering) => {
      response = answering;
      answering.writeHead(200, { "content-type": "text/event-stream" }).write(text);
    });
    transport = createTransport(server.address);
  });
  afterEach(async () => {
    await transport.close();
    await server.close();
  });

  async function ask(options: ReadOptions = {}) {
    const { signal } = options;
    const request = { method: "GET", path: "/", ...(signal ? { signal } : {}) } as const;
    const { body } = await transport.send(request);
    return readSteps(body, options);
  }

  /** Resolves when the connection is closed. If it stays open, the test times out. */
  async function closed(): Promise<void> {
    assert.ok(response);
    if (!response.closed) await once(response, "close");
  }

  it("closes it some time after the end event", async () => {
    text = answer + end;
    const events: string[] = [];
    for await (const { type } of await ask({ graceMs: 20 })) events.push(type);
    assert.deepEqual(events, ["answer", "end"]);
    await closed();
  });

  it("closes it when the reader leaves", async () => {
    text = answer;
    for await (const { type } of await ask()) {
      assert.equal(type, "answer");
      break;
    }
    await closed();
  });

  it("closes it when aborted in the middle of a read", async () => {
    text = answer;
    const stop = new AbortController();
    const reason = new Error("stop");
    await assert.rejects(async () => {
      for await (const { type } of await ask({ signal: stop.signal })) {
        assert.equal(type, "answer");
        setTimeout(() => {
          stop.abort(reason);
        }, 10);
      }
    }, reason);
    await closed();
  });

  it("closes it when nothing was read at all", async () => {
    text = answer;
    const { body } = await transport.send({ method: "GET", path: "/" });
    const steps = readSteps(body, { signal: AbortSignal.abort(new Error("before")) });
    await assert.rejects(steps.next(), /before/);
    await closed();
    await sleep(1);
  });

  it("is incomplete if the server drops the connection", async () => {
    text = answer;
    const events: string[] = [];
    await assert.rejects(
      async () => {
        for await (const { type } of await ask()) {
          events.push(type);
          response?.destroy();
        }
      },
      { kind: "cutOff" },
    );
    assert.deepEqual(events, ["answer"]);
  });
});
