// How long a predict cell takes on real servers, beside a loop written by hand that sends the same batches one after the
// other: both in one run, each first after a restart of the server and then while it is warm. The times are printed;
// the predictions must be the same.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { useWorkbench } from "../e2e/lib/journey.ts";
import { Notebook } from "../e2e/lib/notebook.ts";
import { packVsix, vsixPath } from "../package.ts";
import { Admin } from "./admin.ts";
import { ACCOUNT, fixture, versions } from "./fixture.ts";
import { homes } from "./rentals.ts";
import { SEEDED } from "./seed.ts";

/** Lightwood takes 1.5 ms for a row. `SPEED_ROWS` sets another number. */
const counts = { "26.1.0": 20_000, "25.14.1": 2_000 };
/** The product's default. */
const batchRows = 1_000;
const warmRounds = 4;

for (const version of versions) {
  describe(`MindsDB ${version}, a predict cell beside a loop`, function () {
    this.timeout(10 * 60_000);
    const count = Number(process.env["SPEED_ROWS"] ?? counts[version]);
    const rows = homes(count, 11);
    const journey = useWorkbench(() => ({
      vsix: fs.existsSync(vsixPath) ? vsixPath : packVsix(),
      machineSettings: {
        "mindsdbWorkbench.connections": [
          { id: "real", name: "Real", address: fixture(version).server.url },
        ],
      },
    }));
    let notebook: Notebook;

    before("sign in, to be kept so, and open a notebook", async () => {
      const { workbench } = journey;
      await workbench.command("MindsDB: Sign In…");
      await workbench.quickInput.signIn(ACCOUNT, { keep: true });
      await journey.tree.expand(["Real", "mindsdb", "Models"]);
      const { folder } = workbench;
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`);
      fs.writeFileSync(path.join(folder, "homes.jsonl"), lines.join(""));
      const recipe = { model: `mindsdb.${SEEDED.model}`, rows: "homes.jsonl" };
      const cell = `\`\`\`json predict\n${JSON.stringify(recipe, null, 2)}\n\`\`\`\n`;
      fs.writeFileSync(path.join(folder, "speed.predict.md"), cell);
      await workbench.openFile("speed.predict.md");
      notebook = await Notebook.with(workbench, "speed.predict.md");
    });

    /** Seconds on the cell's own clock. */
    async function runCell(): Promise<number> {
      const result = await notebook.runToEnd(5 * 60_000);
      const { count: shown, message } = await result.shown();
      assert.deepEqual([shown, message], [`${count.toLocaleString("en")} rows`, ""]);
      return notebook.seconds();
    }

    /** Seconds for reading the file and sending its rows. */
    async function runLoop(): Promise<number> {
      const admin = await Admin.signIn(fixture(version).server);
      const started = performance.now();
      const file = fs.readFileSync(path.join(journey.workbench.folder, "homes.jsonl"), "utf8");
      const data = file.trimEnd().split("\n");
      let answered = 0;
      for (let at = 0; at < data.length; at += batchRows) {
        const batch = data.slice(at, at + batchRows).map((line) => JSON.parse(line) as object);
        const answer = await admin.post(`/api/projects/mindsdb/models/${SEEDED.model}/predict`, {
          data: batch,
        });
        answered += (answer as unknown[]).length;
      }
      assert.equal(answered, count);
      return (performance.now() - started) / 1_000;
    }

    function report(when: string, cell: number[], loop: number[]): void {
      const sum = (times: number[]): number => times.reduce((all, time) => all + time, 0);
      const list = (times: number[]): string => times.map((time) => time.toFixed(1)).join(" ");
      const ratio = (sum(cell) / sum(loop)).toFixed(2);
      console.log(`      ${when}: cell ${list(cell)} s, loop ${list(loop)} s: ${ratio}`);
    }

    it("takes its time at the first run after the server's start", async () => {
      const { server } = fixture(version);
      await server.restart();
      const loop = await runLoop();
      await server.restart();
      const cell = await runCell();
      report(`${count.toLocaleString("en")} rows, first run`, [cell], [loop]);
    });

    it("takes its time at a warm server", async () => {
      const cell: number[] = [];
      const loop: number[] = [];
      for (let round = 0; round < warmRounds; round++) {
        loop.push(await runLoop());
        cell.push(await runCell());
      }
      report(`${count.toLocaleString("en")} rows, warm`, cell, loop);
    });
  });
}
