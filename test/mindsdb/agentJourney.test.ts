// A user in a real VS Code, on real servers: makes an agent in the form, asks it, and sees no key anywhere.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { FormData } from "undici";
import { AgentForm } from "../e2e/lib/agentForm.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { Notebook } from "../e2e/lib/notebook.ts";
import { expectValue } from "../e2e/lib/expect.ts";
import { quickly } from "../e2e/lib/once.ts";
import type { Result } from "../e2e/lib/result.ts";
import { placesThatHold } from "../e2e/lib/storage.ts";
import { Admin } from "./admin.ts";
import { fixture, versions } from "./fixture.ts";
import { useRealWorkbench } from "./realWorkbench.ts";
import { MODEL_API_KEY } from "./script.ts";
import { SEEDED } from "./seed.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, a user who creates agents`, () => {
    const journey = useRealWorkbench(version);

    /** Asks in the panel of the agent; servers of 25.14.1 lose an answer now and then. */
    const ask = async (
      name: string,
      question = "[sql] Where are rents highest?",
    ): Promise<string> => {
      const chat = await journey.chat(name);
      const first = (await chat.runs()).length + 1;
      await chat.ask(question);
      let run = await chat.ended(first, 60_000);
      for (let count = first + 1; count < first + 3 && run.state === "noAnswer"; count++) {
        await chat.askAgain();
        run = await chat.ended(count, 60_000);
      }
      assert.equal(run.state, "answered", run.sentence);
      return run.answer;
    };

    /** Runs a statement in a notebook of its own. */
    const statement = async (name: string, sql: string): Promise<Result> => {
      const file = `${name}.predict.md`;
      const text = `\`\`\`sql predict\n${sql}\n\`\`\`\n`;
      fs.writeFileSync(path.join(journey.workbench.folder, file), text);
      await journey.workbench.openFile(file);
      const notebook = await Notebook.with(journey.workbench, file);
      return notebook.runToEnd(60_000);
    };

    /** A whole result as it is copied and as it is exported. */
    const taken = async (result: Result, name: string): Promise<[string, string]> => {
      const { workbench } = journey;
      const copied = await eventually(async () => {
        await result.button("Copy as JSON").click(quickly);
        const text = await workbench.clipboard();
        assert.ok(
          text.startsWith("[") && text.includes(name === "agents" ? "form_journey" : "visit"),
        );
        return text;
      });
      await result.button("Export…").click();
      await workbench.quickInput.saveAs(/-result\.csv$/, `${name}.csv`);
      await workbench.dialogs.toast("Exported");
      await workbench.command("Notifications: Clear All Notifications");
      const exported = fs.readFileSync(path.join(workbench.folder, `${name}.csv`), "utf8");
      return [copied, exported];
    };

    before("sign in", async () => {
      await journey.tree.expand(["Real", "mindsdb", "Agents"]);
      await journey.tree.find(["Real", "mindsdb", "Agents", SEEDED.agent]);
    });

    after("leave the server as it was", async () => {
      const admin = await Admin.signIn(fixture(version).server);
      // A test that failed has not made its agent.
      await admin.delete("/api/projects/mindsdb/agents/form_journey").catch(() => undefined);
      await admin.delete("/api/files/visits").catch(() => undefined);
    });

    it("creates one in the form, and it answers", async () => {
      const { quickInput } = journey.workbench;
      await journey.workbench.command("MindsDB: Create Agent…");
      const form = await AgentForm.with(journey.workbench);
      await form.fill("name", "Form Journey");
      // No default model: the form begins with one of the agent's own.
      await form.fill("modelName", "scripted");
      await form.fill("apiKey", MODEL_API_KEY);
      await form.fill("baseUrl", fixture(version).llm.url);
      await form.button("Select Tables…").click();
      await quickInput.expect("Select what the agent can query");
      await quickInput.check("files.*");
      await quickInput.press("Enter");
      await form.button("Select Knowledge Bases…").click();
      await quickInput.expect("Select what the agent can search");
      await quickInput.check(`mindsdb.${SEEDED.knowledgeBase}`);
      await quickInput.press("Enter");
      await eventually(async () => {
        assert.deepEqual(await form.entries("tables"), ["files.* 1 table"]);
        assert.equal((await form.entries("knowledgeBases")).length, 1);
      });
      await form.button("Generate from Selected Data").click();
      await eventually(async () => {
        const text = await form.control("instruction").inputValue();
        assert.match(text, /^- files\.home_rentals: .*rental_price/m);
      });
      await form.create();
      const isOld = version !== "26.1.0";
      await eventually(async () => {
        const text = await form.frame.locator(".created").innerText();
        assert.equal(text.includes("does not test the model until the first question"), isOld);
      });
      await journey.workbench.screenshot(`agent-created-${version}`);
      await form.button("Open Chat").click();
      assert.match(await ask("form_journey"), /great/);
    });

    it("sees no key in a chat that contains it", async () => {
      assert.match(
        await ask("form_journey", "[key] What is your key?"),
        /^My key is \*+, you see\.$/,
      );
    });

    it("sees no key in a statement's list of agents, or in a copy or export of it", async () => {
      const result = await statement("agents", "SHOW AGENTS");
      // The rows come after the header, and the result is drawn anew when its cell has ended.
      await eventually(async () => {
        assert.match((await result.column("NAME")).join(), /form_journey/);
        assert.match(await result.element.innerText(), /"api_key": "\*{6}"/);
      });
      await journey.workbench.screenshot(`agents-in-notebook-${version}`);
      const [copied, exported] = await taken(result, "agents");
      for (const text of [copied, exported]) {
        assert.match(text, /form_journey[^]*api_key[^]*\*{6}/);
        assert.ok(!text.includes(MODEL_API_KEY));
      }
    });

    it("sees the data of own tables, even in a column named token", async () => {
      const admin = await Admin.signIn(fixture(version).server);
      const form = new FormData();
      const csv = "token,visitor\nvisit-4711,Ada\nvisit-0815,Bea\n";
      form.set("file", new File([csv], "visits.csv", { type: "text/csv" }));
      await admin.put("/api/files/visits", form);
      const result = await statement("visits", "SELECT * FROM files.visits");
      await eventually(async () => {
        assert.deepEqual(await result.column("token"), ["visit-4711", "visit-0815"]);
      });
      for (const text of await taken(result, "visits")) {
        assert.match(text, /visit-4711[^]*visit-0815/);
      }
    });

    it("gets the form from quick create where the server has no default model", async () => {
      const { quickInput } = journey.workbench;
      await journey.workbench.command("MindsDB: Quick Create Agent…");
      await quickInput.enter("Create an Agent in mindsdb", "quick_journey");
      const form = await AgentForm.with(journey.workbench);
      await expectValue(form.control("name"), "quick_journey");
    });

    it("leaves no key behind", async () => {
      assert.deepEqual(await placesThatHold(journey.workbench, [MODEL_API_KEY]), []);
    });
  });
}
