// The test files in docs/agent-tests.md pass on the sample server, as they stand.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { AskAgent } from "../../../src/agentTests/agentOutcome.ts";
import { readTestFile } from "../../../src/agentTests/readTestFile.ts";
import { runTest } from "../../../src/agentTests/runTests.ts";
import { defaultLimit, rankDocuments } from "../../../src/agentTests/searchMetrics.ts";
import { askOnce } from "../../../src/chat/askOnce.ts";
import { createConversationTexts } from "../../../src/chat/chatTexts.ts";
import { askAgent } from "../../../src/mindsdb/agents.ts";
import { Client } from "../../../src/mindsdb/http/client.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { Session } from "../../../src/mindsdb/http/session.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import { searchKnowledgeBase } from "../../../src/mindsdb/searchKnowledgeBase.ts";
import { SampleClient } from "../sample/client.ts";

const docs = path.resolve(import.meta.dirname, "..", "..", "..", "docs", "agent-tests.md");
const blocks = Array.from(
  fs.readFileSync(docs, "utf8").matchAll(/```yaml\n([^]*?)```/g),
  ([, yaml = ""]) => yaml,
);

describe("The test files of the documentation", () => {
  const sample = new SampleClient();
  before(() => sample.start());
  after(() => sample.stop());

  function connect(): Client {
    const nobody = () => Promise.resolve(undefined);
    const transport = createTransport(parseAddress(sample.server.url));
    return new Client(new Session(transport, { current: nobody, renew: nobody }), new Secrets());
  }

  const redact = (text: string): string => text;
  const askWith =
    (client: Client): AskAgent =>
    async ({ kind, project, name, limit = defaultLimit }, question, signal) => {
      if (kind === "knowledgeBase") {
        const search = { question, limit, filters: [] };
        const { chunks } = await searchKnowledgeBase(client, { project, name }, search);
        return { documents: rankDocuments(chunks), tookMs: 0, redact };
      }
      const run = await askOnce({
        chatId: "",
        agent: { connectionId: "", connection: "", project, name },
        question,
        access: {
          ask: (agent, messages, stop, onFrame) =>
            askAgent(client, agent.project, agent.name, messages, stop, onFrame),
          connectedData: () => Promise.reject(new Error("nothing is suggested")),
          connectionName: () => "Sample",
          redact,
          explain: (error) => ({ message: String(error) }),
        },
        texts: createConversationTexts(),
        timeLimit: () => 60,
        signal,
        onError: () => undefined,
      });
      return { ...run, redact };
    };

  it("are two: of an agent, and of a search", () => assert.equal(blocks.length, 2));

  for (const [at, yaml] of blocks.entries()) {
    it(`pass: ${yaml.split("\n")[0] ?? at}`, async () => {
      const { tests, problems } = readTestFile(yaml);
      assert.deepEqual(problems, []);
      assert.ok(tests.length > 0);
      const ask = askWith(connect());
      for (const test of tests) {
        const { state, attempts } = await runTest(test, ask, new AbortController().signal);
        assert.equal(state, "passed", JSON.stringify(attempts.map(({ results }) => results)));
      }
    });
  }
});
