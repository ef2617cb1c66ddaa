// Sends traces to servers on loopback that accept them, refuse them or say nothing.
import assert from "node:assert/strict";
import { parseCollector, parseHeader, sendTrace } from "../../../../src/chat/trace/sendTrace.ts";
import { isAppError, isCancelled } from "../../../../src/mindsdb/errors.ts";
import { formatAddress } from "../../../../src/mindsdb/http/serverAddress.ts";
import { listen, type TestServer } from "../../mindsdb/httpServer.ts";

describe("A collector's address", () => {
  const read = (text: string): string => formatAddress(parseCollector(text));

  it("may name the path of traces or not, and keeps its own port and path", () => {
    assert.equal(read(" http://127.0.0.1:4318 "), "http://127.0.0.1:4318/v1/traces");
    assert.equal(read("http://127.0.0.1:6006/v1/traces/"), "http://127.0.0.1:6006/v1/traces");
    assert.equal(read("https://otel.test/api/"), "https://otel.test/api/v1/traces");
    assert.equal(
      read("https://otel.test/api/public/otel?a=b#c"),
      "https://otel.test/api/public/otel/v1/traces",
    );
    // Not MindsDB's port.
    assert.equal(read("http://localhost"), "http://localhost/v1/traces");
    assert.equal(new URL(read("http://otel.test:80")).port, "");
    assert.equal(new URL(read("https://otel.test")).protocol, "https:");
  });

  it("needs a scheme and has no credentials", () => {
    for (const text of [
      "",
      "localhost:4318",
      "127.0.0.1:4318",
      "otel.test",
      "ftp://otel.test",
      "http://",
      "file:///tmp",
      "https://user:secret@otel.test",
      "https://token@otel.test",
    ]) {
      assert.throws(
        () => parseCollector(text),
        (error) => isAppError(error, "address") && !error.message.includes("secret"),
        text,
      );
    }
  });
});

describe("A collector's header", () => {
  it("is read as name: value", () => {
    assert.deepEqual(parseHeader(" X-API-Key:  a b=: "), ["x-api-key", "a b=:"]);
    assert.deepEqual(parseHeader("Authorization: Bearer a.b-c"), ["authorization", "Bearer a.b-c"]);
  });

  it("is nothing else", () => {
    const wrong = [
      "",
      "key",
      "key:",
      ": a",
      "a b: c",
      "Host: a",
      "Content-Length: 1",
      "a: b\nc: d",
      "a: \0",
      "a: ä",
    ];
    assert.deepEqual(
      wrong.map(parseHeader),
      wrong.map(() => undefined),
    );
  });
});

describe("Sending a trace", () => {
  const trace = new Uint8Array([10, 0, 255, 128]);
  let status: number | undefined;
  let body: string | Buffer;
  let server: TestServer;
  let url: string;

  beforeEach(async () => {
    status = 200;
    body = "secret words of a server";
    server = await listen((_, response) => {
      if (status !== undefined) response.writeHead(status).end(body);
    });
    url = server.address.origin;
  });
  afterEach(() => server.close());

  function send(
    options: { signal?: AbortSignal; timeoutMs?: number; header?: [string, string] } = {},
  ): Promise<string | undefined> {
    const { signal = new AbortController().signal, ...more } = options;
    const sending = { network: {}, signal, ...more };
    return sendTrace(parseCollector(url), trace, sending);
  }

  it("posts it as protobuf, exactly typed", async () => {
    await send();
    status = 202;
    await send();
    assert.equal(server.seen.length, 2);
    const { method, path, headers, bytes } = server.seen[0]!;
    assert.deepEqual([method, path], ["POST", "/v1/traces"]);
    assert.equal(headers["content-type"], "application/x-protobuf");
    assert.deepEqual(bytes, Buffer.from(trace));
  });

  it("fails with the address and the status if the collector does not accept it", async () => {
    for (const [answer, kind] of [
      [415, "refused"],
      [307, "refused"],
      [500, "serverFault"],
    ] as const) {
      status = answer;
      await assert.rejects(
        send(),
        (error) =>
          isAppError(error, kind) &&
          error.message === `${url}/v1/traces did not accept the trace (HTTP ${String(answer)}).`,
      );
    }
    assert.equal(server.seen.length, 3);
  });

  it("fails if the collector refuses a part of it with 200", async () => {
    const refusals: [answer: string | Buffer, message: string][] = [
      [Buffer.from("0a0c080312086e6f2071756f7461", "hex"), "refused 3 spans: no quota"],
      [Buffer.from("0a020801", "hex"), "refused 1 span."],
      // A field that is not known yet, in front, and 2^32 spans.
      [Buffer.from("2a017a0a09088080808010120178", "hex"), "refused 4294967296 spans: x"],
      ['{"partialSuccess":{"rejectedSpans":"2","errorMessage":"no\\nquota"}}', "2 spans: no quota"],
      [' {"partialSuccess":{"rejectedSpans":5}}', "refused 5 spans."],
      [`\ufeff${" ".repeat(200)}{"partialSuccess":{"rejectedSpans":6}}`, "refused 6 spans."],
      ['{"partial_success":{"rejected_spans":4,"error_message":"full"}}', "4 spans: full"],
      // As long as a brace is large, so that the message begins like JSON.
      [
        Buffer.concat([Buffer.from([10, 123, 8, 7, 18, 119]), Buffer.from("q".repeat(119))]),
        "q".repeat(119),
      ],
    ];
    for (const [answer, expected] of refusals) {
      body = answer;
      await assert.rejects(
        send(),
        (error) =>
          isAppError(error, "refused") &&
          error.status === 200 &&
          error.message.startsWith("The collector refused ") &&
          error.message.endsWith(expected),
        expected,
      );
    }
  });

  it("hands over what a collector says that took all of it, without the header's secret", async () => {
    const header: [string, string] = ["authorization", "Bearer canary-1234"];
    body = Buffer.concat([Buffer.from([10, 22, 18, 20]), Buffer.from("key canary-1234 ends")]);
    assert.equal(await send({ header }), "key ****** ends");
    for (const nothing of [
      "",
      "{}",
      '{"partialSuccess":{}}',
      "<html>",
      Buffer.from("0a00", "hex"),
    ]) {
      body = nothing;
      assert.equal(await send(), undefined);
    }
    // Cut off, and no protobuf at all.
    for (const hex of ["0a0c0803", "0a", "0b", "ffffffffffffffffffffffff", "0a02ffff"]) {
      body = Buffer.from(hex, "hex");
      assert.equal(await send(), undefined, hex);
    }
  });

  it("fails if the collector says nothing within the limit", async () => {
    status = undefined;
    await assert.rejects(send({ timeoutMs: 300 }), (error) => isAppError(error, "timeout"));
  });

  it("fails if nothing listens", async () => {
    await server.close();
    await assert.rejects(
      send(),
      (error) => isAppError(error, "unreachable") && error.message.includes(url),
    );
  });

  it("can be cancelled", async () => {
    status = undefined;
    const abort = new AbortController();
    const sending = send({ signal: abort.signal });
    while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    abort.abort();
    await assert.rejects(sending, isCancelled);
  });
});
