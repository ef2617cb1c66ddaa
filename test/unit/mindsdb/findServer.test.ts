// Finding a server over HTTP: at the address that was typed, and above what a browser's address bar shows.
import assert from "node:assert/strict";
import { formatAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { AppError, isAppError } from "../../../src/mindsdb/errors.ts";
import { findServer } from "../../../src/mindsdb/http/findServer.ts";
import { listen, sendJson, type TestServer } from "./httpServer.ts";

const status = { mindsdb_version: "26.1.0", environment: "local", auth: {} };

describe("finding a server", () => {
  let server: TestServer;
  /** The path in front of `/api` at which MindsDB answers; anything else is its editor's page. */
  let prefix = "";
  beforeEach(async () => {
    prefix = "";
    server = await listen(({ path }, response) => {
      if (path === `${prefix}/api/status`) return sendJson(response, 200, status);
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>Editor</p>");
    });
  });
  afterEach(() => server.close());

  const find = async (end: string) => {
    const { address, leftOut } = await findServer(formatAddress(server.address) + end);
    assert.equal(address.origin, server.address.origin);
    return [address.prefix, leftOut];
  };
  const asked = () => server.seen.map(({ path }) => path);

  it("takes the address as it is where a server answers", async () => {
    assert.deepEqual(await find(""), ["", ""]);
    assert.deepEqual(asked(), ["/api/status"]);
  });

  for (const end of ["/editor", "/editor/", "/editor?tab=1#here", "/project/mindsdb/agents"]) {
    it(`takes what stands above ${end}, where the server's own page was open`, async () => {
      assert.deepEqual(await find(end), ["", end.replace(/\/?([?#].*)?$/, "")]);
    });
  }

  it("drops what follows ? and # without asking for it", async () => {
    assert.deepEqual(await find("/?x#y"), ["", ""]);
    assert.deepEqual(asked(), ["/api/status"]);
  });

  it("keeps the path of a server that has one", async () => {
    prefix = "/team/mindsdb";
    assert.deepEqual(await find("/team/mindsdb"), ["/team/mindsdb", ""]);
    assert.deepEqual(await find("/team/mindsdb/editor"), ["/team/mindsdb", "/editor"]);
    assert.deepEqual(asked().slice(1), [
      "/team/mindsdb/editor/api/status",
      "/team/mindsdb/api/status",
    ]);
  });

  it("takes a path away part by part, and not for ever", async () => {
    prefix = "/nowhere";
    await assert.rejects(find("/1/2/3/4/5/6/7"), isKind("notMindsDB"));
    assert.deepEqual(
      asked(),
      ["/1/2/3/4/5/6/7", "/1/2/3/4/5/6", "/1/2/3/4/5", "/1/2/3/4", "/1/2/3"].map(
        (path) => `${path}/api/status`,
      ),
    );
  });

  it("asks nobody above an address where nobody answers", async () => {
    await server.close();
    await assert.rejects(find("/editor"), isKind("unreachable"));
    server = await listen((_, response) => sendJson(response, 503, { title: "Busy", detail: "" }));
    await assert.rejects(find("/editor"), AppError);
    assert.equal(server.seen.length, 1);
  });

  it("asks a port that is silent once, and not in another scheme again", async () => {
    await server.close();
    server = await listen(() => undefined);
    const { host } = new URL(server.address.origin);
    const limits = { timeoutMs: 200 };
    await assert.rejects(findServer(host, {}, limits), { kind: "timeout" });
    assert.equal(server.connections, 1);
  });

  it("stops when it is told to", async () => {
    const stop = new AbortController();
    await server.close();
    server = await listen(() => stop.abort(new Error("stopped")));
    const address = `${formatAddress(server.address)}/editor`;
    await assert.rejects(findServer(address, {}, { signal: stop.signal }), /stopped/);
    assert.equal(server.seen.length, 1);
  });
});

function isKind(kind: AppError["kind"]): (error: unknown) => boolean {
  return (error) => isAppError(error, kind);
}
