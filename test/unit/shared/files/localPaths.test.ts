import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { followLinks, isNetworkPath, isWithin } from "../../../../src/shared/files/localPaths.ts";

describe("resolving a path", () => {
  it("recognizes paths on another machine in any notation", () => {
    for (const name of [
      "\\\\host\\share\\rows.json",
      "//host/share/rows.json",
      "\\/host/share",
      "/\\host\\share",
      " \\\\host\\share",
      "\\\\?\\UNC\\host\\share",
      "\\\\.\\pipe\\x",
      "file://host/share/rows.json",
      "FILE://host/share",
      "file:\\\\host\\share",
      "file:////host/share",
      "file:///%5C%5Chost/share",
      "file:%2f%2fhost/share",
      "file://///host/share",
    ]) {
      assert.equal(isNetworkPath(name), true, name);
    }
    for (const name of [
      "rows.json",
      "../rows.json",
      "/data/rows.json",
      "C:\\data\\rows.json",
      "data\\rows.json",
      "file:///data/rows.json",
      "file:/data/rows.json",
      "file:///c%3A/rows.json",
      "file:///100%.json",
      "a//b.json",
    ]) {
      assert.equal(isNetworkPath(name), false, name);
    }
  });

  describe("through links", () => {
    let folder: string;
    const inFolder = (...parts: string[]) => path.join(folder, ...parts);
    beforeEach(() => {
      folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "places-")));
      fs.mkdirSync(inFolder("work", "deep"), { recursive: true });
      fs.mkdirSync(inFolder("secret"));
      fs.writeFileSync(inFolder("secret", "rows.json"), "[]");
    });
    afterEach(() => fs.rmSync(folder, { recursive: true }));

    const follow = (...parts: string[]) =>
      followLinks(inFolder("work"), inFolder("work", ...parts));

    it("follows them in any part of the path", async () => {
      fs.symlinkSync("../secret", inFolder("work", "data"));
      fs.symlinkSync(inFolder("secret", "rows.json"), inFolder("work", "deep", "rows.json"));
      fs.symlinkSync("deep/rows.json", inFolder("work", "again.json"));
      for (const parts of [["data", "rows.json"], ["deep", "rows.json"], ["again.json"]]) {
        const real = await follow(...parts);
        assert.equal(real, inFolder("secret", "rows.json"));
        assert.equal(isWithin(inFolder("work"), real), false);
      }
      assert.equal(await follow("deep", "other.json"), inFolder("work", "deep", "other.json"));
      assert.equal(isWithin(inFolder("work"), inFolder("work", "..rows.json")), true);
      assert.equal(isWithin(inFolder("work"), inFolder("workshop")), false);
    });

    it("stops before another machine, and in loops", async () => {
      fs.symlinkSync("//host/share/rows.json", inFolder("work", "rows.json"));
      fs.symlinkSync("\\\\host\\share", inFolder("work", "share"));
      fs.symlinkSync("b", inFolder("work", "a"));
      fs.symlinkSync("a", inFolder("work", "b"));
      assert.equal(await follow("rows.json"), undefined);
      assert.equal(await follow("share", "rows.json"), undefined);
      assert.equal(await follow("a", "rows.json"), undefined);
    });
  });
});
