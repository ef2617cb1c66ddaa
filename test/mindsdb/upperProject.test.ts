// A project created as `UPPER`: its models are found under its name in lower case only, and its other objects under any.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { describeModel } from "../../src/mindsdb/describeModel.ts";
import type { Model } from "../../src/mindsdb/listItems.ts";
import { listModels } from "../../src/mindsdb/models.ts";
import { predict } from "../../src/mindsdb/predict.ts";
import { listProjects } from "../../src/mindsdb/projects.ts";
import { createModelStatement, deleteModel, sendTraining } from "../../src/mindsdb/training.ts";
import { useClients } from "./clients.ts";
import { versions } from "./fixture.ts";
import { engineOf } from "./seed.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, a project with capital letters`, function () {
    this.timeout(300_000);
    const session = useClients(version);
    before(() => session.admin.sql("CREATE PROJECT `UPPER`"));
    after(() => session.admin.sql("DROP PROJECT `UPPER`"));

    it("shows its models, which are trained, described and deleted, and says that they cannot predict", async () => {
      const { client, admin } = session;
      const names = (await listProjects(client)).map(({ name }) => name);
      const project = names.find((name) => /^upper$/i.test(name)) ?? assert.fail(names.join());
      const model = { project, name: "rents" };
      const statement = createModelStatement({
        ...model,
        select: "SELECT * FROM files.home_rentals",
        target: "rental_price",
        engine: engineOf(version),
      });
      await sendTraining(client, statement);
      let found: Model | undefined;
      while (found?.current.status !== "complete") {
        [found] = await listModels(client, project);
        assert.equal(found?.name, model.name);
        assert.notEqual(found.current.status, "error", found.current.error);
        await sleep(500);
      }
      assert.ok((await describeModel(client, model)).length > 0);
      const row = { number_of_rooms: 2, sqft: 500, location: "good", days_on_market: 3 };
      const body = Buffer.from(JSON.stringify({ data: [row] }));
      const predicted = predict(client, model, body).then(String);
      if (project !== "UPPER") assert.match(await predicted, /rental_price/);
      else {
        await assert.rejects(predicted, /can't predict with models of a project that has capital/);
      }
      // What is listed under the name as it is.
      const listed = (await admin.get("/api/projects/UPPER/models")) as unknown[];
      assert.equal(listed.length, project === "UPPER" ? 0 : 1);
      await deleteModel(client, model);
      assert.deepEqual(await listModels(client, project), []);
    });
  });
}
