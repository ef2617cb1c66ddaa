// Uploading a file as a table: what the user is asked before anything is sent.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import type { PlannedChange, ServerAccess } from "../../src/shared/connection.ts";
import { uploadTable } from "../../src/tables/host/uploadTable.ts";
import { inputBoxes, withWindow } from "./workbench.ts";

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
