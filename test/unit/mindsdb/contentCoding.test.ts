// Responses that proxies have changed: compression that was not requested, byte order marks, too many headers.
import assert from "node:assert/strict";
import zlib from "node:zlib";
import { formatAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { isAppError, type AppError } from "../../../src/mindsdb/errors.ts";
import { login } from "../../../src/mindsdb/http/login.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { listen, useServer } from "./httpServer.ts";
import { clientOver } from "../../clientOver.ts";

const codings: [name: string, (text: string) => Buffer][] = [
  ["gzip", (text) => zlib.gzipSync(text)],
  ["X-GZIP", (text) => zlib.gzipSync(text)],
  ["deflate", (text) => zlib.deflateSync(text)],
  ["br", (text) => zlib.brotliCompressSync(text)],
  ["zstd", (text) => zlib.zstdCompressSync(text)],
  ["identity", (text) => Buffer.from(text)],
  ["deflate, gzip", (text) => zlib.gzipSync(zlib.deflateSync(text))],
];

describe("responses that a proxy has changed", () => {
  let answer: { status: number; headers: Record<string, string>; body: Buffer };
  const used = useServer((_, response) => {
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });

  const come = (body: Buffer, headers: Record<string, string> = {}, status = 200): void => {
    answer = { status, headers: { "content-type": "application/json", ...headers }, body };
  };
  /** Texts that span several chunks. */
  const text = JSON.stringify([{ words: "Größe ".repeat(50_000) }]);

  for (const [name, compress] of codings) {
    it(`are read if they are sent as ${name}`, async () => {
      come(compress(text), { "content-encoding": name });
      assert.deepEqual(await used.client.get("/api/x"), JSON.parse(text));
      assert.equal((await used.client.postBytes("/api/x", Buffer.from("[]"))).toString(), text);
    });
  }

  it("keep the error message if an error is compressed", async () => {
    const problem = JSON.stringify({ title: "Bad", detail: "No such column" });
    come(zlib.gzipSync(problem), { "content-encoding": "gzip" }, 400);
    await assert.rejects(used.client.get("/api/x"), /No such column\./);
  });

  it("can be empty", async () => {
    come(Buffer.alloc(0), { "content-encoding": "gzip", "content-length": "0" });
    assert.equal(await used.client.get("/api/x"), undefined);
    come(Buffer.alloc(0), { "content-encoding": "gzip" }, 204);
    assert.equal(await used.client.delete("/api/x"), undefined);
  });

  it("are read incrementally if a stream is compressed", async () => {
    const gzip = zlib.createGzip();
    const served = await listen((_, response) => {
      response.writeHead(200, {
        "content-type": "text/event-stream",
        "content-encoding": "gzip",
      });
      gzip.pipe(response);
      gzip.write("data: 1\n\n");
      gzip.flush();
    });
    const own = createTransport(served.address);
    const reply = await clientOver(own).stream("/api/x", {});
    assert.ok("events" in reply);
    const steps = reply.events[Symbol.asyncIterator]();
    const next = async () => Buffer.from((await steps.next()).value as Uint8Array).toString();
    assert.equal(await next(), "data: 1\n\n");
    gzip.end("data: 2\n\n");
    assert.equal(await next(), "data: 2\n\n");
    await steps.return?.();
    await own.close();
    await served.close();
  });

  it("are reported as damaged if they do not match the header", async () => {
    for (const name of ["gzip", "deflate", "br", "zstd"]) {
      come(Buffer.from(text), { "content-encoding": name });
      await assert.rejects(used.client.get("/api/x"), isError("badAnswer", /is damaged\.$/), name);
    }
  });

  it("are reported as truncated if their end is missing", async () => {
    come(zlib.gzipSync(text).subarray(0, 200), { "content-encoding": "gzip" });
    await assert.rejects(
      used.client.get("/api/x"),
      isError("cutOff", /before the answer was complete/),
    );
  });

  it("are reported if their compression is unknown", async () => {
    for (const coding of ["snappy", "constructor"]) {
      come(Buffer.from(text), { "content-encoding": coding });
      await assert.rejects(
        used.client.get("/api/x"),
        isError("badAnswer", /a compression method that was not requested/),
      );
    }
  });

  it("can start with a byte order mark", async () => {
    come(Buffer.from(`\ufeff${text}`));
    assert.deepEqual(await used.client.get("/api/x"), JSON.parse(text));
    assert.equal((await used.client.postBytes("/api/x", Buffer.from("[]"))).toString(), text);
    come(Buffer.from(`\ufeff{"title": "Bad", "detail": "No such column"}`), {}, 400);
    await assert.rejects(used.client.get("/api/x"), /No such column\./);
    come(Buffer.from(`\ufeff{"token": "pat_made-up"}`));
    const account = { username: "a", password: "b" };
    assert.deepEqual(await login(used.transport, account), { token: "pat_made-up" });
    come(Buffer.from("\ufeff"));
    assert.equal(await used.client.get("/api/x"), undefined);
    for (const mark of ["\ufeff", "\ufeff\n", ""]) {
      come(Buffer.from(`${mark}data: {}\n\n`), { "content-type": "text/plain" });
      assert.ok("events" in (await used.client.stream("/api/x", {})), JSON.stringify(mark));
    }
  });

  it("are reported if they have too many headers", async () => {
    come(Buffer.from(text), { "x-trace": "a".repeat(17_000) });
    const where = formatAddress(used.server.address);
    await assert.rejects(
      used.client.get("/api/x"),
      isError("tooLarge", new RegExp(`^The response headers from ${where} are larger`)),
    );
  });
});

function isError(kind: AppError["kind"], words: RegExp): (error: unknown) => boolean {
  return (error) => isAppError(error, kind) && words.test(error.message);
}
