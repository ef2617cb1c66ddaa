// SQL files: their language, and that their statements run only where and how the user has chosen.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { commands, notebooks, panels, sqlLanguage } from "../../src/ids.ts";
import { mask } from "../../src/mindsdb/redact/secretNames.ts";
import type { ToPage } from "../../src/predict/messages.ts";
import { createViewFromSql } from "../../src/predict/host/createViewFromSql.ts";
import type { SqlFileFeatures } from "../../src/predict/host/sqlFileFeatures.ts";
import { codeLenses, hoverTexts, quickFixes, suggestedLabels, suggestions } from "./providers.ts";
import { startSqlServer, type SqlServer } from "./sqlServer.ts";
import {
  closeAllEditors,
  eventually,
  inputBoxes,
  until,
  makeWorkspaceFolder,
  noteIn,
  withoutTrust,
  withWindow,
  workbench,
} from "./workbench.ts";

const noColumn = `[postgres/shop]: Failed to execute - Type: postgres\n\nError:\n    column "nosuch" does not exist\nLINE 1: SELECT nosuch\n               ^`;

/** Values that MindsDB's SQL can't express. */
const odd = [["back\\"], ["'"]];

describe("SQL files", () => {
  let folder: string;
  let server: SqlServer;
  let connectionId: string;
  let files: SqlFileFeatures;
  let sent: SqlServer["sent"];
  let isErrorEchoed = false;
  /** Statements whose answers wait. */
  let held: Promise<void> | undefined;
  /** The tables of a data source that only one test names, so that nothing has read them before. */
  let lateTables: Promise<unknown> | undefined;

  before(async () => {
    folder = makeWorkspaceFolder("sql-");
    server = await startSqlServer({ query, list });
    ({ sent } = server);
    const { connections, sqlFiles } = await workbench();
    ({ id: connectionId } = await connections.save({ name: "SQL", address: server.url }));
    files = await sqlFiles.load();
  });

  const tables = [{ name: "orders", type: "table", class: "table" }];

  async function query(sql: string): Promise<unknown> {
    await held;
    if (sql.includes("nosuch")) {
      return { type: "error", error_code: 0, error_message: isErrorEchoed ? sql : noColumn };
    }
    if (!/^select/i.test(sql)) return { type: "ok" };
    const data = sql.includes("refused") ? odd : [[1], [2]];
    return { type: "table", column_names: ["one"], data };
  }

  async function list(path: string): Promise<unknown> {
    if (path === "/api/databases/") {
      return [
        { name: "sales", type: "project" },
        { name: "shop", type: "data", engine: "postgres" },
        { name: "archive", type: "data", engine: "postgres" },
      ];
    }
    if (path.startsWith("/api/tree/shop")) return tables;
    if (path.startsWith("/api/tree/archive")) return lateTables;
    if (path === "/api/handlers/") {
      const connection_args = { warehouse: { type: "str" } };
      return [{ name: "snowflake", type: "data", connection_args, import: { success: true } }];
    }
    return path.startsWith("/api/tree/sales") ? [{ name: "rent", type: "model" }] : undefined;
  }

  beforeEach(() => {
    sent.length = 0;
    server.columnReads.length = 0;
  });

  afterEach(async () => {
    const { connections } = await workbench();
    await connections.change(connectionId, { protection: "none" });
    await closeAllEditors();
  });

  after(async () => {
    const { connections } = await workbench();
    await connections.remove(connectionId);
    await server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a file that is to run on the connection. */
  async function open(name: string, text: string): Promise<vscode.TextEditor> {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    const uri = vscode.Uri.file(file);
    await files.places.set(uri, { connectionId });
    return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  }

  /** The editor that shows a document, or the next one of which this is true. */
  const shownEditor = (shown: vscode.TextDocument | ((document: vscode.TextDocument) => boolean)) =>
    until("the file's editor", () => {
      const active = vscode.window.activeTextEditor;
      if (!active) return false;
      const isShown =
        typeof shown === "function" ? shown(active.document) : active.document === shown;
      return isShown && active;
    });

  async function select({ document }: vscode.TextEditor, place: string): Promise<void> {
    const at = document.positionAt(document.getText().indexOf(place));
    (await shownEditor(document)).selection = new vscode.Selection(at, at);
  }

  const run = (command: string, ...given: unknown[]) =>
    vscode.commands.executeCommand(command, ...given);
  const shown = () => files.results.state.current.shown;

  /** Waits until the newest result is that of this statement and has ended like this. */
  const ended = (statement: string, kind: string) =>
    until(`${statement}: ${kind}`, () => {
      const result = shown();
      return result?.statement === statement && result.state.kind === kind && result;
    });

  /** Runs a listed statement again, and returns the statements of the list, which is VS Code's own. */
  async function runFromHistory(index: number, window: object = {}): Promise<string[]> {
    const texts: string[] = [];
    const createQuickPick = () => {
      let chooses: ((event: { item: unknown }) => void) | undefined;
      let hides: (() => void) | undefined;
      const list = {
        items: [] as { entry: { text: string } }[],
        onDidAccept: () => undefined,
        onDidTriggerItemButton: (listener: typeof chooses) => (chooses = listener),
        onDidTriggerButton: () => undefined,
        onDidHide: (listener: typeof hides) => (hides = listener),
        show: () => {
          texts.push(...list.items.map(({ entry }) => entry.text));
          const item = list.items[index];
          if (item) chooses?.({ item });
          else hides?.();
        },
        dispose: () => undefined,
      };
      return list;
    };
    await withWindow({ createQuickPick, ...window }, async () => {
      await run(commands.sqlShowHistory);
    });
    return texts;
  }

  const boxes: [title: string, value: string, isSecret: boolean][] = [];
  const typeInto = (values: string[]) => inputBoxes(values, boxes);

  it("have a language of their own by their name, and other .sql files where the user says so", async () => {
    const own = await open("a.mindsdb.sql", "SELECT 1");
    assert.equal(own.document.languageId, sqlLanguage);
    const file = path.join(folder, "b.sql");
    fs.writeFileSync(file, "SELECT 1");
    const uri = vscode.Uri.file(file);
    const find = () =>
      vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    const language = () => find()?.languageId;
    // A document that the extension host has opened by itself would stay open.
    const show = () =>
      until("the file", async () => {
        await run("vscode.open", uri);
        return vscode.window.activeTextEditor?.document === find() && find();
      });
    await show();
    assert.equal(language(), "sql");
    await run(commands.sqlUseLanguage);
    await until("the language", () => language() === sqlLanguage);
    await run("workbench.action.closeAllEditors");
    await until("the file to be closed", () => language() === undefined);
    await show();
    await until("the language again", () => language() === sqlLanguage);
    // The user's next choice is kept.
    const document = find();
    assert.ok(document);
    await vscode.languages.setTextDocumentLanguage(document, "sql");
    await until("the other language", () => language() === "sql");
    await until(
      "the choice to be kept",
      () => !files.languages.remembered.includes(uri.toString()),
    );
    assert.deepEqual(sent, []);
  });

  it("run the statement at the caret, the selection, or all until one fails", async () => {
    const text = "SELECT 1;\n\nSELECT 2;\nUSE sales;\nSELECT nosuch;\nSELECT 4;\n";
    const editor = await open("run.mindsdb.sql", text);
    await select(editor, "LECT 2");
    await run(commands.sqlRunStatement);
    assert.deepEqual(sent, [["SELECT 2", undefined]]);
    const { columns, count, place } = await ended("SELECT 2", "done");
    assert.deepEqual([columns.map(({ name }) => name), count], [["one"], 2]);
    assert.equal(place, "run.mindsdb.sql · SQL");

    sent.length = 0;
    await select(editor, "\nSELECT 2");
    const said: string[] = [];
    await withWindow({ showWarningMessage: noteIn(said) }, async () => {
      await run(commands.sqlRunStatement);
    });
    assert.deepEqual([sent, said], [[], ["Place the cursor in a statement."]]);

    await run(commands.sqlRunFile);
    assert.deepEqual(sent, [
      ["SELECT 1", undefined],
      ["SELECT 2", undefined],
      ["USE sales", undefined],
      ["SELECT nosuch", "sales"],
    ]);
    await ended("SELECT nosuch", "failed");
    const [problem, ...others] = await until("the error's place", () => {
      const found = vscode.languages.getDiagnostics(editor.document.uri);
      return found.length > 0 && found;
    });
    assert.deepEqual(others, []);
    assert.equal(editor.document.getText(problem!.range), "nosuch");
    assert.equal(files.places.find(editor.document.uri)?.database, "sales");
  });

  it("fill the form of a new view with the SELECT at the cursor, or the selected one", async () => {
    const views: unknown[] = [];
    const create = (cell?: vscode.NotebookCell) =>
      createViewFromSql(
        cell,
        () => Promise.resolve({ connectionId, database: "sales" }),
        (view) => views.push(view),
      );
    const editor = await open(
      "views.mindsdb.sql",
      "SELECT 1;\n-- two\nSELECT 2 AS two;\nDROP VIEW v;",
    );
    await select(editor, "2 AS");
    await create();
    assert.deepEqual(views, [{ connectionId, database: "sales", query: "SELECT 2 AS two" }]);
    await select(editor, "DROP");
    await create();
    assert.equal(views.length, 1, "a view is a SELECT");
    await select(editor, "2 AS");
    await run(commands.sqlCreateView);
    await until("the form, at the file's connection", () =>
      vscode.window.tabGroups.activeTabGroup.activeTab?.label.endsWith("Create View"),
    );
    await closeAllEditors();
    const data = new vscode.NotebookCellData(
      vscode.NotebookCellKind.Code,
      "SELECT 3;",
      sqlLanguage,
    );
    const notebook = await vscode.workspace.openNotebookDocument(
      notebooks.type,
      new vscode.NotebookData([data]),
    );
    await vscode.window.showNotebookDocument(notebook);
    await create(notebook.cellAt(0));
    await create();
    assert.deepEqual(
      views.slice(1).map((view) => (view as { query: string }).query),
      ["SELECT 3", "SELECT 3"],
    );
  });

  it("keep their connection and project when they are saved, and leave none to the next untitled file", async () => {
    await run(commands.sqlNewFile, { connectionId, project: "sales" });
    const editor = await shownEditor(({ isUntitled }) => isUntitled);
    const untitled = editor.document.uri;
    await until("its text", async () => {
      const text = "SELECT  1;  ";
      if (editor.document.getText() === text) return true;
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
      return false;
    });
    let saved: vscode.Uri | undefined;
    void vscode.workspace.saveAs(untitled).then((uri) => (saved = uri));
    const uri = await until("the file", async () => {
      if (!saved) await run("workbench.action.acceptSelectedQuickOpenItem");
      return saved;
    });
    try {
      assert.match(uri.toString(), /^file:.*\.mindsdb\.sql$/);
      await until("the place", () => files.places.find(uri)?.database === "sales");
      await until("the untitled file's place to go", () => !files.places.find(untitled));
      assert.equal(files.places.find(uri)?.connection.id, connectionId);
    } finally {
      fs.rmSync(uri.fsPath, { force: true });
    }
  });

  it("keep their connection and project when another program renames them or their folder", async () => {
    const uri = vscode.Uri.file(path.join(folder, "moved", "before.mindsdb.sql"));
    const [renamed, copied] = ["after", "copied"].map((name) =>
      vscode.Uri.file(path.join(folder, "moved2", `${name}.mindsdb.sql`)),
    ) as [vscode.Uri, vscode.Uri];
    fs.mkdirSync(path.dirname(uri.fsPath));
    fs.writeFileSync(uri.fsPath, "SELECT 1");
    await files.places.set(uri, { connectionId, database: "sales" });
    fs.renameSync(path.dirname(uri.fsPath), path.dirname(renamed.fsPath));
    fs.renameSync(path.join(path.dirname(renamed.fsPath), "before.mindsdb.sql"), renamed.fsPath);
    fs.copyFileSync(renamed.fsPath, copied.fsPath);
    await vscode.workspace.openTextDocument(copied);
    await vscode.workspace.openTextDocument(renamed);
    await until("the place", () => files.places.find(renamed)?.database === "sales");
    assert.equal(files.places.find(copied), undefined);
    assert.equal(files.places.find(uri), undefined);
  });

  it("send no change on a read-only connection, without consent, or in an untrusted workspace", async () => {
    const editor = await open("guards.mindsdb.sql", "DROP TABLE shop.t;\nSELECT 1");
    const asked: string[] = [];
    const showWarningMessage = noteIn(asked);
    await withWindow({ showWarningMessage }, async () => {
      await run(commands.sqlRunFile);
    });
    // Declined, so that the second statement does not run either.
    assert.equal(asked.length, 1, asked.join("\n"));
    assert.deepEqual(sent, []);

    const { connections } = await workbench();
    await connections.change(connectionId, { protection: "readOnly" });
    await select(editor, "DROP");
    await run(commands.sqlRunStatement);
    await ended("DROP TABLE shop.t", "failed");
    assert.deepEqual(sent, []);

    await withoutTrust(() =>
      withWindow({ showWarningMessage }, async () => {
        await run(commands.sqlRunFile);
      }),
    );
    assert.deepEqual(sent, []);
    assert.equal(asked.at(-1), "Statements do not run in an untrusted workspace.");
  });

  it("ask on a production connection for the name of the table that rows are deleted from", async () => {
    const { connections } = await workbench();
    await connections.change(connectionId, { isProduction: true });
    const prompts: unknown[] = [];
    try {
      await open("production.mindsdb.sql", "DELETE FROM shop.t WHERE id = 1");
      const createBox = typeInto(["shop.t"]);
      const createInputBox = () =>
        Object.defineProperty(createBox(), "prompt", { set: (text) => prompts.push(text) });
      await withWindow({ createInputBox }, async () => {
        await run(commands.sqlRunFile);
      });
    } finally {
      await connections.change(connectionId, { isProduction: false });
    }
    assert.equal(sent.length, 1);
    // Rows are deleted, not the table.
    assert.match(String(prompts), /Enter shop\.t to confirm\.$/);
  });

  it("show how the connections are protected among which one is chosen", async () => {
    const { connections } = await workbench();
    await open("protected.mindsdb.sql", "SELECT 1");
    await connections.change(connectionId, { protection: "readOnly", isProduction: true });
    const descriptions: string[] = [];
    try {
      const showQuickPick = async (items: Promise<vscode.QuickPickItem[]>) => {
        for (const one of await items) descriptions.push(`${one.label} ${one.description ?? ""}`);
        return undefined;
      };
      await withWindow({ showQuickPick }, async () => {
        await run(commands.sqlChooseConnection);
      });
    } finally {
      await connections.change(connectionId, { isProduction: false });
    }
    assert.match(
      descriptions.join("\n"),
      /^SQL http:\/\/127\.0\.0\.1:\d+ · Production · Read-Only$/m,
    );
  });

  it("keep a connection for a file that the system can't look at", async () => {
    const uri = vscode.Uri.file(path.join(folder, `${"long".repeat(100)}.mindsdb.sql`));
    await files.places.set(uri, { connectionId });
    assert.equal(files.places.find(uri)?.connection.id, connectionId);
  });

  it("say how many rows are in the clipboard once they are there, and nothing if they are refused", async () => {
    await open("copies.mindsdb.sql", "SELECT 'refused'");
    await run(commands.sqlRunStatement);
    const { runId } = await ended("SELECT 'refused'", "done");
    const warnings: string[] = [];
    const showWarningMessage = noteIn(warnings);
    const copy = (format: "csv" | "insert") => {
      const rows = { from: 0, to: 2 };
      const columns = { from: 0, to: 1 };
      const copied = { type: "copy", runId, view: {}, format, rows, columns } as const;
      return files.results.handlers.send(copied);
    };
    await withWindow({ showWarningMessage }, async () => {
      assert.equal(await copy("insert"), undefined);
      assert.equal(warnings.length, 1);
      assert.deepEqual(await copy("csv"), { type: "copied", runId, count: 2 });
      assert.equal(warnings.length, 1);
    });
  });

  it("run the statement of a lens only while the file still has it", async () => {
    const editor = await open("lens.mindsdb.sql", "SELECT 1;\nSELECT 2;\n");
    const { uri } = editor.document;
    const lenses = await until("the lenses", async () => {
      const found = await codeLenses(uri);
      return found.length === 5 && found;
    });
    const [, , , , second] = lenses.map(({ command }) => command);
    assert.deepEqual(
      lenses.slice(0, 3).map(({ command }) => command?.title),
      ["$(plug) SQL", "$(database) Default Project", "$(run-all) Run All"],
    );
    assert.ok(second?.arguments);
    await run(second.command, ...(second.arguments as unknown[]));
    assert.deepEqual(sent, [["SELECT 2", undefined]]);
    sent.length = 0;
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 8), "0"));
    const showWarningMessage = () => Promise.resolve(undefined);
    await withWindow({ showWarningMessage }, async () => {
      await run(second.command, ...(second.arguments as unknown[]));
    });
    assert.deepEqual(sent, []);
  });

  it("say on the first line why statements of a long file have no lens", async () => {
    const { document } = await open(
      "long.mindsdb.sql",
      `SELECT 1;\n${"SELECT 2;\n".repeat(20_001)}`,
    );
    const titles = await until("the lenses", async () => {
      const found = await codeLenses(document.uri);
      return found.length > 0 && found.map(({ command }) => command?.title);
    });
    assert.deepEqual(titles.slice(2), [
      "$(run-all) Run All",
      "Run is not shown above statements: the file has more than 200,000 characters",
    ]);
  });

  it("ask for the values of parameters, and remember them unless they are secrets", async () => {
    const text = "SELECT 1 FROM t WHERE a = :name; SELECT 2 FROM t WHERE b = :shop_pw OR c = :name";
    await open("parameters.mindsdb.sql", text);
    boxes.length = 0;
    await withWindow({ createInputBox: typeInto(["it's", "key"]) }, async () => {
      await run(commands.sqlRunFile);
    });
    assert.deepEqual(sent, [
      ["SELECT 1 FROM t WHERE a = 'it''s'", undefined],
      ["SELECT 2 FROM t WHERE b = 'key' OR c = 'it''s'", undefined],
    ]);
    const { place } = await ended(text.split("; ")[1]!, "done");
    assert.equal(place, "parameters.mindsdb.sql · SQL · :shop_pw = … · :name = it's");
    assert.ok(files.history.list()[0]?.text.includes("= :shop_pw OR"));
    await withWindow({ createInputBox: typeInto(["5"]) }, async () => {
      await run(commands.sqlRunFile);
    });
    assert.deepEqual(boxes, [
      ["Value of :name", "", false],
      ["Value of :shop_pw", "", true],
      ["Value of :name", "it's", false],
      ["Value of :shop_pw", "", true],
    ]);
    assert.equal(sent.at(-1)?.[0], "SELECT 2 FROM t WHERE b = '' OR c = 5");
  });

  it("show a parameter in the middle of the editor while they ask for its value", async () => {
    const empty = "\n".repeat(300);
    const editor = await open("far.mindsdb.sql", `${empty}SELECT 1 FROM t WHERE a = :name${empty}`);
    await withWindow({ createInputBox: typeInto(["1"]) }, async () => {
      await run(commands.sqlRunFile);
    });
    await until("the parameter", () =>
      editor.visibleRanges.some(({ start, end }) => start.line < 297 && end.line > 303),
    );
  });

  it("ask again for the same statement in another project, and show no typed secret", async () => {
    const insert = "INSERT INTO nosuch VALUES (:token)";
    const editor = await open("again.mindsdb.sql", `SELECT 1; ${insert}; USE other; ${insert}`);
    const asked: string[] = [];
    const showWarningMessage = (message: string, { detail }: vscode.MessageOptions) => {
      asked.push(detail ?? message);
      return Promise.resolve("Run");
    };
    isErrorEchoed = true;
    try {
      const window = { createInputBox: typeInto(["open-sesame"]), showWarningMessage };
      await withWindow(window, async () => {
        await run(commands.sqlRunFile);
      });
    } finally {
      isErrorEchoed = false;
    }
    const failed = await ended(insert, "failed");
    assert.equal(sent.at(-1)?.[0], "INSERT INTO nosuch VALUES ('open-sesame')");
    assert.match(JSON.stringify(failed.state), /INSERT INTO nosuch VALUES \('\*{6}'\)/);
    await select(editor, "USE");
    await withWindow({ showWarningMessage }, async () => {
      await run(commands.sqlRunStatement);
    });
    await until("USE", () => sent.at(-1)?.[0] === "USE other");
    const createInputBox = typeInto(["open-sesame"]);
    await withWindow({ createInputBox, showWarningMessage }, async () => {
      await run(commands.sqlRunFile);
    });
    assert.equal(asked.length, 2, asked.join("\n"));
    assert.match(asked.join(), /VALUES \('\*{6}'\)/);
    assert.doesNotMatch(asked.join(), /sesame/);
  });

  it("have results that open in an editor, and stay there when the view closes them", async () => {
    await open("editor.mindsdb.sql", "SELECT 'editor'");
    await run(commands.sqlRunFile);
    const { runId } = await ended("SELECT 'editor'", "done");
    const { results } = files;
    await results.handlers.openInEditor(runId);
    await results.handlers.openInEditor(runId);
    const [editor, ...others] = results.editors.contents;
    assert.ok(editor && others.length === 0);
    await until("the editor", () =>
      vscode.window.tabGroups.all.some(({ activeTab }) => activeTab?.label === "SELECT 'editor'"),
    );
    await results.handlers.close(runId);
    const rows = (await editor.handlers.send({
      type: "window",
      runId,
      instance: "editor",
      request: 1,
      view: {},
      from: 0,
      count: 10,
    })) as ToPage | undefined;
    assert.ok(rows?.type === "window");
    assert.deepEqual(
      rows.rows.map(({ values }) => values),
      [["1"], ["2"]],
    );
    assert.equal(editor.state.current.shown?.count, 2);
    await closeAllEditors();
    await until("the editor to close", () => results.editors.contents.length === 0);
  });

  it("are asked about without the passwords in them", async () => {
    await open(
      "withPassword.mindsdb.sql",
      `CREATE DATABASE pay WITH ENGINE = 'postgres', PARAMETERS = {"password": "canary-18-Rz8"}`,
    );
    const details: string[] = [];
    const showWarningMessage = (_: string, { detail = "" }: vscode.MessageOptions) => {
      details.push(detail);
      return Promise.resolve(undefined);
    };
    await withWindow({ showWarningMessage }, async () => {
      await run(commands.sqlRunFile);
    });
    assert.equal(details.length, 1);
    assert.match(details[0]!, /"password": "\*{6}"/);
    assert.doesNotMatch(details[0]!, /canary/);
  });

  it("leave no secret in the titles and addresses of editors, which VS Code stores", async () => {
    const statement = "SELECT 'api_key=canary-17-Qz7'";
    await open("titles.mindsdb.sql", statement);
    await run(commands.sqlRunFile);
    const { runId } = await ended(`SELECT 'api_key=${mask}'`, "done");
    await files.results.handlers.openInEditor(runId);
    const shownTitle = await until("the editor", () =>
      vscode.window.tabGroups.all
        .map(({ activeTab }) => activeTab?.label ?? "")
        .find((label) => label.startsWith("SELECT 'api_key=")),
    );
    assert.doesNotMatch(shownTitle, /canary/);
    await closeAllEditors();

    const columns = Array.from({ length: 600 }, (_, at) => `column_${String(at)}`).join(", ");
    const read: vscode.TextDocument[] = [];
    const long = `INSERT INTO shop.t (${columns}) VALUES ('api_key=canary-17-Qz7')`;
    await open("longInsert.mindsdb.sql", long);
    const showWarningMessage = (_: string, { modal = false }: vscode.MessageOptions) => {
      if (modal) return Promise.resolve("Show Statement");
      read.push(
        ...vscode.workspace.textDocuments.filter(({ fileName }) =>
          fileName.endsWith("statement.sql"),
        ),
      );
      return Promise.resolve(undefined);
    };
    await withWindow({ showWarningMessage }, async () => {
      await run(commands.sqlRunFile);
    });
    // VS Code keeps those of other tests for a while.
    const document = read.find((one) => one.getText().includes("canary-17-Qz7"));
    assert.equal(document?.languageId, sqlLanguage);
    assert.doesNotMatch(document.uri.toString(true), /canary/);
    assert.ok(!sent.some(([sql]) => sql === long));
  });

  it("have editors with results that come back, also without the result", async () => {
    await open("back.mindsdb.sql", "SELECT 'back'");
    await run(commands.sqlRunFile);
    const { runId } = await ended("SELECT 'back'", "done");
    const { results } = files;
    await results.handlers.openInEditor(runId);
    const saved = results.editors.contents[0]?.state.current.editor;
    assert.equal(saved?.statement, "SELECT 'back'");
    await closeAllEditors();
    await until("the editor to close", () => results.editors.contents.length === 0);
    /** As VS Code does after a reload. */
    const restore = async (state: unknown) => {
      const column = vscode.ViewColumn.One;
      const panel = vscode.window.createWebviewPanel(panels.sqlResult, "", column);
      await results.editors.restore(panel, state);
      return results.editors.contents.at(-1);
    };
    const back = await restore(saved);
    await until("the rows", () => back?.state.current.shown?.count === 2);
    await closeAllEditors();
    await until("the editor to close", () => results.editors.contents.length === 0);
    const gone = await restore({ ...saved, runId: "gone" });
    assert.deepEqual([gone?.title, gone?.state.current.isGone], ["SELECT 'back'", true]);
    sent.length = 0;
    await gone!.handlers.send({ type: "run", runId: "gone", anyway: false });
    await until("the statement", () => sent[0]?.[0] === "SELECT 'back'");
    await restore({ runId });
    assert.equal(results.editors.contents.length, 1);
  });

  it("stop the statement that runs and those after it", async () => {
    let release = (): void => undefined;
    held = new Promise((resolve) => (release = resolve));
    try {
      await open("stop.mindsdb.sql", "SELECT 1; SELECT 2");
      const running = run(commands.sqlRunFile);
      await until("the request", () => sent.length === 1);
      await ended("SELECT 1", "running");
      await run(commands.sqlStop);
      await running;
      await ended("SELECT 1", "stopped");
    } finally {
      held = undefined;
      release();
    }
    assert.deepEqual(
      sent.map(([sql]) => sql),
      ["SELECT 1"],
    );
  });

  it("run again at once after a canceled question, and never twice at a time", async () => {
    let release = (): void => undefined;
    const warnings: string[] = [];
    let again: Thenable<unknown> | undefined;
    const showWarningMessage = (text: string): Promise<string | undefined> => {
      warnings.push(text);
      // The next run comes before the first has seen the answer to its question.
      if (again) return Promise.resolve("Run");
      again = run(commands.sqlRunFile);
      return Promise.resolve(undefined);
    };
    await open("atOnce.mindsdb.sql", "DELETE FROM sales.t");
    await withWindow({ showWarningMessage }, async () => {
      await run(commands.sqlRunFile);
      await again;
      assert.deepEqual(warnings, [warnings[0], warnings[0]]);
      assert.equal(sent.length, 1);
      held = new Promise((resolve) => (release = resolve));
      try {
        const running = run(commands.sqlRunFile);
        await until("the request", () => sent.length === 2);
        await run(commands.sqlRunFile);
        assert.equal(warnings.at(-1), "Statements of this file are running. Stop them first.");
        release();
        await running;
      } finally {
        held = undefined;
        release();
      }
    });
    assert.equal(sent.length, 2);
  });

  it("suggest the server's engines, and the parameters that it declares for them", async () => {
    const suggested = async (name: string, text: string): Promise<string> => {
      const { document } = await open(name, text);
      return (await suggestions(document.uri, document.positionAt(text.length)))
        .filter(({ kind }) => kind !== vscode.CompletionItemKind.Keyword)
        .map(({ insertText }) => (typeof insertText === "string" ? insertText : ""))
        .join();
    };
    const statement = "CREATE DATABASE d WITH ENGINE = ";
    await until("the engines", async () => {
      return (await suggested("engine.mindsdb.sql", statement)) === "'snowflake'";
    });
    const parameters = await suggested(
      "engineParameters.mindsdb.sql",
      `${statement}'snowflake', PARAMETERS = {`,
    );
    assert.equal(parameters, '"warehouse": ');
  });

  it("suggest engines and names in the quotes that the editor closes", async () => {
    for (const [name, text, typed, expected] of [
      ["quoted", "CREATE DATABASE d ENGINE = ", "'", "CREATE DATABASE d ENGINE = 'snowflake'"],
      ["doubled", "CREATE DATABASE d ENGINE = ", '"', "CREATE DATABASE d ENGINE = 'snowflake'"],
      ["backtick", "SELECT 1 FROM shop.", "`", "SELECT 1 FROM shop.`orders`"],
    ] as const) {
      const editor = await open(`${name}Engine.mindsdb.sql`, text);
      const { document } = editor;
      await shownEditor(document);
      const end = document.positionAt(text.length);
      editor.selection = new vscode.Selection(end, end);
      await run("type", { text: typed });
      await until(name, async () => {
        await run("acceptSelectedSuggestion");
        return document.getText() === expected;
      });
    }
  });

  it("suggest names that the server tells late", async () => {
    let tell = (_: unknown): void => undefined;
    lateTables = new Promise((resolve) => (tell = resolve));
    try {
      const editor = await open("late.mindsdb.sql", "SELECT * FROM archive.ord");
      const end = editor.document.positionAt(25);
      editor.selection = new vscode.Selection(end, end);
      // It shows that there are none.
      await run("editor.action.triggerSuggest");
      // It returns before the suggestions are there.
      assert.ok(!(await suggestedLabels(editor.document.uri, end)).includes("orders"));
      tell(tables);
      await until("the suggestion", async () => {
        await run("acceptSelectedSuggestion");
        return editor.document.getText() === "SELECT * FROM archive.orders";
      });
    } finally {
      tell([]);
    }
  });

  it("are corrected by quick fixes", async () => {
    const text = 'SELECT 1;\nSELCT 2;\nSELECT "one" FROM shop.orders;\nSELECT 5--1\n';
    const { document } = await open("fixes.mindsdb.sql", text);
    const { uri } = document;
    const fix = async (line: number) => {
      const [found] = await until("the fixes", async () => {
        const ours = await quickFixes(uri, document.lineAt(line).range);
        return ours.length > 0 && ours;
      });
      assert.ok(found?.edit);
      await vscode.workspace.applyEdit(found.edit);
    };
    await until("the problems", () => vscode.languages.getDiagnostics(uri).length === 3);
    for (const line of [1, 2, 3]) await fix(line);
    assert.equal(
      document.getText(),
      "SELECT 1;\nSELECT 2;\nSELECT `one` FROM shop.orders;\nSELECT 5- -1\n",
    );
    await until("no problems", () => vscode.languages.getDiagnostics(uri).length === 0);
  });

  it("mark names that the server does not have, and correct them", async () => {
    const { document } = await open("names.mindsdb.sql", "SELECT 1 FROM shop.ordrs;\n");
    const { uri } = document;
    /** Waits for one warning, and takes its first fix. */
    const correct = async (message: string): Promise<void> => {
      const [problem] = await until(message, () => {
        const found = vscode.languages.getDiagnostics(uri);
        return found.length === 1 && found[0]?.message === message && found;
      });
      assert.equal(problem!.severity, vscode.DiagnosticSeverity.Warning);
      const [fix] = await quickFixes(uri, problem!.range);
      assert.ok(fix?.edit, "no fix");
      await vscode.workspace.applyEdit(fix.edit);
      await until("no problems", () => vscode.languages.getDiagnostics(uri).length === 0);
    };
    await correct("shop has no table ordrs.");
    // Opening a file reads no table; the statement that was edited then needs its columns.
    assert.equal(document.getText(), "SELECT 1 FROM shop.orders;\n");
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 7, 0, 8), "oen");
    await vscode.workspace.applyEdit(edit);
    await correct("orders has no column oen.");
    assert.equal(document.getText(), "SELECT one FROM shop.orders;\n");
    const added = new vscode.WorkspaceEdit();
    added.insert(uri, new vscode.Position(1, 0), "SELECT 1 FROM rent WHERE (`unit.price` = 1)");
    await vscode.workspace.applyEdit(added);
    await correct(
      "The server ignores this input because its name needs quotes in SQL: unit.price. A recipe cell passes it to the model.",
    );
    assert.equal(document.lineAt(1).text, "SELECT 1 FROM rent WHERE (unit.price = 1)");
    assert.deepEqual(sent, []);
    assert.deepEqual(server.columnReads, [
      "SELECT * FROM `shop`.`orders` LIMIT 20",
      "SHOW COLUMNS FROM `shop`.`orders`",
    ]);
  });

  it("mark the columns of a statement that has succeeded, though it was not edited", async () => {
    const statement = "SELECT oen FROM shop.orders";
    const { document } = await open("succeeded.mindsdb.sql", `SELECT 0;\n${statement};\n`);
    await run(commands.sqlRunFile);
    await ended(statement, "done");
    const [problem] = await until("a problem", () => {
      const found = vscode.languages.getDiagnostics(document.uri);
      return found.length > 0 && found;
    });
    assert.equal(problem!.message, "orders has no column oen.");
  });

  it("mark an unknown column once, though the server refuses it, too", async () => {
    const statement = "SELECT nosuch FROM shop.orders";
    const { document } = await open("once.mindsdb.sql", "SELECT 1 FROM shop.orders");
    const { uri } = document;
    const marked = () =>
      vscode.languages.getDiagnostics(uri).map(({ range, message }) => {
        return `${document.getText(range)}: ${message}`;
      });
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 7, 0, 8), "nosuch");
    await vscode.workspace.applyEdit(edit);
    const own = "nosuch: orders has no column nosuch.";
    await until("the warning", () => marked().join() === own);
    await run(commands.sqlRunStatement);
    await ended(statement, "failed");
    await until("one mark", () => marked().join() === own);
  });

  it("do not mark an unknown name while it is typed, before the cursor leaves it", async () => {
    const editor = await open("typed.mindsdb.sql", "SELECT 1 FROM nowhere.t;\nSELECT 1 FROM shop.");
    const { uri } = editor.document;
    const marked = () =>
      vscode.languages.getDiagnostics(uri).map(({ range }) => editor.document.getText(range));
    const end = new vscode.Position(1, 19);
    await until("the editor", () => vscode.window.activeTextEditor?.document.uri.path === uri.path);
    editor.selection = new vscode.Selection(end, end);
    await vscode.commands.executeCommand("type", { text: "ordrs" });
    await until("the check of the whole text", () => {
      return editor.document.getText().endsWith("shop.ordrs") && marked().join() === "nowhere";
    });
    await vscode.commands.executeCommand("cursorHome");
    await until("the name", () => marked().join() === "nowhere,ordrs");
  });

  it("ask for the connection alone, and for the default project when the user wants another", async () => {
    const { document } = await open("place.mindsdb.sql", "SELECT 1");
    const { connections } = await workbench();
    const other = await connections.save({ name: "Other", address: "http://127.0.0.1:9" });
    await files.places.set(document.uri, { connectionId, database: "shop" });
    const asked: string[] = [];
    const showQuickPick = (label: string) => async (items: Thenable<{ label: string }[]>) => {
      const found = await items;
      asked.push(found.map((one) => one.label).join());
      return found.find((one) => one.label === label);
    };
    const place = () => {
      const found = files.places.find(document.uri);
      return [found?.connection.name, found?.database];
    };
    try {
      await withWindow({ showQuickPick: showQuickPick("SQL") }, async () => {
        await run(commands.sqlChooseConnection);
      });
      assert.deepEqual(place(), ["SQL", "shop"]);
      await withWindow({ showQuickPick: showQuickPick("Other") }, async () => {
        await run(commands.sqlChooseConnection);
      });
      assert.deepEqual(place(), ["Other", undefined]);
      assert.equal(asked.length, 2);
      await files.places.set(document.uri, { connectionId });
      await withWindow({ showQuickPick: showQuickPick("sales") }, async () => {
        await run(commands.sqlChooseProject);
      });
      assert.deepEqual(place(), ["SQL", "sales"]);
    } finally {
      await connections.remove(other.id);
    }
  });

  it("are formatted as the editor indents", async () => {
    const text = "select 1,2 ;select  a from t;\nselct  3";
    const { document } = await open("format.mindsdb.sql", text);
    const { uri } = document;
    const editor = await shownEditor(document);
    editor.options = { insertSpaces: false };
    await run("editor.action.formatDocument");
    const expected = "select\n\t1,\n\t2;\nselect\n\ta\nfrom\n\tt;\nselct  3";
    await until("the new text", () => document.getText() === expected);
    const line = new vscode.Range(0, 0, 1, 0);
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await vscode.commands.executeCommand<vscode.TextEdit[]>(
      "vscode.executeFormatRangeProvider",
      uri,
      line,
      options,
    );
    const edit = new vscode.WorkspaceEdit();
    edit.set(uri, edits);
    await vscode.workspace.applyEdit(edit);
    assert.equal(document.getText(), "select\n  1,\n  2;\nselect\n\ta\nfrom\n\tt;\nselct  3");
  });

  it("explain names", async () => {
    const text = "WITH early AS (SELECT 1 AS n FROM shop.orders)\nSELECT n FROM early";
    const { document } = await open("names.mindsdb.sql", text);
    const { uri } = document;
    const at = (name: string) => document.positionAt(text.lastIndexOf(name) + 1);
    const hover = async (name: string) => (await hoverTexts(uri, at(name))).join("");
    await until("the data source", async () =>
      (await hover("shop")).startsWith("Data source shop"),
    );
    assert.match(await hover("n FROM"), /^Column n of early/);
    // Names that servers and files have are only in the arguments of the command.
    const table = await until("the table", async () => {
      const found = await hover("orders");
      return /^Table shop\\?\.orders/.test(found) && found;
    });
    assert.match(table, /\[Open Page\]\(command:mindsdbWorkbench\.table\.preview\?[\w%.-]+\)$/);
    // As when the whole file runs.
    const using = new vscode.WorkspaceEdit();
    using.insert(uri, new vscode.Position(0, 0), "USE shop; SELECT 1 FROM orders;\n");
    await vscode.workspace.applyEdit(using);
    const [ofTable = ""] = await hoverTexts(uri, new vscode.Position(0, 26));
    assert.match(ofTable, /^Table.*shop\\?\.orders/);
  });

  it("begin with the query of an item of the tree", async () => {
    const item = { connectionId, kind: "agent", project: "mindsdb", name: "helper" };
    await run(commands.sqlQueryItem, item);
    const { document } = await shownEditor((one) => one.getText().includes("question"));
    assert.equal(
      document.getText(),
      "SELECT *\nFROM mindsdb.helper\nWHERE question = 'question';\n",
    );
    assert.equal(files.places.find(document.uri)?.connection.id, connectionId);
    assert.deepEqual(sent, []);
  });

  it("list what was run, without secrets, and what failed, to be opened or run again", async () => {
    files.history.clear();
    await open(
      "kept.mindsdb.sql",
      "SELECT 'kept'; SELECT 'canary' AS password, 'api_key=sk-12345678901234567890abcd'; SELECT nosuch",
    );
    await run(commands.sqlRunFile);
    await until("the mark of the last one", () => files.history.list()[0]?.isFailed);
    const [failed, secret, kept, ...others] = files.history.list();
    assert.deepEqual([failed?.text, others], ["SELECT nosuch", []]);
    assert.ok(secret?.isRedacted);
    assert.ok(!/12345678901234567890|canary/.test(secret.text), secret.text);
    const { text, isRedacted, isFailed } = kept ?? {};
    assert.deepEqual([text, isRedacted, isFailed], ["SELECT 'kept'", undefined, undefined]);
    sent.length = 0;
    await runFromHistory(2);
    await eventually(() => assert.deepEqual(sent, [["SELECT 'kept'", undefined]]));
    await shownEditor((document) => document.getText() === "SELECT 'kept';\n");
  });

  it("ask anew for a statement of the history, by what its connection is now", async () => {
    const { connections } = await workbench();
    const asked: string[] = [];
    const showWarningMessage = noteIn(asked);
    let questions = 0;
    // The user leaves the box.
    const createInputBox = () => {
      let hide: (() => void) | undefined;
      return {
        ...{ title: "", value: "", password: false },
        onDidAccept: () => undefined,
        onDidChangeValue: () => undefined,
        onDidTriggerButton: () => undefined,
        onDidHide: (listener: typeof hide) => (hide = listener),
        show: () => {
          questions++;
          hide?.();
        },
        hide: () => undefined,
        dispose: () => undefined,
      };
    };
    const text = "DROP TABLE shop.history";
    files.history.clear();
    files.history.add({ at: 1, connectionId, text });
    await runFromHistory(0, { showWarningMessage });
    assert.equal(asked.length, 1, asked.join("\n"));
    await connections.change(connectionId, { protection: "readOnly" });
    await runFromHistory(0, { showWarningMessage });
    await ended(text, "failed");
    assert.equal(asked.length, 1, asked.join("\n"));
    await connections.change(connectionId, { protection: "none", isProduction: true });
    try {
      await runFromHistory(0, { showWarningMessage, createInputBox });
      assert.equal(questions, 1);
    } finally {
      await connections.change(connectionId, { isProduction: false });
    }
    assert.deepEqual(sent, []);
    // Another connection with the name of one that was removed is not meant.
    const removed = await connections.save({ name: "Twice", address: "http://127.0.0.1:9" });
    files.history.add({ at: 2, connectionId: removed.id, text: "DELETE FROM shop.twice" });
    await connections.remove(removed.id);
    const other = await connections.save({ name: "Twice", address: "http://127.0.0.1:9" });
    try {
      assert.deepEqual(await runFromHistory(-1), [text]);
    } finally {
      await connections.remove(other.id);
    }
  });
});
