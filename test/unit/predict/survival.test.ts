// Runs over real HTTP: the sample server, with everything in front of it that goes wrong between a client and a server.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { Client } from "../../../src/mindsdb/http/client.ts";
import { isAppError, isCancelled } from "../../../src/mindsdb/errors.ts";
import { login } from "../../../src/mindsdb/http/login.ts";
import { isUntrained, predict, whyUntrained } from "../../../src/mindsdb/predict.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import { Session, type Credential } from "../../../src/mindsdb/http/session.ts";
import { createTransport, type Transport } from "../../../src/mindsdb/http/transport.ts";
import { AdaptiveConcurrency } from "../../../src/predict/run/adaptiveConcurrency.ts";
import { BatchSender, type Pause, type SenderState } from "../../../src/predict/run/batchSender.ts";
import { parseRows } from "../../../src/predict/rows/readRows.ts";
import { rowBytes, readValueText, type Row } from "../../../src/predict/rows/row.ts";
import type { SampleServer } from "../../../src/sample/server/server.ts";
import { eventually } from "../../e2e/lib/eventually.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import {
  engineFailure,
  startFaultProxy,
  webPage,
  type FaultProxy,
} from "../../proxy/faultProxy.ts";

const account = { username: "ada", password: "a long password" };
const model = { project: "mindsdb", name: "home_rentals_model" };
const predictPath = "/api/projects/mindsdb/models/home_rentals_model/predict";

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
  let stop: AbortController;
  let credential: Credential | undefined;
  /** Whether the keeper of credentials signs in again by itself. */
  let signsIn: boolean;
  let pauses: Pause[];
  let states: SenderState["kind"][];
  /** What the user does at a pause. */
  let onPause: () => Promise<void>;

  beforeEach(async () => {
    server = await startTestServer({ login: account, unguarded: true });
    proxy = await startFaultProxy({ target: server.url });
    transport = createTransport(parseAddress(proxy.url));
    credential = await login(transport, account);
    proxy.requests.length = 0;
    stop = new AbortController();
    signsIn = true;
    pauses = [];
    states = [];
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
      renew: async () => (signsIn ? (credential = await login(transport, account)) : undefined),
    };
    return new Client(new Session(transport, keeper), new Secrets());
  }

  async function run(
    texts: string[],
    { batchRows = 50, timeLimitMs = 60_000 } = {},
    seen: (rowsDone: number) => void = () => undefined,
  ): Promise<Outcome> {
    const server = client();
    const sender = new BatchSender({
      transport: { send: (body, signal) => predict(server, model, body, { signal, timeLimitMs }) },
      concurrency: new AdaptiveConcurrency(2, { initial: 2 }),
      signal: stop.signal,
      onPause: (pause) => {
        pauses.push({ ...pause });
        return onPause();
      },
      onState: ({ kind }) => states.push(kind),
    });
    const outcome: Outcome = { sqft: [], refused: [], prices: [], sentAgain: 0 };
    const sizeOf = (row: Row): string => readValueText(row, "sqft") ?? "";
    try {
      for await (const answer of sender.send(inBatches(texts, batchRows))) {
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

  /** The rows as they reached the server, as often as they did. */
  function arrived(): string[] {
    return proxy.requests
      .filter(({ path, status }) => path === predictPath && status === 200)
      .flatMap(({ body }) => parseRows(body).map((row) => rowBytes(row).toString()));
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

  it("sends every row byte for byte, and keeps the predictions in order", async () => {
    const rows = homes(1_000);
    const outcome = await run(rows);
    assertWhole(outcome, 1_000);
    assert.deepEqual(arrived().sort(), rows.toSorted());
    assert.equal(proxy.requests.length, 20);
    assert.ok(proxy.requests.every(({ headers }) => headers["transfer-encoding"] === undefined));
  });

  it("finds one bad row in 10,000", async () => {
    const rows = homes(10_000);
    rows[6_789] = rows[6_789]!.replace('"number_of_rooms":2', '"number_of_rooms":"two"');
    const { sqft, refused, prices, error } = await run(rows, { batchRows: 500 });
    assert.equal(error, undefined);
    assert.equal(sqft.length, 10_000);
    assert.equal(prices.length, 9_999);
    assert.deepEqual(
      refused.map(([row]) => row),
      [6_790],
    );
    assert.match(refused[0]![1], /could not convert string to float: 'two'/);
    assert.doesNotMatch(refused[0]![1], /Traceback/);
    assert.ok(proxy.requests.length < 45, `${proxy.requests.length} requests`);
  });

  it("ends early when every row is bad", async () => {
    const rows = homes(10_000).map((row) =>
      row.replace('"number_of_rooms":2', '"number_of_rooms":"two"'),
    );
    const { refused, prices, error } = await run(rows, { batchRows: 500 });
    assert.ok(isAppError(error, "refused"));
    assert.match(error.message, /20 rows were refused.*'two'/);
    assert.deepEqual(prices, []);
    assert.ok(refused.length > 0);
    assert.ok(proxy.requests.length < 80, `${proxy.requests.length} requests`);
  });

  it("goes on when the token expires", async () => {
    const outcome = await run(homes(500), {}, (done) => {
      if (done === 100) proxy.set({ unauthorized: true });
    });
    assertWhole(outcome, 500);
    assert.deepEqual(pauses, []);
    assert.equal(outcome.sentAgain, 0);
    assert.deepEqual(arrived().length, 500);
  });

  it("waits for the user to sign in if it cannot do so itself", async () => {
    signsIn = false;
    onPause = async () => {
      credential = await login(transport, account);
    };
    const outcome = await run(homes(500), {}, (done) => {
      if (done === 100) proxy.set({ unauthorized: true });
    });
    assertWhole(outcome, 500);
    assert.deepEqual(
      pauses.map(({ error, unsureRows }) => [error.kind, unsureRows]),
      [["signInNeeded", 0]],
    );
    assert.equal(outcome.sentAgain, 0);
    assert.deepEqual(arrived().length, 500);
  });

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
    const outcome = await run(homes(500), {}, (done) => {
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

  it("reconnects to a server that was away between two requests", async () => {
    await proxy.refuse();
    const running = run(homes(200));
    await eventually(() => assert.equal(states.at(0), "waiting"));
    await proxy.accept();
    assertWhole(await running, 200);
    assert.deepEqual(pauses, []);
    assert.equal(states.at(-1), "sending");
    assert.equal(arrived().length, 200);
  });

  const unsure: [title: string, fault: Parameters<FaultProxy["set"]>[0], kind: string][] = [
    ["a web page instead of JSON", { times: 1, answer: webPage }, "notMindsDB"],
    ["a batch that never answers", { times: 1, silent: true }, "timeout"],
    ["an answer that stops in the middle", { times: 1, hangAfter: 1_000 }, "timeout"],
    [
      "a connection that breaks in the middle of an answer",
      { times: 1, cutAfter: 1_000 },
      "cutOff",
    ],
    ["a connection that is reset", { times: 1, reset: true }, "cutOff"],
    ["an answer that ends too early", { times: 1, endAfter: 1_000 }, "badAnswer"],
    [
      "a gateway without a server",
      { times: 1, answer: { status: 502, body: "<h1>Bad Gateway</h1>" } },
      "unreachable",
    ],
  ];
  for (const [title, fault, kind] of unsure) {
    it(`pauses on ${title}, and counts its rows as unsure`, async () => {
      // Only what is never answered waits for it.
      const timeLimitMs = kind === "timeout" ? 3_000 : 60_000;
      const outcome = await run(homes(500), { timeLimitMs }, (done) => {
        if (done === 100) proxy.set({ on: /predict/, ...fault });
      });
      assertWhole(outcome, 500);
      assert.deepEqual(
        pauses.map(({ error, unsureRows }) => [error.kind, unsureRows]),
        [[kind, 50]],
      );
      assert.deepEqual(states, ["paused", "sending"]);
      assert.equal(outcome.sentAgain, 50);
    });
  }

  it("treats an engine error as a refusal, and goes on if there is only one", async () => {
    proxy.set({ on: /predict/, times: 1, answer: engineFailure });
    const outcome = await run(homes(200));
    assertWhole(outcome, 200);
    assert.deepEqual(pauses, []);
    assert.equal(outcome.sentAgain, 0);
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

  it("stops in the middle: sends nothing more and keeps earlier predictions", async () => {
    proxy.set({ on: /predict/, delay: 20 });
    const { sqft, error } = await run(homes(1_000), {}, (done) => {
      if (done === 200) stop.abort();
    });
    assert.ok(isCancelled(error));
    assert.equal(sqft.length, 200);
    await sleep(60);
    const { length } = proxy.requests;
    await sleep(60);
    assert.equal(proxy.requests.length, length);
    await proxy.waitFor(({ state }) => state === "aborted");
    await eventually(() => assert.ok(proxy.requests.every(({ state }) => state !== "open")));
  });
});

async function* inBatches(texts: string[], size: number): AsyncGenerator<Row[]> {
  const rows = parseRows(Buffer.from(`[${texts.join(",")}]`));
  for (let start = 0; start < rows.length; start += size) {
    yield await Promise.resolve(rows.slice(start, start + size));
  }
}
