// Questions to begin with: from what an agent is connected to, and such that the sample server's agents can answer them.
import assert from "node:assert/strict";
import { readConnectedData } from "../../../src/chat/host/connectedData.ts";
import {
  suggestQuestions,
  type ConnectedData,
  type QuestionWords,
} from "../../../src/chat/suggestions.ts";
import { parseAddress } from "../../../src/mindsdb/address.ts";
import { askAgent, createAgent } from "../../../src/mindsdb/agents.ts";
import type { Client } from "../../../src/mindsdb/client.ts";
import { createTransport } from "../../../src/mindsdb/transport.ts";
import { startSampleServer, type SampleServer } from "../../../src/sample/server.ts";
import { clientOver } from "../../clientOver.ts";

const words: QuestionWords = {
  averagePer: (measure, group) => `What is the average ${measure} per ${group}?`,
  highest: (measure, table) => `What is the highest ${measure} in ${table}?`,
  count: (table) => `How many ${table} are there?`,
  about: (base, subject) => `What does ${base} say about ${subject}?`,
  whatIsIn: (base) => `What can you tell me from ${base}?`,
};
const suggest = (data: Partial<ConnectedData>) =>
  suggestQuestions({ tables: [], knowledgeBases: [], ...data }, words);

describe("Suggested questions", () => {
  it("ask for measures by group, leaving out what only names or counts rows", () => {
    const columns = ["order_id", "city", "note", "year", "net_price"];
    const rows = [
      [1, "Ghent", "a", 2024, "10.5"],
      [2, "Ghent", "b", 2024, "7"],
      [3, "Oslo", null, 2025, null],
    ];
    assert.deepEqual(suggest({ tables: [{ name: "all_orders", columns, rows }] }), [
      "What is the average net price per city?",
      "What is the highest net price in all orders?",
      "How many all orders are there?",
    ]);
  });

  it("make do with a name where nothing could be read", () => {
    const tables = [{ name: "orders", columns: [], rows: [] }];
    const knowledgeBases = [{ name: "house_rules", subjects: [] }];
    assert.deepEqual(suggest({ tables, knowledgeBases }), [
      "How many orders are there?",
      "What can you tell me from house rules?",
    ]);
  });

  it("are four at most, about each thing first, and none without data", () => {
    const tables = ["a", "b"].map((name) => ({ name, columns: ["n"], rows: [[1]] }));
    const knowledgeBases = [{ name: "k", subjects: ["x", "y", "z"] }];
    assert.deepEqual(suggest({ tables, knowledgeBases }), [
      "What is the highest n in a?",
      "What is the highest n in b?",
      "What does k say about x?",
      "How many a are there?",
    ]);
    assert.deepEqual(suggest({}), []);
  });

  for (const dialect of ["25", "26"] as const) {
    describe(`on a server of ${dialect}.x`, () => {
      let server: SampleServer;
      let client: Client;
      before(async () => {
        server = await startSampleServer({ dialect, stepDelay: 0 });
        const transport = createTransport(parseAddress(server.url));
        client = clientOver(transport);
      });
      after(() => server.stop());

      const questionsFor = async (project: string, name: string) => {
        const agent = { connectionId: "c", project, name };
        return suggest(await readConnectedData(client, agent, new AbortController().signal));
      };

      for (const [project, name] of [
        ["mindsdb", "rental_agent"],
        ["mindsdb", "prices_agent"],
        ["support", "manual_agent"],
      ] as const) {
        it(`can be answered by ${name}`, async () => {
          const questions = await questionsFor(project, name);
          assert.ok(questions.length >= 2, questions.join("\n"));
          for (const question of questions) {
            const asked = askAgent(client, project, name, [{ question, answer: "" }]);
            let answer = "";
            for await (const event of asked) {
              if (event.type === "answer") answer = event.text;
            }
            assert.notEqual(answer, "", question);
            assert.doesNotMatch(answer, /found nothing|^Hello/, question);
          }
        });
      }

      it("are none where agent or data are gone", async () => {
        await assert.rejects(questionsFor("mindsdb", "nobody"));
        await createAgent(client, "mindsdb", { name: "bare" });
        assert.deepEqual(await questionsFor("mindsdb", "bare"), []);
      });
    });
  }
});
