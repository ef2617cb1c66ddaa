// Prediction runs without VS Code, whose results are on disk while the tests of a file run.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { DescriptionCache } from "../../../src/models/descriptionCache.ts";
import { DiskTable } from "../../../src/predict/result/diskTable.ts";
import { PredictionRun } from "../../../src/predict/run/predictionRun.ts";
import { runTextsForTests } from "../../runTexts.ts";

type Options = ConstructorParameters<typeof PredictionRun>[0];

const worker = new URL("../../../src/predict/result/tableWorker.ts", import.meta.url);

/** Creates runs for the tests of this block, which are disposed after each. */
export function usePredictionRuns(): (client: Client, options: Partial<Options>) => PredictionRun {
  let root: string;
  let runs: PredictionRun[] = [];
  before("make a folder", () => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "prediction-run-"));
  });
  afterEach("dispose the runs", async () => {
    await Promise.all(runs.map((run) => run.dispose()));
    runs = [];
  });
  after("remove the folder", () => fs.rmSync(root, { recursive: true }));
  return (client, options) => {
    const run = new PredictionRun({
      client: () => Promise.resolve(client),
      explain: (error) => ({ message: (error as Error).message }),
      logError: () => undefined,
      texts: runTextsForTests,
      onProgress: () => undefined,
      openFile: () => Promise.reject(new Error("There are no files.")),
      described: { connectionId: "sample", descriptions: new DescriptionCache() },
      batchRows: 1_000,
      concurrency: 1,
      timeLimitMs: 10_000,
      sqlTimeLimitMs: 10_000,
      cost: "byAction",
      createFolder: (runId) => Promise.resolve(path.join(root, runId)),
      offerModel: (name) => ({ title: `Change to ${name}`, command: "change", arguments: [name] }),
      createTable: (folder, known) => DiskTable.create({ folder, worker, known }),
      ...options,
    });
    runs.push(run);
    return run;
  };
}
