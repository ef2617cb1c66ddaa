import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commands } from "../../src/ids.ts";
import { dropFiles } from "../../src/explorer/host/dropFiles.ts";
import type { ExplorerNode } from "../../src/explorer/node.ts";
import { sourceOfFiles } from "../../src/knowledgeBases/host/fill/pickSource.ts";
import { inWorkspace } from "./workbench.ts";

const file = (name: string): vscode.Uri => vscode.Uri.parse(`memfs:/dropped/${name}`);

describe("Files that are dropped on the tree", () => {
  /** The commands that a drop runs. */
  async function drop(target: object | undefined, list: string): Promise<[string, unknown][]> {
    const ran: [string, unknown][] = [];
    const { executeCommand } = vscode.commands;
    Object.assign(vscode.commands, {
      executeCommand: (command: string, given: unknown) =>
        Promise.resolve(void ran.push([command, given])),
    });
    try {
      const data = new vscode.DataTransfer();
      data.set("text/uri-list", new vscode.DataTransferItem(list));
      await dropFiles(target as ExplorerNode | undefined, data);
    } finally {
      Object.assign(vscode.commands, { executeCommand });
    }
    return ran;
  }

  it("are uploaded from Data and files, one after the other", async () => {
    const list = `# two files\r\n${file("a b.csv").toString()}\r\n${file("c.xlsx").toString()}\r\n`;
    const uploads = [file("a b.csv"), file("c.xlsx")].map((uri) => [
      commands.tableUpload,
      { connectionId: "one", uri },
    ]);
    for (const target of [{ kind: "data" }, { kind: "dataSource", name: "files" }]) {
      assert.deepEqual(await drop({ ...target, connectionId: "one" }, list), uploads);
    }
  });

  it("are added to a knowledge base together", async () => {
    const base = { kind: "knowledgeBase", connectionId: "one", project: "mindsdb", name: "guide" };
    const list = `${file("a.md").toString()}\n${file("b.md").toString()}`;
    const files = [file("a.md"), file("b.md")];
    assert.deepEqual(await drop(base, list), [
      [commands.knowledgeBaseAddContent, { ...base, files }],
    ]);
  });

  it("do nothing elsewhere", async () => {
    const list = file("a.csv").toString();
    const agent = { kind: "agent", connectionId: "one" };
    const other = { kind: "dataSource", name: "postgres", connectionId: "one" };
    for (const target of [agent, other, undefined]) assert.deepEqual(await drop(target, list), []);
    assert.deepEqual(await drop({ kind: "data", connectionId: "one" }, "no address"), []);
  });

  it("are rows, documents, or a folder for a knowledge base", async () => {
    const [rows, text] = [inWorkspace("dropped.jsonl"), inWorkspace("dropped.md")];
    const folder = String(inWorkspace(""));
    try {
      for (const uri of [rows, text]) await vscode.workspace.fs.writeFile(uri, Buffer.from("{}"));
      assert.deepEqual(await sourceOfFiles([rows]), { kind: "rowsFile", uri: String(rows) });
      assert.deepEqual(await sourceOfFiles([text]), { kind: "textFiles", uris: [String(text)] });
      const both = { kind: "textFiles", uris: [String(rows), String(text)] };
      assert.deepEqual(await sourceOfFiles([text, rows]), both);
      assert.deepEqual(await sourceOfFiles([inWorkspace("")]), { kind: "folder", uri: folder });
    } finally {
      for (const uri of [rows, text]) await vscode.workspace.fs.delete(uri);
    }
  });
});
