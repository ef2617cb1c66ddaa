// Secrets that are typed into any field of any form, or that the server has there: the page's saved state has none of them,
// and its changes none of the typed ones.
import assert from "node:assert/strict";
import { agentFormCalls } from "../../src/agents/agentForm.ts";
import { emptyDraft as emptyAgent } from "../../src/agents/agentDraft.ts";
import { dataSourceFormCalls } from "../../src/dataSources/dataSourceForm.ts";
import { emptyJobDraft } from "../../src/jobs/jobDraft.ts";
import { jobFormCalls } from "../../src/jobs/jobForm.ts";
import { emptyDraft as emptyBase } from "../../src/knowledgeBases/form/knowledgeBaseDraft.ts";
import { knowledgeBaseFormCalls } from "../../src/knowledgeBases/form/knowledgeBaseForm.ts";
import { emptyTrainDraft } from "../../src/models/trainDraft.ts";
import { trainCalls } from "../../src/models/trainPage.ts";
import type { Calls } from "../../src/shared/pageProtocol.ts";
import { emptyTriggerDraft } from "../../src/triggers/triggerDraft.ts";
import { triggerFormCalls } from "../../src/triggers/triggerForm.ts";
import { viewFormCalls } from "../../src/views/viewForm.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { PanelPages } from "./panelPages.ts";

const canary = "canary-31-Qz7";
const secrets = [
  `https://ada:${canary}@host.example/v1`,
  `https://ada:${canary}/${canary}@host.example/v1`,
  `https://host.example/v1?api_key=${canary}`,
  `{"password": "${canary}"}`,
  `SELECT * FROM t WHERE api_key = '${canary}'`,
];
const model = { provider: "openai", modelName: "m", baseUrl: "" };
const chosen = { ...model, choice: "own" } as const;
const handler = {
  ...{ name: "web", title: "Web", description: "", isReady: true },
  ...{ importError: undefined, arguments: undefined },
};
const forms: [entry: string, calls: Calls, draft: object, content?: object][] = [
  [
    "agents/page/agentForm.tsx",
    agentFormCalls,
    { ...emptyAgent("mindsdb"), model: { ...model, own: true } },
  ],
  [
    "knowledgeBases/page/knowledgeBaseForm.tsx",
    knowledgeBaseFormCalls,
    { ...emptyBase("mindsdb"), embedding: chosen, reranking: chosen },
  ],
  ["models/page/trainPage.tsx", trainCalls, { ...emptyTrainDraft("mindsdb"), source: "select" }],
  ["views/page/viewForm.tsx", viewFormCalls, { project: "mindsdb", name: "", query: "" }],
  ["jobs/page/jobForm.tsx", jobFormCalls, emptyJobDraft("mindsdb")],
  ["triggers/page/triggerForm.tsx", triggerFormCalls, emptyTriggerDraft("mindsdb")],
  [
    "dataSources/page/dataSourceForm.tsx",
    dataSourceFormCalls,
    {
      ...{ name: "", engine: "web", alternative: "", values: {} },
      rows: [{ id: "1", name: "server", value: "" }],
    },
    { known: { handler, taken: [] } },
  ],
];

describe("Secrets in the texts of a form", () => {
  for (const [entry, calls, draft, content] of forms) {
    it(`are not stored: ${entry}`, async () => {
      const pages = await PanelPages.start(`src/${entry}`);
      const form = { id: "one", connectionId: "local", kind: "create", draft, initial: draft };
      const stored = { ...draft, name: "a", query: secrets[4], instruction: secrets[0] };
      const before: object = {
        ...form,
        id: "zero",
        draft: stored,
        initial: stored,
        before: stored,
      };
      const shown = await pages.show(calls, { form: before, connection: "here", ...content });
      const state = await eventually(async () => {
        const saved = JSON.stringify(await shown.state());
        assert.ok(saved.includes('"id":"zero"'), saved);
        return saved;
      });
      assert.ok(!state.includes(canary), state);
      await shown.update({ form });
      const fields = shown.page.locator("input:not([type=checkbox], [type=radio]), textarea");
      const count = await fields.count();
      assert.ok(count > 1, String(count));
      for (const secret of secrets) {
        for (let at = 0; at < count; at++) {
          const made = shown.calls.length;
          await fields.nth(at).fill(secret);
          await eventually(() => assert.ok(shown.calls.length > made, `field ${at}: ${secret}`));
          const kept = JSON.stringify([await shown.state(), shown.calls]);
          assert.ok(!kept.includes(canary), `field ${at}: ${secret}\n${kept}`);
        }
      }
      await shown.close();
      await pages.stop();
    });
  }
});
