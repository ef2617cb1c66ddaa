// Runs over real HTTP: the sample server, with everything in front of it that goes wrong between a client and a server.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { Client } from "../../../src/mindsdb/http/client.ts";
import { login } from "../../../src/mindsdb/http/login.ts";
import { isUntrained, predict, whyUntrained } from "../../../src/mindsdb/predict.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import { Session, type Credential } from "../../../src/mindsdb/http/session.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { AdaptiveConcurrency } from "../../../src/predict/run/adaptiveConcurrency.ts";
import { BatchSender, type Pause } from "../../../src/predict/run/batchSender.ts";
import { parseRows } from "../../../src/predict/rows/readRows.ts";
import { readValueText, type Row } from "../../../src/predict/rows/row.ts";
import type { SampleServer } from "../../../src/sample/server/server.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { batchesOf } from "./files.ts";
import { startFaultProxy, type FaultProxy } from "../../proxy/faultProxy.ts";

const account = { username: "ada", password: "a long password" };
const model = { project: "mindsdb", name: "home_rentals_model" };

/** Homes of growing size, so that each row and its prediction can be told from the others'. */
function homes(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const rest =
      '"number_of_bathrooms": "1", "location":"good","neighborhood":"downtown","days_on_market":-0';
    return `{"number_of_rooms":2, "sqft": ${300 + index}.0, ${rest}, "note":9007199254740993}`;
  });
}

interface Outcome {
  sqft: string[];
  refused: [row: number, reason: string][];
  prices: number[];
  error?: unknown;
  sentAgain: number;
}

describe("a run with failures", () => {
  let server: SampleServer;
  let proxy: FaultProxy;
  let transport: Transport;
  let credential: Credential | undefined;
  let pauses: Pause[];
  /** What the user does at a pause. */
  let onPause: () => Promise<void>;

  beforeEach(async () => {
    server = await startTestServer({ login: account, unguarded: true });
    proxy = await startFaultProxy({ target: server.url });
    transport = createTransport(parseAddress(proxy.url));
    credential = await login(transport, account);
    proxy.requests.length = 0;
    pauses = [];
    onPause = () => Promise.resolve();
  });
  afterEach(async () => {
    await transport.close();
    await proxy.stop();
    await server.stop();
  });

  function client(): Client {
    const keeper = {
      current: () => Promise.resolve(credential),
      renew: async () => (credential = await login(transport, account)),
    };
    return new Client(new Session(transport, keeper), new Secrets());
  }

  async function run(
    texts: string[],
    seen: (rowsDone: number) => void = () => undefined,
  ): Promise<Outcome> {
    const server = client();
    const sender = new BatchSender({
      transport: {
        send: (body, signal) => predict(server, model, body, { signal, timeLimitMs: 60_000 }),
      },
      concurrency: new AdaptiveConcurrency(2, { initial: 2 }),
      signal: new AbortController().signal,
      onPause: (pause) => {
        pauses.push({ ...pause });
        return onPause();
      },
    });
    const outcome: Outcome = { sqft: [], refused: [], prices: [], sentAgain: 0 };
    const rows = parseRows(Buffer.from(`[${texts.join(",")}]`));
    const sizeOf = (row: Row): string => readValueText(row, "sqft") ?? "";
    try {
      for await (const answer of sender.send(batchesOf(rows, 50))) {
        outcome.sqft.push(...answer.rows.map(sizeOf));
        if ("refused" in answer) outcome.refused.push([outcome.sqft.length, answer.refused]);
        else {
          outcome.prices.push(
            ...answer.replies.map((row) => Number(readValueText(row, "rental_price"))),
          );
        }
        seen(outcome.sqft.length);
      }
    } catch (error) {
      outcome.error = error;
    }
    outcome.sentAgain = sender.sentAgain;
    return outcome;
  }

  function assertWhole({ sqft, prices, refused, error }: Outcome, count: number): void {
    assert.equal(error, undefined);
    assert.deepEqual(refused, []);
    assert.deepEqual(
      sqft,
      Array.from({ length: count }, (_, index) => `${300 + index}.0`),
    );
    assert.equal(prices.length, count);
    assert.ok(prices.every((price, index) => index === 0 || price > prices[index - 1]!));
  }

  it("asks before it resends rows to a server that was killed, and goes on with the next one", async () => {
    proxy.set({ on: /predict/, delay: 20 });
    let killed: Promise<void> | undefined;
    let isBack = false;
    onPause = async () => {
      await killed;
      // Whatever else was in flight has failed by now, too.
      await sleep(200);
      if (!isBack) await proxy.accept();
      isBack = true;
    };
    const outcome = await run(homes(500), (done) => {
      if (done < 100 || killed) return;
      // Restarted with no memory of its tokens, as real servers are.
      credential = { token: "pat_of_the_old_server" };
      killed = proxy.refuse();
    });
    assertWhole(outcome, 500);
    assert.deepEqual(
      pauses.map(({ error }) => error.kind),
      ["cutOff"],
    );
    assert.ok(pauses[0]!.unsureRows >= 50);
    assert.equal(outcome.sentAgain % 50, 0);
    assert.ok(outcome.sentAgain > 0 && outcome.sentAgain <= 100);
  });

  const untrained: [title: string, status: string, says: RegExp][] = [
    ["is still training", "training", /^The model is still training\. Run this again/],
    ["has failed to train", "error", /^The model's training failed: ValueError: bad target$/],
    ["has been trained meanwhile", "complete", /^The model has just finished training/],
  ];
  for (const [title, status, says] of untrained) {
    it(`ends after one request if a model ${title}, and says so`, async () => {
      const detail = "Error: model creation not completed";
      const notYet = JSON.stringify({ title: "Exception", detail, message: detail });
      const error = "ValueError: bad target, raised at: /opt/server/handler.py#119";
      const row = { name: model.name, version: 1, status, active: true, error };
      const headers = { "content-type": "application/json" };
      proxy.set(
        { on: /predict/, answer: { status: 500, headers, body: notYet } },
        { on: /models$/, answer: { status: 200, headers, body: JSON.stringify([row]) } },
      );
      const outcome = await run(homes(50));
      assert.ok(isUntrained(outcome.error));
      assert.deepEqual(outcome.sqft, []);
      assert.equal(proxy.requests.length, 1);
      const { message } = await whyUntrained(client(), model);
      assert.match(message, says);
    });
  }
});
