// The folder that `npm start` opens works with the sample server.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import { runTest } from "../../../src/agentTests/runs/runTests.ts";
import { parseAddress } from "../../../src/mindsdb/http/serverAddress.ts";
import { describeModel } from "../../../src/mindsdb/describeModel.ts";
import { modelColumns } from "../../../src/mindsdb/predict.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { RowChecker } from "../../../src/predict/run/rowChecker.ts";
import { parseNotebook } from "../../../src/predict/notebook/notebookText.ts";
import { parseRecipe } from "../../../src/predict/notebook/recipe.ts";
import { readRows } from "../../../src/predict/rows/readRows.ts";
import { askAsTests } from "../../askAsTests.ts";
import { clientOver } from "../../clientOver.ts";
import { SampleClient } from "./client.ts";

const folder = path.resolve(import.meta.dirname, "../../../scripts/vscode/workspace");
const read = (file: string) => fs.readFileSync(path.join(folder, file), "utf8");

type Row = Record<string, unknown>;

interface WrittenRecipe {
  model?: string;
  models?: string[];
  rows: string | Row[] | { table: string; limit: number };
}

function parseRows(file: string): Row[] {
  const lines = read(file).trimEnd().split("\n");
  if (file.endsWith(".json")) return JSON.parse(read(file)) as Row[];
  if (file.endsWith(".jsonl")) return lines.map((line) => JSON.parse(line) as Row);
  const [columns = [], ...rows] = lines.map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
}

describe("The sample workspace", () => {
  const sample = new SampleClient();
  before(() => sample.start());
  after(() => sample.stop());
  const connect = () => clientOver(createTransport(parseAddress(sample.server.url)));

  async function predict(model: string, data: Row[]): Promise<Row[]> {
    const [project = "", ...name] = model.split(".");
    const address = `/api/projects/${project}/models/${name.join(".")}/predict`;
    const { status, body } = await sample.send("POST", address, { data });
    assert.equal(status, 200, model);
    return body as Row[];
  }

  async function rowsToSend(rows: WrittenRecipe["rows"]): Promise<Row[]> {
    if (Array.isArray(rows)) return rows;
    if (typeof rows === "string") return parseRows(rows);
    const read = await sample.sql(`SELECT * FROM ${rows.table} LIMIT ${String(rows.limit)}`);
    return read.rows.map((values) =>
      Object.fromEntries(read.columns.map((name, at) => [name, values[at]])),
    );
  }

  it("has a notebook in which every cell predicts", async () => {
    const { cells } = parseNotebook(
      fs.readFileSync(path.join(folder, "first-predictions.predict.md")),
    );
    const recipes = cells.filter(({ kind }) => kind === "code");
    assert.equal(recipes.length, 5);
    for (const { text } of recipes) {
      assert.deepEqual(parseRecipe(text).problems, []);
      const recipe = JSON.parse(text) as WrittenRecipe;
      const sent = await rowsToSend(recipe.rows);
      assert.ok(sent.length > 0);
      for (const model of recipe.models ?? [recipe.model ?? ""]) {
        const predicted = await predict(model, sent);
        assert.equal(predicted.length, sent.length);
      }
    }
  });

  it("has a notebook whose rows match the models, so that no run warns", async () => {
    const { cells } = parseNotebook(
      fs.readFileSync(path.join(folder, "first-predictions.predict.md")),
    );
    const client = connect();
    for (const { kind, text } of cells) {
      if (kind !== "code") continue;
      const { recipe } = parseRecipe(text);
      assert.ok(recipe);
      const { model, rows } = recipe;
      const { inputs, target } = await modelColumns((attribute) =>
        describeModel(client, model, attribute),
      );
      assert.ok(inputs);
      // The columns of a table are checked when it is read.
      if (!Array.isArray(rows) && !("file" in rows)) continue;
      const checker = new RowChecker(inputs, target?.name);
      if (Array.isArray(rows)) checker.check(rows);
      else {
        for await (const some of readRows(
          [fs.readFileSync(path.join(folder, rows.file))],
          rows.format,
        )) {
          checker.check(some);
        }
      }
      assert.ok(checker.count > 0);
      assert.deepEqual(checker.findings, [], text);
    }
  });

  it("has rows in three file formats, with the columns of the model", async () => {
    for (const file of ["homes.json", "homes.jsonl", "rented-homes.csv"]) {
      const rows = parseRows(file);
      assert.ok(rows.length >= 12, file);
      const predicted = await predict("mindsdb.home_rentals_model", rows);
      for (const { rental_price: price } of predicted) {
        assert.ok(typeof price === "number" && price > 500 && price < 6000, file);
      }
    }
  });

  it("has homes with a price that the model predicts well without training on them", async () => {
    const rows = parseRows("rented-homes.csv");
    const predicted = await predict("mindsdb.home_rentals_model", rows);
    const actual = rows.map((row) => Number(row["rental_price"]));
    const mean = actual.reduce((sum, price) => sum + price, 0) / actual.length;
    const squares = (from: (at: number) => number) =>
      actual.reduce((sum, price, at) => sum + (price - from(at)) ** 2, 0);
    const r2 = 1 - squares((at) => Number(predicted[at]?.["rental_price"])) / squares(() => mean);
    assert.ok(r2 > 0.8, String(r2));
  });

  it("has agent tests that pass", async () => {
    const client = connect();
    const { problems, tests } = readTestFile(read("tests.agent-test.yaml"));
    assert.deepEqual(problems, []);
    assert.equal(tests.length, 5);
    const signal = AbortSignal.timeout(120_000);
    for (const test of tests) {
      const { state, attempts } = await runTest(test, askAsTests(client), signal);
      assert.equal(state, "passed", JSON.stringify([test.name, attempts[0]?.results]));
    }
  });

  it("refers only to files that exist", () => {
    const named = [...read("README.md").matchAll(/`([\w-]+\.[\w.]+)`/g)].map(([, name]) => name);
    assert.notEqual(named.length, 0);
    for (const name of named) assert.ok(fs.existsSync(path.join(folder, name ?? "")), name);
  });
});
