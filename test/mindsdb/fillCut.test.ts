// Fills knowledge bases of real servers with thousands of documents while the network, the server or the window fails at
// random points. FC_SEED draws other points; FILL_POINTS is their number for each server, FILL_DOCUMENTS that of documents.
import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import type { RealServer } from "../../scripts/mindsdb/server.ts";
import { propertySeed as seed } from "../../scripts/propertySeed.ts";
import type { FillResult } from "../../src/knowledgeBases/fill/fillRun.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { startFaultProxy, type FaultProxy, type LoggedRequest } from "../proxy/faultProxy.ts";
import { Admin } from "./admin.ts";
import { listFileDocuments, type Report } from "./fillWriter.ts";
import { backgroundServer, fixture, versions } from "./fixture.ts";
import { embeddingModel } from "./seed.ts";

const count = Number(process.env["FILL_DOCUMENTS"] ?? 5_000);
const documents = listFileDocuments(count);
const points = Number(process.env["FILL_POINTS"] ?? 3);
const maxOfFill = 10;
const failures = ["network", "server", "window"] as const;
const bases = "/api/projects/mindsdb/knowledge_bases";

/** A failure some ms after so many documents are reported as stored: in the middle of a batch. */
interface Cut {
  what: (typeof failures)[number];
  done: number;
  delay: number;
  /** How long the network is gone, in ms. */
  outage: number;
}

/**
 * Draws points with every kind of failure alike often. Each fill has at most ten of them, in the order of the
 * documents.
 */
function drawFills(): Cut[][] {
  const kinds = Array.from({ length: points }, (_, at) => failures[at % failures.length]!);
  const place = fc.record({
    // Early enough that the fill is not over when the failure comes.
    done: fc.integer({ min: 0, max: count - 2_000 }),
    delay: fc.integer({ min: 0, max: 600 }),
    outage: fc.integer({ min: 0, max: 12_000 }),
  });
  const drawn = fc
    .tuple(
      fc.shuffledSubarray(kinds, { minLength: points }),
      fc.array(place, { minLength: points, maxLength: points }),
    )
    .map(([whats, places]) => whats.map((what, at): Cut => ({ what, ...places[at]! })));
  // Without fast-check's preference for small numbers.
  const [cuts = []] = fc.sample(fc.noBias(drawn), { seed, numRuns: 1 });
  return Array.from({ length: Math.ceil(points / maxOfFill) }, (_, at) =>
    cuts.slice(at * maxOfFill, (at + 1) * maxOfFill).sort((one, two) => one.done - two.done),
  );
}

/** A window that fills the knowledge base; its user presses Resume whenever the run was interrupted. */
class Window {
  /** How many documents it has reported as stored: the first ones of the file. */
  done = 0;
  result: Omit<FillResult, "error"> | undefined;
  readonly #process: ChildProcess;

  constructor(...args: string[]) {
    const file = path.join(import.meta.dirname, "fillWriter.ts");
    this.#process = fork(file, args, { execArgv: [] });
    this.#process.on("message", (report: Report) => {
      if ("done" in report) this.done = report.done;
      else this.result = report;
    });
  }

  /** Waits until a condition holds or the run is complete, and resumes a run that was interrupted. */
  async until(isReached: () => boolean, onResult: (window: Window) => Promise<void>) {
    for (;;) {
      assert.equal(this.#process.exitCode, null, "the window has ended");
      if (this.result) {
        await onResult(this);
        if (this.result.end === "complete") return;
        this.result = undefined;
        this.#process.send("resume");
      } else if (isReached()) return;
      await sleep(20);
    }
  }

  async kill(): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }
}

for (const version of versions) {
  describe(`MindsDB ${version}, filling thousands of documents`, function () {
    this.timeout(600_000);
    let server: RealServer;
    let proxy: FaultProxy;
    let admin: Admin;
    let locks: string;

    before(async () => {
      server = await backgroundServer(version);
      proxy = await startFaultProxy({ target: server.url });
      admin = await Admin.signIn(server);
      locks = fs.mkdtempSync(path.join(os.tmpdir(), "writers-"));
    });
    after(async () => {
      await proxy.stop();
      fs.rmSync(locks, { recursive: true });
    });

    async function readStored(name: string): Promise<Map<string, string>> {
      const query = `SELECT id, chunk_content FROM mindsdb.${name}`;
      const rows = await eventually(() => admin.sql(query), 30_000);
      assert.equal(new Set(rows.map(([id]) => id)).size, rows.length, "stored twice");
      return new Map(rows.map(([id, content]) => [String(id), String(content)]));
    }

    for (const [at, cuts] of drawFills().entries()) {
      it(`loses and repeats nothing: FC_SEED=${String(seed)}, fill ${String(at)}`, async () => {
        const { llm } = fixture(version);
        const name = `cut_${String(at)}`;
        const embedding_model = embeddingModel(llm);
        await admin.post(bases, { knowledge_base: { name, embedding_model } });
        const open = () => new Window(proxy.url, name, String(count), locks);
        let reported = 0;
        proxy.requests.length = 0;
        let window = open();
        const start = Date.now();
        const checkStored = async (window: Window): Promise<void> => {
          const stored = await readStored(name);
          const before = reported;
          reported = Math.max(reported, window.done);
          const lost = documents.slice(0, reported).filter(([id]) => !stored.has(id));
          assert.deepEqual(lost, [], "reported as stored and lost");
          assert.deepEqual(
            listSentIds(proxy).filter((id) => Number(id.slice(5)) < before),
            [],
            "sent again",
          );
          proxy.requests.length = 0;
          const result = window.result
            ? `${window.result.end}, ${String(window.result.stored)} stored`
            : "";
          console.log(
            `      ${String(Date.now() - start)} ms: ${String(window.done)} reported, ${String(stored.size)} stored; ${result}`,
          );
          const { end, skipped = 0, stored: counted = 0 } = window.result ?? {};
          assert.ok(counted <= stored.size, `${String(counted)} counted`);
          if (end === "complete") assert.equal(counted + skipped, count);
        };
        for (const cut of cuts) {
          await window.until(() => window.done >= cut.done, checkStored);
          await sleep(cut.delay);
          console.log(`      ${String(Date.now() - start)} ms: ${JSON.stringify(cut)}`);
          switch (cut.what) {
            case "network":
              await proxy.refuse();
              await sleep(cut.outage);
              await proxy.accept();
              break;
            case "server":
              await server.restart({ kill: true });
              break;
            case "window": {
              // A slow batch is under way, so that the next window meets it.
              llm.embeddingDelay = 5_000;
              const before = new Set(proxy.requests);
              const isNext = (one: LoggedRequest): boolean =>
                one.method === "PUT" && !before.has(one);
              // An earlier failure may interrupt the run only now.
              await window.until(() => proxy.requests.some(isNext), checkStored);
              await sleep(1_000);
              await window.kill();
              llm.embeddingDelay = 0;
              const closed = window;
              window = open();
              await checkStored(closed);
            }
          }
        }
        await window.until(() => false, checkStored);
        await window.kill();
        assert.deepEqual(window.result?.missing, []);
        assert.deepEqual([...(await readStored(name))].sort(), [...documents].sort());
        await admin.delete(`${bases}/${name}`);
      });
    }
  });
}

function listSentIds({ requests }: FaultProxy): string[] {
  return requests
    .filter(({ method, body }) => method === "PUT" && body.length > 0)
    .flatMap(({ body }) => {
      const { knowledge_base } = JSON.parse(body.toString()) as {
        knowledge_base: { rows: { id: string }[] };
      };
      return knowledge_base.rows.map(({ id }) => id);
    });
}
