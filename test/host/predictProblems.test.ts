// Diagnostics in the cells of a predict notebook, and their quick fixes.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { notebooks, sqlLanguage } from "../../src/ids.ts";
import { visibleLine } from "../../src/shared/oneLine.ts";
import { millisecondsOf } from "../linearTime.ts";
import type { FaultProxy } from "../proxy/faultProxy.ts";
import { openOn, runCell } from "./notebook.ts";
import { useTestConnection } from "./useTestServer.ts";
import { hoverTexts, suggestedLabels } from "./providers.ts";
import {
  actUntil,
  closeAllEditors,
  eventually,
  makeWorkspaceFolder,
  until,
  workbench,
} from "./workbench.ts";

const model = "mindsdb.home_rentals_model";
const home = {
  number_of_rooms: 1,
  number_of_bathrooms: 1,
  sqft: 600,
  location: "great",
  neighborhood: "downtown",
  days_on_market: 5,
};

describe("Problems in a predict notebook", () => {
  const server = useTestConnection("Problems");
  let folder: string;
  let proxy: FaultProxy;
  let connectionId: string;
  let count = 0;

  before(() => {
    folder = makeWorkspaceFolder("problems-");
    fs.writeFileSync(path.join(folder, "tiny.jsonl"), JSON.stringify(home));
    ({ proxy, id: connectionId } = server);
  });

  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  /** Opens a notebook with this cell and the connection. */
  async function open(text: string, language = "json"): Promise<vscode.NotebookCell> {
    const file = path.join(folder, `problems${++count}.predict.md`);
    fs.writeFileSync(file, `\`\`\`${language} predict\n${text}\n\`\`\`\n`);
    return (await openOn(connectionId, file)).notebook.cellAt(0);
  }

  function problemsOf({ document }: vscode.NotebookCell): vscode.Diagnostic[] {
    return vscode.languages
      .getDiagnostics(document.uri)
      .filter(({ source }) => source === "MindsDB");
  }

  /** Waits until exactly these texts are marked. */
  async function marks(
    cell: vscode.NotebookCell,
    ...texts: string[]
  ): Promise<vscode.Diagnostic[]> {
    const marked = () => problemsOf(cell).map(({ range }) => cell.document.getText(range));
    const expected = JSON.stringify([...texts].sort());
    await until(
      `${expected} to be marked, and nothing else`,
      () => JSON.stringify(marked().sort()) === expected,
    );
    return problemsOf(cell);
  }

  async function fixes(
    { document }: vscode.NotebookCell,
    { range }: vscode.Diagnostic,
  ): Promise<vscode.CodeAction[]> {
    return until("the fixes", async () => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        document.uri,
        range,
        vscode.CodeActionKind.QuickFix.value,
      );
      // Exclude the fixes of VS Code's AI assistants.
      const own = actions.filter(({ title }) => /^(Change|Select|Remove)/.test(title));
      return own.length > 0 && own;
    });
  }

  async function replace({ document }: vscode.NotebookCell, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
  }

  async function apply(actions: vscode.CodeAction[], title: string): Promise<void> {
    const action = actions.find((one) => one.title === title);
    assert.ok(action?.edit, actions.map((one) => one.title).join());
    await vscode.workspace.applyEdit(action.edit);
  }

  it("mark a model that the server lacks, and offer the closest one and a list", async () => {
    const cell = await open('{ "model": "home_rentls_model", "rows": "tiny.jsonl" }');
    const [problem] = await marks(cell, '"home_rentls_model"');
    assert.ok(problem);
    assert.equal(problem.message, "Problems has no model mindsdb.home_rentls_model.");
    const actions = await fixes(cell, problem);
    assert.equal(actions.at(-1)?.title, "Select Model…");
    const { state } = await runCell(cell);
    assert.equal(state.kind === "failed" && state.action, `Change to "${model}"`);
    await apply(actions, `Change to "${model}"`);
    await marks(cell);
    assert.equal((await runCell(cell)).count, 1);
  });

  it("mark a model whose training failed, with the reason", async () => {
    const cell = await open('{ "model": "mindsdb.season_model", "rows": "tiny.jsonl" }');
    const [problem] = await marks(cell, '"mindsdb.season_model"');
    assert.ok(problem);
    assert.match(problem.message, /^The model's training failed: .*"season" not found/);
    assert.deepEqual(
      (await fixes(cell, problem)).map(({ title }) => title),
      ["Select Model…"],
    );
  });

  it("mark a project and a version that do not exist", async () => {
    const cell = await open('{ "model": "nowhere.home_rentals_model", "rows": "tiny.jsonl" }');
    const [project] = await marks(cell, '"nowhere.home_rentals_model"');
    assert.match(project?.message ?? "", /has no project nowhere/);
    assert.equal((await fixes(cell, project!))[0]?.title, `Change to "${model}"`);
    await replace(cell, `{ "model": "${model}.99", "rows": "tiny.jsonl" }`);
    const [version] = await marks(cell, `"${model}.99"`);
    assert.match(version?.message ?? "", /has no version 99 of this model/);
    await replace(cell, `{ "model": "${model}.1", "rows": "tiny.jsonl" }`);
    await marks(cell);
  });

  it("mark a missing file until it exists, and offer the closest one", async () => {
    const cell = await open(`{ "model": "${model}", "rows": "tinny.jsonl" }`);
    const [problem] = await marks(cell, '"tinny.jsonl"');
    assert.match(problem?.message ?? "", /There is no tinny\.jsonl in/);
    const actions = await fixes(cell, problem!);
    assert.deepEqual(
      actions.map(({ title }) => title),
      ['Change to "tiny.jsonl"', "Select File…"],
    );
    await apply(actions, 'Change to "tiny.jsonl"');
    await marks(cell);

    await replace(cell, `{ "model": "${model}", "rows": "later.csv" }`);
    await marks(cell, '"later.csv"');
    const later = path.join(folder, "later.csv");
    const toggle = () => {
      if (fs.existsSync(later)) fs.rmSync(later);
      else fs.writeFileSync(later, "a\n1\n");
    };
    // VS Code may miss a change in a folder that it has only begun to watch.
    await actUntil("the file to be seen", toggle, () => problemsOf(cell).length === 0, 20_000);
    await actUntil("its loss to be seen", toggle, () => problemsOf(cell).length === 1, 20_000);
    await marks(cell, '"later.csv"');
  });

  it("repair unknown properties and wrong values", async () => {
    const text = `{\n  "model": "${model}",\n  "rows": "tiny.jsonl",\n  "limt": "5",\n  "batchRows": 20000\n}`;
    const cell = await open(text);
    let problems = await marks(cell, '"limt"', "20000");
    const at = (text: string) =>
      problems.find(({ range }) => cell.document.getText(range) === text)!;
    await apply(await fixes(cell, at("20000")), "Change to 10000");
    problems = await marks(cell, '"limt"');
    await apply(await fixes(cell, at('"limt"')), 'Change to "limit"');
    problems = await marks(cell, '"5"');
    await apply(await fixes(cell, at('"5"')), "Change to 5");
    await marks(cell);
    assert.equal(
      cell.document.getText(),
      `{\n  "model": "${model}",\n  "rows": "tiny.jsonl",\n  "limit": 5,\n  "batchRows": 10000\n}`,
    );
    await replace(cell, `{ "model": "${model}", "other": [1], "rows": "tiny.jsonl" }`);
    problems = await marks(cell, '"other"');
    await apply(await fixes(cell, at('"other"')), 'Remove "other"');
    assert.equal(cell.document.getText(), `{ "model": "${model}", "rows": "tiny.jsonl" }`);
  });

  it("disappear with their cell, its language and the notebook", async () => {
    const invalid = '{ "model": "x.y", "rows": 1 }';
    const cell = await open(invalid);
    const { uri } = cell.document;
    await marks(cell, '"x.y"', "1");
    await vscode.languages.setTextDocumentLanguage(cell.document, sqlLanguage);
    await marks(cell, "{");
    await vscode.languages.setTextDocumentLanguage(cell.document, "json");
    await marks(cell, '"x.y"', "1");
    const edit = new vscode.WorkspaceEdit();
    edit.set(cell.notebook.uri, [vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(0, 1))]);
    await vscode.workspace.applyEdit(edit);
    await until("the deleted cell's marks to disappear", () => diagnosticsAt(uri).length === 0);

    const other = await open(invalid);
    await marks(other, '"x.y"', "1");
    const { uri: otherUri } = other.document;
    await closeAllEditors();
    await until("the closed cell's marks to disappear", () => diagnosticsAt(otherUri).length === 0);
  });

  function diagnosticsAt(uri: vscode.Uri): vscode.Diagnostic[] {
    return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "MindsDB");
  }

  it("mark nothing where the server cannot be asked, and nothing in a huge cell", async () => {
    const { connections } = await workbench();
    proxy.set({ reset: true });
    try {
      // This clears what is known about the server.
      await connections.change(connectionId, { name: "Problems" });
      const cell = await open('{ "model": "mindsdb.nothing", "rows": "none.json" }');
      await marks(cell, '"none.json"');
    } finally {
      proxy.set();
    }
    const huge = `{ "model": "a.b", "limt": "${"x".repeat(250_000)}" }`;
    const cell = await open(huge);
    const small = await open('{ "limt": 1 }');
    await until("a smaller cell to be marked", () => problemsOf(small).length === 3);
    assert.deepEqual(problemsOf(cell), []);
  });

  it("send one request for many keystrokes", async () => {
    // Other notebooks ask again when the connection is changed.
    await closeAllEditors();
    const { connections } = await workbench();
    await connections.change(connectionId, { name: "Problems" });
    const cell = await open('{ "model": "mindsdb.h", "rows": "tiny.jsonl" }');
    await marks(cell, '"mindsdb.h"');
    proxy.requests.length = 0;
    for (const name of ["ho", "hom", "home", "home_"]) {
      await replace(cell, `{ "model": "mindsdb.${name}", "rows": "tiny.jsonl" }`);
    }
    await marks(cell, '"mindsdb.home_"');
    // Lists are asked for again after half a minute.
    const asked = proxy.requests.map(({ path }) => path).filter((path) => path.includes("models"));
    assert.deepEqual(asked, [...new Set(asked)]);
  });

  it("ask for the models of few projects, however many a recipe names", async () => {
    const names = Array.from({ length: 300 }, (_, at) => `"p${String(at)}.model"`);
    proxy.requests.length = 0;
    const cell = await open(`{ "models": [${names.join(", ")}], "rows": "tiny.jsonl" }`);
    await until("the list to be marked", () => problemsOf(cell).length > 1);
    const asked = proxy.requests.filter(({ path }) => /\/projects\/p\d+\//.test(path));
    assert.ok(asked.length > 0 && asked.length <= 10, String(asked.length));
  });

  it("find the cells of a notebook with thousands of them in time that grows with their number", async () => {
    const { findCell } = await import("../../src/predict/host/cellText.ts");
    const cells = Array.from(
      { length: 3_000 },
      () => new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "", sqlLanguage),
    );
    const data = new vscode.NotebookData(cells);
    const notebook = await vscode.workspace.openNotebookDocument(notebooks.type, data);
    const timeOf = (find: typeof findCell): number =>
      millisecondsOf(() => {
        for (const cell of notebook.getCells()) assert.equal(find(cell.document), cell);
      });
    const found = timeOf(findCell);
    const scanned = timeOf((document) =>
      notebook.getCells().find((cell) => cell.document === document),
    );
    assert.ok(
      found < scanned / 4,
      `${String(found)} ms, ${String(scanned)} ms if all are read for each`,
    );
  });

  it("mark where the server will stop in a statement, and only once after a run", async () => {
    const cell = await open("SELECT *\nFROM files.home_rentals\nGROUP hoods BY", "sql");
    const [problem] = await marks(cell, "hoods");
    assert.equal(problem?.message, "Syntax error: unexpected hoods");
    assert.deepEqual(
      proxy.requests.filter(({ body }) => body.includes("hoods")),
      [],
    );
    const { state } = await runCell(cell);
    assert.ok(state.kind === "failed");
    assert.match(state.message, /^Syntax error, unknown input:\n>/);
    await marks(cell, "hoods");
    // Others read FORM as the name of a column.
    await replace(cell, "SELECT *\nFORM files.home_rentals");
    await marks(cell, "FORM");
    assert.ok((await runCell(cell)).state.kind === "failed");
    await marks(cell, "FORM");
    await replace(cell, "SELECT *\nFROM files.home_rentals LIMIT");
    await marks(cell, "LIMIT");
    await replace(cell, "SELECT *\nFROM files.home_rentals LIMIT 2");
    await marks(cell);
    assert.equal((await runCell(cell)).count, 2);
  });

  it("mark names in a statement that neither the server nor another cell has", async () => {
    const cell = await open("SELECT a FROM made JOIN files.made_by_run", "sql");
    await marks(cell, "made", "made_by_run");
    const edit = new vscode.WorkspaceEdit();
    const { Code } = vscode.NotebookCellKind;
    edit.set(cell.notebook.uri, [
      vscode.NotebookEdit.insertCells(1, [
        new vscode.NotebookCellData(Code, "CREATE VIEW made AS (SELECT 1 AS a)", sqlLanguage),
        new vscode.NotebookCellData(
          Code,
          '{ "model": "mindsdb.home_rentals_model", "rows": "tiny.jsonl", "into": "files.made_by_run" }',
          "json",
        ),
      ]),
    ]);
    await vscode.workspace.applyEdit(edit);
    // Cells are checked again when they are edited.
    await replace(cell, "SELECT a, 1 FROM made JOIN files.made_by_run");
    await marks(cell);
  });

  it("come beside keys, models and files, which are offered and explained in cells", async () => {
    const cell = await open("{}");
    const offered = async (text: string) => {
      await replace(cell, text.replace("|", ""));
      const labels = await suggestedLabels(
        cell.document.uri,
        cell.document.positionAt(text.indexOf("|")),
      );
      return labels.sort();
    };
    const keys = ["batchRows", "into", "limit", "models", "params"];
    await eventually(async () =>
      assert.deepEqual(await offered('{ "model": "a.b", "rows": "r.csv", "|" }'), keys),
    );
    for (const [text, label] of [
      ['{ "model": "|" }', model],
      ['{ "rows": "|" }', "tiny.jsonl"],
    ] as const) {
      await until(`${label} to be offered`, async () => (await offered(text)).includes(label));
    }
    await replace(cell, `{ "model": "${model}", "rows": "tiny.jsonl" }`);
    for (const [text, says] of [
      ['"rows"', /a file \(\.json, \.jsonl, or \.csv\)/],
      [model, /Predicts rental_price/],
      ["tiny.jsonl", /tiny\.jsonl\s+\d+ (bytes|B|kB)/],
    ] as const) {
      const at = cell.document.positionAt(cell.document.getText().indexOf(text) + 2);
      await eventually(async () =>
        assert.match(
          (await hoverTexts(cell.document.uri, at)).join("\n").replaceAll("\\", ""),
          says,
        ),
      );
    }
  });

  it("are there once, whatever else checks JSON", async () => {
    const cell = await open('{ "model": "rentals of homes", "rows": "rows.txt", "limt": 3 }');
    await marks(cell, '"rentals of homes"', '"rows.txt"', '"limt"');
    assert.equal(vscode.languages.getDiagnostics(cell.document.uri).length, 3);
  });

  it("mark the place of an SQL error until the text is changed", async () => {
    // Only the sample server refuses this.
    const cell = await open("SELECT *\nFROM files.home_rentals ORDER BY sqft NULLS FIRST", "sql");
    const { state } = await runCell(cell);
    assert.ok(state.kind === "failed");
    const [problem] = await marks(cell, "NULLS");
    assert.equal(problem?.message, visibleLine(state.message));
    await replace(cell, "SELECT *\nFROM files.home_rentals LIMIT 2");
    await marks(cell);
  });

  it("are shown by a run like every other error", async () => {
    const { state, count } = await runCell(await open('{\n  "model": "a b",\n  "rows": 1\n}'));
    assert.ok(state.kind === "failed");
    assert.match(state.message, /^Line 2: A model is .* Line 3: Rows can be a file/);
    assert.equal(count, 0);
  });
});
