// A user in a real VS Code, on real servers, who trains models: the tree and open pages follow what happens there, and
// nobody presses Refresh.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { TrainField } from "../../src/models/trainValidation.ts";
import { AgentForm } from "../e2e/lib/agentForm.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { expectCount } from "../e2e/lib/expect.ts";
import { modelPage } from "../e2e/lib/modelPage.ts";
import { Notebook } from "../e2e/lib/notebook.ts";
import { Admin } from "./admin.ts";
import { fixture, versions } from "./fixture.ts";
import { useRealWorkbench } from "./realWorkbench.ts";
import { engineOf, SEEDED } from "./seed.ts";

const model = "followed";
/** Deleted while it is in training. */
const unwanted = "unwanted";
const agents = ["dropped_here", "dropped_elsewhere"] as const;
/** A training is over by then, in ms. */
const trainingMs = 5 * 60_000;

for (const version of versions) {
  describe(`MindsDB ${version}, a user who trains and watches the tree`, function () {
    this.timeout(trainingMs);
    const models = ["Real", "mindsdb", "Models"];
    const engine = engineOf(version);
    /** Whether the engine can be told how long to train at least. */
    const isSlow = version === "26.1.0";
    let admin: Admin;
    const journey = useRealWorkbench(version);

    before("make agents, sign in, open the lists", async () => {
      admin = await Admin.signIn(fixture(version).server);
      const seeded = (await admin.get(
        `/api/projects/mindsdb/agents/${SEEDED.tableAgent}`,
      )) as Record<string, unknown>;
      for (const name of agents) {
        const { model, data } = seeded;
        await admin.post("/api/projects/mindsdb/agents", { agent: { name, model, data } });
      }
      await journey.tree.expand(["Real", "mindsdb", "Agents"]);
      await journey.tree.expand(models);
      await journey.tree.find([...models, SEEDED.model]);
      await journey.tree.find(["Real", "mindsdb", "Agents", agents[0]]);
    });

    after("leave the server as it was", async () => {
      admin = await Admin.signIn(fixture(version).server);
      for (const name of [model, unwanted]) {
        await admin.delete(`/api/projects/mindsdb/models/${name}`).catch(() => undefined);
      }
      for (const name of agents) {
        await admin.delete(`/api/projects/mindsdb/agents/${name}`).catch(() => undefined);
      }
    });

    /** Runs a statement in a notebook of its own, with the user's yes. */
    async function run(name: string, sql: string): Promise<void> {
      const { workbench } = journey;
      const file = `${name}.predict.md`;
      fs.writeFileSync(path.join(workbench.folder, file), `\`\`\`sql predict\n${sql}\n\`\`\`\n`);
      await workbench.openFile(file);
      const notebook = await Notebook.with(workbench, file);
      await notebook.run();
      await workbench.dialogs.modal("may change", "Run");
    }

    const openForm = (heading: string) => AgentForm.with<TrainField>(journey.workbench, heading);
    const closeEditors = () => journey.workbench.command("View: Close All Editors");

    function says(name: string, description: RegExp, ms: number): Promise<void> {
      return eventually(async () => {
        assert.match((await journey.tree.find([...models, name], 5_000)).description, description);
      }, ms);
    }

    function lacks(group: string, name: string): Promise<void> {
      return eventually(async () => {
        const names = await journey.tree.children(["Real", "mindsdb", group]);
        assert.ok(names.length > 0 && !names.includes(name), names.join());
      }, 60_000);
    }

    it("sees a model that a statement creates, and its training to the end", async () => {
      await run(
        "create",
        `CREATE MODEL mindsdb.${model} FROM files (SELECT * FROM home_rentals LIMIT 300) ` +
          `PREDICT rental_price USING engine = '${engine}'${isSlow ? ", sleep = 8" : ""}`,
      );
      await says(model, /^(generating|training) · v1$/, 60_000);
      await says(model, /^complete · v1$/, trainingMs);
    });

    it("retrains it on a SELECT with the form, and sees that a newer version is in training", async () => {
      await journey.tree.contextMenu([...models, model], "Retrain Model…");
      const form = await openForm(`Retrain ${model}`);
      await form.choose("source", "A SELECT");
      await form.fill("select", "SELECT * FROM files.home_rentals");
      if (isSlow) await form.fill("options", "sleep = 15");
      await form.choose("activates", "Keep using the current version");
      await form.button(`Retrain ${model}`).click();
      await says(model, /^complete · v1 · v2 (generating|training)$/, 60_000);
      const tooltip = await journey.tree.tooltip([...models, model], /In training/);
      assert.match(tooltip, /In training: version 2 \((generating|training)\)/);
      await journey.workbench.screenshot(`tree-training-${version}`);
      await eventually(async () => {
        assert.deepEqual(await admin.modelVersions(model), [
          [1, "complete", true],
          [2, "complete", false],
        ]);
      }, trainingMs);
      const { dialogs } = journey.workbench;
      await dialogs.toast(`${model} version 2 is trained.`, "Use This Version");
      await says(model, /^complete · v2$/, 60_000);
      await eventually(async () => {
        assert.deepEqual((await admin.modelVersions(model))[1], [2, "complete", true]);
      });
      await closeEditors();
    });

    it("compares the versions, switches back and deletes one", async () => {
      const { quickInput, dialogs, page } = journey.workbench;
      await journey.tree.contextMenu([...models, model], "Compare Model Versions…");
      await quickInput.pick("Which version?", "version 1");
      const lines = page.locator(".monaco-diff-editor .editor.original .view-line");
      await lines.filter({ hasText: "LIMIT 300" }).waitFor();
      await closeEditors();
      await journey.tree.expand([...models, model]);
      await eventually(async () => {
        const current = await journey.tree.find([...models, model, "version 2"], 5_000);
        assert.equal(current.description, "complete · active");
      });
      await journey.tree.contextMenu([...models, model, "version 1"], "Set Active Model Version");
      await says(model, /^complete · v1$/, 60_000);
      await journey.tree.contextMenu([...models, model, "version 2"], "Delete Model Version…");
      await dialogs.modal(`Delete version 2 of ${model}`, "Delete");
      await eventually(async () => {
        assert.deepEqual(await admin.modelVersions(model), [[1, "complete", true]]);
      });
    });

    if (isSlow) {
      it("is not offered to finetune it, which its engine cannot, and the command says so", async () => {
        const { quickInput, dialogs } = journey.workbench;
        const items = await journey.tree.contextMenuItems([...models, model]);
        assert.ok(!items.includes("Fine-Tune Model…"), items.join());
        const before = await admin.modelVersions(model);
        await journey.workbench.command("MindsDB: Fine-Tune Model…");
        await quickInput.pick("Which model?", model);
        await dialogs.toast(`The engine ${engine} can't fine-tune. Retrain ${model} instead.`);
        await eventually(async () => {
          assert.deepEqual(await admin.modelVersions(model), before);
        });
        await journey.workbench.command("Notifications: Clear All Notifications");
      });
    } else {
      it("finetunes it", async () => {
        await journey.tree.contextMenu([...models, model], "Fine-Tune Model…");
        const form = await openForm(`Fine-Tune ${model}`);
        await form.choose("source", "A SELECT");
        await form.fill("select", "SELECT * FROM files.home_rentals LIMIT 100");
        await form.button(`Fine-Tune ${model}`).click();
        await eventually(async () => {
          const [[number, status, isActive] = []] = (await admin.modelVersions(model)).slice(-1);
          assert.ok(number! > 1 && status === "complete" && isActive);
        }, trainingMs);
        await closeEditors();
      });
    }

    it("trains one on a table with the form, and deletes it while that goes on", async () => {
      const { dialogs } = journey.workbench;
      const files = ["Real", "Data", "files"];
      await journey.tree.expand(["Real", "Data"]);
      await journey.tree.expand(files);
      await journey.tree.contextMenu([...files, "home_rentals"], "Train Model on Table…");
      const form = await openForm("Train Model");
      await form.fill("name", unwanted);
      await form.choose("engine", engine);
      if (isSlow) await form.fill("options", "sleep = 20");
      await form.choose("target", "rental_price");
      await form.button("Train Model").click();
      await journey.tree.collapse(["Real", "Data"]);
      await says(unwanted, /^(generating|training|complete) · v1$/, 60_000);
      await journey.tree.contextMenu([...models, unwanted], "Delete Model…");
      const text = await dialogs.modal(`Delete the model ${unwanted} in mindsdb`, "Delete");
      // Lightwood may be quicker than the user.
      if (isSlow) assert.match(text, /MindsDB can't stop training/);
      await lacks("Models", unwanted);
      await eventually(async () => {
        assert.deepEqual(await admin.modelVersions(unwanted), []);
      });
      await closeEditors();
    });

    it("sees dropped objects disappear from the tree and their pages", async () => {
      const { workbench } = journey;
      await journey.tree.click([...models, model]);
      // A finetuned version of lightwood has no importances.
      await modelPage(workbench, model, "Predicts");
      await run("drop-model", `DROP MODEL mindsdb.${model}`);
      await lacks("Models", model);
      await workbench.tab(model).first().click();
      const frame = await workbench.frameWith(`h1:text-is("${model}")`);
      await frame
        .getByText(`${model} is no longer in mindsdb. It may have been deleted.`)
        .waitFor();
      await expectCount(frame.getByRole("button", { name: "Predict" }), 0);
      await workbench.screenshot(`model-gone-${version}`);

      await run("drop-agent", `DROP AGENT mindsdb.${agents[0]}`);
      await lacks("Agents", agents[0]);
      await journey.tree.find(["Real", "mindsdb", "Agents", agents[1]]);
    });

    it("sees an agent disappear that the chat no longer finds", async () => {
      const chat = await journey.chatWith("Real", "mindsdb", agents[1]);
      await admin.delete(`/api/projects/mindsdb/agents/${agents[1]}`);
      await chat.ask("[sql] Where are rents highest?");
      assert.equal((await chat.ended(1)).state, "failed");
      await lacks("Agents", agents[1]);
    });

    // It also ends the process in which a model was deleted in training: 26.1.0 keeps its broken session ("This Session's
    // transaction has been rolled back"), and fails later calls that meet it.
    it("sees a restarted server again", async () => {
      const { tree } = journey;
      const isSeenDown = (): Promise<void> =>
        eventually(async () => {
          await tree.inlineAction(["Real"], "Refresh");
          const [row] = await tree.children(["Real"]);
          assert.equal(row, "Unreachable");
        }, 60_000);
      await fixture(version).server.restart({ whileDown: isSeenDown });
      await tree.find(["Real", "mindsdb"], 60_000);
      // VS Code may close a row that was away for a while.
      await tree.expand(models);
      await tree.find([...models, SEEDED.model], 60_000);
    });
  });
}
