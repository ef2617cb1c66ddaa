// Models of a real server: trained, retrained, finetuned, switched and deleted by the client library; projects created and
// deleted. What the server has then is asked by plain SQL and HTTP.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { ModelVersion } from "../../src/mindsdb/listItems.ts";
import { deleteJob } from "../../src/mindsdb/jobs.ts";
import { isTraining } from "../../src/mindsdb/modelStatus.ts";
import { listModels } from "../../src/mindsdb/models.ts";
import {
  createProject,
  deleteProject,
  listProjectEntries,
} from "../../src/mindsdb/projectChanges.ts";
import { withoutTraceback } from "../../src/mindsdb/http/httpResponse.ts";
import * as training from "../../src/mindsdb/training.ts";
import { emptyTrainDraft } from "../../src/models/trainDraft.ts";
import { selectOfDraft } from "../../src/models/trainSelect.ts";
import { findTrainingProblem } from "../../src/models/trainValidation.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { useClients } from "./clients.ts";
import { versions } from "./fixture.ts";
import { engineOf, SEEDED } from "./seed.ts";

const project = "mindsdb";
const name = "trained_here";
const target = "rental_price";
const select = "SELECT sqft, location, rental_price FROM files.home_rentals LIMIT 200";

for (const version of versions) {
  describe(`MindsDB ${version}, training`, function () {
    this.timeout(10 * 60_000);
    const engine = engineOf(version);
    const session = useClients(version);

    after(async () => {
      await session.admin.sql(`DROP MODEL IF EXISTS mindsdb.${name}`);
    });

    const stored = () => session.admin.modelVersions(name);

    async function untilTrained(): Promise<ModelVersion[]> {
      for (;;) {
        const found = (await listModels(session.client, project)).find((one) => one.name === name);
        if (found && !found.versions.some(isTraining)) return found.versions;
        await sleep(500);
      }
    }

    it("has the engine, and says which a server has that nobody has set up", async () => {
      const engines = (await training.listEngines(session.client)).map((one) => one.name);
      assert.equal(engines[0], engine);
      assert.ok(engines.includes("openai"), engines.join());
    });

    const send = (statement: string) => training.sendTraining(session.client, statement);

    it("trains a model on a table, with options of every kind", async () => {
      const draft = { ...emptyTrainDraft(project), table: "files.home_rentals" };
      const options = new Map<string, string | number | boolean | string[]>([
        ["tag", "it's here"],
        ["note", 1.5],
        ["flag", true],
        ["list", ["a", "b"]],
      ]);
      const rows = selectOfDraft(draft) ?? "";
      const model = { project, name, select: rows, target, engine };
      // Lightwood refuses options that it does not know.
      const chosen = version === "26.1.0" ? { ...model, options } : model;
      assert.equal(await send(training.createModelStatement(chosen)), 1);
      const [trained] = await untilTrained();
      assert.equal(trained?.status, "complete", trained?.error);
      assert.deepEqual(await stored(), [[1, "complete", true]]);
      if (version !== "26.1.0") return;
      const { options: kept } = await training.readTrainingOptions(session.client, {
        project,
        name,
      });
      assert.equal(kept.get("note"), 1.5);
      assert.equal(kept.get("flag"), true);
    });

    it("says which field a refusal is about", async () => {
      const draft = { ...emptyTrainDraft(project), name, engine: "nosuch" };
      const order = { project, name: SEEDED.model, select, target, engine };
      const refusal = async (model: training.NewModel) => {
        const error: unknown = await send(training.createModelStatement(model)).catch(
          (reason: unknown) => reason,
        );
        return findTrainingProblem(error, draft)?.text;
      };
      assert.match((await refusal(order)) ?? "", /is already used in this project/);
      const unknown = await refusal({ ...order, name: "other", engine: "nosuch" });
      assert.equal(unknown, "The server has no engine called nosuch.");
      const lost = await refusal({ ...order, project: "nosuch" });
      assert.match(lost ?? "", /^The project .* no longer exists/);
      const gone = { project, name: "nosuch", select };
      for (const format of [training.retrainStatement, training.finetuneStatement]) {
        const error: unknown = await send(format(gone)).catch((reason: unknown) => reason);
        const { text = String(error) } = findTrainingProblem(error, draft) ?? {};
        assert.match(text, /It may have been deleted\.$/);
      }
    });

    it("says that there is nothing to finetune while no version is trained", async () => {
      const model = { project, name: "never_trained", select };
      try {
        await send(training.createModelStatement({ ...model, target: "nosuch", engine }));
        // A model that is deleted in training may keep the next one of 25.14.1 from starting.
        const status = () => session.admin.modelVersions(model.name);
        await eventually(async () => assert.equal((await status())[0]?.[1], "error"), 120_000);
        const error: unknown = await send(training.finetuneStatement(model)).catch(
          (reason: unknown) => reason,
        );
        const draft = emptyTrainDraft(project);
        const { text = String(error) } = findTrainingProblem(error, draft) ?? {};
        assert.match(text, /has no trained version to start from/);
      } finally {
        await training.deleteModel(session.client, model);
      }
    });

    it("retrains on a SELECT without switching, then switches, and deletes what is not used", async () => {
      const model = { project, name, select, activates: false };
      assert.equal(await send(training.retrainStatement(model)), 2);
      const [retrained] = await untilTrained();
      assert.equal(retrained?.status, "complete", retrained?.error);
      assert.deepEqual(await stored(), [
        [1, "complete", true],
        [2, "complete", false],
      ]);
      await training.activateVersion(session.client, { project, name, version: 2 });
      assert.deepEqual(
        (await stored()).filter(([, , active]) => active),
        [[2, "complete", true]],
      );
      await assert.rejects(
        training.deleteVersion(session.client, { project, name, version: 2 }),
        /Can't remove active version/,
      );
      assert.equal((await stored()).length, 2);
      await training.deleteVersion(session.client, { project, name, version: 1 });
      assert.deepEqual(await stored(), [[2, "complete", true]]);
    });

    it("finetunes where the engine can, and leaves the active version where it cannot", async () => {
      await send(training.finetuneStatement({ project, name, select }));
      const [tuned] = await untilTrained();
      const canTune = version === "25.14.1";
      assert.equal(tuned?.status, canTune ? "complete" : "error");
      if (!canTune) {
        assert.equal(withoutTraceback(tuned?.error ?? ""), "The engine can't do this.");
      }
      const active = (await stored()).find(([, , isActive]) => isActive);
      assert.equal(active?.[0], canTune ? tuned?.version : 2);
    });

    it("deletes the model with all its versions", async () => {
      await training.deleteModel(session.client, { project, name });
      assert.deepEqual(await stored(), []);
    });

    it("finds names without a project in the default project, not in the model's", async () => {
      const { admin, client } = session;
      const model = { project: "own_rows", name: "rents" };
      await createProject(client, model.project);
      await admin.sql(`CREATE VIEW own_rows.homes AS (${select})`);
      const bare = "SELECT * FROM homes";
      await send(training.createModelStatement({ ...model, select: bare, target, engine }));
      const error = async () => (await listModels(client, model.project))[0]?.versions[0]?.error;
      await eventually(async () => {
        assert.match((await error()) ?? "", /'homes' not found in database: mindsdb/);
      }, 120_000);
      await training.deleteModel(client, model);
      await admin.sql("DROP VIEW own_rows.homes");
      await deleteProject(client, model.project);
    });

    it("creates a project, says what it holds, and deletes it with its jobs", async () => {
      await createProject(session.client, "trials");
      await session.admin.sql(
        "CREATE VIEW trials.few AS (SELECT * FROM files.home_rentals LIMIT 5)",
      );
      await session.admin.sql("CREATE JOB trials.nightly AS (SELECT 1) EVERY 1 day");
      assert.deepEqual(
        (await listProjectEntries(session.client, "trials"))
          .map((one) => [one.type, one.name])
          .sort(),
        [
          ["job", "nightly"],
          ["view", "few"],
        ],
      );
      await assert.rejects(deleteProject(session.client, "trials"), /contains tables: few/);
      await session.admin.sql("DROP VIEW trials.few");
      await deleteJob(session.client, { project: "trials", name: "nightly" });
      await deleteProject(session.client, "trials");
      const names = (await session.admin.get("/api/projects/")) as { name: string }[];
      assert.ok(!names.some((one) => one.name === "trials"));
      // Left behind, a job would break this list.
      assert.deepEqual(await session.admin.sql("SELECT NAME FROM information_schema.jobs"), []);
    });

    it("deletes no data source that has the name of a project", async () => {
      const { admin, client } = session;
      const kinds = async () =>
        ((await admin.get("/api/databases/")) as { name: string; type: string }[])
          .filter((one) => one.name === "shared_name")
          .map(({ type }) => type);
      await admin.sql("CREATE PROJECT stale");
      await admin.sql("CREATE DATABASE shared_name WITH ENGINE = 'dummy_data', PARAMETERS = {}");
      // The server checks the new name against other projects only.
      await admin.sql("ALTER DATABASE stale NAME = 'shared_name'");
      assert.deepEqual(await kinds(), ["project", "data"]);
      await assert.rejects(deleteProject(client, "stale"), /The project stale no longer exists/);
      await assert.rejects(deleteProject(client, "shared_name"), /A data source is also named/);
      assert.deepEqual(await kinds(), ["project", "data"]);
      // What the server itself would have deleted.
      await admin.delete("/api/databases/shared_name");
      assert.deepEqual(await kinds(), ["project"]);
      await deleteProject(client, "shared_name");
      assert.deepEqual(await kinds(), []);
    });
  });
}
