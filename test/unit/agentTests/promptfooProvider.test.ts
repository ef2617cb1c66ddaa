// The provider that promptfoo runs gives the outputs that are judged in VS Code.
import assert from "node:assert/strict";
import MindsDBProvider from "../../../src/agentTests/promptfoo/provider.ts";
import { rankDocuments } from "../../../src/agentTests/searchMetrics.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { searchKnowledgeBase } from "../../../src/mindsdb/searchKnowledgeBase.ts";
import type { SampleServer } from "../../../src/sample/server/server.ts";
import { clientOver } from "../../clientOver.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { listen, sendJson, type TestServer } from "../mindsdb/httpServer.ts";

const question = "May I keep a dog?";
const traceId = "0af7651916cd43dd8448eb211c80319c";

function ask(provider: string, context = {}, prompt = question) {
  return new MindsDBProvider({ config: { provider } }).callApi(prompt, context);
}

for (const dialect of ["25", "26"] as const) {
  describe(`promptfoo's provider with a server ${dialect}.x`, () => {
    let server: SampleServer;
    let collector: TestServer;
    before(async () => {
      server = await startTestServer({
        dialect,
        stepDelay: 1,
        token: "canary-token",
        login: { username: "a", password: "b", mode: "token" },
      });
      collector = await listen((_, response) => sendJson(response, 200, {}));
      process.env["MINDSDB_URL"] = `${server.url}/`;
      process.env["MINDSDB_TOKEN"] = "canary-token";
      process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.address.origin;
    });
    after(async () => {
      for (const name of ["MINDSDB_URL", "MINDSDB_TOKEN", "OTEL_EXPORTER_OTLP_ENDPOINT"]) {
        delete process.env[name];
      }
      await server.stop();
      await collector.close();
    });

    it("asks an agent, and sends its tool calls as spans", async () => {
      const context = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
      const { output, error, latencyMs } = await ask("mindsdb:mindsdb/rental_agent", context);
      assert.equal(error, undefined);
      assert.match(output ?? "", /one dog/);
      assert.ok(latencyMs !== undefined && latencyMs > 0);
      assert.equal(collector.seen.length, 1);
      const sent = JSON.parse(collector.seen[0]!.body) as {
        resourceSpans: { scopeSpans: { spans: { traceId: string; name: string }[] }[] }[];
      };
      const spans = sent.resourceSpans[0]!.scopeSpans[0]!.spans;
      assert.ok(spans.every((span) => span.traceId === traceId));
      assert.ok(spans.some(({ name }) => name.startsWith("execute_tool ")));
    });

    it("searches a knowledge base as the extension does", async () => {
      const { output } = await ask("mindsdb-search:mindsdb/rental_guide");
      const client = clientOver(createTransport(parseAddress(server.url)), {
        credential: { token: "canary-token" },
      });
      const base = { project: "mindsdb", name: "rental_guide" };
      const search = { question, limit: 10, filters: [] };
      const { chunks } = await searchKnowledgeBase(client, base, search);
      assert.ok(chunks.length > 1);
      assert.deepEqual(
        JSON.parse(output ?? ""),
        rankDocuments(chunks).map(({ id }) => id),
      );
    });

    it("reports errors without a text of the server", async () => {
      for (const provider of [
        "mindsdb:mindsdb/nobody",
        "mindsdb:nowhere/rental_agent",
        "mindsdb-search:mindsdb/nothing",
        "openai:gpt",
      ]) {
        const { output, error } = await ask(provider);
        assert.equal(output, undefined, provider);
        assert.match(error ?? "", /answered \d{3} to|failed|must be mindsdb/, provider);
      }
      process.env["MINDSDB_TOKEN"] = "wrong";
      const { error } = await ask("mindsdb:mindsdb/rental_agent");
      process.env["MINDSDB_TOKEN"] = "canary-token";
      assert.match(error ?? "", /answered 401/);
    });
  });
}
