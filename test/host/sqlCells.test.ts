// SQL cells of predict notebooks: they have the language of SQL files and what helps to write it, once, and run as cells.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { commands, notebooks, sqlLanguage } from "../../src/ids.ts";
import type { FaultProxy } from "../proxy/faultProxy.ts";
import { openOn, runCell, selectKernel } from "./notebook.ts";
import { useTestConnection } from "./useTestServer.ts";
import { startSqlServer } from "./sqlServer.ts";
import { codeLenses, hoverTexts, quickFixes, suggestedLabels } from "./providers.ts";
import {
  actUntil,
  closeAllEditors,
  makeWorkspaceFolder,
  until,
  withWindow,
  workbench,
} from "./workbench.ts";

const shopProjects = ["mindsdb", "shop"].map((name) => ({ name, type: "project" }));

describe("SQL cells", () => {
  const server = useTestConnection("Cells");
  let folder: string;
  let proxy: FaultProxy;
  let connectionId: string;
  let count = 0;

  before(async () => {
    folder = makeWorkspaceFolder("cells-");
    ({ proxy, id: connectionId } = server);
    const { sqlFiles } = await workbench();
    // What SQL files have is registered with the first one.
    await sqlFiles.load();
  });

  afterEach(() => closeAllEditors());

  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  /** Opens a notebook with this text on the connection. */
  async function openNotebook(text: string): Promise<vscode.NotebookEditor> {
    const file = path.join(folder, `cells${++count}.predict.md`);
    fs.writeFileSync(file, text);
    return openOn(connectionId, file);
  }

  async function open(sql: string): Promise<vscode.NotebookCell> {
    const { notebook } = await openNotebook(`\`\`\`sql predict\n${sql}\n\`\`\`\n`);
    return notebook.cellAt(0);
  }

  const ask = <T>(command: string, ...given: unknown[]): Thenable<T> =>
    vscode.commands.executeCommand<T>(command, ...given);

  /** The cursor is put after the last character of a text. */
  async function enter({ document, notebook }: vscode.NotebookCell, text: string): Promise<void> {
    const at = document.positionAt(document.getText().lastIndexOf(text) + text.length);
    const editor = await actUntil(
      "the cell's editor",
      () => vscode.window.showNotebookDocument(notebook).then(() => ask("notebook.cell.edit")),
      () => {
        const active = vscode.window.activeTextEditor;
        return active?.document === document && active;
      },
    );
    editor.selection = new vscode.Selection(at, at);
  }

  it("have the language of SQL files, whichever of its names the notebook has, and are saved as they were", async () => {
    const text = [
      "# SQL\n",
      "```sql predict\r\nSELECT 1\r\n```",
      "~~~~SQL  predict \nSELECT 2\n~~~~\n",
      `\`\`\`${sqlLanguage} predict\nSELECT 3\n\`\`\`\n`,
      "```json predict\n{}\n```",
    ].join("\n");
    const { notebook } = await openNotebook(text);
    const languages = () => notebook.getCells().map(({ document }) => document.languageId);
    assert.deepEqual(languages(), ["markdown", sqlLanguage, sqlLanguage, sqlLanguage, "json"]);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(notebook.cellAt(4).document.uri, new vscode.Position(0, 1), " ");
    edit.set(notebook.uri, [
      vscode.NotebookEdit.insertCells(5, [
        new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "SELECT 4", sqlLanguage),
      ]),
    ]);
    await vscode.workspace.applyEdit(edit);
    await notebook.save();
    assert.equal(
      fs.readFileSync(notebook.uri.fsPath, "utf8"),
      `${text.replace("{}", "{ }")}\n\n\`\`\`sql predict\nSELECT 4\n\`\`\`\n`,
    );
  });

  it("get this language where another extension or the user says SQL", async () => {
    const { notebook } = await openNotebook("```json predict\nSELECT 1\n```\n");
    const { document } = notebook.cellAt(0);
    await vscode.languages.setTextDocumentLanguage(document, "sql");
    await until("the language", () => notebook.cellAt(0).document.languageId === sqlLanguage);
    const edit = new vscode.WorkspaceEdit();
    edit.set(notebook.uri, [
      vscode.NotebookEdit.insertCells(1, [
        new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "SELECT 2 AS two", "sql"),
      ]),
    ]);
    await vscode.workspace.applyEdit(edit);
    await until("the new cell's", () => notebook.cellAt(1).document.languageId === sqlLanguage);
    assert.equal((await runCell(notebook.cellAt(1))).count, 1);
    await notebook.save();
    assert.equal(
      fs.readFileSync(notebook.uri.fsPath, "utf8"),
      "```sql predict\nSELECT 1\n```\n\n```sql predict\nSELECT 2 AS two\n```\n",
    );
  });

  it("have no lenses and no outline of their own: the notebook runs and lists them", async () => {
    const { document } = await open("SELECT 1");
    const file = await vscode.workspace.openTextDocument({
      language: sqlLanguage,
      content: "SELECT 1",
    });
    await vscode.window.showTextDocument(file);
    const provided = async (
      of: vscode.TextDocument,
    ): Promise<[lenses: number, symbols: number]> => {
      const lenses = await codeLenses(of.uri);
      const symbols = await ask<vscode.DocumentSymbol[] | undefined>(
        "vscode.executeDocumentSymbolProvider",
        of.uri,
      );
      return [lenses.length, symbols?.length ?? 0];
    };
    assert.deepEqual(await provided(file), [3, 1]);
    assert.deepEqual(await provided(document), [0, 0]);
    await ask("workbench.action.revertAndCloseActiveEditor");
  });

  it("do not run as files do", async () => {
    const cell = await open("SELECT 1 AS once");
    await enter(cell, "once");
    const { uri } = cell.document;
    proxy.requests.length = 0;
    await ask(commands.sqlRunStatement);
    await ask(commands.sqlRunFile);
    await ask(commands.sqlRunStatement, uri.toString(), 0, "SELECT 1 AS once");
    assert.equal((await runCell(cell)).count, 1);
    const runs = proxy.requests.filter(({ body }) => body.includes("AS once"));
    assert.equal(runs.length, 1);
    const { sqlFiles } = await workbench();
    const { places, results } = await sqlFiles.load();
    assert.equal(places.find(uri), undefined);
    assert.notEqual(results.state.current.shown?.statement, "SELECT 1 AS once");
  });

  it("are completed, explained, checked, corrected, formatted and folded once", async () => {
    const sql = "WITH early AS (\n  SELECT 1 AS n\n)\nSELCT n FROM early";
    const { document } = await open(sql);
    const { uri } = document;
    const problems = () =>
      vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "MindsDB");
    const [problem, ...others] = await until("the problem", () => {
      const found = problems();
      return found.length > 0 && found;
    });
    assert.deepEqual([document.getText(problem!.range), others], ["SELCT", []]);
    const [fix, ...more] = await quickFixes(uri, problem!.range);
    assert.ok(fix?.edit);
    assert.deepEqual(more, []);
    await vscode.workspace.applyEdit(fix.edit);
    await until("no problem", () => problems().length === 0);

    const at = (name: string) => document.positionAt(document.getText().lastIndexOf(name) + 1);
    assert.equal((await hoverTexts(uri, at("early"))).length, 1);
    const definitions = await ask<unknown[]>("vscode.executeDefinitionProvider", uri, at("early"));
    assert.equal(definitions.length, 1);
    const labels = await suggestedLabels(uri, new vscode.Position(document.lineCount - 1, 7));
    assert.ok(labels.includes("DISTINCT"), labels.join());
    assert.equal(new Set(labels).size, labels.length);

    const folds = await ask<vscode.FoldingRange[]>("vscode.executeFoldingRangeProvider", uri);
    assert.deepEqual(
      folds.map(({ start, end }) => [start, end]),
      [[0, 3]],
    );
    const edits = await ask<vscode.TextEdit[]>("vscode.executeFormatDocumentProvider", uri, {
      tabSize: 2,
      insertSpaces: true,
    });
    const layout = new vscode.WorkspaceEdit();
    layout.set(uri, edits);
    await vscode.workspace.applyEdit(layout);
    assert.match(document.getText(), /\nSELECT\n {2}n\nFROM\n {2}early$/);
  });

  it("go to the page of what a name refers to", async () => {
    const cell = await open("SELECT * FROM files.home_rentals");
    await enter(cell, "home_");
    await actUntil(
      "the table's page",
      () => ask(commands.sqlGoToDefinition),
      () =>
        vscode.window.tabGroups.all
          .flatMap(({ tabs }) => tabs)
          .some(
            ({ label, input }) =>
              input instanceof vscode.TabInputWebview && label.includes("home_rentals"),
          ),
    );
  });

  /** Starts a server whose results and lists are up to the test, as a connection. */
  async function startShop(answers: Parameters<typeof startSqlServer>[0]) {
    const shop = await startSqlServer(answers);
    const { connections } = await workbench();
    const { id } = await connections.save({ name: "Shop", address: shop.url });
    const stop = async (): Promise<void> => {
      await connections.remove(id);
      await shop.stop();
    };
    return { sent: shop.sent, kernel: `${notebooks.type}.${id}`, stop };
  }

  it("run in the project that was asked about, whichever another cell chooses meanwhile", async () => {
    let release: (() => void) | undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    let isAsked = false;
    const shop = await startShop({
      query: (sql) =>
        sql.startsWith("USE")
          ? { type: "ok" }
          : { type: "table", column_names: ["a"], data: [[1]] },
      list: async (path) => {
        if (path === "/api/databases/") return shopProjects;
        if (path === "/api/projects/mindsdb/agents" && !isAsked) {
          isAsked = true;
          await isReleased;
        }
        return path === "/api/projects/shop/agents" ? [{ name: "seller" }] : undefined;
      },
    });
    try {
      const cells = ["SELECT * FROM seller", "USE shop"];
      const editor = await openNotebook(
        cells.map((sql) => `\`\`\`sql predict\n${sql}\n\`\`\`\n`).join("\n"),
      );
      await selectKernel(editor, shop.kernel);
      const { notebook } = editor;
      const asked = runCell(notebook.cellAt(0));
      await until("the question whether it is an agent", () => isAsked);
      await runCell(notebook.cellAt(1));
      release?.();
      await asked;
      const selects = shop.sent.filter(([sql]) => sql.startsWith("SELECT"));
      assert.deepEqual(selects, [["SELECT * FROM seller", undefined]]);
    } finally {
      release?.();
      await shop.stop();
    }
  });

  it("of an untitled notebook leave nothing to the next one of its name", async () => {
    const asked: string[] = [];
    const showWarningMessage = (message: string, ...given: unknown[]) => {
      asked.push(message);
      return Promise.resolve(given.find((button) => button === "Run"));
    };
    const shop = await startShop({
      query: () => ({ type: "ok" }),
      list: (path) => (path === "/api/databases/" ? shopProjects : undefined),
    });
    const statements = ["DROP VIEW sold", "USE shop"];
    const runBoth = async (): Promise<string> => {
      const cells = statements.map(
        (sql) => new vscode.NotebookCellData(vscode.NotebookCellKind.Code, sql, sqlLanguage),
      );
      const data = new vscode.NotebookData(cells);
      const notebook = await vscode.workspace.openNotebookDocument(notebooks.type, data);
      const editor = await vscode.window.showNotebookDocument(notebook);
      await selectKernel(editor, shop.kernel);
      for (const cell of notebook.getCells()) await runCell(cell);
      await ask("workbench.action.revertAndCloseActiveEditor");
      await until("the notebook to close", () => notebook.isClosed);
      return notebook.uri.toString();
    };
    try {
      await withWindow({ showWarningMessage }, async () => {
        assert.equal(await runBoth(), await runBoth());
      });
      const changes = shop.sent.filter(([sql]) => sql.startsWith("DROP"));
      assert.deepEqual([asked.length, changes], [2, Array(2).fill(["DROP VIEW sold", undefined])]);
    } finally {
      await shop.stop();
    }
  });
});
