// A server on loopback that answers as a test defines and records the requests.
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { parseAddress, type ServerAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { clientOver } from "../../clientOver.ts";

export interface SeenRequest {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  bytes: Buffer;
  body: string;
}

export interface TestServer {
  address: ServerAddress;
  seen: SeenRequest[];
  /** The number of connections so far. */
  readonly connections: number;
  close(): Promise<void>;
}

/** Starts a server. `answer` is called with each request after its body was read. */
export async function listen(
  answer: (request: SeenRequest, response: http.ServerResponse) => void,
): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      const bytes = Buffer.concat(chunks);
      const one = { method, path, headers, bytes, body: bytes.toString() };
      seen.push(one);
      answer(one, response);
    });
  });
  // Node closes an idle connection after 5 s. A test may compute for longer before it uses the connection again.
  server.keepAliveTimeout = 60_000;
  let connections = 0;
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: parseAddress(`http://127.0.0.1:${port}`),
    seen,
    get connections() {
      return connections;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function sendJson(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** A server of a block, with the product's client on it. */
export interface UsedServer {
  server: TestServer;
  transport: Transport;
  client: Client;
}

/** Starts a server before the tests of this block, forgets its requests before each, and closes it after them. */
export function useServer(
  answer: Parameters<typeof listen>[0],
  options: Parameters<typeof clientOver>[1] = {},
): UsedServer {
  const used = {} as UsedServer;
  before("start the server", async () => {
    used.server = await listen(answer);
    used.transport = createTransport(used.server.address);
    used.client = clientOver(used.transport, options);
  });
  beforeEach(() => void (used.server.seen.length = 0));
  after("close the server", async () => {
    await used.transport.close();
    await used.server.close();
  });
  return used;
}
