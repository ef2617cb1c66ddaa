// Notebooks of strangers that hold outputs of our type, beside HTML whose script clicks into what our renderer draws.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { notebooks, sqlLanguage } from "../../src/ids.ts";
import { OwnTexts } from "../../src/predict/host/ownTexts.ts";
import type { ResultHeader, ToHost } from "../../src/predict/messages.ts";
import { listen, type TestServer } from "../unit/mindsdb/httpServer.ts";
import { runCell, selectKernel } from "./notebook.ts";
import { useTestConnection } from "./useTestServer.ts";
import { closeAllEditors, copied, makeWorkspaceFolder, until, workbench } from "./workbench.ts";

const foreignType = "jupyter-notebook";
const view = {};

function forge(values: Partial<ResultHeader> = {}): ResultHeader {
  return {
    runId: "8c7b6a59-0000-4000-8000-000000000000",
    count: 1,
    refused: 0,
    notes: [],
    state: { kind: "failed", message: "Not all rows are shown." },
    columns: [{ name: "forged column", part: "input", kind: "text" }],
    first: [{ number: 1, values: ['"forged value"'] }],
    locale: "en",
    texts: { Run: "Show All Rows" },
    ...values,
  };
}

/** Everything that our renderer understands, about one run. */
function everyMessage(runId: string): ToHost[] {
  const instance = "forged";
  const range = { from: 0, to: 1 };
  return [
    { type: "hello", instance, runId },
    { type: "run", runId, anyway: true },
    { type: "window", runId, instance, request: 1, view, from: 0, count: 1_000 },
    { type: "copy", runId, view, format: "json", rows: range, columns: range },
    { type: "export", runId, view },
    { type: "whatIf", runId, view, row: 0 },
    ...(["compareRuns", "previewTable", "showSql", "resume", "runAction", "stop"] as const).map(
      (type) => ({ type, runId }),
    ),
  ];
}

describe("A notebook of a stranger", () => {
  let folder: string;
  const server = useTestConnection("Hostile");
  let listener: TestServer;
  /** What the hostile script has reported last. */
  let seen: { rounds: number; buttons: number; text: string };
  /** Of the test: the script of the one before may still report. */
  let number = 0;
  const executed: string[] = [];
  const subscriptions: vscode.Disposable[] = [];

  before(async () => {
    folder = makeWorkspaceFolder("hostile-");
    listener = await listen(({ path }, response) => {
      const { pathname, searchParams } = new URL(path, "http://127.0.0.1");
      const report = pathname === `/${String(number)}` && searchParams.get("report");
      if (report) seen = JSON.parse(report) as typeof seen;
      response.end();
    });
  });

  beforeEach(() => {
    number++;
    seen = { rounds: 0, buttons: 0, text: "" };
    executed.length = 0;
  });

  afterEach(closeAllEditors);

  after(async () => {
    for (const subscription of subscriptions) subscription.dispose();
    await listener.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** A script that opens shadow roots, clicks every button in them, and reports what it sees. */
  function hostileHtml(): string {
    const address = `${listener.address.origin}/${String(number)}`;
    return `<p>hostile</p><script>(() => {
      const roots = new Set();
      const attach = Element.prototype.attachShadow;
      Element.prototype.attachShadow = function (options) {
        const root = attach.call(this, { ...options, mode: "open" });
        roots.add(root);
        return root;
      };
      let rounds = 0;
      setInterval(() => {
        for (const node of document.querySelectorAll("*")) if (node.shadowRoot) roots.add(node.shadowRoot);
        let buttons = 0, text = "";
        for (const root of roots) {
          if (!root.querySelector(".result")) continue;
          text += root.querySelector(".result").textContent;
          for (const button of root.querySelectorAll(".result-bar:not([hidden]) button")) {
            if (!button.hidden) buttons++;
            button.click();
            for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "contextmenu"])
              button.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, composed: true }));
            button.focus();
            for (const type of ["keydown", "keypress", "keyup"]) for (const key of ["Enter", " "])
              button.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true, composed: true }));
            for (const type of ["input", "change", "submit", "copy", "focusin"])
              button.dispatchEvent(new Event(type, { bubbles: true, cancelable: true, composed: true }));
          }
        }
        const report = JSON.stringify({ rounds: text ? ++rounds : 0, buttons, text: text.slice(0, 500) });
        new Image().src = ${JSON.stringify(address)} + "?report=" + encodeURIComponent(report);
      }, 50);
    })();</script>`;
  }

  /** Waits until the script has seen our output for a while, so that its clicks would have arrived. */
  async function letItClick(isDrawn: (shown: typeof seen) => boolean): Promise<typeof seen> {
    return until("the script to click", () => seen.rounds >= 30 && isDrawn(seen) && seen);
  }

  async function openForeign(name: string, outputs: object[]): Promise<vscode.NotebookEditor> {
    const metadata = { language_info: { name: "python" } };
    const cell = {
      cell_type: "code",
      execution_count: 1,
      metadata: {},
      outputs,
      source: ["evil()"],
    };
    const file = path.join(folder, name);
    const text = JSON.stringify({ cells: [cell], metadata, nbformat: 4, nbformat_minor: 5 });
    fs.writeFileSync(file, text);
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
    assert.equal(notebook.notebookType, foreignType);
    const editor = await vscode.window.showNotebookDocument(notebook);
    await selectForeignKernel(editor);
    return editor;
  }

  async function selectForeignKernel(editor: vscode.NotebookEditor): Promise<void> {
    const id = "hostile-kernel";
    if (subscriptions.length === 0) {
      const controller = vscode.notebooks.createNotebookController(id, foreignType, "Python");
      controller.executeHandler = (cells) => {
        executed.push(...cells.map(({ document }) => document.getText()));
      };
      subscriptions.push(controller);
    }
    await selectKernel(editor, id);
  }

  function display(data: object): object {
    return { output_type: "display_data", data, metadata: {} };
  }

  async function openOurs(name: string, statement: string): Promise<vscode.NotebookEditor> {
    const file = path.join(folder, name);
    fs.writeFileSync(file, `\`\`\`sql predict\n${statement}\n\`\`\`\n`);
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
    const editor = await vscode.window.showNotebookDocument(notebook);
    await selectKernel(editor, `${notebooks.type}.${server.id}`);
    return editor;
  }

  /** As pasting a cell with its outputs from another notebook. */
  async function insertCell(
    { notebook }: vscode.NotebookEditor,
    statement: string,
    items: vscode.NotebookCellOutputItem[],
  ): Promise<vscode.NotebookCell> {
    const data = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, statement, sqlLanguage);
    data.outputs = items.map((item) => new vscode.NotebookCellOutput([item]));
    const edit = new vscode.WorkspaceEdit();
    edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(notebook.cellCount, [data])]);
    await vscode.workspace.applyEdit(edit);
    return notebook.cellAt(notebook.cellCount - 1);
  }

  const html = () => vscode.NotebookCellOutputItem.text(hostileHtml(), "text/html");
  const forged = (values?: Partial<ResultHeader>) =>
    vscode.NotebookCellOutputItem.json(forge(values), notebooks.mime);

  it("of another type shows data without buttons, and runs nothing, whoever clicks", async () => {
    await openForeign("hostile.ipynb", [
      display({ "text/html": [hostileHtml()] }),
      display({ [notebooks.mime]: forge() }),
    ]);
    const { buttons } = await letItClick(({ text }) =>
      ["forged column", "forged value"].every((part) => text.includes(part)),
    );
    assert.deepEqual([executed, buttons], [[], 0]);
  });

  it("of another type gets nothing for the id of a run of ours", async () => {
    const ours = await openOurs("own.predict.md", "SELECT * FROM files.home_rentals LIMIT 3");
    const { runId } = await runCell(ours.notebook.cellAt(0));
    const order = ours.notebook.cellAt(0).executionSummary?.executionOrder;
    const foreign = await openForeign("borrowed.ipynb", [
      display({ "text/html": [hostileHtml()] }),
      display({ [notebooks.mime]: forge({ runId }) }),
    ]);
    const { buttons } = await letItClick(() => true);
    assert.deepEqual([executed, buttons], [[], 0]);
    await vscode.env.clipboard.writeText("untouched");
    await copied("untouched");
    const controller = await (await workbench()).predict.load();
    for (const message of everyMessage(runId)) await controller.handleMessage(message, foreign);
    await copied("untouched");
    assert.deepEqual(executed, []);
    assert.equal(ours.notebook.cellAt(0).executionSummary?.executionOrder, order);
  });

  it("of our type runs no cell whose output was forged", async () => {
    const editor = await openOurs("forged.predict.md", "SELECT 1");
    const cell = await insertCell(editor, "SELECT 'forged'", [html(), forged()]);
    const { buttons } = await letItClick(() => true);
    assert.equal(buttons, 0);
    const controller = await (await workbench()).predict.load();
    const { runId } = forge();
    for (const message of everyMessage(runId)) await controller.handleMessage(message, editor);
    assert.equal(cell.executionSummary?.executionOrder, undefined);
  });

  it("of our type runs no other cell than the one that made the result", async () => {
    const editor = await openOurs("other.predict.md", "SELECT * FROM nowhere.x");
    const own = editor.notebook.cellAt(0);
    const { runId } = await runCell(own);
    const cell = await insertCell(editor, "SELECT 'forged'", [forged({ runId })]);
    const order = own.executionSummary?.executionOrder ?? 0;
    const controller = await (await workbench()).predict.load();
    await controller.handleMessage({ type: "hello", instance: "i", runId }, editor);
    await controller.handleMessage({ type: "run", runId, anyway: false }, editor);
    await until("the own cell", () => {
      const { executionOrder = 0, success } = own.executionSummary ?? {};
      return executionOrder > order && success !== undefined;
    });
    // The result is gone now, and the forged output is the only one that claims it.
    await controller.handleMessage({ type: "run", runId, anyway: false }, editor);
    assert.equal(cell.executionSummary?.executionOrder, undefined);
  });

  it("of our type obeys no click of a script beside a true result", async () => {
    const editor = await openOurs("beside.predict.md", "SELECT * FROM nowhere.x");
    const { state } = await runCell(editor.notebook.cellAt(0));
    assert.equal(state.kind, "failed");
    const order = editor.notebook.cellAt(0).executionSummary?.executionOrder;
    await insertCell(editor, "SELECT 2", [html()]);
    // Its Run button is for the user.
    await letItClick(({ buttons }) => buttons > 0);
    assert.equal(editor.notebook.cellAt(0).executionSummary?.executionOrder, order);
  });

  it("is told nothing, and a flood of its messages reads nothing", async () => {
    const editor = await openOurs("flood.predict.md", "SELECT 1");
    const controller = await (await workbench()).predict.load();
    const flood = Array.from({ length: 2_000 }, () => everyMessage(forge().runId).slice(1)).flat();
    await Promise.all(flood.map((message) => controller.handleMessage(message, editor)));
    assert.equal(editor.notebook.cellAt(0).executionSummary?.executionOrder, undefined);
  });
});

describe("What the user wrote in a notebook", () => {
  after(closeAllEditors);

  it("is no statement of a file's cell in another language, which was made SQL and edited", async () => {
    const { Code, Markup } = vscode.NotebookCellKind;
    const own = new OwnTexts();
    own.noteFromFile([
      new vscode.NotebookCellData(Code, "DROP TABLE files.home_rentals", "python"),
      new vscode.NotebookCellData(Code, "SELECT 1; DELETE FROM files.a WHERE x = 1;", "plaintext"),
      new vscode.NotebookCellData(Markup, "UPDATE files.a SET b = 1", "markdown"),
      new vscode.NotebookCellData(Markup, "Notes; and more", "markdown"),
    ]);
    for (const [content, isOwn] of [
      ["DROP TABLE files.home_rentals", false],
      ["DELETE FROM files.a  WHERE x = 1", false],
      ["UPDATE files.a SET b = 1", false],
      ["DROP TABLE files.mine", true],
      ["SELECT Notes FROM files.mine", true],
    ] as const) {
      const document = await vscode.workspace.openTextDocument({ language: sqlLanguage, content });
      const editor = await vscode.window.showTextDocument(document);
      const end = document.positionAt(content.length);
      await editor.edit((edit) => edit.insert(end, " LIMIT 5"));
      assert.equal(own.isOwn(document), isOwn, content);
    }
    own.dispose();
  });
});
