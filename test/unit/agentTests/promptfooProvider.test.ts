// The provider that promptfoo runs gives the outputs that are judged in VS Code.
import assert from "node:assert/strict";
import MindsDBProvider from "../../../src/agentTests/promptfoo/provider.ts";
import { sendSpans } from "../../../src/agentTests/promptfoo/sendSpans.ts";
import { rankDocuments } from "../../../src/agentTests/checks/searchMetrics.ts";
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

describe("promptfoo's provider", () => {
  let server: TestServer;
  let other: TestServer;
  let status = 200;
  const names = ["MINDSDB_URL", "OTEL_EXPORTER_OTLP_ENDPOINT"];

  beforeEach(async () => {
    other = await listen((_, response) => sendJson(response, 200, {}));
    server = await listen((request, response) => {
      response.setHeader("location", `${other.address.origin}${request.path}`);
      sendJson(response, status, { type: "table", column_names: ["id"], data: [] });
    });
    for (const name of names) process.env[name] = server.address.origin;
  });
  afterEach(async () => {
    for (const name of names) delete process.env[name];
    await Promise.all([server.close(), other.close()]);
  });

  it("follows no redirect, with a question, a search or spans", async () => {
    for (status of [301, 302, 303, 307, 308]) {
      for (const target of ["mindsdb:a/b", "mindsdb-search:a/b"]) {
        assert.notEqual((await ask(target)).error, undefined);
      }
      const outcome = { output: "", latencyMs: 1, toolCalls: [], reasoningSteps: 1 };
      await assert.rejects(sendSpans(outcome, `00-${traceId}-b7ad6b7169203331-01`));
    }
    assert.equal(server.seen.length, 15);
    assert.equal(other.seen.length, 0);
  });

  it("sends no spans where promptfoo does not trace, and none for an answer without steps", async () => {
    const outcome = { output: "", latencyMs: 1, toolCalls: [], reasoningSteps: 1 };
    await sendSpans(outcome);
    await sendSpans(outcome, "not a trace");
    await sendSpans({ ...outcome, reasoningSteps: 0 }, `00-${traceId}-b7ad6b7169203331-01`);
    assert.equal(server.seen.length, 0);
  });

  it("sends a token only if there is one", async () => {
    status = 200;
    await ask("mindsdb-search:a/b");
    assert.ok(!("authorization" in server.seen[0]!.headers));
  });

  it("asks no other path of the server, whatever a project or an agent is called", async () => {
    for (const path of ["../x", "./x", "a/..", "a/.", "../.."]) {
      const { error } = await ask(`mindsdb:${path}`);
      assert.match(error ?? "", /must be mindsdb:PROJECT/, path);
    }
    assert.equal(server.seen.length, 0);
    for (const path of ["a/../b", "a/%2e%2e", "a/...", "..a/b\\.."]) await ask(`mindsdb:${path}`);
    assert.equal(server.seen.length, 4);
    for (const { path } of server.seen) {
      assert.match(path, /^\/api\/projects\/[^/]+\/agents\/[^/]+\/completions\/stream$/);
    }
  });

  it("sends arguments as texts from which promptfoo reads the same values", async () => {
    status = 200;
    const all = [{ a: 1 }, [1], 5, null, "x", "", "  ", " x ", "5", "null", '{"a":1}', '"q"', "[1"];
    const toolCalls = all.map((args) => ({ name: "find", args }));
    const outcome = { output: "", latencyMs: 1, toolCalls, reasoningSteps: 0 };
    await sendSpans(outcome, `00-${traceId}-b7ad6b7169203331-01`);
    const sent = [
      ...server.seen[0]!.body.matchAll(
        /"key":"gen_ai.tool.call.arguments","value":(\{"stringValue":"(?:[^"\\]|\\.)*"\})/g,
      ),
    ].map(([, value]) => (JSON.parse(value!) as { stringValue: string }).stringValue);
    const read = sent.map((text): unknown => {
      try {
        return JSON.parse(text.trim());
      } catch {
        return text.trim() || undefined;
      }
    });
    assert.deepEqual(read, all);
  });

  it("sends nothing with a limit that is no whole number", async () => {
    const limits = [
      "1; DROP TABLE files.x",
      "1",
      1.5,
      -1,
      NaN,
      2 ** 60,
      [1],
      { toString: () => "1" },
    ];
    for (const limit of limits as number[]) {
      const config = { provider: "mindsdb-search:a/b", limit };
      const { error } = await new MindsDBProvider({ config }).callApi(question);
      assert.match(error ?? "", /whole number/);
    }
    assert.equal(server.seen.length, 0);
  });

  it("quotes names as the extension does, and sends none that SQL cannot say", async () => {
    status = 200;
    await ask("mindsdb-search:Ä b/select");
    await ask("mindsdb-search:a`b/c");
    const sent = server.seen.map(({ body }) => (JSON.parse(body) as { query: string }).query);
    const rest = "WHERE content = :question LIMIT 10";
    assert.deepEqual(sent, [
      `SELECT * FROM \`Ä b\`.\`select\` ${rest}`,
      `SELECT * FROM "a\`b".\`c\` ${rest}`,
    ]);
    const { error } = await ask('mindsdb-search:a`; DROP TABLE "x/b');
    assert.match(error ?? "", /can't be escaped/);
    assert.equal(server.seen.length, 2);
  });

  it("judges a search by the ids it found, written as text or as numbers", () => {
    const found = JSON.stringify(["a", "7", "b"]);
    const hit = (expected: unknown[], k?: number) =>
      MindsDBProvider.hitAtK(found, { config: { expected, ...(k !== undefined && { k }) } });
    assert.deepEqual([hit(["b"]), hit(["b"], 2), hit([7], 2), hit(["x"])], [1, 0, 1, 0]);
    const rank = (...expected: unknown[]) =>
      MindsDBProvider.reciprocalRank(found, { config: { expected } });
    assert.deepEqual([rank("a"), rank(7), rank("x")], [1, 1 / 2, 0]);
  });

  it("is called in promptfoo as its file calls it", () => {
    const config = { provider: "mindsdb:a/b" };
    assert.equal(new MindsDBProvider({ config }).id(), "mindsdb:a/b");
  });

  describe("with an agent that fails", () => {
    let frames = "";
    let failing: TestServer;
    beforeEach(async () => {
      failing = await listen((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).end(frames);
      });
      process.env["MINDSDB_URL"] = failing.address.origin;
    });
    afterEach(() => failing.close());

    it("reports an error, without the server's text, which may hold the agent's key", async () => {
      const end = 'data: {"type": "end"}\n\n';
      const failure = 'data: {"type": "error", "content": "bad key sk-canary"}\n\n';
      for (frames of [failure + end, end]) {
        const { output, error } = await ask("mindsdb:a/b");
        assert.equal(output, undefined, frames);
        assert.match(error ?? "", /^The agent failed, or ended without an answer\.$/, frames);
      }
    });
  });
});
