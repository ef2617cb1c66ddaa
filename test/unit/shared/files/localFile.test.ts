// Links in folders of other people: nothing outside of the folder is read or written.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  LocalFileError,
  openLocalFile,
  readSmallLocalFile,
  writeLocalFile,
  type LocalFileProblem,
} from "../../../../src/shared/files/localFile.ts";

const secret = "PRIVATE KEY (made up)";

describe("a local file", function () {
  if (process.platform === "win32") return;
  let root: string;
  let picked: string;
  const inRoot = (...parts: string[]) => path.join(root, ...parts);
  beforeEach(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "links-")));
    picked = inRoot("picked");
    fs.mkdirSync(path.join(picked, "deep"), { recursive: true });
    fs.mkdirSync(inRoot("home"));
    fs.mkdirSync(inRoot("picked-not"));
    for (const folder of ["home", "picked-not"]) fs.writeFileSync(inRoot(folder, "id"), secret);
    fs.writeFileSync(path.join(picked, "own.md"), "own");
  });
  afterEach(() => fs.rmSync(root, { recursive: true }));

  const link = (target: string, ...name: string[]) =>
    fs.symlinkSync(target, path.join(picked, ...name));
  const read = async (name: string, folder = picked) =>
    (await readSmallLocalFile(path.join(folder, name), folder, 1_000))?.toString("utf8");
  const isProblem = (problem: LocalFileProblem) => (error: unknown) =>
    error instanceof LocalFileError && error.problem === problem;

  describe("is read", () => {
    it("through links that stay in the folder", async () => {
      link("own.md", "a.md");
      link("../a.md", "deep", "b.md");
      link(path.join(picked, "deep"), "c");
      fs.symlinkSync("picked", inRoot("shortcut"));
      assert.deepEqual(
        await Promise.all(["own.md", "a.md", "deep/b.md", "c/b.md"].map((name) => read(name))),
        ["own", "own", "own", "own"],
      );
      assert.equal(await read("own.md", inRoot("shortcut")), "own");
    });

    it("not if it is a link out of the folder", async () => {
      link("../home/id", "relative.md");
      link(inRoot("home", "id"), "absolute.md");
      link("relative.md", "again.md");
      link("../home", "folder");
      link("folder/id", "through.md");
      link("../picked-not/id", "sibling.md");
      link("deep/../../home/id", "dots.md");
      link("folder/../home/id", "dots-behind-link.md");
      link("loop.md", "loop.md");
      const names = ["relative", "absolute", "again", "folder/id", "through", "sibling", "dots"];
      for (const name of [...names, "dots-behind-link", "loop"]) {
        const file = name === "folder/id" ? name : `${name}.md`;
        await assert.rejects(read(file), isProblem("link"), name);
      }
      await assert.rejects(read("../home/id"), isProblem("link"));
      // Says where the link leads.
      await assert.rejects(read("again.md"), { target: inRoot("home", "id") });
    });

    it("not if it is a pipe, a device or a folder, and does not wait for it", async () => {
      execFileSync("mkfifo", [path.join(picked, "pipe.md")]);
      link("pipe.md", "linked-pipe.md");
      for (const name of ["pipe.md", "linked-pipe.md", "deep"]) {
        await assert.rejects(read(name), isProblem("special"), name);
      }
      link("/dev/zero", "zero.md");
      await assert.rejects(read("zero.md"), isProblem("link"));
      // Also where the user picked the folder of devices.
      await assert.rejects(read("zero", "/dev"), isProblem("special"));
    });

    it("not if it has grown too large", async () => {
      fs.writeFileSync(path.join(picked, "large.md"), "x".repeat(1_001));
      assert.equal(await read("large.md"), undefined);
    });

    it("not through a link that is swapped in while it is opened", async () => {
      fs.mkdirSync(path.join(picked, "swap"));
      fs.writeFileSync(path.join(picked, "swap", "id"), "own");
      const [plain, away] = [path.join(picked, "swap"), path.join(picked, "away")];
      let isDone = false;
      const swapping = (async () => {
        while (!isDone) {
          await fs.promises.rename(plain, away);
          await fs.promises.symlink("../home", plain);
          await new Promise(setImmediate);
          await fs.promises.unlink(plain);
          await fs.promises.rename(away, plain);
          await new Promise(setImmediate);
        }
      })();
      const contents = new Set<string | undefined>();
      for (let count = 0; count < 500; count++) {
        contents.add(await read("swap/id").catch(() => undefined));
      }
      isDone = true;
      await swapping;
      assert.ok(!contents.has(secret));
      assert.equal(await read("swap/id"), "own");
    });

    it("leaves no handle open", async () => {
      if (process.platform !== "linux") this.ctx.skip();
      const count = () => fs.readdirSync("/proc/self/fd").length;
      const before = count();
      link("../home/id", "out.md");
      for (let at = 0; at < 20; at++) {
        await read("out.md").catch(() => undefined);
        await read("own.md");
        await (await openLocalFile(path.join(picked, "own.md"), picked)).close();
      }
      while (count() > before + 2) await new Promise((done) => setTimeout(done, 20));
    });
  });

  describe("is written", () => {
    const write = (name: string) => writeLocalFile(path.join(picked, name), picked, "new");

    it("in place of a link, not through it", async () => {
      link("../home/created", "dangling.js");
      link("../home/id", "link.js");
      link("link.js", "again.js");
      for (const name of ["dangling.js", "link.js", "again.js"]) {
        await write(name);
        const file = path.join(picked, name);
        assert.ok(fs.lstatSync(file).isFile());
        assert.equal(fs.readFileSync(file, "utf8"), "new");
      }
      assert.deepEqual(fs.readdirSync(inRoot("home")), ["id"]);
      assert.equal(fs.readFileSync(inRoot("home", "id"), "utf8"), secret);
    });

    it("not in a folder that a link leads to", async () => {
      link("../home", "folder");
      link("folder", "again");
      for (const name of ["folder/new.js", "again/new.js", "../home/new.js"]) {
        await assert.rejects(write(name), isProblem("link"), name);
      }
      assert.deepEqual(fs.readdirSync(inRoot("home")), ["id"]);
      link("deep", "inner");
      await write("inner/new.js");
      assert.deepEqual(fs.readdirSync(path.join(picked, "deep")), ["new.js"]);
    });
  });
});
