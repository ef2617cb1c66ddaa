// A user writes a test for an agent, sees it fail, looks at the run, and sees it pass; saves a run, stops the server, and
// opens the file.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { Chat } from "../lib/chat.ts";
import { eventually } from "../lib/eventually.ts";
import { canaries } from "../lib/servers.ts";
import { connectedTo, itLeavesNoSecrets, useServer, useSharedWorkbench } from "../lib/journey.ts";
import { placesThatHold } from "../lib/storage.ts";
import { TestExplorer } from "../lib/testExplorer.ts";

const fileName = "rentals.agent-test.yaml";

const file = `# yaml
description: Rentals
providers: ['mindsdb:mindsdb/rental_agent']
prompts: ['{{question}}']
tests:
  - description: pets
    vars:
      question: May I keep a dog?
    assert:
      - type: icontains
        value: deposit
      - type: latency
        threshold: 60000
  - description: judged by a model
    vars:
      question: Is it nice?
    assert:
      - type: llm-rubric
        value: is polite
`;

describe("Agent tests and saved runs", () => {
  const server = useServer();
  const journey = useSharedWorkbench(() => connectedTo({ Rentals: server }));

  describe("Agent tests", () => {
    let tests: TestExplorer;

    it("appear with the file", async () => {
      fs.writeFileSync(path.join(journey.workbench.folder, fileName), file);
      tests = await TestExplorer.open(journey.workbench);
      await tests.expand(fileName);
      await eventually(async () =>
        // The sample workspace's own tests come after it.
        assert.deepEqual((await tests.labels()).slice(0, 3), [
          fileName,
          "pets",
          "judged by a model",
        ]),
      );
      await tests.expand("pets");
      assert.equal(server.requests(/stream$/).length, 0);
    });

    it("fail at the assertion, with what was expected and what came", async () => {
      const leak = `{'api_key': '${canaries.apiKey}'}`;
      await server.answerNext(`Pets are not allowed. ${leak}`, () => tests.run("pets", true));
      await tests.expectState("icontains deposit", "failed");
      await tests.expectState("latency 60000 ms", "passed");
      await tests.row("icontains deposit").locator(".label").click();
      const compared = journey.workbench.page.locator(".monaco-diff-editor").first();
      await compared.waitFor({ timeout: 30_000 });
      await eventually(async () => {
        const lines = compared.locator(".editor.modified .view-line");
        assert.match((await lines.allInnerTexts()).join(" "), /Pets\sare\snot\sallowed/);
      });
      await journey.workbench.screenshot("agent-tests-failed", { readme: true });
    });

    it("show the run in the chat", async () => {
      await tests.contextMenu("pets", "Open Run");
      const chat = await Chat.with(journey.workbench, "rental_agent");
      const run = await chat.ended(1);
      assert.equal(run.question, "May I keep a dog?");
      assert.match(run.answer, /Pets are not allowed/);
      assert.ok(!run.answer.includes(canaries.apiKey));
      await journey.workbench.screenshot("agent-tests-run");
    });

    it("pass with another answer", async () => {
      await server.answerNext("For a deposit.", () => tests.run("pets"));
      await tests.expectState("icontains deposit", "passed");
      await tests.expectState("pets", "passed");
    });

    it("never pass with what is not supported, and ask nothing", async () => {
      server.forget();
      await tests.run("judged by a model");
      await tests.expectState("judged by a model", "error");
      assert.deepEqual(server.requests(/stream$/), []);
      await journey.workbench.screenshot("agent-tests-unsupported");
    });

    it("are made of an answer in the chat", async () => {
      const { workbench } = journey;
      const { quickInput } = workbench;
      await workbench.tab("rental_agent: May I keep a dog?").click();
      const chat = await Chat.with(workbench, "rental_agent");
      await server.answerNext("It is in **Mill Yard**.", () => chat.ask("Where is the office?"));
      await chat.ended(2);
      await workbench.command("MindsDB: Save as Test…");
      await quickInput.pick("Select a question", "Where is the office?");
      await quickInput.expect("Which checks should future answers pass?");
      await workbench.screenshot("agent-tests-save");
      await quickInput.accept("Which checks should future answers pass?");
      await quickInput.pick("The file for the test", fileName);
      const written = path.join(workbench.folder, fileName);
      await eventually(() => {
        const text = fs.readFileSync(written, "utf8");
        assert.ok(text.startsWith(file.trimEnd()), text);
        assert.ok(text.includes('question: "Where is the office?"'), text);
        assert.ok(text.includes('value: "Mill Yard"'), text);
      });
      await workbench.tab(fileName).waitFor();
      await eventually(async () => {
        assert.ok((await tests.labels()).includes("Where is the office?"));
      });
      await server.answerNext("It is in **Mill Yard**.", () => tests.run("Where is the office?"));
      await tests.expectState("Where is the office?", "passed");
    });

    it("mark in the editor what is not supported, and an agent that is not there", async () => {
      await journey.workbench.openFile(fileName);
      // The status bar counts them all; the editor draws only the lines in sight.
      const counted = journey.workbench.page.locator("[id='status.problems']");
      const expectErrors = (count: number): Promise<void> =>
        eventually(async () => {
          assert.equal(Number.parseInt((await counted.innerText()).trim(), 10), count);
        }, 30_000);
      await expectErrors(1);
      const changed = file.replace("rental_agent", "rental_agnt");
      fs.writeFileSync(path.join(journey.workbench.folder, fileName), changed);
      await expectErrors(2);
      await journey.workbench.screenshot("agent-tests-problems");
    });

    itLeavesNoSecrets(journey);
  });

  describe("A saved run", () => {
    const canary = "sk-canary4711canary4711canary4711canary4711";
    /** Of the agent, in ms. */
    const pause = 2_000;
    const file = () => path.join(journey.workbench.folder, "cheapest.mindsdb-run.json");

    it("is written from the chat, with times and without keys", async () => {
      const { workbench } = journey;
      await workbench.editors.closeAll();
      await workbench.openView("MindsDB");
      const page = await journey.chatWith("Rentals", "mindsdb", "rental_agent");
      const asked = server.hold();
      await page.ask("Which home is the cheapest?");
      const held = await asked;
      held.send({ type: "context", content: "Creating execution plan..." });
      await workbench.page.waitForTimeout(pause);
      held.send({ type: "context", content: `Proposed Execution Plan:\nUse ${canary}.` });
      held.send({ type: "data", text: `The studio; my key is ${canary}.` }, { type: "end" });
      held.end();
      assert.equal((await page.ended(1)).state, "answered");
      await page.composer.click();
      await workbench.command("MindsDB: Save Run…");
      await workbench.quickInput.saveAs(
        /\/Which home is the cheapest_\.mindsdb-run\.json$/,
        "cheapest.mindsdb-run.json",
      );
      await workbench.dialogs.toast("Saved the run to");
      await workbench.command("Notifications: Clear All Notifications");
      const saved = JSON.parse(fs.readFileSync(file(), "utf8")) as {
        server: object;
        frames: { at: number; data: string }[];
      };
      assert.deepEqual(saved.server, { connection: "Rentals", version: "26.1.0" });
      assert.equal(saved.frames.length, 4);
      assert.ok(saved.frames[1]!.at - saved.frames[0]!.at >= pause - 50);
      assert.ok(!JSON.stringify(saved).includes("canary"));
    });

    it("opens without a server, as a chat that asks nobody", async () => {
      const { workbench } = journey;
      await workbench.editors.closeAll();
      await server.proxy.refuse();
      await workbench.openFile("cheapest.mindsdb-run.json");
      const page = await journey.chat("rental_agent");
      const run = await page.ended(1);
      assert.deepEqual([run.question, run.state], ["Which home is the cheapest?", "answered"]);
      assert.match(run.answer, /^The studio; my key is /);
      assert.match(run.sentence, /[2-9](\.\d)? s/);
      await eventually(async () => {
        assert.equal(await page.composer.isVisible(), false);
        assert.equal(await page.button("Ask Again").isVisible(), false);
      });
      await workbench.screenshot("saved-run");
    });

    it("leaves no key behind", async () => {
      assert.deepEqual(await placesThatHold(journey.workbench, [canary]), []);
    });
  });
});
