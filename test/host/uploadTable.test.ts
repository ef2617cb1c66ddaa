// Uploading a file as a table: what the user is asked before anything is sent.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import type { PlannedChange, ServerAccess } from "../../src/shared/connection.ts";
import { uploadTable } from "../../src/tables/host/uploadTable.ts";
import { withWindow } from "./workbench.ts";

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
    const accepted = new vscode.EventEmitter<void>();
    const createInputBox = () => ({
      onDidAccept: accepted.event,
      onDidChangeValue: () => undefined,
      onDidTriggerButton: () => undefined,
      onDidHide: () => undefined,
      show: () => queueMicrotask(() => accepted.fire()),
      hide: () => undefined,
      dispose: () => undefined,
    });
    await withWindow({ createInputBox }, () =>
      uploadTable(
        { servers, reveal: () => Promise.reject(new Error("uploaded")) },
        { connectionId: "c", uri: vscode.Uri.file(file) },
      ),
    );
    assert.equal(asked.length, 1);
    return asked[0]!;
  }

  it("says which cells MindsDB would change, on every connection", async () => {
    const { what, detail, isAlwaysAsked } = await askedFor(
      "homes.csv",
      "zip,ok,version,rooms\n01067,TRUE,1.10,2\n99,FALSE,1.9,\n",
    );
    assert.equal(what, "Upload homes.csv as the table homes");
    assert.deepEqual(detail, [
      "MindsDB reads 01067 in the column zip as 1067. To keep it, upload JSON with the value as text.",
      "MindsDB reads 1.10 in the column version as 1.1. To keep it, upload JSON with the value as text.",
      "The column rooms has empty cells, so MindsDB reads its whole numbers as decimals: in text, 2 becomes 2.0.",
      "MindsDB reads TRUE in the column ok as true. To keep it, upload JSON with the value as text.",
    ]);
    assert.equal(isAlwaysAsked, true);
  });

  it("says it of tab-separated values, and nothing of ordinary ones or of JSON", async () => {
    const tsv = await askedFor("a.TSV", "load\tx\ninf\t1\n1.5\t2\n");
    assert.deepEqual(tsv.detail, [
      "MindsDB reads inf in the column load as null. To keep it, upload JSON with the value as text.",
    ]);
    for (const [name, content] of [
      ["prices.csv", "item,price\nLamp,19.90\nChair,5.00\n"],
      ["texts.json", '[{"zip":"01067","ok":"TRUE"}]'],
    ] as const) {
      const { detail, isAlwaysAsked } = await askedFor(name, content);
      assert.deepEqual([detail, isAlwaysAsked], [[], false], name);
    }
  });
});
