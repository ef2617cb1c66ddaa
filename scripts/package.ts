// Builds for production and packs the VSIX: out/mindsdb-workbench.vsix. With --pre-release it is marked as one.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { formatNotices } from "./thirdPartyNotices.ts";

const root = path.resolve(import.meta.dirname, "..");

/** Where the packed extension lies. */
export const vsixPath = path.join(root, "out", "mindsdb-workbench.vsix");

/** There is no public repository yet, to which the README's relative links could be rewritten. */
const unpublished = ["--allow-missing-repository", "--no-rewrite-relative-links"];

/** The README as it is packed, relative to the root. */
const packedReadme = "out/README.md";

/**
 * The README for the marketplaces. As long as there is no public repository, pictures and links to other files would be
 * broken there, so it has neither.
 */
export function withoutRelativeLinks(markdown: string): string {
  return markdown
    .replace(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n\n?/gm, "")
    .replace(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, "$1");
}

/** Builds and packs; throws if either fails. Returns the VSIX's path, which holds a whole VSIX at any time. */
export function packVsix({ preRelease = false } = {}): string {
  fs.mkdirSync(path.dirname(vsixPath), { recursive: true });
  run("esbuild.js", "--production");
  const bundle = fs.readFileSync(path.join(root, "out", "bundle.json"), "utf8");
  const notices = formatNotices(JSON.parse(bundle) as Parameters<typeof formatNotices>[0]);
  fs.writeFileSync(path.join(root, "ThirdPartyNotices.txt"), notices);
  const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");
  fs.writeFileSync(path.join(root, packedReadme), withoutRelativeLinks(readme));
  const vsce = path.join("node_modules", "@vscode", "vsce", "vsce");
  const channel = preRelease ? ["--pre-release"] : [];
  const partial = `${vsixPath}.${process.pid}.vsix`;
  run(
    vsce,
    "package",
    "--no-dependencies",
    ...channel,
    ...unpublished,
    "--readme-path",
    packedReadme,
    "--out",
    partial,
  );
  fs.renameSync(partial, vsixPath);
  return vsixPath;
}

function run(script: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`${script} failed`);
}

if (import.meta.filename === process.argv[1]) {
  packVsix({ preRelease: process.argv.includes("--pre-release") });
}
