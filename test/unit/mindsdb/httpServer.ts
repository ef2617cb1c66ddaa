// A server on loopback that answers as a test defines and records the requests.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { parseAddress, type ServerAddress } from "../../../src/mindsdb/http/serverAddress.ts";

export interface SeenRequest {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
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
      const one = { method, path, headers, body: Buffer.concat(chunks).toString() };
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
