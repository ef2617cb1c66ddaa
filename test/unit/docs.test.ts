// README and docs: their tables come from package.json, and what they link to exists.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { withoutRelativeLinks } from "../../scripts/package.ts";
import { generated, withTables } from "../../scripts/docs.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8");

/** The anchors of a Markdown file's headings, as GitHub makes them. */
function anchors(file: string): Set<string> {
  const headings = read(file).matchAll(/^#+ (.+)$/gm);
  return new Set(
    Array.from(headings, ([, text = ""]) =>
      text
        .toLowerCase()
        .replace(/[^\w\s-]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
}

describe("README and docs", () => {
  for (const file of generated) {
    it(`have tables made from package.json in ${file} (npm run docs)`, async () => {
      assert.equal(read(file), await withTables(file));
    });
  }

  it("are packed without pictures and links that only a repository has", () => {
    const packed = withoutRelativeLinks(read("README.md"));
    assert.doesNotMatch(packed, /!\[|\]\((?!https?:)/);
    assert.match(packed, /## Get started\n\nYou need \[Node.js\]\(https:/);
    assert.match(packed, /\nSECURITY.md explains/);
  });

  it("name commands by their titles", () => {
    const titles = Object.entries(JSON.parse(read("package.nls.json")) as Record<string, string>)
      .filter(([key]) => key.startsWith("command."))
      .map(([, title]) => `MindsDB: ${title}`);
    let checked = 0;
    for (const file of ["README.md", ...fs.globSync("docs/*.md", { cwd: root })]) {
      const text = read(file).replaceAll(/\s+/g, " ");
      for (const [, name = ""] of text.matchAll(/[*`]+(MindsDB: [^*`|]+)[*`]+/g)) {
        assert.ok(titles.includes(name), `${file} names ${name}`);
        checked++;
      }
    }
    assert.ok(checked > 10, `${checked} names were checked`);
  });

  it("link to files and headings that exist", () => {
    let checked = 0;
    const files = [
      "README.md",
      "CONTRIBUTING.md",
      "SECURITY.md",
      ...fs.globSync("docs/*.md", { cwd: root }),
    ];
    for (const file of files) {
      for (const [, target = ""] of read(file).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
        const [name = "", anchor] = target.split("#");
        const linked = path.posix.join(path.posix.dirname(file), name || path.posix.basename(file));
        assert.ok(fs.existsSync(path.join(root, linked)), `${file} links to ${target}`);
        if (anchor) assert.ok(anchors(linked).has(anchor), `${file} links to ${target}`);
        checked++;
      }
    }
    assert.ok(checked > 20, `${checked} links were checked`);
  });
});
