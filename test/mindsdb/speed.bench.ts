// How long predictions on real servers take a user in a real VS Code, beside what a user would write by hand: a loop in a
// process of its own, and the same loop as a cell of a notebook, which also waits for what VS Code draws meanwhile. They take
// turns. The goals are for the cells, which run under the same conditions.
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { FormData } from "undici";
import { predictRows } from "../../src/predict/whatIf/predictRows.ts";
import { median, printRows, type BenchRow } from "../bench/bench.ts";
import { Notebook } from "../e2e/lib/notebook.ts";
import type { Result } from "../e2e/lib/result.ts";
import { Admin } from "./admin.ts";
import { connect } from "./conversation.ts";
import { fixture, versions } from "./fixture.ts";
import { predictFile, type LoopServer } from "./handWrittenLoop.ts";
import type { LoopReport } from "./loopProcess.ts";
import type { LoopCell } from "./loopNotebook/extension.ts";
import { packLoopNotebook } from "./loopNotebook/pack.ts";
import { findExtensionHost, measurePeak } from "./peakMemory.ts";
import { useRealWorkbench } from "./realWorkbench.ts";
import { homes, toCsv } from "./rentals.ts";
import { SEEDED } from "./seed.ts";

const fileRows = 20_000;
const tableRows = 100_000;
/** A round takes 25.14.1 ten times as long as 26.1.0: Lightwood needs 0.3 ms for a row. */
const rounds = {
  "26.1.0": { first: 5, warm: 15, table: 5 },
  "25.14.1": { first: 3, warm: 5, table: 2 },
};
const whatIfRounds = 20;
/** What an answer with other values may take beyond a plain request, in ms. */
const whatIfMs = 50;
/** The page waits for the next key before it asks, in ms (whatIfView.ts). */
const typingMs = 40;
/** Of an extension host over what it has when idle, in MB. */
const maxMegabytes = 200;

const model = { project: "mindsdb", name: SEEDED.model };
const predictPath = `/api/projects/mindsdb/models/${SEEDED.model}/predict`;

const measured: BenchRow[] = [];

for (const version of versions) {
  describe(`MindsDB ${version}, how long predictions take`, function () {
    this.timeout(20 * 60_000);
    const journey = useRealWorkbench(version, { otherVsix: packLoopNotebook });
    const counts = rounds[version];

    before("sign in, to be kept so", async () => {
      await journey.tree.expand(["Real", "mindsdb", "Models"]);
      const lines = homes(fileRows, 11).map((row) => `${JSON.stringify(row)}\n`);
      fs.writeFileSync(path.join(journey.workbench.folder, "homes.jsonl"), lines.join(""));
    });

    async function openRecipe(name: string, rows: unknown): Promise<Notebook> {
      const { workbench } = journey;
      const recipe = JSON.stringify({ model: `mindsdb.${SEEDED.model}`, rows }, null, 2);
      const text = `\`\`\`json predict\n${recipe}\n\`\`\`\n`;
      fs.writeFileSync(path.join(workbench.folder, name), text);
      await workbench.openFile(name);
      return Notebook.with(workbench, name);
    }

    /** Seconds on the cell's own clock. */
    async function timeCell(name: string, rows: unknown, count: number): Promise<number> {
      const notebook = await openRecipe(name, rows);
      const seconds = await notebook.timeRun(10 * 60_000);
      await expectRows(await notebook.result(), count);
      return seconds;
    }

    const timeFileCell = (): Promise<number> =>
      timeCell("file.predict.md", "homes.jsonl", fileRows);

    async function signIn(): Promise<LoopServer> {
      const { url, headers } = await Admin.signIn(fixture(version).server);
      return { url, headers, predictPath };
    }

    const homesFile = (): string => path.join(journey.workbench.folder, "homes.jsonl");

    async function timeFileLoop(): Promise<number> {
      const server = await signIn();
      const started = performance.now();
      assert.equal(await predictFile(server, homesFile()), fileRows);
      return (performance.now() - started) / 1_000;
    }

    /** Seconds on the clock of a cell that is a loop. */
    async function timeLoopCell(loop: LoopCell, count: number): Promise<number> {
      const { workbench } = journey;
      const name = "homes.loop.json";
      fs.writeFileSync(path.join(workbench.folder, name), JSON.stringify(loop));
      await workbench.openFile(name);
      const notebook = await Notebook.with(workbench, name);
      const seconds = await notebook.timeRun(10 * 60_000);
      assert.equal(await notebook.plainText(), `${String(count)} rows`);
      return seconds;
    }

    const timeFileLoopCell = async (): Promise<number> =>
      timeLoopCell({ ...(await signIn()), file: homesFile() }, fileRows);

    it(`predicts ${String(fileRows)} rows of a file, first after the server's start`, async () => {
      const restart = () => fixture(version).server.restart();
      const times = new Times();
      for (let round = 0; round < counts.first; round++) {
        await restart();
        times.loop.push(await timeFileLoop());
        await restart();
        times.cell.push(await timeFileCell());
        await restart();
        times.loopCell.push(await timeFileLoopCell());
      }
      report(times.compare("rows of a file, first run", 1.1));
    });

    it(`predicts ${String(fileRows)} rows of a file on a warm server`, async () => {
      await timeFileLoop();
      await timeFileCell();
      await timeFileLoopCell();
      const times = new Times();
      for (let round = 0; round < counts.warm; round++) {
        times.loop.push(await timeFileLoop());
        times.cell.push(await timeFileCell());
        times.loopCell.push(await timeFileLoopCell());
      }
      report(times.compare("rows of a file, warm", 1.1));
    });

    it(`predicts ${String(tableRows)} rows of a table, and holds few of them`, async () => {
      const rows = homes(tableRows, 19).map((row, at) => ({ id: at, ...row }));
      const form = new FormData();
      form.set("file", new Blob([toCsv(rows)]), "speed_homes.csv");
      const admin = await Admin.signIn(fixture(version).server);
      await admin.put("/api/files/speed_homes", form);
      const table = "files.speed_homes";
      // The first request starts the model.
      await admin.post(predictPath, { data: rows.slice(0, 1) });
      const peak = measurePeak(findExtensionHost(journey.workbench.vscode.pid));
      const times = new Times();
      const ofLoop: number[] = [];
      // From the second round on with what the loop's cell has left behind, which runs in the same extension host.
      const peaks: number[] = [];
      const loop = { url: admin.url, headers: admin.headers, predictPath, table };
      for (let round = 0; round < counts.table; round++) {
        const { seconds, megabytes } = await runTableLoop(loop);
        times.loop.push(seconds);
        ofLoop.push(megabytes);
        times.cell.push(await timeCell("table.predict.md", { table }, tableRows));
        peaks.push(peak());
        times.loopCell.push(await timeLoopCell(loop, tableRows));
      }
      await admin.delete("/api/files/speed_homes");
      const list = (values: readonly number[]): string => values.map(Math.round).join(" ");
      console.log(`      peak memory: cell ${list(peaks)} MB, loop ${list(ofLoop)} MB over idle`);
      const value = Math.max(...peaks);
      report(times.compare("rows of a table", 1.05), {
        name: "rows of a table, memory over idle",
        ...{ value, against: maxMegabytes, ratio: value / maxMegabytes, budget: 1, unit: "MB" },
      });
    });

    it("answers a change of one value", async () => {
      const { server } = fixture(version);
      const admin = await Admin.signIn(server);
      const connection = await connect(server.url);
      const { client } = connection;
      const [home] = homes(1, 23);
      assert.ok(home);
      const names = Object.keys(home);
      const values = (sqft: number): string[] =>
        Object.values({ ...home, sqft }).map((value) => JSON.stringify(value));
      const options = { signal: new AbortController().signal, timeLimitMs: 60_000 };
      const notebook = await openRecipe("home.predict.md", [home]);
      const result = await notebook.runToEnd();
      await (await result.cell(0, "sqft")).click();
      await result.button("What If…").click();
      const frame = await journey.workbench.frameWith(".answer .value");
      const field = frame.getByRole("textbox", { name: "sqft", exact: true });
      const plain: number[] = [];
      const host: number[] = [];
      const page: number[] = [];
      for (let round = 0; round < whatIfRounds; round++) {
        const sqft = 500 + round;
        plain.push(await timeOf(() => admin.post(predictPath, { data: [{ ...home, sqft }] })));
        host.push(
          await timeOf(() => predictRows(client, model, { names, rows: [values(sqft)] }, options)),
        );
        page.push(await field.evaluate(timeAnswer, String(sqft)));
      }
      await connection.close();
      const withinPage = page.map((ms) => ms - typingMs);
      report(
        compareAnswers("what if, without VS Code", host, plain),
        compareAnswers(
          `what if, in the page, and ${String(typingMs)} ms for typing`,
          withinPage,
          plain,
        ),
      );
    });

    function report(...rows: BenchRow[]): void {
      measured.push(...rows.map((row) => ({ ...row, name: `${version}, ${row.name}` })));
    }
  });
}

after("print the report", () => {
  assert.ok(printRows(measured), "Something takes more than its budget.");
});

async function expectRows(result: Result, count: number): Promise<void> {
  await result.when(({ count: shown, message }) =>
    assert.deepEqual([shown, message], [`${count.toLocaleString("en")} rows`, ""]),
  );
}

/** Runs the loop over a table in a process of its own, whose memory is its own. */
async function runTableLoop(loop: LoopCell): Promise<LoopReport> {
  const script = path.join(import.meta.dirname, "loopProcess.ts");
  const child = fork(script, [JSON.stringify(loop)]);
  const [report] = (await once(child, "message")) as [LoopReport];
  assert.equal(report.rows, tableRows);
  return report;
}

/** Changes a field of the page and returns the time until the answer is drawn, in ms. Runs in the page. */
function timeAnswer(field: Element, text: string): Promise<number> {
  const answer = field.ownerDocument.querySelector(".answer")!;
  return new Promise((resolve) => {
    const started = performance.now();
    const observer = new MutationObserver(() => {
      observer.disconnect();
      resolve(performance.now() - started);
    });
    observer.observe(answer, { childList: true });
    (field as HTMLInputElement).value = text;
    field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  });
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Seconds of the same predictions, made in three ways. */
class Times {
  /** A predict cell, on its own clock. */
  readonly cell: number[] = [];
  /** The loop as a cell of a notebook, on its own clock. */
  readonly loopCell: number[] = [];
  /** The loop in a process of its own. */
  readonly loop: number[] = [];

  /** Compares the medians of the two cells, and prints all times. */
  compare(name: string, budget: number): BenchRow {
    const list = (times: readonly number[]): string =>
      times.map((time) => time.toFixed(2)).join(" ");
    const { cell, loopCell, loop } = this;
    const [value, against] = [1_000 * median(cell), 1_000 * median(loopCell)];
    const outside = value / 1_000 / median(loop);
    console.log(
      `      cell ${list(cell)} s, loop as a cell ${list(loopCell)} s, loop in a process of its own ${list(loop)} s` +
        ` (the cell takes ${outside.toFixed(2)} times as long as that)`,
    );
    return { name, value, against, ratio: value / against, budget, unit: "ms" };
  }
}

/** Compares medians of ms: an answer against a plain request and what may come on top. */
function compareAnswers(name: string, ms: readonly number[], plain: readonly number[]): BenchRow {
  const list = (times: readonly number[]): string => times.map(Math.round).join(" ");
  console.log(`      ${name}: ${list(ms)} ms, a plain request ${list(plain)} ms`);
  const [value, against] = [median(ms), median(plain) + whatIfMs];
  return { name, value, against, ratio: value / against, budget: 1, unit: "ms" };
}
