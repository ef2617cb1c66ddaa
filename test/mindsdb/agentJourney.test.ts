// A user in a real VS Code, on real servers: makes an agent in the form and another one by quick create, and asks both.
import assert from "node:assert/strict";
import fs from "node:fs";
import { AgentForm } from "../e2e/lib/agentForm.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { useWorkbench } from "../e2e/lib/journey.ts";
import { placesThatHold } from "../e2e/lib/storage.ts";
import { packVsix, vsixPath } from "../package.ts";
import { Admin } from "./admin.ts";
import { ACCOUNT, fixture, versions } from "./fixture.ts";
import { MODEL_API_KEY } from "./script.ts";
import { SEEDED } from "./seed.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, a user who makes agents`, () => {
    const journey = useWorkbench(() => ({
      vsix: fs.existsSync(vsixPath) ? vsixPath : packVsix(),
      machineSettings: {
        "mindsdbWorkbench.connections": [
          { id: "real", name: "Real", address: fixture(version).server.url },
        ],
      },
    }));

    /** Asks in the panel of the agent; servers of 25.14.1 lose an answer now and then. */
    const ask = async (name: string): Promise<string> => {
      const chat = await journey.chat(name);
      await chat.ask("[sql] Where are rents highest?");
      let run = await chat.ended(1, 60_000);
      for (let count = 2; count < 4 && run.state === "noAnswer"; count++) {
        await chat.askAgain();
        run = await chat.ended(count, 60_000);
      }
      assert.equal(run.state, "answered", run.sentence);
      return run.answer;
    };

    before("sign in", async () => {
      await journey.workbench.command("MindsDB: Sign In…");
      await journey.workbench.quickInput.signIn(ACCOUNT, { keep: false });
      await journey.tree.expand(["Real", "mindsdb", "Agents"]);
      await journey.tree.find(["Real", "mindsdb", "Agents", SEEDED.agent]);
    });

    after("leave the server as it was", async () => {
      const admin = await Admin.signIn(fixture(version).server);
      for (const name of ["form_journey", "quick_journey"]) {
        // A test that failed has not made its agent.
        await admin.delete(`/api/projects/mindsdb/agents/${name}`).catch(() => undefined);
      }
    });

    it("makes one in the form, and it answers", async () => {
      const { quickInput, page } = journey.workbench;
      await journey.workbench.command("MindsDB: Create Agent…");
      const form = await AgentForm.with(journey.workbench);
      await form.fill("name", "Form Journey");
      // No default model: the form begins with one of the agent's own.
      await form.fill("modelName", "scripted");
      await form.fill("apiKey", MODEL_API_KEY);
      await form.fill("baseUrl", fixture(version).llm.url);
      await form.button("Choose Tables…").click();
      await quickInput.expect("What may the agent query?");
      await quickInput.row("files.*").click();
      await quickInput.box.press("Enter");
      await form.button("Choose Knowledge Bases…").click();
      await quickInput.expect("What may the agent search?");
      await quickInput.row(`mindsdb.${SEEDED.knowledgeBase}`).click();
      await quickInput.box.press("Enter");
      await eventually(async () => {
        assert.deepEqual(await form.entries("tables"), ["files.* 1 table"]);
        assert.equal((await form.entries("knowledgeBases")).length, 1);
      });
      await form.button("Draft from the Chosen Data").click();
      await eventually(async () => {
        const text = await form.control("instruction").inputValue();
        assert.match(text, /^- files\.home_rentals: .*rental_price/m);
      });
      await form.create();
      const isOld = version !== "26.1.0";
      const text = await form.frame.locator(".created").innerText();
      assert.equal(text.includes("does not try the model until it is asked"), isOld);
      await journey.workbench.screenshot(`agent-created-${version}`);
      await form.button("Open Chat").click();
      assert.match(await ask("form_journey"), /great/);
      await page.keyboard.press("Escape");
    });

    it("makes one by quick create, with the model of the last one, and it answers", async () => {
      const { quickInput, dialogs } = journey.workbench;
      await journey.workbench.command("MindsDB: Quick Create Agent…");
      await quickInput.enter("(1/4)", "quick_journey");
      await quickInput.pick("(2/4)", "The model of form_journey");
      await quickInput.expect("What may the agent read?");
      await quickInput.row(SEEDED.table).click();
      await quickInput.box.press("Enter");
      await quickInput.pick("(4/4)", "Draft from the Chosen Data");
      await dialogs.toast("quick_journey is ready in mindsdb.", "Open Chat");
      assert.match(await ask("quick_journey"), /great/);
    });

    it("leaves no key behind", async () => {
      assert.deepEqual(await placesThatHold(journey.workbench, [MODEL_API_KEY]), []);
    });
  });
}
