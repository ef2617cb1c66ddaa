// The guide for contributors names files and scripts that are there.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..", "..");
const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8");
const guides = ["CONTRIBUTING.md", "AGENTS.md", "docs/releasing.md"];

describe("The guides for contributors", () => {
  const sources = fs.globSync("{src,scripts,test}/**/*.{ts,tsx}", { cwd: root });

  it("name files and folders that exist", () => {
    let checked = 0;
    for (const guide of guides) {
      for (const [, name = ""] of read(guide).matchAll(/`([\w./-]+\/[\w./-]+|[\w-]+\.tsx?)`/g)) {
        const found =
          fs.existsSync(path.join(root, name)) ||
          fs.existsSync(path.join(root, "src", name)) ||
          sources.some((file) => file.endsWith(`/${name}`)) ||
          name.startsWith("out/") ||
          name.includes("VERSION");
        assert.ok(found, `${guide} names ${name}`);
        checked++;
      }
    }
    assert.ok(checked > 30, `${checked} names were checked`);
  });

  it("name npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    for (const guide of guides) {
      for (const [, name = ""] of read(guide).matchAll(/\bnpm run ([\w:]+)/g)) {
        assert.ok(name in scripts, `${guide} names npm run ${name}`);
      }
    }
  });

  it("name every folder of src", () => {
    const folders = fs
      .readdirSync(path.join(root, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory());
    for (const { name } of folders) assert.match(read("CONTRIBUTING.md"), RegExp(`\`${name}\``));
  });
});
