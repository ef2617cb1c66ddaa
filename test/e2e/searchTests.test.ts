// A user tests what a knowledge base's search finds, and gets a provider for promptfoo.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "./lib/eventually.ts";
import { connectedTo, itLeavesNoSecrets, useServer, useWorkbench } from "./lib/journey.ts";
import { TestExplorer } from "./lib/testExplorer.ts";

const fileName = "search.agent-test.yaml";

const file = `providers: ['mindsdb-search:mindsdb/rental_guide']
prompts: ['{{question}}']
tests:
  - vars: { question: May I keep a dog? }
    assert:
      - type: javascript
        value: file://mindsdb-provider.mjs:hitAtK
        config: { expected: [pets], k: 1 }
      - type: javascript
        value: file://mindsdb-provider.mjs:reciprocalRank
        config: { expected: [deposit] }
        threshold: 0.9
`;

describe("Tests of a knowledge base's search", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  let tests: TestExplorer;

  it("judge what a knowledge base's search finds", async () => {
    fs.writeFileSync(path.join(journey.workbench.folder, fileName), file);
    tests = await TestExplorer.open(journey.workbench);
    await tests.expand(fileName);
    await tests.run("May I keep a dog?", true);
    await tests.expectState("May I keep a dog?", "failed");
    await tests.expand("May I keep a dog?");
    await tests.expectState("hit@1 pets", "passed");
    await tests.expectState("reciprocal rank ≥ 0.9 deposit", "failed");
    await tests.row("reciprocal rank ≥ 0.9 deposit").locator(".label").click();
    const compared = journey.workbench.page.locator(".monaco-diff-editor").first();
    await eventually(async () => {
      const lines = compared.locator(".editor.modified .view-line");
      assert.match((await lines.allInnerTexts()).join(" "), /1\.\spets/);
    });
    await journey.workbench.screenshot("agent-tests-search");
    await tests.contextMenu("May I keep a dog?", "Open Run");
    const page = await journey.workbench.frameWith(
      'main:has(h1:text-is("May I keep a dog?")) .grid',
    );
    await page.locator(".grid-body .grid-row", { hasText: "✔" }).first().waitFor();
    await journey.workbench.screenshot("agent-tests-ranking");
  });

  it("get a provider for promptfoo beside them", async () => {
    const { workbench } = journey;
    await workbench.openFile(fileName);
    await workbench.command("MindsDB: Add promptfoo Provider…");
    const provider = path.join(workbench.folder, "mindsdb-provider.mjs");
    await eventually(() => {
      assert.match(fs.readFileSync(provider, "utf8"), /^\/\/ mindsdb-provider\.mjs/);
      const text = fs.readFileSync(path.join(workbench.folder, fileName), "utf8");
      assert.match(text, /"provider":"mindsdb-search:mindsdb\/rental_guide"/);
    });
    server.forget();
    await tests.run("May I keep a dog?");
    // What the run before found is still shown.
    await eventually(() => {
      const queries = server.logged(/query$/).map(({ body }) => body.toString());
      assert.ok(queries.some((query) => query.includes("May I keep a dog?")));
    });
    await tests.expectState("May I keep a dog?", "failed");
  });

  itLeavesNoSecrets(journey);
});
