// One sample server for several windows, tested with processes that start, stop, close and crash in every order.
import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bearerToken, readSecret } from "../../../src/sample/sharedServer/secret.ts";
import { SharedSampleServer } from "../../../src/sample/sharedServer/sharedServer.ts";
import type { Order, Outcome } from "./windowProcess.ts";

type WithoutNumber<T> = T extends unknown ? Omit<T, "number"> : never;
type OrderWithoutNumber = WithoutNumber<Order>;

/** The commands that a test sends to a window. */
interface Window {
  start(): Promise<string>;
  connect(): Promise<string | undefined>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** A window in a separate process. The process is reused for later windows, because starting one is slow. */
class ProcessWindow implements Window {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (outcome: Outcome) => void>();
  #orders = 0;
  /** The last address that it reported. */
  shown: string | undefined;

  constructor() {
    this.#child = fork(path.join(import.meta.dirname, "windowProcess.ts"));
    this.#child.on("message", (outcome: Outcome) => {
      if (outcome.number === undefined) this.shown = outcome.url;
      else this.#waiting.get(outcome.number)?.(outcome);
    });
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async open(folder: string, ports?: readonly number[]): Promise<this> {
    this.shown = undefined;
    await this.#order({ what: "open", folder, ...(ports && { ports }) });
    return this;
  }

  start = async () => (await this.#order({ what: "start" })) ?? assert.fail("no address");
  connect = () => this.#order({ what: "connect" });
  stop = async () => void (await this.#order({ what: "stop" }));
  close = async () => void (await this.#order({ what: "close" }));

  async crash(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }

  async #order(order: OrderWithoutNumber): Promise<string | undefined> {
    const number = ++this.#orders;
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#waiting.set(number, resolve);
      this.#child.send({ ...order, number });
    });
    if (outcome.error !== undefined) throw new Error(outcome.error);
    return outcome.url;
  }
}

let folder: string;

/** The headers with which a window of this storage folder sends its requests. */
async function bearer(at = folder): Promise<Record<string, string>> {
  return { authorization: `Bearer ${bearerToken(await readSecret(at))}` };
}

async function agentNames(url: string, at?: string): Promise<string[]> {
  const response = await fetch(`${url}/api/projects/mindsdb/agents`, { headers: await bearer(at) });
  return ((await response.json()) as { name: string }[]).map(({ name }) => name);
}

async function createAgent(url: string, name: string): Promise<void> {
  const response = await fetch(`${url}/api/projects/mindsdb/agents`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(await bearer()) },
    body: JSON.stringify({ agent: { name, data: { tables: ["files.*"] } } }),
  });
  assert.equal(response.status, 201);
}

/** Waits until a condition is true. Mocha's timeout ends a test that hangs. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(10);
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/api/status`).then(
    () => true,
    () => false,
  );

describe("the sample server of several windows", () => {
  const idle: ProcessWindow[] = [];
  const opened: ProcessWindow[] = [];

  /** A new window; with `at` one of another VS Code. */
  async function open(ports?: readonly number[], at = folder): Promise<ProcessWindow> {
    const window = idle.pop() ?? new ProcessWindow();
    opened.push(window);
    return window.open(at, ports);
  }

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "sample-shared-"));
  });
  afterEach(async () => {
    const alive = opened.splice(0).filter((window) => window.isAlive);
    for (const window of alive) await window.close();
    idle.push(...alive);
    fs.rmSync(folder, { recursive: true, force: true });
  });
  after(async () => {
    for (const window of idle.splice(0)) await window.crash();
  });

  it("runs once, even if all windows start it at the same time", async () => {
    const windows = await Promise.all([open(), open(), open(), open()]);
    const urls = await Promise.all(windows.map((window) => window.start()));
    assert.equal(new Set(urls).size, 1, urls.join());
    await createAgent(urls[0]!, "mine");
    for (const window of windows) {
      const url = (await window.connect()) ?? "";
      assert.deepEqual(await agentNames(url), ["rental_agent", "prices_agent", "mine"]);
    }
  });

  it("can be stopped from any window, for all windows, until one starts it", async () => {
    const [owner, guest] = [await open(), await open()];
    const url = await owner.start();
    assert.equal(await guest.connect(), url);
    await guest.stop();
    assert.equal(await answers(url), false);
    await until(() => owner.shown === undefined && guest.shown === undefined);
    for (const window of [owner, guest, await open()]) {
      assert.equal(await window.connect(), undefined);
    }
    assert.equal(await guest.start(), url);
    assert.equal(await owner.connect(), url);
    await guest.stop();
    assert.equal(await answers(url), false);
    assert.equal(await owner.start(), url);
    await owner.stop();
    await until(() => guest.shown === undefined);
    assert.equal(await answers(url), false);
  });

  for (const end of ["close", "crash"] as const) {
    it(`is taken over by itself, with what was changed, when the window that serves does ${end}`, async () => {
      const [owner, ...guests] = [await open(), await open(), await open()];
      const url = await owner.start();
      for (const guest of guests) assert.equal(await guest.connect(), url);
      await createAgent(url, "mine");
      await owner[end]();
      await until(() => answers(url));
      for (const guest of guests) {
        assert.equal(await guest.connect(), url);
        assert.equal(guest.shown, url);
      }
      assert.deepEqual(await agentNames(url), ["rental_agent", "prices_agent", "mine"]);
      assert.equal(await (await open()).start(), url);
    });
  }

  it("keeps running when a guest closes, and starts again after all windows closed", async () => {
    const [owner, guest] = [await open(), await open()];
    const url = await owner.start();
    await guest.connect();
    await guest.crash();
    assert.ok(await answers(url));
    await createAgent(url, "mine");
    await owner.crash();
    const next = await open();
    assert.equal(await next.connect(), url);
    assert.deepEqual(await agentNames(url), ["rental_agent", "prices_agent", "mine"]);
  });

  it("skips ports of other programs", async () => {
    const strangers = [
      http.createServer((_, response) => response.end("hello")),
      // Another VS Code's sample server.
      http.createServer((_, response) => response.end(JSON.stringify({ sampleServer: "other" }))),
      net.createServer((socket) => socket.end("no HTTP at all\r\n\r\n")),
    ];
    const ports: number[] = [];
    for (const stranger of strangers) {
      await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
      ports.push((stranger.address() as net.AddressInfo).port);
    }
    const free = await freePort();
    const all = [...ports, free];
    const [owner, guest] = [await open(all), await open(all)];
    const url = await owner.start();
    assert.equal(url, `http://127.0.0.1:${free}`);
    assert.equal(await guest.start(), url);
    // A port that becomes free earlier in the list must not separate the windows.
    await new Promise((resolve) => strangers[0]!.close(resolve));
    assert.equal(await (await open(all)).start(), url);
    await guest.stop();
    assert.equal(await answers(url), false);
    for (const stranger of strangers.slice(1)) stranger.close();
  });

  it("reports why it cannot start", async () => {
    const stranger = http.createServer((_, response) => response.end("hello"));
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const { port } = stranger.address() as net.AddressInfo;
    const window = await open([port]);
    await assert.rejects(window.start(), new RegExp(`Other programs use the ports ${port}`));
    await new Promise((resolve) => stranger.close(resolve));
    assert.equal(await window.start(), `http://127.0.0.1:${port}`);
  });

  it("is not shared with another storage folder", async () => {
    const other = path.join(folder, "other");
    const [one, two] = [await open(), await open(undefined, other)];
    const [first, second] = [await one.start(), await two.start()];
    assert.notEqual(first, second);
    await createAgent(first, "mine");
    assert.deepEqual(await agentNames(second, other), ["rental_agent", "prices_agent"]);
    await two.stop();
    assert.ok(await answers(first));
  });

  it("rejects stop requests of other programs and pages", async () => {
    const url = await (await open()).start();
    const response = await fetch(`${url}/sample-server/stop`, { method: "POST" });
    assert.equal(response.status, 401);
    const headers = { origin: "http://127.0.0.1:3000", ...(await bearer()) };
    const page = await fetch(`${url}/sample-server/stop`, { method: "POST", headers });
    assert.equal(page.status, 403);
    assert.ok(await answers(url));
  });

  describe("in two windows, in every order", () => {
    const actions = ["start", "stop", "close"] as const;
    type Step = [window: 0 | 1, action: (typeof actions)[number]];
    const inFirst = actions.map((action): Step => [0, action]);
    const steps = [...inFirst, ...actions.map((action): Step => [1, action])];
    // Sequences that start in the other window are the same with the windows swapped.
    const orders = inFirst.flatMap((a) => steps.flatMap((b) => steps.map((c) => [a, b, c])));

    /** Runs the same protocol in this process, which is a hundred times faster than separate processes. */
    async function run(order: Step[], at: string): Promise<void> {
      const make = () => new SharedSampleServer({ folder: at, stepDelay: 0 });
      const pair = [make(), make()];
      let isStopped = false;
      for (const [which, action] of order) {
        const window = pair[which]!;
        if (action === "start") isStopped = false;
        if (action === "stop") isStopped = true;
        const url = await window[action]();
        if (action === "start") assert.ok(await answers(url as string));
        // Like a reload, a closed window is opened again.
        if (action === "close") pair[which] = make();
      }
      // In every case both windows agree, and Start leads to one server in both.
      const seen = await Promise.all(pair.map((window) => window.connect()));
      assert.equal(seen[0], seen[1]);
      assert.equal(seen[0] === undefined, isStopped);
      const started = await Promise.all(pair.map((window) => window.start()));
      assert.equal(started[0], started[1]);
      assert.ok(await answers(started[0]!));
      await pair[1]!.stop();
      assert.equal(await answers(started[0]!), false);
      await Promise.all(pair.map((window) => window.close()));
    }

    for (const first of inFirst) {
      it(`starting with ${first[1]}`, async () => {
        for (const [at, order] of orders.entries()) {
          if (order[0] !== first) continue;
          await run(order, path.join(folder, String(at))).catch((error: unknown) => {
            const words = order.map(([window, action]) => `${action} ${window + 1}`).join(", ");
            throw new Error(`after ${words}: ${String(error)}`, { cause: error });
          });
        }
      });
    }
  });
});

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
