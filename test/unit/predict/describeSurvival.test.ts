// A server that stops while a run describes its model, over real HTTP.
import assert from "node:assert/strict";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import type { RunState } from "../../../src/predict/messages.ts";
import { parseRecipe } from "../../../src/predict/notebook/recipe.ts";
import type { PredictionRun } from "../../../src/predict/run/predictionRun.ts";
import { clientOver } from "../../clientOver.ts";
import { startFaultProxy, type Fault, type FaultProxy } from "../../proxy/faultProxy.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { usePredictionRuns } from "./predictionRuns.ts";

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
  const createRun = usePredictionRuns();
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
  after(() => sample.stop());

  /** Predicts one row; `onState` is called with each state. */
  async function predictOne(onState: (state: RunState) => void = () => undefined): Promise<{
    state: RunState;
    states: string[];
  }> {
    const states: string[] = [];
    const run: PredictionRun = createRun(clientOver(transport), {
      onProgress: () => {
        const { state } = run.progress;
        if (states.at(-1) === state.kind) return;
        states.push(state.kind);
        onState(state);
      },
    });
    const row = { number_of_rooms: 2, sqft: 500, days_on_market: 3 };
    const cell = { model: "mindsdb.home_rentals_model", rows: [row] };
    const { recipe } = parseRecipe(JSON.stringify(cell));
    assert.ok(recipe);
    await run.predict(recipe, true);
    return { state: run.progress.state, states };
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
