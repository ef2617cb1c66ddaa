// Columns, keys and list entries of files and answers: twice as many take twice as long, up to 100,000.
import assert from "node:assert/strict";
import { countConnected } from "../../src/agents/validation.ts";
import { evaluateRetrieval } from "../../src/agentTests/checks/retrievalAssertions.ts";
import { hitAtK, reciprocalRank } from "../../src/agentTests/checks/searchMetrics.ts";
import type { AgentTest } from "../../src/agentTests/files/testFile.ts";
import { makeNamesUnique } from "../../src/agentTests/runs/uniqueTestNames.ts";
import { addSharedArguments, type Handler } from "../../src/mindsdb/handlers.ts";
import { RowText } from "../../src/mindsdb/http/rowText.ts";
import { readObservation } from "../../src/chat/tables/observationTables.ts";
import { suggestMapping } from "../../src/knowledgeBases/fill/columnMapping.ts";
import { parseRecipe } from "../../src/predict/notebook/recipe.ts";
import { describeProblems } from "../../src/predict/notebook/recipeProblems.ts";
import { addTypes, attributeTable } from "../../src/models/modelDescription.ts";
import { findChangedCells, readCsvStart } from "../../src/tables/csvChecks.ts";
import { guessTarget } from "../../src/predict/result/columnFinder.ts";
import { readSqlRows } from "../../src/predict/rows/sqlRows.ts";
import { chooseOrder, throwIfRepeated } from "../../src/predict/rows/serverRows.ts";
import { mergeInputs } from "../../src/predict/run/describeModels.ts";
import { throwIfMissing } from "../../src/predict/run/rowChecker.ts";
import { uniqueNames } from "../../src/shared/uniqueNames.ts";
import { assertLinear } from "../linearTime.ts";

const size = 50_000;

const names = (count: number, start = "c"): string[] =>
  Array.from({ length: count }, (_, n) => `${start}${String(n)}`);
const recipe = (keys: string[], separator = ","): string =>
  keys.map((key) => `"${key}": 1`).join(separator);
const many = (count: number) => names(count).map((name) => ({ name }));

/** What takes a time that a test can limit, by its name. */
const work: Record<string, (count: number) => unknown> = {
  "unique names of one name": (count) => uniqueNames(Array<string>(count).fill("a")),
  "unique names of numbered names": (count) =>
    uniqueNames([...Array<string>(count).fill("a"), ...names(count, "a_")]),
  "a mapping to any metadata": (count) =>
    suggestMapping(names(count), { idColumn: "x", contentColumns: ["y"], metadataColumns: [] }),
  "a mapping to as many columns": (count) =>
    suggestMapping(names(count), {
      idColumn: "x",
      contentColumns: names(count, "C"),
      metadataColumns: names(count, "C").toReversed(),
    }),
  "missing columns": (count) =>
    assert.throws(() => throwIfMissing(many(count), names(count, "d"), "rows.csv")),
  "columns that are there": (count) =>
    throwIfMissing(many(count), names(count).toReversed(), "rows.csv"),
  "properties of a recipe": (count) => parseRecipe(`{${recipe(names(count))}}`),
  "properties of a recipe that are not ASCII": (count) =>
    parseRecipe(`{${recipe(names(count, "é"))}}`),
  "properties of a recipe after one that is not ASCII": (count) =>
    parseRecipe(`{"é": 1, ${recipe(names(count))}}`),
  "properties of rows on the server": (count) =>
    parseRecipe(`{"rows": {${recipe(names(count, "é"))}}}`),
  "models to compare": (count) =>
    parseRecipe(`{"models": ${JSON.stringify(names(count, "é"))}, "rows": []}`),
  "problems of a recipe, one a line": (count) => {
    const text = `{\n${recipe(names(count, "é"), ",\n")}}`;
    return describeProblems(text, parseRecipe(text).problems);
  },
  "a target among the columns": (count) => guessTarget(names(count), () => false),
  "repeated columns": (count) => throwIfRepeated(names(count)),
  "rows of a server": (count) => {
    const json = Buffer.from(`[[${Array<string>(count).fill("1").join()}]]`);
    return readSqlRows({ columns: names(count), rows: new RowText(json, 1) });
  },
  "tables of an agent": (count) => countConnected(names(count), {}),
  "patterns of an agent's tables": (count) => {
    const patterns = names(count).map((name) => `pg.${name}*`);
    return countConnected(patterns, {});
  },
  "the order of columns": (count) =>
    chooseOrder([{ column: "a", isDescending: false }], names(count)),
  "inputs of two models": (count) => mergeInputs([many(count), many(count).toReversed()]),
  "types of inputs": (count) => addTypes(names(count), many(count).toReversed()),
  "tests of one name, each with a variable of its own": (count) =>
    makeNamesUnique(
      names(count).map((name) => ({ name: "test", vars: { [name]: "1" } }) as unknown as AgentTest),
    ),
  "handlers that take the arguments of another": (count) =>
    addSharedArguments(
      Array<Handler>(count).fill({ kind: "data", name: "timescaledb", title: "", isReady: true }),
    ),
  "documents that are found": (count) => [
    hitAtK(names(count), names(count, "d"), Infinity),
    reciprocalRank(names(count), names(count, "d")),
    evaluateRetrieval(
      {
        type: "javascript",
        isInverse: false,
        value: "file://mindsdb-provider.mjs:hitAtK",
        retrieval: { expected: names(count, "d") },
        range: { start: 0, end: 1 },
      },
      JSON.stringify(names(count)),
    ),
  ],
};

describe("Many columns, keys and entries take linear time:", () => {
  for (const [name, run] of Object.entries(work)) {
    it(name, () => assertLinear({ name, make: (count) => count, run, size, floorMs: 400 }));
  }

  it("columns of short rows", () => {
    const make = (count: number) => `${names(count / 10).join()}\n${"a\n".repeat(count)}`;
    const run = (text: string) => findChangedCells(readCsvStart(text));
    assertLinear({ name: "short rows", make, run, size: 40_000 });
  });

  it("keys of a chunk's metadata, of which too many stay in one column", () => {
    const make = (count: number): string => {
      const chunks = names(count).map((name) => `'a',"{'${name}': 1}"`);
      return `chunk_content,metadata\n${chunks.join("\n")}`;
    };
    assertLinear({ name: "metadata", make, run: (text) => readObservation(text), size: 5_000 });
  });

  it("keys of a model's attribute, of which the first are shown", () => {
    const rows = names(20_000).map((name) => ({ [name]: 1 }));
    const { columns, rows: cells } = attributeTable(rows);
    assert.equal(columns.length, 201);
    assert.equal(columns.at(-1), "Columns not shown: 19800");
    assert.equal(cells.length, 20_000);
    const make = (count: number) => names(count).map((name) => ({ [name]: 1 }));
    assertLinear({ name: "attribute", make, run: attributeTable, size: 10_000 });
  });
});
