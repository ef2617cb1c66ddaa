// A user in a real VS Code, on real servers: the tree and open pages follow what happens there, and nobody presses Refresh.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "../e2e/lib/eventually.ts";
import { useWorkbench } from "../e2e/lib/journey.ts";
import { modelPage } from "../e2e/lib/modelPage.ts";
import { Notebook } from "../e2e/lib/notebook.ts";
import { packVsix, vsixPath } from "../../scripts/package.ts";
import { Admin } from "./admin.ts";
import { ACCOUNT, fixture, versions } from "./fixture.ts";
import { SEEDED } from "./seed.ts";

const model = "followed";
const agents = ["dropped_here", "dropped_elsewhere"] as const;
/** A training is over by then, in ms. */
const trainingMs = 5 * 60_000;

for (const version of versions) {
  describe(`MindsDB ${version}, a user who watches the tree`, function () {
    this.timeout(trainingMs);
    const models = ["Real", "mindsdb", "Models"];
    const engine = version === "26.1.0" ? "engine = 'linear', sleep = 8" : "engine = 'lightwood'";
    let admin: Admin;
    const journey = useWorkbench(() => ({
      vsix: fs.existsSync(vsixPath) ? vsixPath : packVsix(),
      machineSettings: {
        "mindsdbWorkbench.connections": [
          { id: "real", name: "Real", address: fixture(version).server.url },
        ],
      },
    }));

    before("make agents, sign in, open the lists", async () => {
      admin = await Admin.signIn(fixture(version).server);
      const seeded = (await admin.get(
        `/api/projects/mindsdb/agents/${SEEDED.tableAgent}`,
      )) as Record<string, unknown>;
      for (const name of agents) {
        const { model, data } = seeded;
        await admin.post("/api/projects/mindsdb/agents", { agent: { name, model, data } });
      }
      await journey.workbench.command("MindsDB: Sign In…");
      await journey.workbench.quickInput.signIn(ACCOUNT, { keep: true });
      await journey.tree.expand(["Real", "mindsdb", "Agents"]);
      await journey.tree.expand(models);
      await journey.tree.find([...models, SEEDED.model]);
      await journey.tree.find(["Real", "mindsdb", "Agents", agents[0]]);
    });

    after("leave the server as it was", async () => {
      admin = await Admin.signIn(fixture(version).server);
      await admin.delete(`/api/projects/mindsdb/models/${model}`).catch(() => undefined);
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

    function says(name: string, description: RegExp, ms: number): Promise<void> {
      return eventually(async () => {
        assert.match((await journey.tree.find([...models, name], 5_000)).description, description);
      }, ms);
    }

    function lacks(group: string, name: string): Promise<void> {
      return eventually(async () => {
        const names = await journey.tree.children(["Real", "mindsdb", group]);
        assert.ok(names.length > 0 && !names.includes(name), names.join());
      }, 20_000);
    }

    it("sees a model that a statement creates, and its training to the end", async () => {
      await run(
        "create",
        `CREATE MODEL mindsdb.${model} FROM files (SELECT * FROM home_rentals LIMIT 300) ` +
          `PREDICT rental_price USING ${engine}`,
      );
      await says(model, /^(generating|training) · v1$/, 30_000);
      await says(model, /^complete · v1$/, trainingMs);
    });

    it("sees that a newer version is in training, and when it takes over", async () => {
      await run(
        "retrain",
        `RETRAIN mindsdb.${model} FROM files (SELECT * FROM home_rentals)` +
          (version === "26.1.0" ? " USING sleep = 8" : ""),
      );
      await says(model, /^complete · v1 · v2 (generating|training)$/, 30_000);
      const tooltip = await journey.tree.tooltip([...models, model], /In training/);
      assert.match(tooltip, /In training: version 2 \((generating|training)\)/);
      await journey.workbench.screenshot(`tree-training-${version}`);
      await says(model, /^complete · v2$/, trainingMs);
      await journey.tree.expand([...models, model]);
      const current = await journey.tree.find([...models, model, "version 2"]);
      assert.equal(current.description, "complete · active");
      await journey.tree.collapse([...models, model]);
    });

    it("sees dropped objects disappear from the tree and their pages", async () => {
      const { workbench } = journey;
      await journey.tree.click([...models, model]);
      await modelPage(workbench, model, "Column importances");
      await run("drop-model", `DROP MODEL mindsdb.${model}`);
      await lacks("Models", model);
      await workbench.tab(model).first().click();
      const frame = await workbench.frameWith(`h1:text-is("${model}")`);
      await frame.getByText(`${model} is no longer in mindsdb. It was deleted.`).waitFor();
      assert.equal(await frame.getByRole("button", { name: "Predict" }).count(), 0);
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
