// Uploading a file as a table: what the user is asked before anything is sent.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import type { Client } from "../../src/mindsdb/http/client.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../src/mindsdb/http/transport.ts";
import type { TableRef } from "../../src/mindsdb/references.ts";
import { runSql } from "../../src/mindsdb/sql/runSql.ts";
import type { PlannedChange, ServerAccess } from "../../src/shared/connection.ts";
import { TablePage } from "../../src/tables/host/tablePage.ts";
import { uploadTable, type UploadPlace } from "../../src/tables/host/uploadTable.ts";
import { clientOver } from "../clientOver.ts";
import { engineFailure, startFaultProxy } from "../proxy/faultProxy.ts";
import { postingWith } from "./askingServers.ts";
import { useAskingServer } from "./useTestServer.ts";
import {
  closeAllEditors,
  copied,
  inputBoxes,
  noteIn,
  tabs,
  until,
  useSampleServer,
  withWindow,
  workbench,
} from "./workbench.ts";

describe("Uploading a table", () => {
  let folder: string;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "upload-"));
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** What is asked before this file is sent. It is not: the user cancels. */
  async function askedFor(name: string, content: string | Buffer): Promise<PlannedChange> {
    const file = path.join(folder, name);
    fs.writeFileSync(file, content);
    const asked: PlannedChange[] = [];
    const servers = {
      client: () => Promise.resolve({ get: () => Promise.resolve([]) }),
      allowWrite: (_: string, change: PlannedChange) => {
        asked.push(change);
        return Promise.resolve(false);
      },
    } as unknown as ServerAccess;
    await withWindow({ createInputBox: inputBoxes([]) }, () =>
      uploadTable(
        { servers, reveal: () => Promise.reject(new Error("uploaded")) },
        { connectionId: "c", uri: vscode.Uri.file(file) },
      ),
    );
    assert.equal(asked.length, 1);
    return asked[0]!;
  }

  it("says what MindsDB would change, on every connection, and nothing of ordinary files or of JSON", async () => {
    for (const [name, content, warning] of [
      ["homes.csv", "zip\n01067\n99\n", /^MindsDB reads 01067 in the column zip as 1067\./],
      ["a.TSV", "load\tx\ninf\t1\n1.5\t2\n", /^MindsDB reads inf in the column load as null\./],
      ["prices.csv", "item,price\nLamp,19.90\nChair,5.00\n", /^$/],
      ["texts.json", '[{"zip":"01067","ok":"TRUE"}]', /^$/],
    ] as const) {
      const { what, detail, isAlwaysAsked } = await askedFor(name, content);
      assert.equal(what, `Upload ${name} as the table ${path.parse(name).name}`);
      assert.match(String(detail), warning, name);
      assert.equal(isAlwaysAsked, String(detail) !== "", name);
    }
  });
});

describe("A table that is uploaded to a server", () => {
  const server = useAskingServer();
  const { asked } = server;
  let client: Client;
  let file: string;
  const shown: TableRef[] = [];
  const connection = { id: "local", name: "Local", address: "http://127.0.0.1" };

  before(() => {
    ({ client } = server);
    file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "upload-")), "Homes 2024.csv");
    fs.writeFileSync(file, "item,price\nLamp,20\nChair,5\n");
  });
  after(() => fs.rmSync(path.dirname(file), { recursive: true }));
  beforeEach(() => void (shown.length = 0));
  afterEach(async () => {
    await runSql(client, "DROP TABLE files.homes").catch(() => undefined);
    await closeAllEditors();
  });

  const given = (): UploadPlace => ({ connectionId: "local", uri: vscode.Uri.file(file) });
  const upload = async (names: string[], place?: UploadPlace, window = {}): Promise<void> => {
    const servers = { ...server.servers, list: () => [connection] };
    const reveal = (table: TableRef) => Promise.resolve(void shown.push(table));
    await withWindow({ createInputBox: inputBoxes(names), ...window }, () =>
      uploadTable({ servers: servers as unknown as ServerAccess, reveal }, place),
    );
  };
  const stored = async () =>
    (await runSql(client, "SELECT * FROM files.homes").catch(() => undefined))?.rows;

  it("has the rows of the file and the typed name, and is shown and previewed", async () => {
    await upload([" homes "], given());
    assert.deepEqual(await stored(), [
      ["Lamp", 20],
      ["Chair", 5],
    ]);
    assert.deepEqual(shown, [{ connectionId: "local", project: "files", name: "homes" }]);
    await until("the preview", () => tabs().some(({ label }) => label === "homes"));
    assert.deepEqual(
      asked.map(({ what, deletes }) => [what, deletes]),
      [["Upload Homes 2024.csv as the table homes", undefined]],
    );
  });

  it("is not sent without consent", async () => {
    server.answer = false;
    await upload(["homes"], given());
    assert.equal(await stored(), undefined);
    assert.deepEqual(shown, []);
  });

  it("replaces one only after a question that names what is deleted", async () => {
    const old = path.join(path.dirname(file), "homes.csv");
    fs.writeFileSync(old, "old\n1\n");
    await upload([], { connectionId: "local", uri: vscode.Uri.file(old) });
    assert.deepEqual(await stored(), [[1]]);
    asked.length = 0;
    server.answer = false;
    await upload(["homes"], given());
    assert.deepEqual(await stored(), [[1]]);
    assert.deepEqual([asked[0]?.deletes, asked[0]?.button], ["homes", "Replace"]);
    assert.match(String(asked[0]?.detail), /^The rows of the old table are lost\./);
    server.answer = true;
    await upload(["homes"], given());
    assert.equal((await stored())?.length, 2);
  });

  it("names the table with the new rows if the server deletes the old one and takes no other", async () => {
    await upload(["homes"], given());
    const proxy = await startFaultProxy({ target: server.url });
    const through = createTransport(parseAddress(proxy.url));
    server.over = clientOver(through);
    proxy.set({ on: /^PUT .*\/homes$/, answer: engineFailure });
    const warnings: string[] = [];
    try {
      const showWarningMessage = noteIn(warnings);
      await assert.rejects(upload(["homes"], given(), { showWarningMessage }), /out of memory/);
    } finally {
      await through.close();
      await proxy.stop();
    }
    const copy = /^The old table homes was deleted, .* in the table (homes_new_\w+)\.$/;
    const [, name = ""] = copy.exec(warnings.join()) ?? [];
    assert.equal((await runSql(client, `SELECT * FROM files.${name}`)).rows.length, 2);
    await runSql(client, `DROP TABLE files.${name}`);
  });

  it("keeps a name that SQL would misread from being sent", async () => {
    await upload(["homes; DROP", "Homes", "homes"], given());
    assert.equal(asked[0]?.what, "Upload Homes 2024.csv as the table homes");
  });

  it("is a file that the user picks, on the only connection", async () => {
    const showOpenDialog = () => Promise.resolve([vscode.Uri.file(file)]);
    await upload(["homes"], undefined, { showOpenDialog });
    assert.equal((await stored())?.length, 2);
    assert.equal(shown[0]?.connectionId, "local");
  });

  it("is not asked for further once the choice of a file, or the name, is canceled", async () => {
    await upload([], undefined, { showOpenDialog: () => Promise.resolve(undefined) });
    const hidden = () => {
      const box = inputBoxes([])();
      let hide: (() => void) | undefined;
      return Object.assign(box, {
        onDidHide: (listener: typeof hide) => void (hide = listener),
        show: () => hide?.(),
      });
    };
    await upload([], given(), { createInputBox: hidden });
    assert.deepEqual([asked, shown], [[], []]);
  });
});

describe("The page of a table", () => {
  useSampleServer();
  const server = useAskingServer();
  let client: Client;
  const item = { connectionId: "local", project: "files", name: "page rows" };
  const pages: TablePage[] = [];

  before(() => void ({ client } = server));
  afterEach(() => {
    for (const page of pages.splice(0)) page.onClosed();
  });

  const open = async (table: TableRef) => {
    const page = new TablePage(table, server.pageOptions);
    pages.push(page);
    const shown = () => page.state.current;
    await until("the rows or a notice", () => !shown().isLoading);
    return { page, shown };
  };
  const homes = { ...item, name: "home_rentals" };

  it("shows the first hundred rows, and that there are more", async () => {
    const { shown } = await open(homes);
    assert.deepEqual([shown().preview?.rows.length, shown().preview?.hasMore], [100, true]);
  });

  it("asks for the rows of a table by its quoted name", async () => {
    const statements: string[] = [];
    server.over = postingWith(client, (where, body, ...rest) => {
      statements.push((body as { query: string }).query);
      return client.post(where, body, ...rest);
    });
    await open(item);
    assert.match(statements[0] ?? "", /FROM `files`\.`page rows` LIMIT 101$/);
  });

  it("says that a table is gone, but not for another error about it", async () => {
    const { page, shown } = await open({ ...item, name: "none_such" });
    assert.equal(shown().isGone, true);
    assert.equal(shown().notice?.text, "none_such is no longer in files.");
    server.over = postingWith(client, () =>
      Promise.resolve({ type: "error", error_message: "Syntax error in none_such" }),
    );
    await page.handlers.refresh();
    assert.equal(shown().isGone, false);
  });

  it("is read again when its table or view has changed, and not when another has", async () => {
    const { page, shown } = await open(homes);
    const change = { kind: "changed", connectionId: "local", project: "files" } as const;
    for (const [list, name, isRead] of [
      ["tables", "home_rentals", true],
      ["views", "home_rentals", true],
      ["views", "other", false],
      ["agents", "home_rentals", false],
    ] as const) {
      page.handleServerChange({ ...change, list, name });
      assert.equal(shown().isLoading, isRead, `${list} ${name}`);
      await until("the rows", () => !shown().isLoading);
    }
  });

  it("copies its SELECT, and a text", async () => {
    const { page } = await open(homes);
    await page.handlers.copySelect();
    await copied("SELECT * FROM files.home_rentals LIMIT 100");
    await page.handlers.copyText("a value");
    await copied("a value");
  });

  it("begins an agent with its table", async () => {
    const { page } = await open({ ...homes, connectionId: "sample" });
    await page.handlers.useInAgent();
    const forms = await (await workbench()).agents.load();
    const form = await until("the form", () => forms.contents.at(-1));
    assert.deepEqual(form.form.draft.tables, ["files.home_rentals"]);
  });
});
