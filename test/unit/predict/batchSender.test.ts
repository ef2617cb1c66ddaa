import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import {
  AppError,
  isAppError,
  isCancelled,
  type AppErrorKind,
} from "../../../src/mindsdb/errors.ts";
import { AdaptiveConcurrency } from "../../../src/predict/run/adaptiveConcurrency.ts";
import {
  BatchSender,
  type BatchResponse,
  type Pause,
  type SenderOptions,
  type SenderState,
} from "../../../src/predict/run/batchSender.ts";
import { parseRows } from "../../../src/predict/rows/readRows.ts";
import { rowBytes, readValueText, type Row } from "../../../src/predict/rows/row.ts";
import { batchesOf } from "./files.ts";

/** Rows `{"n": 1}`, `{"n": 2}`, … */
function numbered(count: number): Row[] {
  const rows = Array.from({ length: count }, (_, index) => `{"n": ${index + 1}}`);
  return count === 0 ? [] : parseRows(Buffer.from(`[${rows.join(",")}]`));
}

const numberOf = (row: Row): number => Number(readValueText(row, "n"));

/** A server in memory: keeps what it was sent, and answers each row with its double, or as `answer` says. */
class TestServer {
  readonly sent: number[][] = [];
  inFlight = 0;
  mostInFlight = 0;
  answer: (numbers: number[], signal: AbortSignal) => Promise<string> | string = doubled;

  readonly send = async (body: Uint8Array, signal: AbortSignal): Promise<Uint8Array> => {
    const { data } = JSON.parse(Buffer.from(body).toString()) as { data: { n: number }[] };
    const numbers = data.map(({ n }) => n);
    this.sent.push(numbers);
    this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
    try {
      return Buffer.from(await this.answer(numbers, signal));
    } finally {
      this.inFlight--;
    }
  };
}

const doubled = (numbers: number[]): string =>
  JSON.stringify(numbers.map((n) => ({ double: 2 * n })));

const engineError = (text: string): AppError =>
  new AppError("serverFault", text, {
    status: 500,
    detail: `{"title": "MLEngineException", "detail": "${text}"}`,
  });

/** What came of a run: each row's reply or reason, and what ended it. */
interface Outcome {
  rows: number[];
  results: string[];
  error?: unknown;
  pauses: Pause[];
  states: SenderState["kind"][];
  sentAgain: number;
}

async function run(
  server: TestServer,
  batches: AsyncIterable<Row[]>,
  options: Partial<SenderOptions> = {},
  seen: (answer: BatchResponse) => void = () => undefined,
): Promise<Outcome> {
  const outcome: Outcome = {
    rows: [],
    results: [],
    pauses: [],
    states: [],
    sentAgain: 0,
  };
  const sender = new BatchSender({
    transport: server,
    concurrency: new AdaptiveConcurrency(3, { initial: 3 }),
    signal: new AbortController().signal,
    onPause: (pause) => {
      outcome.pauses.push(pause);
      return Promise.resolve();
    },
    onState: ({ kind }) => outcome.states.push(kind),
    ...options,
  });
  try {
    for await (const answer of sender.send(batches)) {
      seen(answer);
      outcome.rows.push(...answer.rows.map(numberOf));
      outcome.results.push(
        ...("refused" in answer
          ? [answer.refused]
          : answer.replies.map((row) => readValueText(row, "double") ?? "?")),
      );
    }
  } catch (error) {
    outcome.error = error;
  }
  outcome.sentAgain = sender.sentAgain;
  return outcome;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const doubles = (count: number): string[] => upTo(count).map((n) => String(2 * n));

const isKind = (error: unknown, kind: AppErrorKind): boolean => isAppError(error, kind);

describe("sending batches", () => {
  let server: TestServer;
  beforeEach(() => (server = new TestServer()));

  it("sends each row's own bytes, with the params unchanged", async () => {
    const text = String.raw`[{"a": 9007199254740993 ,"b":1e400,"a":-0}, {"__proto__":"\u00e9\/","c":[ 0.10 ]}]`;
    const rows = parseRows(Buffer.from(text));
    const bodies: string[] = [];
    const transport = {
      send: (body: Uint8Array) => {
        bodies.push(Buffer.from(body).toString());
        return Promise.resolve(Buffer.from("[{},{}]"));
      },
    };
    for (const params of [undefined, '{ "x": 1.0 }']) {
      await run(server, batchesOf(rows, 2), { transport, params }, ({ rows, body, starts }) => {
        for (const [index, row] of rows.entries()) {
          const bytes = rowBytes(row);
          assert.deepEqual(body.subarray(starts[index], starts[index]! + bytes.length), bytes);
        }
      });
    }
    const data = text.slice(1, -1).replace("}, {", "},{");
    assert.deepEqual(bodies, [`{"data":[${data}]}`, `{"data":[${data}],"params":{ "x": 1.0 }}`]);
  });

  it("keeps the order of the rows, and as many requests in flight as allowed", async () => {
    server.answer = async (numbers) => {
      await sleep(numbers[0]! % 7 === 1 ? 30 : 1);
      return doubled(numbers);
    };
    const { rows, results, error, sentAgain } = await run(server, batchesOf(numbered(200), 4));
    assert.equal(error, undefined);
    assert.deepEqual(rows, upTo(200));
    assert.deepEqual(results, doubles(200));
    assert.equal(server.mostInFlight, 3);
    assert.equal(sentAgain, 0);
    assert.deepEqual(
      server.sent.flat().sort((a, b) => a - b),
      upTo(200),
    );
  });

  it("yields responses at once, also while the next rows are missing", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    async function* slow(): AsyncGenerator<Row[]> {
      yield numbered(2);
      await held;
      yield numbered(3).slice(2);
    }
    const { results, error } = await run(server, slow(), {}, () => release());
    assert.equal(error, undefined);
    assert.deepEqual(results, doubles(3));
  });

  it("finds refused rows, and resends no row that was not refused", async () => {
    const scenario = fc.record({
      count: fc.integer({ min: 1, max: 60 }),
      batch: fc.integer({ min: 1, max: 20 }),
      concurrency: fc.integer({ min: 1, max: 4 }),
      bad: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 10 }),
      delays: fc.infiniteStream(fc.nat(2)),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ count, batch, concurrency, bad, delays }) => {
        const server = new TestServer();
        const refusedWith = new Map<number, number>();
        server.answer = async (numbers) => {
          const delay = Number(delays.next().value);
          if (delay > 0) await sleep(delay);
          const guilty = numbers.find((n) => bad.includes(n));
          if (guilty === undefined) return doubled(numbers);
          for (const n of numbers) refusedWith.set(n, (refusedWith.get(n) ?? 0) + 1);
          throw engineError(`row ${guilty} is bad`);
        };
        const outcome = await run(server, batchesOf(numbered(count), batch), {
          concurrency: new AdaptiveConcurrency(concurrency, { initial: concurrency }),
        });
        assert.equal(outcome.error, undefined);
        assert.deepEqual(outcome.rows, upTo(count));
        assert.deepEqual(
          outcome.results,
          upTo(count).map((n) => (bad.includes(n) ? `row ${n} is bad` : String(2 * n))),
        );
        assert.ok(server.mostInFlight <= concurrency);
        const timesSent = new Map<number, number>();
        for (const n of server.sent.flat()) timesSent.set(n, (timesSent.get(n) ?? 0) + 1);
        for (const n of upTo(count)) {
          assert.equal(
            timesSent.get(n),
            (refusedWith.get(n) ?? 0) + (bad.includes(n) ? 0 : 1),
            `row ${n}`,
          );
        }
        assert.equal(outcome.sentAgain, 0);
      }),
      { numRuns: 60 },
    );
  });

  it("ends a run in which every row is refused, after a few requests", async () => {
    server.answer = () => {
      throw engineError("nothing will do");
    };
    const { results, error } = await run(server, batchesOf(numbered(10_000), 500));
    assert.ok(isKind(error, "refused"));
    assert.match((error as Error).message, /^20 rows were refused.*nothing will do/);
    assert.ok(results.length > 0 && results.every((reason) => reason === "nothing will do"));
    assert.ok(server.sent.length < 100, `${server.sent.length} requests`);
  });

  it("goes on while more rows are accepted than refused, and ends otherwise", async () => {
    server.answer = (numbers) => {
      if (numbers.some((n) => n % 3 === 0)) throw engineError("no");
      return doubled(numbers);
    };
    const some = await run(server, batchesOf(numbered(600), 50));
    assert.equal(some.error, undefined);
    assert.equal(some.results.filter((result) => result === "no").length, 200);
    server.answer = (numbers) => {
      if (numbers.some((n) => n % 3 !== 0)) throw engineError("no");
      return doubled(numbers);
    };
    const most = await run(server, batchesOf(numbered(600), 50));
    assert.ok(isKind(most.error, "refused"));
  });

  it("splits a batch with too few replies, and marks the row without a reply as refused", async () => {
    server.answer = (numbers) => doubled(numbers.filter((n) => n !== 7));
    const { rows, results, error } = await run(server, batchesOf(numbered(20), 10));
    assert.equal(error, undefined);
    assert.deepEqual(rows, upTo(20));
    assert.equal(results[6], "The model returned 0 for 1 row.");
    assert.deepEqual(results.toSpliced(6, 1), doubles(20).toSpliced(6, 1));
  });

  it("splits a batch with millions of replies, and reports their number for one row", async () => {
    const rows = `[${"{},".repeat(1_000_000)}{}]`;
    server.answer = (numbers) => (numbers.includes(7) ? rows : doubled(numbers));
    const { results } = await run(server, batchesOf(numbered(8), 8));
    assert.equal(results[6], "The model returned more than 10001 for 1 row.");
    assert.deepEqual(results.toSpliced(6, 1), doubles(8).toSpliced(6, 1));
  });

  it("sends smaller batches if the server rejects large requests", async () => {
    server.answer = (numbers) => {
      if (numbers.length > 3) throw new AppError("tooLarge", "Too large.", { status: 413 });
      return doubled(numbers);
    };
    const { results, pauses } = await run(server, batchesOf(numbered(30), 20));
    assert.deepEqual(results, doubles(30));
    assert.deepEqual(pauses, []);
  });

  const unsure: [title: string, fail: () => string][] = [
    ["no answer in time", () => fails("timeout")],
    ["a connection that breaks", () => fails("cutOff")],
    ["a gateway without a server", () => fails("unreachable", 502)],
    ["a web page", () => fails("notMindsDB", 200)],
    ["half an answer", () => '[{"double": 2}, {"dou'],
    ["another JSON", () => '{"error": "x"}'],
    ["no JSON", () => "[double]"],
  ];
  for (const [title, fail] of unsure) {
    it(`asks before it sends rows again after ${title}`, async () => {
      server.answer = (numbers) => {
        if (numbers[0] !== 5 || server.sent.filter(([n]) => n === 5).length > 1) {
          return doubled(numbers);
        }
        return fail();
      };
      const { results, error, pauses, states, sentAgain } = await run(
        server,
        batchesOf(numbered(20), 4),
      );
      assert.equal(error, undefined);
      assert.deepEqual(results, doubles(20));
      assert.deepEqual(
        pauses.map(({ unsureRows }) => unsureRows),
        [4],
      );
      assert.deepEqual(states, ["paused", "sending"]);
      assert.equal(sentAgain, 4);
    });
  }

  it("adds failures to the present pause, and sends nothing until it is resumed", async () => {
    let isBroken = true;
    server.answer = async (numbers) => {
      await sleep(numbers[0]);
      return isBroken ? fails("cutOff") : doubled(numbers);
    };
    let sentWhilePaused = 0;
    const { results, pauses, sentAgain } = await run(server, batchesOf(numbered(40), 2), {
      onPause: async (pause) => {
        await sleep(30);
        sentWhilePaused = server.sent.length;
        await sleep(30);
        assert.equal(server.sent.length, sentWhilePaused);
        assert.equal(pause.unsureRows, 6);
        isBroken = false;
      },
    });
    assert.deepEqual(results, doubles(40));
    assert.deepEqual(pauses, []);
    assert.equal(sentAgain, 6);
  });

  it("asks the user about errors without effect on the server, and counts no row as unsure", async () => {
    for (const kind of ["signInNeeded", "signInRefused", "certificate", "proxy"] as const) {
      server = new TestServer();
      server.answer = (numbers) => (server.sent.length === 2 ? fails(kind) : doubled(numbers));
      const { results, pauses, sentAgain } = await run(server, batchesOf(numbered(20), 4));
      assert.deepEqual(results, doubles(20));
      assert.deepEqual(
        pauses.map(({ error, unsureRows }) => [error.kind, unsureRows]),
        [[kind, 0]],
      );
      assert.equal(sentAgain, 0);
    }
  });

  it("waits for an unreachable server, and asks the user after some time", async () => {
    server.answer = (numbers) =>
      server.sent.length === 2 ? fails("unreachable") : doubled(numbers);
    const short = await run(server, batchesOf(numbered(20), 4));
    assert.deepEqual(short.results, doubles(20));
    assert.deepEqual(short.pauses, []);
    assert.deepEqual(short.states, ["waiting", "sending"]);

    let isThere = false;
    server.answer = (numbers) => (isThere ? doubled(numbers) : fails("unreachable"));
    const long = await run(server, batchesOf(numbered(20), 4), {
      maxWaitForServerMs: 10,
      onPause: ({ unsureRows }) => {
        assert.equal(unsureRows, 0);
        isThere = true;
        return Promise.resolve();
      },
    });
    assert.deepEqual(long.results, doubles(20));
    assert.equal(long.sentAgain, 0);
  });

  const endings: [title: string, error: AppError, message: RegExp][] = [
    ["a model that is not there", new AppError("notFound", "Model not found."), /Model not found/],
    [
      "a model that is still training",
      engineError("Error: model creation not completed"),
      /model creation not completed/,
    ],
    ["a request it does not want", new AppError("refused", "No.", { status: 403 }), /No\./],
  ];
  for (const [title, failure, message] of endings) {
    it(`ends at once with ${title}`, async () => {
      server.answer = (numbers) => {
        if (numbers[0]! < 9) return doubled(numbers);
        throw failure;
      };
      const { results, error, pauses } = await run(server, batchesOf(numbered(100), 4), {
        concurrency: new AdaptiveConcurrency(1, { initial: 1 }),
      });
      assert.match((error as Error).message, message);
      assert.deepEqual(results, doubles(8));
      assert.deepEqual(pauses, []);
      assert.equal(server.sent.length, 3);
    });
  }

  it("keeps the responses before a problem with the rows", async () => {
    const trouble = new Error("line 9");
    async function* broken(): AsyncGenerator<Row[]> {
      yield* batchesOf(numbered(8), 2);
      throw trouble;
    }
    server.answer = async (numbers) => {
      await sleep(5);
      return doubled(numbers);
    };
    const { results, error } = await run(server, broken());
    assert.equal(error, trouble);
    assert.deepEqual(results, doubles(8));
  });

  it("stops at once: aborts requests in flight and keeps earlier responses", async () => {
    const stop = new AbortController();
    let letGo = 0;
    server.answer = (numbers, signal) => {
      if (numbers[0]! < 9) return doubled(numbers);
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          letGo++;
          reject(signal.reason as Error);
        });
        setTimeout(() => stop.abort(), 10);
      });
    };
    const { results, error } = await run(server, batchesOf(numbered(100), 4), {
      signal: stop.signal,
    });
    assert.ok(isCancelled(error));
    assert.deepEqual(results, doubles(8));
    assert.equal(letGo, 3);
  });

  it("stops while it is paused and while it waits", async () => {
    for (const kind of ["cutOff", "unreachable"] as const) {
      const stop = new AbortController();
      server.answer = () => fails(kind);
      setTimeout(() => stop.abort(), 10);
      const { error } = await run(server, batchesOf(numbered(10), 2), {
        signal: stop.signal,
        onPause: () => new Promise(() => undefined),
      });
      assert.ok(isCancelled(error), kind);
    }
  });

  it("ends when the user stops a pause", async () => {
    server.answer = () => fails("cutOff");
    const no = new Error("no");
    const { error } = await run(server, batchesOf(numbered(10), 2), {
      onPause: () => Promise.reject(no),
    });
    assert.equal(error, no);
  });

  it("aborts requests and closes the rows when the iteration is left", async () => {
    let closed = false;
    async function* source(): AsyncGenerator<Row[]> {
      try {
        yield* batchesOf(numbered(100), 2);
      } finally {
        closed = true;
      }
    }
    const signals: AbortSignal[] = [];
    server.answer = (numbers, signal) => {
      signals.push(signal);
      return numbers[0] === 1 ? doubled(numbers) : new Promise(() => undefined);
    };
    const signal = new AbortController().signal;
    const sender = new BatchSender({
      transport: server,
      concurrency: new AdaptiveConcurrency(2, { initial: 2 }),
      signal,
      onPause: () => Promise.resolve(),
    });
    const answers = sender.send(source());
    await answers.next();
    await answers.return(undefined);
    await sleep(5);
    assert.ok(closed);
    assert.ok(signals.every(({ aborted }) => aborted));
  });
});

function fails(kind: AppErrorKind, status?: number): never {
  throw new AppError(kind, `A failure of kind ${kind}.`, { status });
}
