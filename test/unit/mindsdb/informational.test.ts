// Informational responses (1xx) that nobody asked for: HTTP lets servers and gateways send them in front of any response.
import assert from "node:assert/strict";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { getStatus } from "../../../src/mindsdb/http/login.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport, type NetworkOptions } from "../../../src/mindsdb/http/transport.ts";
import { startSocksProxy } from "../../proxy/socksProxy.ts";

const body = '{"mindsdb_version":"26.1.0"}';
const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const continues = "HTTP/1.1 100 Continue\r\n\r\n";

describe("An informational response", () => {
  let pieces: string[];
  let server: net.Server;
  let port: number;
  beforeEach(async () => {
    server = net.createServer({ noDelay: true }, (socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (chunk) => {
        if (chunk.toString().startsWith("CONNECT")) socket.write("HTTP/1.1 200 OK\r\n\r\n");
        if (chunk.toString().startsWith("GET")) void reply(socket);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ({ port } = server.address() as net.AddressInfo);
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  async function reply(socket: net.Socket): Promise<void> {
    for (const piece of pieces) {
      socket.write(piece);
      await sleep(10);
    }
  }

  async function askTwice(
    address = `http://127.0.0.1:${port}`,
    network: NetworkOptions = {},
  ): Promise<void> {
    const transport = createTransport(parseAddress(address), network);
    try {
      for (let asked = 0; asked < 2; asked++) {
        assert.equal((await getStatus(transport, { timeoutMs: 30_000 })).version, "26.1.0");
      }
    } finally {
      await transport.close();
    }
  }

  const kinds: Record<string, string[]> = {
    "100 Continue": [continues + answer],
    "100 Continue, twice and with headers": [
      continues,
      "HTTP/1.1 100 Continue\r\ndate: today\r\n\r\n",
      answer,
    ],
    "100 Continue in pieces": ["HTTP/1.1 1", "00 Conti", "nue\r\n\r", "\n", answer],
    "100 without a reason, once with a content length": [
      "HTTP/1.1 100\r\n\r\n",
      "HTTP/1.1 100 \r\ncontent-length: 0\r\n\r\n",
      answer,
    ],
    "100 Continue between others, in front of a body in chunks": [
      "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n",
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ],
    "102 Processing": ["HTTP/1.1 102 Processing\r\n\r\n", answer],
    "103 Early Hints": ["HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", answer],
  };
  for (const [name, sent] of Object.entries(kinds)) {
    it(`is ignored: ${name}`, async () => {
      pieces = sent;
      await askTwice();
    });
  }

  it("is ignored behind proxies too", async () => {
    pieces = [continues, answer];
    await askTwice("http://mdb.test", { proxy: `http://127.0.0.1:${port}` });
    const socks = await startSocksProxy({ target: `http://127.0.0.1:${port}` });
    try {
      await askTwice("http://mdb.test", { proxy: `socks5://127.0.0.1:${socks.port}` });
    } finally {
      await socks.stop();
    }
  });

  it("leaves a body that looks like one as it is", async () => {
    const text = JSON.stringify({ mindsdb_version: "26.1.0", note: continues });
    pieces = [`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n`, text];
    await askTwice();
  });
});
