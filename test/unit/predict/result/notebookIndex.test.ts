import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { NotebookIndex } from "../../../../src/predict/result/notebookIndex.ts";

describe("index of notebooks", () => {
  let root: string;
  beforeEach(() => (root = fs.mkdtempSync(path.join(os.tmpdir(), "notebook-index-"))));
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  const [one, two] = [randomUUID(), randomUUID()];

  function onlyFile(): string {
    const [name, ...more] = fs.readdirSync(path.join(root, "notebooks"));
    assert.ok(name !== undefined && more.length === 0);
    return path.join(root, "notebooks", name);
  }

  it("can be read by another window, each notebook by itself", async () => {
    const index = new NotebookIndex(root);
    await index.change("file:///a.predict.md", () => ({ "k.1": one }));
    await index.change("file:///b.predict.md", () => ({ "k.1": two }));
    const other = new NotebookIndex(root);
    assert.deepEqual(await other.read("file:///a.predict.md"), { "k.1": one });
    assert.deepEqual(await other.read("file:///b.predict.md"), { "k.1": two });
    assert.deepEqual(await other.read("file:///c.predict.md"), {});
    assert.equal((await other.all()).length, 2);
  });

  it("makes changes one after the other, each on the result of the one before", async () => {
    const index = new NotebookIndex(root);
    const changes = Array.from({ length: 20 }, (_, n) =>
      index.change("a", (before) => ({ ...before, [`k.${n}`]: one })),
    );
    assert.equal(Object.keys(await index.read("a")).length, 20, "reading waits for changes");
    await Promise.all(changes);
  });

  it("has no file for a notebook without results", async () => {
    const index = new NotebookIndex(root);
    await index.change("a", () => ({ "k.1": one }));
    await index.change("a", () => ({}));
    assert.deepEqual(fs.readdirSync(path.join(root, "notebooks")), []);
  });

  it("ignores invalid files, those of others, and ids that are paths", async () => {
    const index = new NotebookIndex(root);
    await index.change("a", () => ({ "k.1": one }));
    const file = onlyFile();
    for (const text of [
      "",
      "{",
      "[]",
      '{"address":"a"}',
      JSON.stringify({ address: "other", cells: { "k.1": one } }),
      JSON.stringify({ address: "a", cells: { "k.1": "../../etc", "k.2": 1, "k.3": null } }),
    ]) {
      fs.writeFileSync(file, text);
      assert.deepEqual(await new NotebookIndex(root).read("a"), {}, text);
    }
    fs.writeFileSync(file, " ".repeat(1024 * 1024 + 1));
    assert.deepEqual(await index.all(), []);
  });

  it("can be read by this user only", async () => {
    await new NotebookIndex(root).change("a", () => ({ "k.1": one }));
    assert.equal(fs.statSync(path.join(root, "notebooks")).mode & 0o077, 0);
  });
});
