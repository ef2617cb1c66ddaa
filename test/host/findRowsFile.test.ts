// How a notebook's rows file is found.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { isAppError } from "../../src/mindsdb/errors.ts";
import { findRowsFile } from "../../src/predict/host/findRowsFile.ts";
import { makeWorkspaceFolder } from "./workbench.ts";

describe("The rows file of a notebook", () => {
  let folder: string;
  let notebook: vscode.Uri;

  before(() => {
    folder = makeWorkspaceFolder("rows-");
    notebook = vscode.Uri.file(path.join(folder, "a.predict.md"));
    fs.writeFileSync(path.join(folder, "rows.csv"), "a\n1\n");
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  it("on another machine is accessed only if the user allows it", async () => {
    // On this machine, these would be paths of an existing file.
    const file = path.join(folder, "rows.csv");
    for (const name of [`/${file}`, `/${file}`.replaceAll("/", "\\"), `file://host${file}`]) {
      await assert.rejects(findRowsFile(notebook, name), (error) => isAppError(error, "refused"));
      const asked: string[] = [];
      const found = findRowsFile(notebook, name, (uri) => {
        asked.push(uri.toString());
        return Promise.resolve(false);
      });
      await assert.rejects(found, { name: "AbortError" });
      assert.equal(asked.length, 1, name);
    }
  });

  it("outside of the workspace is asked about, and in it is not", async () => {
    const asked: string[] = [];
    const allow = ({ fsPath }: vscode.Uri) => {
      asked.push(fsPath);
      return Promise.resolve(false);
    };
    const { bytes } = await findRowsFile(notebook, "rows.csv", allow);
    assert.deepEqual([bytes, asked], [4, []]);
    const outside = fs.realpathSync(process.execPath);
    await assert.rejects(findRowsFile(notebook, outside, allow), { name: "AbortError" });
    const link = path.join(folder, "link.csv");
    fs.symlinkSync(outside, link);
    await assert.rejects(findRowsFile(notebook, "link.csv", allow), { name: "AbortError" });
    assert.deepEqual(asked, [outside, outside]);
  });

  it("that is missing is said to be so, with the folders that were searched", async () => {
    const message = (file: string) =>
      findRowsFile(notebook, file).then(
        () => assert.fail(),
        (error: Error) => error.message,
      );
    const name = path.basename(folder);
    assert.match(
      await message("none.csv"),
      new RegExp(`^There is no none\\.csv in [^,]*${name}, `),
    );
    assert.equal(await message("/none/none.csv"), "There is no /none/none.csv.");
    assert.match(await message("../" + name), /is a folder\. Enter a file of rows\.$/);
  });
});
