// Proxies and certificates. Every host name here is made up and resolves to loopback.
import assert from "node:assert/strict";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { isAppError, type AppError, type AppErrorKind } from "../../../src/mindsdb/errors.ts";
import { findServer } from "../../../src/mindsdb/http/findServer.ts";
import { getStatus } from "../../../src/mindsdb/http/login.ts";
import { createTransport, type NetworkOptions } from "../../../src/mindsdb/http/transport.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { startFaultProxy, type FaultProxy } from "../../proxy/faultProxy.ts";
import { caFile, ownTls } from "./ownTls.ts";

type Sample = Awaited<ReturnType<typeof startTestServer>>;

const isKind = (kind: AppErrorKind) => (error: unknown) => isAppError(error, kind);

async function statusOf(address: string, network: NetworkOptions) {
  const transport = createTransport(parseAddress(address), network);
  try {
    return await getStatus(transport);
  } finally {
    await transport.close();
  }
}

describe("network", () => {
  let sample: Sample;
  let proxy: FaultProxy;
  before(async () => {
    sample = await startTestServer({ unguarded: true });
  });
  beforeEach(async () => {
    proxy = await startFaultProxy({ target: sample.url });
  });
  afterEach(() => proxy.stop());
  after(() => sample.stop());

  it("reports a server that does not speak HTTP", async () => {
    const greeting = "J\0\0\0\n8.0.17-MindsDB\0";
    const mysql = net.createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(greeting));
    });
    await new Promise<void>((resolve) => mysql.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = mysql.address() as net.AddressInfo;
      await assert.rejects(statusOf(`http://127.0.0.1:${port}`, {}), isKind("notMindsDB"));
    } finally {
      await new Promise((resolve) => mysql.close(resolve));
    }
  });

  it("never uses a proxy for this machine", async () => {
    assert.equal((await statusOf(sample.url, { proxy: proxy.url })).version, "26.1.0");
    assert.equal(proxy.requests.length, 0);
  });

  it("reports an unreachable proxy", async () => {
    await proxy.refuse();
    for (const scheme of ["http", "https"]) {
      await assert.rejects(
        statusOf(`${scheme}://mindsdb.test`, { proxy: proxy.url }),
        (error: AppError) => isKind("proxy")(error) && error.message.includes(String(proxy.port)),
      );
    }
  });

  it("reports an unknown host name, and takes no server for a proxy because of its name", () =>
    assert.rejects(statusOf("http://mindsdb-proxy.invalid:47334", {}), {
      kind: "unreachable",
      message: "There is no host named mindsdb-proxy.invalid.",
    }));

  describe("with TLS", () => {
    let secure: FaultProxy;
    let address: string;
    before(async () => {
      secure = await startFaultProxy({ target: sample.url, tls: ownTls });
      address = `https://localhost:${secure.port}`;
    });
    after(() => secure.stop());

    it("accepts any certificate when http.proxyStrictSSL is off", async () =>
      assert.equal((await statusOf(address, { strictSSL: false })).version, "26.1.0"));

    it("reports the path of an unreadable certificate file", () =>
      assert.rejects(
        async () => statusOf(address, { caFile: path.join(path.dirname(caFile), "none.pem") }),
        (error) => isKind("certificate")(error) && (error as Error).message.includes("none.pem"),
      ));

    it("rejects a certificate for another host name", () =>
      assert.rejects(
        statusOf(`https://127.0.0.1:${secure.port}`, { caFile }),
        isKind("certificate"),
      ));

    it("finds a server if no scheme was typed", async () => {
      const { address: found } = await findServer(`localhost:${secure.port}`, { caFile });
      assert.equal(found.origin, address);
      await assert.rejects(findServer(`localhost:${secure.port}`), isKind("certificate"));
    });

    it("does not fall back to plain HTTP if the certificate is rejected", async () => {
      const plain: string[] = [];
      // Both candidates for "mindsdb.test" use this proxy: https on port 443 and http on MindsDB's port.
      const way = http.createServer((request, response) => {
        plain.push(request.url ?? "");
        response.end(JSON.stringify({ mindsdb_version: "26.1.0" }));
      });
      way.on("connect", (request: http.IncomingMessage, client: net.Socket) => {
        client.on("error", () => undefined);
        client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        if (!request.url?.endsWith(":443")) return void way.emit("connection", client);
        const server = net.connect(secure.port, "127.0.0.1");
        server.on("error", () => undefined);
        client.pipe(server).pipe(client);
      });
      await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve));
      try {
        const { port } = way.address() as net.AddressInfo;
        const network = { proxy: `http://127.0.0.1:${port}` };
        await assert.rejects(findServer("mindsdb.test", network), {
          kind: "certificate",
          message:
            "The certificate of https://mindsdb.test is not trusted: it is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT).",
        });
        assert.deepEqual(plain, []);
      } finally {
        way.closeAllConnections();
        await new Promise((resolve) => way.close(resolve));
      }
    });

    it("reports a plain HTTP server at an https address", () =>
      assert.rejects(statusOf(sample.url.replace("http:", "https:"), {}), isKind("unreachable")));
  });
});
