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

const compression = path.join(import.meta.dirname, "vsceCompression.mjs");

const vsce = path.join(root, "node_modules", "@vscode", "vsce", "vsce");

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
  runIn(root, "esbuild.js", "--production");
  const bundle = fs.readFileSync(path.join(root, "out", "bundle.json"), "utf8");
  const notices = formatNotices(JSON.parse(bundle) as Parameters<typeof formatNotices>[0]);
  fs.writeFileSync(path.join(root, "ThirdPartyNotices.txt"), notices);
  const folder = path.join(root, "out", `package.${process.pid}`);
  copyPackedFiles(folder);
  const channel = preRelease ? ["--pre-release"] : [];
  const partial = `${vsixPath}.${process.pid}.vsix`;
  const options = ["--no-dependencies", ...channel, ...unpublished, "--out", partial];
  runIn(folder, "--import", compression, vsce, "package", ...options);
  fs.rmSync(folder, { recursive: true });
  fs.renameSync(partial, vsixPath);
  return vsixPath;
}

/**
 * Copies the files that .vscodeignore lets in: JSON without white space, and package.json without the scripts and packages that
 * only the sources need, and its own README.
 */
function copyPackedFiles(folder: string): void {
  const list = [vsce, "ls", "--no-dependencies"];
  const { status, stdout } = spawnSync(process.execPath, list, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error("the packed files could not be listed");
  for (const name of [".vscodeignore", ...stdout.split("\n").filter((line) => line !== "")]) {
    const file = path.join(root, name);
    const copy = path.join(folder, name);
    fs.mkdirSync(path.dirname(copy), { recursive: true });
    if (!name.endsWith(".json")) fs.copyFileSync(file, copy);
    else fs.writeFileSync(copy, JSON.stringify(JSON.parse(fs.readFileSync(file, "utf8"))));
  }
  const manifest = path.join(folder, "package.json");
  fs.writeFileSync(manifest, packedManifest(fs.readFileSync(manifest, "utf8")));
  const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");
  fs.writeFileSync(path.join(folder, "README.md"), withoutRelativeLinks(readme));
}

function packedManifest(text: string): string {
  const manifest = JSON.parse(text) as Record<string, unknown>;
  // vsce compares the types of VS Code with the version that the extension asks for.
  const { "@types/vscode": types } = manifest["devDependencies"] as Record<string, string>;
  manifest["devDependencies"] = { "@types/vscode": types };
  delete manifest["scripts"];
  delete manifest["optionalDependencies"];
  return JSON.stringify(manifest);
}

function runIn(folder: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, args, {
    cwd: folder,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`${args.join(" ")} failed`);
}

if (import.meta.filename === process.argv[1]) {
  packVsix({ preRelease: process.argv.includes("--pre-release") });
}
