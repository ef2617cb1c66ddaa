// Asks agents and searches knowledge bases for agent tests, as the Test Explorer does.
import type { AskAgent } from "../src/agentTests/checks/agentOutcome.ts";
import { defaultLimit, rankDocuments } from "../src/agentTests/checks/searchMetrics.ts";
import { askOnce } from "../src/chat/askOnce.ts";
import { askAgent } from "../src/mindsdb/agents.ts";
import type { Client } from "../src/mindsdb/http/client.ts";
import { searchKnowledgeBase } from "../src/mindsdb/searchKnowledgeBase.ts";

/** What a client answers to the questions of tests, within two minutes. `redact` hides what a test must not show. */
export function askAsTests(client: Client, redact = (text: string): string => text): AskAgent {
  return async ({ kind, project, name, limit = defaultLimit }, question, signal) => {
    if (kind === "knowledgeBase") {
      const search = { question, limit, filters: [] };
      try {
        const { chunks } = await searchKnowledgeBase(client, { project, name }, search);
        return { documents: rankDocuments(chunks), tookMs: 0, redact };
      } catch (error) {
        return { documents: [], tookMs: 0, reason: redact(String(error)), redact };
      }
    }
    const run = await askOnce({
      chatId: "",
      agent: { connectionId: "", connection: "", project, name },
      question,
      access: {
        ask: (agent, messages, stop, onFrame) =>
          askAgent(client, agent.project, agent.name, messages, stop, onFrame),
        connectedData: () => Promise.reject(new Error("nothing is suggested")),
        connectionName: () => "Tested",
        acceptsChanges: () => true,
        redact,
        explain: (error) => ({ message: redact(String(error)) }),
      },
      timeLimit: () => 120,
      signal,
      onError: () => undefined,
    });
    return { ...run, redact };
  };
}
