// A user in a real VS Code, on real servers: rows held out of training go through the notebook, and both versions of a
// model are described. What is shown is what plain HTTP gives for the same.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import Papa from "papaparse";
import { eventually } from "../e2e/lib/eventually.ts";
import { accuracyIn, columnsIn, importancesIn, modelPage } from "../e2e/lib/modelPage.ts";
import { Notebook } from "../e2e/lib/notebook.ts";
import type { Result } from "../e2e/lib/result.ts";
import { startFaultProxy, type FaultProxy } from "../proxy/faultProxy.ts";
import { Admin } from "./admin.ts";
import { fixture, versions } from "./fixture.ts";
import { SEEDED } from "./seed.ts";
import { needSecondVersion } from "./predictRuns.ts";
import { useRealWorkbench } from "./realWorkbench.ts";
import { homes, toCsv } from "./rentals.ts";

const model = SEEDED.model;
/** Never seen in training. */
const heldOut = homes(100, 43);
/** A training is over by then, in ms. */
const trainingMs = 5 * 60_000;
const fileKinds = ["json", "jsonl", "csv"] as const;
type FileKind = (typeof fileKinds)[number];
/** A row of an answer or of an export: columns and values. */
type Row = Record<string, unknown>;

for (const version of versions) {
  describe(`MindsDB ${version}, a user who predicts`, () => {
    let admin: Admin;
    let proxy: FaultProxy;
    before("put a proxy in front of the server", async () => {
      proxy = await startFaultProxy({ target: fixture(version).server.url });
    });
    after("stop the proxy", () => proxy.stop());
    const journey = useRealWorkbench(version, { address: () => proxy.url });

    before("have two versions", async function () {
      this.timeout(trainingMs);
      admin = await Admin.signIn(fixture(version).server);
      await needSecondVersion(admin);
    });

    before("sign in, to be kept so, and write the rows", async () => {
      await journey.tree.expand(["Real", "mindsdb", "Models"]);
      write("homes.json", JSON.stringify(heldOut, null, 2));
      write("homes.jsonl", toLines(heldOut));
      write("homes.csv", toCsv(heldOut));
    });

    function write(name: string, text: string): void {
      fs.writeFileSync(path.join(journey.workbench.folder, name), text);
    }

    async function open(name: string, recipe: object): Promise<Notebook> {
      write(name, `\`\`\`json predict\n${JSON.stringify(recipe, null, 2)}\n\`\`\`\n`);
      await journey.workbench.openFile(name);
      return Notebook.with(journey.workbench, name);
    }

    async function plainPredict(name: string, data: readonly object[]): Promise<Row[]> {
      const answer = await admin.post(`/api/projects/mindsdb/models/${name}/predict`, { data });
      return answer as Row[];
    }

    /** All rows of a result, by the way of `Export…`. */
    async function exported(result: Result, kind: FileKind): Promise<Row[]> {
      const { quickInput, folder } = journey.workbench;
      const file = path.join(folder, `exported.${kind}`);
      fs.rmSync(file, { force: true });
      await result.button("Export…").click();
      await quickInput.saveAs(/-(predictions|result)\.csv$/, `exported.${kind}`);
      await journey.workbench.dialogs.toast("Exported");
      await journey.workbench.command("Notifications: Clear All Notifications");
      return readRows(fs.readFileSync(file, "utf8"), kind);
    }

    for (const number of [1, 2]) {
      describe(`version ${number}`, () => {
        const name = `${model}.${number}`;

        for (const kind of fileKinds) {
          it(`predicts from .${kind} accurately and like a plain request`, async () => {
            const recipe = { model: `mindsdb.${name}`, rows: `homes.${kind}` };
            const notebook = await open(`version${number}-${kind}.predict.md`, recipe);
            const result = await notebook.runToEnd(60_000);
            const { metrics } = await result.when(({ count, message, notes }) =>
              assert.deepEqual([count, message, notes], ["100 rows", "", []]),
            );

            const rows = await exported(result, kind);
            const sent =
              kind === "csv" ? heldOut.map((row) => mapValues(row, String)) : [...heldOut];
            const plain = await plainPredict(name, sent);
            assert.deepEqual(rows.map(prediction), plain.map(plainPrediction));
            assert.deepEqual(rows.map(interval), plain.map(interval));
            assert.deepEqual(
              rows.map((row) => Number(row["rental_price"])),
              heldOut.map((home) => home.rental_price),
            );
            const r2 = r2Score(
              rows.map(prediction),
              heldOut.map((home) => home.rental_price),
            );
            assert.ok(r2 > 0.9, `r2 is ${r2}`);
            const shown = /^Compared with actual values \(100 rows\): .* r² ([\d.]+)$/.exec(
              metrics,
            )?.[1];
            assert.ok(Math.abs(Number(shown) - r2) < 0.0001, metrics);
            await journey.workbench.screenshot(`predict-${version}-${number}-${kind}`);
          });
        }

        it("is described like in a plain request", async () => {
          const { workbench } = journey;
          const tree = await workbench.openView("MindsDB");
          const path = ["Real", "mindsdb", "Models", model];
          await tree.expand(path);
          await tree.click([...path, `version ${number}`]);
          const frame = await modelPage(workbench, model, "Column importance");
          await eventually(async () => {
            assert.equal(await frame.locator("select").inputValue(), String(number));
          });
          const [info = {}] = (await admin.get(`/api/projects/mindsdb/models/${name}/describe`, {
            attribute: "info",
          })) as Row[];
          const importances = Object.entries(info["column_importances"] as Record<string, number>);
          await eventually(async () => {
            assert.deepEqual(new Map(await importancesIn(frame)), new Map(importances));
          });
          const accuracies = Object.values(info["accuracies"] as Record<string, number>);
          await eventually(async () => {
            assert.equal(await accuracyIn(frame), accuracies[0]);
            assert.deepEqual(await columnsIn(frame, "Inputs"), info["inputs"]);
            assert.deepEqual(await columnsIn(frame, "Outputs"), info["outputs"]);
          });
          await workbench.screenshot(`model-${version}-${number}`);
        });
      });
    }

    it("continues when the server is killed and restarted during a run", async function () {
      // 25.14.1 takes a minute and a half on an idle machine.
      this.timeout(600_000);
      const rows = homes(500, 44);
      write("many.jsonl", toLines(rows));
      const recipe = { model: `mindsdb.${model}`, rows: "many.jsonl", batchRows: 50 };
      const notebook = await open("many.predict.md", recipe);
      // The run cannot be over before it is interrupted: no answer gets through after the fourth.
      const on = /predict$/;
      proxy.set({ on, times: 4 }, { on, hangAfter: 0 });
      const result = await notebook.begin();
      await result.when(({ count }) => assert.match(count, /^200 of (about )?500 rows/), 60_000);
      await fixture(version).server.restart({ kill: true, whileDown: () => proxy.refuse() });
      proxy.set();
      await proxy.accept();

      let resumed = 0;
      await eventually(async () => {
        const { count, buttons, message } = await result.shown();
        if (buttons.includes("Resume")) {
          await result.button("Resume").click();
          resumed++;
        }
        assert.equal(count, "500 rows", message);
        assert.ok(!buttons.includes("Stop"));
      }, 400_000);
      await result.when(({ message, notes }) => {
        assert.equal(message, "");
        // What went out before the kill and was not answered was sent again, which is said.
        assert.equal(notes.length, resumed > 0 ? 1 : 0, notes.join());
        for (const note of notes) assert.match(note, /^50 rows were sent a second time/);
      });

      const shown = await exported(result, "jsonl");
      admin = await Admin.signIn(fixture(version).server);
      const plain: Row[] = [];
      for (let from = 0; from < rows.length; from += 50) {
        plain.push(...(await plainPredict(model, rows.slice(from, from + 50))));
      }
      assert.deepEqual(shown.map(prediction), plain.map(plainPrediction));
    });
  });
}

function toLines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

function readRows(text: string, kind: FileKind): Row[] {
  if (kind === "json") return JSON.parse(text) as Row[];
  if (kind === "csv") return Papa.parse<Row>(text, { header: true, skipEmptyLines: true }).data;
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Row);
}

function mapValues<T extends object>(row: T, change: (value: unknown) => unknown): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, change(value)]));
}

/** The prediction in a row of an export whose rows have actual values. */
function prediction(row: Row): number {
  return Number(row["rental_price (predicted)"]);
}

function plainPrediction(row: Row): number {
  return Number(row["rental_price"]);
}

/**
 * The bounds of a prediction: unfolded in an export, in a text of JSON in a plain answer. Undefined where there are
 * none.
 */
function interval(row: Row): unknown {
  const unfolded = row["interval"];
  if (unfolded !== undefined) {
    const [lower, , upper] = (
      typeof unfolded === "string" ? JSON.parse(unfolded) : unfolded
    ) as number[];
    return [lower, upper];
  }
  const explain = row["rental_price_explain"];
  if (typeof explain !== "string") return undefined;
  const { confidence_lower_bound, confidence_upper_bound } = JSON.parse(explain) as Row;
  return [confidence_lower_bound, confidence_upper_bound];
}

function r2Score(predicted: number[], actual: number[]): number {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const mean = sum(actual) / actual.length;
  const left = sum(actual.map((value, i) => (value - predicted[i]!) ** 2));
  return 1 - left / sum(actual.map((value) => (value - mean) ** 2));
}
