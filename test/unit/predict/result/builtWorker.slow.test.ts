// The result worker as it is packaged: the other tests run it from its source.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { DiskTable } from "../../../../src/predict/result/diskTable.ts";
import { answerOf } from "../files.ts";

const repository = path.resolve(import.meta.dirname, "../../../..");

describe("the built result worker", () => {
  let folder: string;
  let dist: string;
  before(function () {
    this.timeout(300_000);
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "built-worker-"));
    dist = path.join(folder, "dist");
    const script = path.join(repository, "esbuild.js");
    const options = { cwd: repository, stdio: "pipe" } as const;
    execFileSync(process.execPath, [script, "--production", `--outdir=${dist}`], options);
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it("lies beside the file of the host that starts it", () => {
    const files = fs.readdirSync(dist).filter((name) => name.endsWith(".js"));
    const starters = files.filter((name) =>
      fs.readFileSync(path.join(dist, name), "utf8").includes("./tableWorker.js"),
    );
    assert.equal(starters.length, 1);
    assert.ok(files.includes("tableWorker.js"));
  });

  it("sorts and exports a result", async () => {
    const worker = pathToFileURL(path.join(dist, "tableWorker.js"));
    const known = { inputs: ["n"], target: { name: "price" } };
    const onDisk = await DiskTable.create({ folder: path.join(folder, "run"), worker, known });
    for (const n of [2, 3, 1]) {
      await onDisk.add(answerOf([`{"n":${n}}`], [`{"n":${n},"price":${n}}`]));
    }
    const order = await onDisk.order({ sort: { column: 0, descending: false } });
    assert.deepEqual([...(order ?? [])], [2, 0, 1]);
    const file = path.join(folder, "rows.jsonl");
    await onDisk.export("jsonLines", file);
    assert.equal(fs.readFileSync(file, "utf8").trim().split("\n").length, 3);
    await onDisk.dispose();
  });
});
