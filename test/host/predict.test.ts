import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { commands, notebooks, sqlLanguage } from "../../src/ids.ts";
import { DescriptionCache } from "../../src/models/descriptionCache.ts";
import { createCellKeys } from "../../src/predict/notebook/cellKeys.ts";
import { openRowsFile, RecipeLanguageFeatures } from "../../src/predict/host/languageFeatures.ts";
import { KnownModels } from "../../src/predict/host/knownModels.ts";
import { KnownTables } from "../../src/predict/host/knownTables.ts";
import { checkTrust } from "../../src/predict/host/notebookConsent.ts";
import { CellController } from "../../src/predict/host/cellController.ts";
import type { ResultHeader, ToPage } from "../../src/predict/messages.ts";
import { startTestServer } from "../sampleServer/server.ts";
import { Log } from "../../src/shared/host/log.ts";
import { startFaultProxy } from "../proxy/faultProxy.ts";
import { runCell, selectKernel, shownResult } from "./notebook.ts";
import { hoverTexts } from "./providers.ts";
import {
  actUntil,
  closeAllEditors,
  copied,
  eventually,
  makeWorkspaceFolder,
  until,
  withoutTrust,
  workbench,
} from "./workbench.ts";

const model = "mindsdb.home_rentals_model";
const rows = Array.from({ length: 1_234 }, (_, index) => ({
  number_of_rooms: index % 4,
  number_of_bathrooms: 1 + (index % 2),
  sqft: 400 + index,
  location: ["great", "good", "poor"][index % 3],
  neighborhood: "downtown",
  days_on_market: index % 60,
}));

function recipe(value: object): string {
  return `\`\`\`json predict\n${JSON.stringify(value)}\n\`\`\`\n`;
}

function itemsOf({ items }: vscode.NotebookCellOutput): vscode.NotebookCellOutputItem[] {
  return items;
}

describe("The predict notebook", () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let connectionId: string;

  before(async () => {
    folder = makeWorkspaceFolder("predict-");
    fs.writeFileSync(
      path.join(folder, "rows.jsonl"),
      rows.map((row) => JSON.stringify(row)).join("\n"),
    );
    server = await startTestServer({ unguarded: true });
    const { connections } = await workbench();
    ({ id: connectionId } = await connections.save({ name: "Predict", address: server.url }));
  });

  after(async () => {
    await closeAllEditors();
    const { connections } = await workbench();
    await connections.remove(connectionId);
    await server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  async function show(name: string, text: string | Buffer): Promise<vscode.NotebookEditor> {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
    const editor = await vscode.window.showNotebookDocument(notebook);
    await until("the notebook to be active", () => vscode.window.activeNotebookEditor === editor);
    return editor;
  }

  async function open(name: string, text: string | Buffer): Promise<vscode.NotebookDocument> {
    return (await show(name, text)).notebook;
  }

  /** Runs a notebook's only code cell and returns its result when it has ended. */
  async function run(name: string, text: string): Promise<ResultHeader> {
    return (await runShown(name, text)).result;
  }

  async function runShown(
    name: string,
    text: string,
  ): Promise<{ editor: vscode.NotebookEditor; cell: vscode.NotebookCell; result: ResultHeader }> {
    const editor = await show(name, text);
    const cells = editor.notebook.getCells();
    const [cell] = cells.filter(({ kind }) => kind === vscode.NotebookCellKind.Code);
    assert.ok(cell);
    return { editor, cell, result: await runCell(cell) };
  }

  /** What another window has; `posted` gets its messages. */
  function createCells(
    servers: ConstructorParameters<typeof CellController>[0]["servers"],
    results = path.join(folder, "results"),
    posted: ToPage[] = [],
  ): CellController {
    return new CellController({
      servers,
      extensionUri: vscode.Uri.file(folder),
      descriptions: new DescriptionCache(),
      folder: results,
      untitledScope: folder,
      log: new Log(),
      ownTexts: { isOwn: () => false },
      whatIf: () => Promise.resolve(),
      messaging: {
        onDidReceiveMessage: () => new vscode.Disposable(() => undefined),
        postMessage: (message: ToPage) => Promise.resolve(posted.push(message) > 0),
      },
    });
  }

  /** Runs a notebook with a kernel of its own, which is returned. */
  async function runWith(
    cells: CellController,
    id: string,
    editor: vscode.NotebookEditor,
  ): Promise<vscode.NotebookController> {
    const controller = vscode.notebooks.createNotebookController(id, notebooks.type, "Quick");
    let isRun = false;
    controller.executeHandler = (run) => {
      isRun = true;
      return cells.execute(run, controller, connectionId);
    };
    // The extension selects the connection's kernel in every notebook that becomes active.
    await selectKernel(editor, `${notebooks.type}.${connectionId}`);
    await actUntil(
      "the kernel to be used",
      async () => {
        await selectKernel(editor, id);
        await vscode.commands.executeCommand("notebook.execute", editor.notebook.uri);
      },
      () => isRun,
    );
    return controller;
  }

  it("saves an edit of one cell and leaves every other byte as it was", async () => {
    const text = `\ufeff# Notes\r\n\r\n\r\n${recipe({ model, rows: "rows.jsonl" })}\rend  \r\n\n~~~sql predict\nselect 1\n~~~`;
    const notebook = await open("edit.predict.md", text);
    const sql = notebook.getCells().find(({ document }) => document.languageId === sqlLanguage);
    assert.ok(sql);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(sql.document.uri, sql.document.lineAt(0).range.end, "2");
    await vscode.workspace.applyEdit(edit);
    await notebook.save();
    const saved = fs.readFileSync(notebook.uri.fsPath, "utf8");
    assert.equal(saved, text.replace("select 1", "select 12"));
  });

  /** Saves like Ctrl+S, which also writes an unchanged document. */
  async function saveAnyway({ uri }: vscode.NotebookDocument): Promise<void> {
    const { fsPath } = uri;
    fs.utimesSync(fsPath, 1, 1);
    await until("the file's new time", () => fs.statSync(fsPath).mtimeMs === 1_000);
    await actUntil(
      "the file to be written",
      () => vscode.commands.executeCommand("workbench.action.files.save"),
      () => fs.statSync(fsPath).mtimeMs > 1_000,
    );
  }

  it("saves every byte of a text that was not edited", async () => {
    const cell = recipe({ model, rows: "rows.jsonl" });
    const texts = [
      `# Notes\r\n\r\n${cell.replaceAll("\n", "\r\n")}`,
      `\ufeff${cell}end without a line's end`,
      "````json predict\n```\n{}\n```\n````\n\n\n\n~~~sql predict\nselect 1\n~~~\n\n ",
      "one\rtwo\r\nthree\n\n\n```js\nnever closed\n",
      Buffer.from([0x23, 0x20, 0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a]),
      `\ufeff\ufeff${cell}\ufeff${cell}\ufeffend\n`,
      `1. \`\`\`sh\n   ls\n   \`\`\`\n\n${cell.replace("json", "JSON")}`,
    ];
    for (const [index, text] of texts.entries()) {
      const notebook = await open(`bytes${index}.predict.md`, text);
      await saveAnyway(notebook);
      const expected = Buffer.from(text);
      await eventually(() =>
        assert.deepEqual(fs.readFileSync(notebook.uri.fsPath), expected, `text ${index}`),
      );
    }
  });

  it("sends a file's rows in batches and shows the first of them in order", async () => {
    const result = await run("run.predict.md", recipe({ model, rows: "rows.jsonl" }));
    assert.deepEqual(result.state, { kind: "done" });
    assert.equal(result.count, rows.length);
    assert.equal(result.refused, 0);
    const sqft = result.columns.findIndex(({ name }) => name === "sqft");
    const shown = result.first.map(({ values }) => values[sqft]);
    assert.deepEqual(
      shown,
      rows.slice(0, 20).map((row) => String(row.sqft)),
    );
  });

  it("ends a run whose rows hold very long texts, and puts little of them into its output", async () => {
    const location = "x".repeat(2_000_000);
    const long = Array.from({ length: 10 }, () => JSON.stringify({ ...rows[0], location }));
    fs.writeFileSync(path.join(folder, "long.jsonl"), long.join("\n"));
    const text = recipe({ model, rows: "long.jsonl" });
    const { cell, result } = await runShown("long.predict.md", text);
    assert.deepEqual([result.state.kind, result.count], ["done", 10]);
    await eventually(() => {
      const sizes = cell.outputs.flatMap(itemsOf).map(({ data }) => data.length);
      assert.ok(sizes.length === 2 && Math.max(...sizes) < 500_000, String(sizes));
    });
  });

  it("keeps a result on disk until the cell runs again, and sorts and searches it there", async () => {
    const { predict } = await workbench();
    const kept = (runId: string): string[] =>
      fs
        .globSync(`**/${runId}`, { cwd: predict.folder })
        .map((folder) => path.join(predict.folder, folder));
    const text = recipe({ model, rows: "rows.jsonl" });
    const { editor, cell, result } = await runShown("kept.predict.md", text);
    await until("the stored result", () =>
      kept(result.runId).some((folder) => fs.readdirSync(folder).length > 0),
    );

    const sqft = result.columns.findIndex(({ name }) => name === "sqft");
    const runs = await predict.load();
    const { runId } = result;
    // What has not asked for the result copies nothing, and its renderer may not have asked yet.
    await runs.handleMessage({ type: "hello", instance: "i", runId }, editor);
    const copy = async (view: object, expected: string): Promise<void> => {
      const columns = { from: sqft, to: sqft + 1 };
      const rows = { from: 0, to: 3 };
      await runs.handleMessage({ type: "copy", runId, view, format: "tsv", rows, columns }, editor);
      await copied(expected);
    };
    await copy({ sort: { column: sqft, descending: true } }, "sqft\n1633\n1632\n1631");
    await copy({ find: "1500" }, "sqft\n1500");

    // The previous run is removed for the next one.
    await runCell(cell);
    await until("the run to be deleted", () => kept(result.runId).length === 0);
  });

  it("marks a stopped cell neither as done nor as failed", async () => {
    const proxy = await startFaultProxy({ target: server.url });
    const { connections } = await workbench();
    await connections.save({ id: connectionId, name: "Predict", address: proxy.url });
    try {
      // After three batches the server says nothing more, so the run does not end by itself.
      const on = /\/predict$/;
      proxy.set({ on, times: 3 }, { on, silent: true });
      const text = recipe({ model, rows: "rows.jsonl", batchRows: 1 });
      const cell = (await open("stopped.predict.md", text)).cellAt(0);
      const cells = { ranges: [{ start: 0, end: 1 }], document: cell.notebook.uri };
      const execution = vscode.commands.executeCommand("notebook.cell.execute", cells);
      await until("the result", () => (shownResult(cell)?.count ?? 0) > 0);
      await actUntil(
        "the end",
        () => vscode.commands.executeCommand("notebook.cell.cancelExecution", cells),
        () => cell.executionSummary?.timing?.endTime !== undefined,
      );
      await execution;
      assert.equal(cell.executionSummary?.success, undefined);
    } finally {
      await connections.save({ id: connectionId, name: "Predict", address: server.url });
      await proxy.stop();
    }
  });

  it("gives another window a stored result, only for the notebook it belongs to, and none that is damaged", async () => {
    const text = recipe({ model, rows: "rows.jsonl", limit: 30 });
    const { editor: own, result } = await runShown("stored.predict.md", text);
    // Not for the same notebook under a new name.
    const sql = "\n```sql predict\nSELECT 1\n```\n";
    const other = await show("other.predict.md", `${text}${sql}`);
    const posted: ToPage[] = [];
    const { connections, predict } = await workbench();
    const secondWindow = () => createCells(connections, predict.folder, posted);
    const runs = secondWindow();
    const { document } = own.notebook.cellAt(0);
    const [cell] = createCellKeys([{ language: document.languageId, text: document.getText() }]);
    const ask = async (editor: vscode.NotebookEditor, by = runs) => {
      posted.length = 0;
      await by.handleMessage({ type: "stored", instance: "i", cell }, editor);
      const answer = posted.find(({ type }) => type === "stored");
      assert.ok(answer?.type === "stored");
      return answer.header;
    };
    const header = await until("the stored result", () => ask(own));
    assert.equal(header.runId, result.runId);
    assert.deepEqual([header.count, header.state], [30, { kind: "done" }]);
    assert.deepEqual(header.first, result.first);
    assert.match(header.origin ?? "", /^From .*, model version 2$/);
    assert.deepEqual(header.changes, []);
    assert.equal(await ask(other), undefined);
    // A path is not accepted as a result's name either.
    const runId = `../results/${result.runId}`;
    await runs.handleMessage({ type: "hello", instance: "i", runId }, own);
    assert.equal(posted.at(-1)?.type, "gone");
    runs.dispose();

    const data = path.join(predict.folder, result.runId, "data");
    fs.truncateSync(data, fs.statSync(data).size - 1);
    const later = secondWindow();
    assert.equal(await ask(own, later), undefined);
    later.dispose();
  });

  it("runs anyway, also if requested before the execution has ended", async () => {
    const editor = await show("anyway.predict.md", recipe({ model, rows: [{ sqft: 500 }] }));
    const began = new Set<string>();
    // A page whose user is faster than VS Code: it sees the output before the execution has ended.
    const outputs = vscode.workspace.onDidChangeNotebookDocument(({ cellChanges, notebook }) => {
      if (notebook !== editor.notebook) return;
      for (const item of cellChanges.flatMap(({ outputs }) => outputs ?? []).flatMap(itemsOf)) {
        if (item.mime !== notebooks.mime) continue;
        const { runId, state } = JSON.parse(new TextDecoder().decode(item.data)) as ResultHeader;
        const isFirst = began.size === 0;
        began.add(runId);
        if (isFirst && state.kind === "blocked") {
          void runs
            .handleMessage({ type: "hello", instance: "i", runId }, editor)
            .then(() => runs.handleMessage({ type: "run", runId, anyway: true }, editor));
        }
      }
    });
    const { connections } = await workbench();
    const runs = createCells(connections);
    const controller = await runWith(runs, "runs-anyway", editor);
    try {
      await until("another run", () => began.size === 2);
    } finally {
      outputs.dispose();
      runs.dispose();
      controller.dispose();
    }
  });

  it("shows an unexpected error in the cell, and ends its execution", async () => {
    const { connections } = await workbench();
    const servers = Object.create(connections) as typeof connections;
    servers.find = () => {
      throw new TypeError("a defect");
    };
    const runs = createCells(servers);
    const editor = await show("defect.predict.md", recipe({ model, rows: [{ sqft: 500 }] }));
    const controller = await runWith(runs, "defect", editor);
    try {
      await eventually(() => {
        const { executionSummary, outputs } = editor.notebook.cellAt(0);
        assert.equal(executionSummary?.success, false);
        const texts = outputs.flatMap(itemsOf).map(({ data }) => new TextDecoder().decode(data));
        assert.equal(texts.length, 1);
        assert.match(texts[0]!, /An unexpected error occurred\./);
      });
    } finally {
      runs.dispose();
      controller.dispose();
    }
  });

  it("sends no row of a file in another encoding, and offers to choose it", async () => {
    const header = Object.keys(rows[0] ?? {}).join(",");
    const lines = [header, "1,1,800,great,downtown,3", "2,1,900,größe,downtown,3", ""].join("\n");
    fs.writeFileSync(path.join(folder, "latin1.csv"), Buffer.from(lines, "latin1"));
    const { count, state } = await run("latin1.predict.md", recipe({ model, rows: "latin1.csv" }));
    assert.equal(count, 0);
    assert.match(JSON.stringify(state), /latin1\.csv, line 3: .*"Reopen with Encoding…"/);
  });

  it("runs no cell after one that fails", async () => {
    const cells = ["SELECT * FROM nowhere.y", "SELECT * FROM files.home_rentals LIMIT 7"];
    const text = cells.map((sql) => `\`\`\`sql predict\n${sql}\n\`\`\`\n`).join("\n");
    const notebook = await open("stops.predict.md", text);
    await vscode.commands.executeCommand("notebook.execute", notebook.uri);
    const [first, second] = notebook.getCells();
    assert.ok(first && second);
    await until("the failure", () => first.executionSummary?.success === false);
    assert.equal(second.executionSummary?.success, undefined);
    assert.deepEqual(second.outputs, []);
  });

  it("shows in the cell that a read-only connection has sent no change, in place of the result before", async () => {
    const { connections } = await workbench();
    const notebook = await open("guarded.predict.md", "```sql predict\nSELECT 1\n```\n");
    const cell = notebook.cellAt(0);
    assert.equal((await runCell(cell)).state.kind, "done");
    await connections.change(connectionId, { protection: "readOnly" });
    try {
      const edit = new vscode.WorkspaceEdit();
      const whole = new vscode.Range(0, 0, 1, 0);
      edit.replace(cell.document.uri, whole, "DROP TABLE files.home_rentals");
      await vscode.workspace.applyEdit(edit);
      assert.deepEqual((await runCell(cell)).state, {
        kind: "failed",
        message: "This connection is read-only. Nothing was sent.",
        action: "Set Protection…",
      });
    } finally {
      await connections.change(connectionId, { protection: "none" });
    }
  });

  it("shows a statement as failed if its server cannot be started", async () => {
    const { connections } = await workbench();
    const provenServer = () => Promise.resolve(undefined);
    const start = () => Promise.reject(new Error("It is stopped."));
    connections.setStarter(connectionId, { start, provenServer });
    try {
      const statement = "SELECT * FROM mindsdb.home_rentals_model";
      const { state } = await run(
        "unstarted.predict.md",
        `\`\`\`sql predict\n${statement}\n\`\`\`\n`,
      );
      assert.equal(state.kind, "failed");
    } finally {
      connections.setStarter(connectionId, { start: () => Promise.resolve(), provenServer });
    }
  });

  /** The hover text over the only cell's rows. */
  async function hoverOverRows(notebook: vscode.NotebookDocument): Promise<string> {
    const { document } = notebook.cellAt(0);
    const position = document.positionAt(document.getText().indexOf('"rows"') + 12);
    return (await hoverTexts(document.uri, position)).join("\n");
  }

  it("looks for no file on another machine because a notebook names it", async () => {
    // On this machine, this would be the path of an existing file.
    fs.writeFileSync(path.join(folder, "here.json"), "[]");
    const file = `/${path.join(folder, "here.json")}`;
    const notebook = await open("network.predict.md", recipe({ model, rows: file }));
    await eventually(async () =>
      assert.match(await hoverOverRows(notebook), /is on another machine/),
    );
    await assert.rejects(openRowsFile(notebook.cellAt(0)), /is on another machine/);
  });

  it("runs nothing and looks for no file in a workspace that is not trusted", async () => {
    const notebook = await open("untrusted.predict.md", recipe({ model, rows: "rows.jsonl" }));
    await eventually(async () => assert.match(await hoverOverRows(notebook), /rows\.jsonl/));
    const { connections } = await workbench();
    const asked: string[] = [];
    const servers = Object.create(connections) as typeof connections;
    servers.client = (id) => {
      asked.push(id);
      return connections.client(id);
    };
    const isTrusted = () => vscode.workspace.isTrusted;
    const models = new KnownModels(servers, isTrusted);
    const tables = new KnownTables(servers, isTrusted);
    const assistant = new RecipeLanguageFeatures(models, tables);
    const { document } = notebook.cellAt(0);
    const inModel = document.positionAt(document.getText().indexOf('"mindsdb') + 3);
    const inRows = document.positionAt(document.getText().indexOf('"rows"') + 12);
    await withoutTrust(async () => {
      assert.equal(await assistant.hover(document, inRows, connectionId), undefined);
      assert.deepEqual(await assistant.complete(document, inRows, connectionId), []);
      await assert.rejects(openRowsFile(notebook.cellAt(0)), /trusted/);
      assert.equal(checkTrust(), false);
      assert.deepEqual(await assistant.complete(document, inModel, connectionId), []);
      await assistant.hover(document, inModel, connectionId);
      await models.checkModel(connectionId, { project: "mindsdb", name: "m", version: undefined });
      await models.findJoin(connectionId, "SELECT * FROM a.b AS t JOIN mindsdb.m AS p");
      await tables.list(connectionId, "files.");
      await tables.columns(connectionId, ["files", "home_rentals"]);
      assert.equal(await tables.checkTable(connectionId, ["files", "home_rentals"]), "unclear");
      assert.deepEqual(asked, []);
    });
    await vscode.commands.executeCommand("notifications.clearAll");
    await eventually(async () =>
      assert.notDeepEqual(await assistant.complete(document, inModel, connectionId), []),
    );
    assert.notDeepEqual(asked, []);
  });

  it("begins with SQL, without a model, and gets more cells of it below the selected one", async () => {
    await vscode.commands.executeCommand(commands.predictNewSql);
    const editor = await until("the notebook", () => {
      const active = vscode.window.activeNotebookEditor;
      return active?.notebook.uri.path === "sql.predict.md" && active;
    });
    const { notebook } = editor;
    const languages = () => notebook.getCells().map(({ document }) => document.languageId);
    assert.deepEqual(languages(), [sqlLanguage]);
    await vscode.commands.executeCommand(commands.predictAddSqlCell);
    assert.deepEqual(languages(), [sqlLanguage, sqlLanguage]);
    await until("the new cell", () => editor.selection.start === 1);
  });

  it("makes an untitled notebook for a model, with an example row, and no markup by its name", async () => {
    const made: vscode.NotebookDocument[] = [];
    const newFor = async (name: string): Promise<string[]> => {
      const ref = { kind: "model", connectionId, project: "mindsdb", name };
      await vscode.commands.executeCommand("mindsdbWorkbench.model.predict", ref);
      const notebook = await until("the notebook", () => {
        const active = vscode.window.activeNotebookEditor?.notebook;
        return active?.isUntitled === true && !made.includes(active) && active;
      });
      made.push(notebook);
      assert.ok(notebook.uri.path.endsWith(notebooks.ending));
      return notebook.getCells().map(({ document }) => document.getText());
    };
    const [, text = ""] = await newFor("home_rentals_model");
    assert.match(text, /"mindsdb\.home_rentals_model"/);
    assert.match(text, /"sqft"/);
    const [hostile = ""] = await newFor("![x](https://hostile.invalid)");
    assert.ok(hostile.startsWith("# \\!\\[x\\]("), hostile);
  });
});
