// Predict cells on a real server without VS Code, and what their tests prepare and compare with.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FormData } from "undici";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { DescriptionCache } from "../../src/models/descriptionCache.ts";
import { parseRecipe } from "../../src/predict/notebook/recipe.ts";
import { DiskTable } from "../../src/predict/result/diskTable.ts";
import type { CellRun } from "../../src/predict/run/cellRun.ts";
import { IntoTableRun, type IntoRecipe } from "../../src/predict/run/intoTableRun.ts";
import { PredictionRun } from "../../src/predict/run/predictionRun.ts";
import { runTextsForTests } from "../runTexts.ts";
import type { Admin } from "./admin.ts";
import { toCsv, type Home } from "./rentals.ts";
import { SEEDED } from "./seed.ts";

const worker = new URL("../../src/predict/result/tableWorker.ts", import.meta.url);

export const seededModel = `mindsdb.${SEEDED.model}`;

/** Runs predict cells with a client, and keeps their results until `close`. */
export class CellRunner {
  readonly #client: Client;
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), "predict-cells-"));
  readonly #runs: CellRun[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  /** Runs a cell to its end. `onProgress` is called with the run, like the notebook's. */
  async run(cell: object, onProgress: (run: CellRun) => void = () => undefined): Promise<CellRun> {
    const text = JSON.stringify({ model: "models" in cell ? undefined : seededModel, ...cell });
    const { recipe, problems } = parseRecipe(text);
    assert.ok(recipe, JSON.stringify(problems));
    const common = {
      client: () => Promise.resolve(this.#client),
      explain: (error: unknown) => ({ message: (error as Error).message }),
      logError: () => undefined,
      texts: runTextsForTests,
      described: { connectionId: "real", descriptions: new DescriptionCache() },
      timeLimitMs: 120_000,
      sqlTimeLimitMs: 0,
      cost: "byAction" as const,
    };
    if (recipe.into) {
      const run: IntoTableRun = new IntoTableRun({
        ...common,
        onProgress: () => onProgress(run),
        allowTable: () => Promise.resolve(true),
      });
      this.#runs.push(run);
      await run.predictInto(recipe as IntoRecipe, false);
      return run;
    }
    const run: PredictionRun = new PredictionRun({
      ...common,
      onProgress: () => onProgress(run),
      openFile: (name) => Promise.reject(new Error(`There is no ${name}.`)),
      batchRows: 1_000,
      concurrency: 1,
      createFolder: (id) => Promise.resolve(path.join(this.#folder, id)),
      offerModel: (name) => ({ title: name, command: "", arguments: [] }),
      createTable: (folder, known) => DiskTable.create({ folder, worker, known }),
    });
    this.#runs.push(run);
    await run.predict(recipe, false);
    return run;
  }

  async close(): Promise<void> {
    for (const run of this.#runs) await run.dispose();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The sentence that a run shows at its end. */
export function messageOf({ progress: { state } }: CellRun): string {
  return "message" in state ? (state.message ?? "") : "";
}

/** The values of all rows, by "part name" of their columns. */
export async function readValues({ table }: CellRun): Promise<Record<string, unknown>[]> {
  const titles = table.columns.map(({ part, name }) => `${part} ${name}`);
  const rows: Record<string, unknown>[] = [];
  for (let from = 0; from < table.length; from += 1_000) {
    for (const values of await table.values(from, 1_000)) {
      const read = (json: string | undefined): unknown =>
        json === undefined ? undefined : (JSON.parse(json) as unknown);
      rows.push(Object.fromEntries(titles.map((title, at) => [title, read(values[at])])));
    }
  }
  return rows;
}

export async function uploadRows(
  admin: Admin,
  name: string,
  rows: readonly object[],
): Promise<void> {
  const form = new FormData();
  form.set("file", new Blob([toCsv(rows)]), `${name}.csv`);
  await admin.put(`/api/files/${name}`, form);
}

/**
 * Trains a second version of the seeded model with some of the rows, unless an earlier test has; the first one stays
 * active. Tests leave it for the next ones.
 */
export async function needSecondVersion(admin: Admin): Promise<void> {
  const readStatus = async (): Promise<string | undefined> =>
    (await admin.modelVersions(SEEDED.model)).find(([number]) => number === 2)?.[1];
  if ((await readStatus()) === undefined) {
    await admin.sql(
      `RETRAIN ${seededModel} FROM files (SELECT * FROM home_rentals LIMIT 300) ` +
        "PREDICT rental_price USING active = 0",
    );
  }
  for (let status = await readStatus(); status !== "complete"; status = await readStatus()) {
    assert.notEqual(status, "error");
    await sleep(500);
  }
}

/** What the predict endpoint gives for each row. */
export async function predictPlainly(
  admin: Admin,
  modelVersion: number,
  rows: readonly Partial<Home>[],
): Promise<number[]> {
  const address = `/api/projects/mindsdb/models/${SEEDED.model}.${modelVersion}/predict`;
  const all: number[] = [];
  for (let from = 0; from < rows.length; from += 2_500) {
    const data = rows.slice(from, from + 2_500);
    const replies = (await admin.post(address, { data })) as { rental_price: number }[];
    all.push(...replies.map(({ rental_price }) => rental_price));
  }
  return all;
}
