// A server with 5,000 models and an agent whose stream the benchmark writes: only what these measurements ask for.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";

export const modelCount = 5_000;

export interface BenchServer {
  url: string;
  /** How often the list of models was asked for. */
  modelRequests: number;
  /** How many streams have ended. */
  streams: number;
  /** Writes the body of the next streams; ends when it resolves. */
  stream: (response: http.ServerResponse) => Promise<void>;
  stop(): Promise<void>;
}

const models = JSON.stringify(
  Array.from({ length: modelCount }, (_, n) => ({
    id: n,
    name: `model_${String(n).padStart(4, "0")}`,
    version: 1,
    is_active: null,
    predict: "price",
    status: "complete",
    active: true,
    error: null,
    created_at: "2026-11-20 15:31:52",
    training_time: 1,
  })),
);

const answers: Record<string, string> = {
  "/api/status": `{"mindsdb_version":"26.1.0","environment":"local","auth":{"http_auth_enabled":false}}`,
  "/api/databases/": `[{"name":"mindsdb","type":"project","deletable":false}]`,
  "/api/projects/mindsdb/agents": `[{"name":"bench_agent"}]`,
  "/api/projects/mindsdb/knowledge_bases": "[]",
  "/api/projects/mindsdb/models": models,
};

export async function startBenchServer(): Promise<BenchServer> {
  const server = http.createServer((request, response) => {
    const path = request.url ?? "";
    request.resume();
    if (path.endsWith("/stream")) {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      response.flushHeaders();
      void bench.stream(response).then(() => {
        response.end();
        bench.streams++;
      });
      return;
    }
    if (path.endsWith("/models")) bench.modelRequests++;
    const answer = answers[path];
    response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
    response.end(answer ?? `{"title":"Not found","detail":"Not found"}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bench: BenchServer = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    modelRequests: 0,
    streams: 0,
    stream: () => Promise.resolve(),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return bench;
}
