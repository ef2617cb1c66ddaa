// What the user is told when a training that this window has started is over.
import assert from "node:assert/strict";
import { DescriptionCache } from "../../src/models/descriptionCache.ts";
import { TrainingWatch } from "../../src/models/host/trainingWatch.ts";
import { useAskingServer } from "./useTestServer.ts";
import { memory, noteIn, until, withWindow } from "./workbench.ts";

describe("A training that is over", () => {
  const server = useAskingServer();

  it("is reported with its accuracy, beside the one of the version before", async () => {
    const { servers, log } = server;
    const told: string[] = [];
    const watch = new TrainingWatch({
      servers,
      log,
      state: memory(),
      descriptions: new DescriptionCache(),
    });
    await withWindow({ showInformationMessage: noteIn(told) }, async () => {
      const model = { connectionId: "local", project: "mindsdb", name: "home_rentals_model" };
      for (const version of [1, 2]) watch.add({ ...model, version });
      await until("both messages", () => told.length === 2);
    });
    watch.dispose();
    assert.deepEqual(told.sort(), [
      "home_rentals_model is trained. r2_score: 0.848.",
      "home_rentals_model version 2 is trained. r2_score: 0.972 (version 1: 0.848).",
    ]);
  });
});
