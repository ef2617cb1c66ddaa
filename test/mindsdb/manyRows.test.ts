// A user with many rows in a real VS Code, on real servers. The time of a predict cell is printed beside that of a loop
// written by hand that sends the same batches one after the other; both take turns: after restarts of the server, and warm.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { median } from "../bench/bench.ts";
import { Notebook } from "../e2e/lib/notebook.ts";
import { FormData } from "undici";
import { Admin } from "./admin.ts";
import { fixture, versions } from "./fixture.ts";
import { useRealWorkbench } from "./realWorkbench.ts";
import { homes, toCsv } from "./rentals.ts";
import { SEEDED } from "./seed.ts";

/** Lightwood takes 1.5 ms for a row. `SPEED_ROWS` sets another number. */
const counts = { "26.1.0": 20_000, "25.14.1": 2_000 };
/** The product's default. */
const batchRows = 1_000;
/** Turns of loop and cell. */
const firstRounds = 3;
const warmRounds = 9;

for (const version of versions) {
  describe(`MindsDB ${version}, a user with many rows`, function () {
    this.timeout(10 * 60_000);
    const count = Number(process.env["SPEED_ROWS"] ?? counts[version]);
    const rows = homes(count, 11);
    const journey = useRealWorkbench(version);

    before("sign in, to be kept so", async () => {
      await journey.tree.expand(["Real", "mindsdb", "Models"]);
      write("homes.jsonl", rows);
    });

    function write(name: string, lines: readonly object[]): void {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      fs.writeFileSync(path.join(journey.workbench.folder, name), text);
    }

    async function open(name: string, language: string, cell: string): Promise<Notebook> {
      const { workbench } = journey;
      const text = `\`\`\`${language} predict\n${cell}\n\`\`\`\n`;
      fs.writeFileSync(path.join(workbench.folder, name), text);
      await workbench.openFile(name);
      return Notebook.with(workbench, name);
    }

    function openRecipe(name: string, file: string): Promise<Notebook> {
      const recipe = { model: `mindsdb.${SEEDED.model}`, rows: file };
      return open(name, "json", JSON.stringify(recipe, null, 2));
    }

    /** Seconds on the cell's own clock. */
    async function runCell(): Promise<number> {
      const notebook = await openRecipe("speed.predict.md", "homes.jsonl");
      const seconds = await notebook.timeRun(5 * 60_000);
      const result = await notebook.result();
      await result.when(({ count: shown, message }) =>
        assert.deepEqual([shown, message], [`${count.toLocaleString("en")} rows`, ""]),
      );
      return seconds;
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

    /** Prints the times of loop and cell, by turns, and how many times as long the cell takes. */
    async function compare(when: string, rounds: number, prepare?: () => Promise<void>) {
      const loop: number[] = [];
      const cell: number[] = [];
      for (let round = 0; round < rounds; round++) {
        await prepare?.();
        loop.push(await runLoop());
        await prepare?.();
        cell.push(await runCell());
      }
      const list = (times: number[]): string => times.map((time) => time.toFixed(2)).join(" ");
      const ratio = (median(cell) / median(loop)).toFixed(2);
      console.log(
        `      ${count.toLocaleString("en")} rows, ${when}: the cell takes ${ratio} times as long as the loop ` +
          `(medians; cell ${list(cell)} s, loop ${list(loop)} s)`,
      );
    }

    it("prints the time of the first run after the server's start", async () => {
      await compare("first run", firstRounds, () => fixture(version).server.restart());
    });

    it("prints the time on a warm server", async () => {
      await compare("warm", warmRounds);
    });

    it("pauses before a row far down that lacks an input, and sends it on request", async () => {
      // More than a megabyte, which is read and checked before the first row is sent; whole batches before the row.
      const all = 12_000;
      const lacking = 11_000;
      write(
        "lacking.jsonl",
        homes(all, 13).map(({ sqft, ...rest }, at) => (at === lacking ? rest : { sqft, ...rest })),
      );
      const notebook = await openRecipe("lacking.predict.md", "lacking.jsonl");
      const result = await notebook.begin();
      const row = String(lacking + 1);
      const paused = await result.when(({ message, count: shown }) => {
        assert.equal(
          message,
          `“sqft” is missing in 1 row, first in row ${row} (lacking.jsonl, line ${row}).`,
        );
        assert.ok(shown.startsWith(`${lacking.toLocaleString("en")} of `), shown);
      }, 120_000);
      assert.deepEqual(paused.buttons, ["Run Anyway", "Stop"]);
      await result.button("Run Anyway").click();
      await result.when(({ count: shown, buttons }) => {
        assert.ok(shown.startsWith(`${all.toLocaleString("en")} rows`), shown);
        assert.ok(!buttons.includes("Stop"));
      }, 120_000);
    });

    it("waits for a statement until it answers, however long that takes", async () => {
      const admin = await Admin.signIn(fixture(version).server);
      const form = new FormData();
      form.set(
        "file",
        new File([toCsv(homes(20_000, 12))], "many_homes.csv", { type: "text/csv" }),
      );
      await admin.put("/api/files/many_homes", form);
      const statement =
        "SELECT t.sqft, m.rental_price FROM files.many_homes AS t " +
        `JOIN mindsdb.${SEEDED.model} AS m`;
      const notebook = await open("join.predict.md", "sql", statement);
      const result = await notebook.begin();
      await result.when(({ count: shown }) => assert.equal(shown, "20,000 rows"), 4 * 60_000);
      console.log(`      a statement over 20,000 rows: ${await notebook.seconds()} s`);
      await admin.delete("/api/files/many_homes");
    });
  });
}
