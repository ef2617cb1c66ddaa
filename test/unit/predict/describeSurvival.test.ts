// A server that stops while a run describes its model, over real HTTP.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { DescriptionCache } from "../../../src/models/descriptionCache.ts";
import type { RunState } from "../../../src/predict/messages.ts";
import { parseRecipe } from "../../../src/predict/notebook/recipe.ts";
import { DiskTable } from "../../../src/predict/result/diskTable.ts";
import { PredictionRun } from "../../../src/predict/run/predictionRun.ts";
import { clientOver } from "../../clientOver.ts";
import { startFaultProxy, type Fault, type FaultProxy } from "../../proxy/faultProxy.ts";
import { runTextsForTests } from "../../runTexts.ts";
import { startTestServer } from "../../sampleServer/server.ts";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "describe-"));
const worker = new URL("../../../src/predict/result/tableWorker.ts", import.meta.url);
/** What 26.1.0 answers while it stops: the process that describes models is gone. */
const stopping: Fault = {
  on: /\/describe$/,
  times: 1,
  answer: {
    status: 400,
    headers: { "content-type": "application/problem+json" },
    body: JSON.stringify({
      title: "ML handler unsupported",
      detail: "ML handler for home_rentals_model does not support model description",
    }),
  },
};

describe("A run whose server stops while its model is described", () => {
  let sample: Awaited<ReturnType<typeof startTestServer>>;
  let proxy: FaultProxy;
  let transport: Transport;
  before(async () => {
    sample = await startTestServer({ unguarded: true });
  });
  beforeEach(async () => {
    proxy = await startFaultProxy({ target: sample.url });
    transport = createTransport(parseAddress(proxy.url));
  });
  afterEach(async () => {
    await transport.close();
    await proxy.stop();
  });
  after(async () => {
    await sample.stop();
    fs.rmSync(root, { recursive: true });
  });

  /** Predicts one row; `onState` is called with each state. */
  async function predictOne(onState: (state: RunState) => void = () => undefined): Promise<{
    state: RunState;
    states: string[];
  }> {
    const states: string[] = [];
    const run = new PredictionRun({
      client: () => Promise.resolve(clientOver(transport)),
      explain: (error) => ({ message: (error as Error).message }),
      logError: () => undefined,
      texts: runTextsForTests,
      onProgress: () => {
        const { state } = run.progress;
        if (states.at(-1) === state.kind) return;
        states.push(state.kind);
        onState(state);
      },
      openFile: () => Promise.reject(new Error("There are no files.")),
      described: { connectionId: "sample", descriptions: new DescriptionCache() },
      batchRows: 10,
      concurrency: 1,
      timeLimitMs: 10_000,
      sqlTimeLimitMs: 10_000,
      cost: "byAction",
      createFolder: (runId) => Promise.resolve(path.join(root, runId)),
      offerModel: (name) => ({ title: name, command: "change", arguments: [name] }),
      createTable: (folder, known) => DiskTable.create({ folder, worker, known }),
    });
    const row = { number_of_rooms: 2, sqft: 500, days_on_market: 3 };
    const cell = { model: "mindsdb.home_rentals_model", rows: [row] };
    const { recipe } = parseRecipe(JSON.stringify(cell));
    assert.ok(recipe);
    await run.predict(recipe, true);
    const { state } = run.progress;
    await run.dispose();
    return { state, states };
  }

  async function stopDuring(requests: RegExp): Promise<void> {
    await proxy.waitFor(({ method, path: at, state }) =>
      requests.test(`${method} ${at}`) ? state !== "open" : false,
    );
    await proxy.refuse();
  }

  for (const [what, ...faults] of [
    ["says that the model has no description", stopping],
    ["breaks the connection", { on: /\/describe$/, reset: true, times: 1 }],
    ["is replaced by a gateway's page", { on: /\/describe$/, times: 2, answer: gateway() }],
  ] as [string, ...Fault[]][]) {
    it(`waits for it, where the server ${what}`, async () => {
      const last = { on: /sql/, reset: true, times: 1 } as const;
      proxy.set(...faults, last);
      const stopped = stopDuring(/describe$/);
      const { state, states } = await predictOne(({ kind }) => {
        if (kind === "waiting") void stopped.then(() => proxy.accept());
      });
      assert.deepEqual(states, ["waiting", "running", "done"], JSON.stringify(state));
    });
  }

  it("fails at once if the server was not there to begin with", async () => {
    await proxy.refuse();
    const { state } = await predictOne();
    assert.equal(state.kind, "failed");
  });

  it("fails if a server that goes on says so", async () => {
    proxy.set({ ...stopping, times: 9 }, { on: /sql/, answer: stopping.answer! });
    const { state } = await predictOne();
    assert.match(JSON.stringify(state), /does not support model description/);
  });
});

function gateway(): Fault["answer"] {
  return { status: 503, headers: { "content-type": "text/html" }, body: "<html>Unavailable" };
}
