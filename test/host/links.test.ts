// Symbolic links that a workspace brings along: nothing outside of it is read, sent or written through them.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { readSavedTests } from "../../src/agentTests/host/compareAgents.ts";
import { openTestDocument } from "../../src/agentTests/host/files/openTestDocument.ts";
import { providerFileName } from "../../src/agentTests/promptfoo/providerFile.ts";
import type { ServerAccess } from "../../src/shared/connection.ts";
import { createFillSource, readHead } from "../../src/knowledgeBases/host/fill/fillSources.ts";
import { isAppError } from "../../src/mindsdb/errors.ts";
import { rowBytes } from "../../src/predict/rows/row.ts";
import { writeFile } from "../../src/shared/host/writeFile.ts";
import { uploadTable } from "../../src/tables/host/uploadTable.ts";
import { closeAllEditors, makeWorkspaceFolder, until, workbench } from "./workbench.ts";

const secret = "-----BEGIN MADE-UP KEY-----";
const tests =
  "providers: ['mindsdb:mindsdb/rental_agent']\nprompts: ['{{question}}']\ntests: [{vars: {question: Why?}}]\n";

describe("Links of a workspace", () => {
  let folder: string;
  let outside: string;

  before(async () => {
    await workbench();
    folder = makeWorkspaceFolder("links-");
    outside = fs.mkdtempSync(path.join(os.tmpdir(), "outside-"));
    fs.writeFileSync(path.join(outside, "secret"), secret);
    fs.writeFileSync(path.join(outside, "tests.yaml"), tests);
    fs.writeFileSync(path.join(folder, "own.md"), "# Own");
    for (const [name, target] of [
      ["notes.md", "secret"],
      ["rows.csv", "secret"],
      ["linked.agent-test.yaml", "tests.yaml"],
      ["folder", ""],
    ] as const) {
      fs.symlinkSync(path.join(outside, target), path.join(folder, name));
    }
  });
  after(async () => {
    await closeAllEditors();
    for (const one of [folder, outside]) fs.rmSync(one, { recursive: true });
  });

  const inFolder = (name: string): vscode.Uri => vscode.Uri.file(path.join(folder, name));
  const noServers = {} as ServerAccess;
  const isRefused = (error: unknown): boolean => {
    assert.ok(isAppError(error, "refused"), String(error));
    assert.ok(error.message.includes(outside), error.message);
    return true;
  };

  it("are left out of a folder for a knowledge base, and named", async () => {
    const ref = { kind: "folder", uri: vscode.Uri.file(folder).toString() } as const;
    const source = createFillSource(ref, noServers, "none");
    const rows = await readHead(source);
    const texts = rows.map((row) => rowBytes(row).toString());
    assert.equal(texts.length, 1);
    assert.match(texts.join(), /# Own/);
    const notes = source.notes().join("\n");
    for (const name of ["notes.md", "folder"]) assert.ok(notes.includes(name), notes);
  });

  it("are not uploaded as tables", async () => {
    const reveal = (): Promise<void> => Promise.reject(new Error("uploaded"));
    await assert.rejects(
      uploadTable({ servers: noServers, reveal }, inFolder("rows.csv")),
      isRefused,
    );
  });

  it("are not opened as test files, in which a test or a provider would be saved", async () => {
    const file = inFolder("linked.agent-test.yaml");
    await assert.rejects(openTestDocument(file), isRefused);
    // A comparison that was stored with it is not restored.
    assert.equal(await readSavedTests({ id: "c", file: file.toString(), agents: [] }), undefined);
  });

  it("are named among the tests", async () => {
    const { files } = await (await workbench()).agentTests.load();
    await files.discover();
    const reason = await until("the linked file", () =>
      files.explain(inFolder("linked.agent-test.yaml")),
    );
    assert.ok(reason.includes(path.join(outside, "tests.yaml")), reason);
  });

  it("are replaced by what is written, also where they lead to nothing", async () => {
    for (const [name, write] of [
      [providerFileName, (uri: vscode.Uri) => writeFile(uri, "new", folder)],
      ["new.agent-test.yaml", (uri: vscode.Uri) => writeFile(uri, "new")],
    ] as const) {
      for (const target of ["missing", "secret"]) {
        const link = inFolder(name);
        fs.rmSync(link.fsPath, { force: true });
        fs.symlinkSync(path.join(outside, target), link.fsPath);
        await write(link);
        assert.ok(fs.lstatSync(link.fsPath).isFile());
        assert.equal(fs.readFileSync(link.fsPath, "utf8"), "new");
      }
      fs.rmSync(inFolder(name).fsPath);
    }
    assert.ok(!fs.existsSync(path.join(outside, "missing")));
    assert.equal(fs.readFileSync(path.join(outside, "secret"), "utf8"), secret);
  });
});
