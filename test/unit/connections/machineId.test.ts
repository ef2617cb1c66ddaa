import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { readMachineId } from "../../../src/connections/machineId.ts";

describe("the id of a machine", () => {
  let folder: string;
  beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "machine-id-"))));
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it("is stable, and differs for another storage folder", async () => {
    const here = path.join(folder, "here", "storage");
    const id = await readMachineId(here);
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.equal(await readMachineId(here), id);
    assert.notEqual(await readMachineId(path.join(folder, "there")), id);
  });

  it("is the same for windows that request it at the same time", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => readMachineId(folder)));
    assert.equal(new Set(ids).size, 1);
  });

  it("is created again if its file is damaged", async () => {
    for (const content of ["", "half an i"]) {
      fs.writeFileSync(path.join(folder, "machine-id"), content);
      const id = await readMachineId(folder);
      assert.match(id, /^[0-9a-f-]{36}$/);
      assert.equal(await readMachineId(folder), id);
    }
  });

  it("is undefined if it cannot be stored", async () => {
    fs.writeFileSync(path.join(folder, "file"), "");
    await assert.rejects(readMachineId(path.join(folder, "file", "storage")));
  });
});
