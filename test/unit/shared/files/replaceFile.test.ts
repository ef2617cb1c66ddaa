import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { replaceFile } from "../../../../src/shared/files/replaceFile.ts";
import { ResultInMemory, SqlTable } from "../../../resultInMemory.ts";

const source = new ResultInMemory(new SqlTable({ columns: ["a"], rows: [[1]] }));
const lines = "a\r\n1\r\n";

describe("replacing a file by an export", () => {
  let folder: string;
  const file = (name: string): string => path.join(folder, name);
  const read = (name: string): string => fs.readFileSync(file(name), "utf8");
  const modeOf = (name: string): number => fs.statSync(file(name)).mode & 0o777;
  const replace = (name: string): Promise<void> =>
    replaceFile(file(name), (part) => source.export("csv", part));

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "replace-"));
    fs.writeFileSync(file("mine.txt"), "mine");
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it("does not write through a symbolic link", async () => {
    fs.symlinkSync("mine.txt", file("rows.csv.part"));
    fs.symlinkSync("mine.txt", file("rows.csv"));
    await replace("rows.csv");
    assert.equal(read("mine.txt"), "mine");
    assert.equal(read("rows.csv"), lines);
    assert.equal(fs.lstatSync(file("rows.csv")).isSymbolicLink(), false);
  });

  it("overwrites no other file", async () => {
    fs.writeFileSync(file("rows.csv.part"), "mine too");
    await replace("rows.csv");
    assert.equal(read("rows.csv.part"), "mine too");
    assert.deepEqual(fs.readdirSync(folder).sort(), ["mine.txt", "rows.csv", "rows.csv.part"]);
    await assert.rejects(source.export("csv", file("mine.txt")), /EEXIST/);
    assert.equal(read("mine.txt"), "mine");
  });

  it("hides incomplete files from other users, and keeps permissions", async () => {
    fs.writeFileSync(file("rows.csv"), "", { mode: 0o640 });
    let partMode = 0;
    await replaceFile(file("rows.csv"), async (part) => {
      await source.export("csv", part);
      partMode = fs.statSync(part).mode & 0o777;
    });
    assert.deepEqual([partMode, modeOf("rows.csv")], [0o600, 0o640]);
    await replace("new.csv");
    assert.equal(modeOf("new.csv"), 0o666 & ~process.umask());
  });

  it("keeps the old file and leaves no other after a failure", async () => {
    fs.writeFileSync(file("rows.csv"), "before");
    await assert.rejects(
      replaceFile(file("rows.csv"), async (part) => {
        await source.export("csv", part);
        throw new Error("full");
      }),
      /full/,
    );
    assert.equal(read("rows.csv"), "before");
    assert.deepEqual(fs.readdirSync(folder).sort(), ["mine.txt", "rows.csv"]);
  });
});
