// Finds a server at the address that the user typed, or above it if the user copied the address of its web page.
import assert from "node:assert/strict";
import { formatAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { AppError, isAppError } from "../../../src/mindsdb/errors.ts";
import { findServer } from "../../../src/mindsdb/http/findServer.ts";
import { eventually } from "../../e2e/lib/eventually.ts";
import { listen, sendJson, type TestServer } from "./httpServer.ts";

const status = { mindsdb_version: "26.1.0", environment: "local", auth: {} };

describe("finding a server", () => {
  let server: TestServer;
  /** The path before `/api` at which MindsDB answers. All other paths return the page of its editor. */
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

  it("keeps the address if a server answers there", async () => {
    assert.deepEqual(await find(""), ["", ""]);
    assert.deepEqual(asked(), ["/api/status"]);
  });

  for (const end of ["/editor", "/editor/", "/editor?tab=1#here", "/project/mindsdb/agents"]) {
    it(`uses the address above ${end} if the user typed the address of the server's web page`, async () => {
      assert.deepEqual(await find(end), ["", end.replace(/\/?([?#].*)?$/, "")]);
    });
  }

  it("removes query and fragment without a request", async () => {
    assert.deepEqual(await find("/?x#y"), ["", ""]);
    assert.deepEqual(asked(), ["/api/status"]);
  });

  it("keeps the path of a server behind a path prefix", async () => {
    prefix = "/team/mindsdb";
    assert.deepEqual(await find("/team/mindsdb"), ["/team/mindsdb", ""]);
    assert.deepEqual(await find("/team/mindsdb/editor"), ["/team/mindsdb", "/editor"]);
    assert.deepEqual(asked().slice(1), [
      "/team/mindsdb/editor/api/status",
      "/team/mindsdb/api/status",
    ]);
  });

  it("removes path segments one by one, up to a limit", async () => {
    prefix = "/nowhere";
    await assert.rejects(find("/1/2/3/4/5/6/7"), {
      kind: "notMindsDB",
      message: "Something answers there, but it is not a MindsDB server.",
    });
    assert.deepEqual(
      asked(),
      ["/1/2/3/4/5/6/7", "/1/2/3/4/5/6", "/1/2/3/4/5", "/1/2/3/4", "/1/2/3"].map(
        (path) => `${path}/api/status`,
      ),
    );
  });

  it("tries no parent paths if no server answers", async () => {
    await server.close();
    await assert.rejects(find("/editor"), isKind("unreachable"));
    server = await listen((_, response) => sendJson(response, 503, { title: "Busy", detail: "" }));
    await assert.rejects(find("/editor"), AppError);
    assert.equal(server.seen.length, 1);
  });

  it("tries a port that does not respond only once, and not with another scheme", async () => {
    await server.close();
    server = await listen(() => undefined);
    const { host } = new URL(server.address.origin);
    const limits = { timeoutMs: 200 };
    await assert.rejects(findServer(host, {}, limits), { kind: "timeout" });
    await eventually(() => assert.equal(server.connections, 1));
  });

  it("waits for no status that comes byte by byte", async () => {
    await server.close();
    server = await listen((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(drip));
    });
    await assert.rejects(findServer(formatAddress(server.address), {}, { timeoutMs: 3_000 }), {
      kind: "timeout",
      message: "The server did not finish its answer within 3 s.",
    });
  });

  it("stops when aborted", async () => {
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
