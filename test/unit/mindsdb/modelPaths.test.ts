// Models of a project whose name has capital letters, on a server that looks them up as real ones do.
import assert from "node:assert/strict";
import { describeModel } from "../../../src/mindsdb/describeModel.ts";
import { findVersion, listModels } from "../../../src/mindsdb/models.ts";
import { pathOfModel, pathOfModels } from "../../../src/mindsdb/modelPaths.ts";
import { predict } from "../../../src/mindsdb/predict.ts";
import { readTrainingOptions } from "../../../src/mindsdb/training.ts";
import { useTestClient } from "../../useTestClient.ts";

describe("A project with capital letters", () => {
  const model = { project: "MindsDB", name: "home_rentals_model" };
  const sample = useTestClient();

  it("has its models, which are found, described and used", async () => {
    const { client } = sample;
    const names = (await listModels(client, model.project)).map(({ name }) => name);
    assert.ok(names.includes(model.name), names.join());
    assert.equal((await findVersion(client, model))?.status, "complete");
    assert.ok((await describeModel(client, model)).length > 0);
    const row = { number_of_rooms: 2, sqft: 500, days_on_market: 3 };
    const answer = await predict(client, model, Buffer.from(JSON.stringify({ data: [row] })));
    assert.match(answer.toString(), /rental_price/);
    await readTrainingOptions(client, model);
  });

  it("is in paths as the database's function `lower` writes it", () => {
    assert.equal(pathOfModels("ÄB c/D"), "/api/projects/%C3%84b%20c%2Fd/models");
    assert.equal(
      pathOfModel({ project: "UPPER", name: "Model", version: 3 }),
      "/api/projects/upper/models/Model.3",
    );
  });
});
