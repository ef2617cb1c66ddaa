// Resolves paths without accessing other machines: Windows would sign in at the server of a network path.
import fs from "node:fs/promises";
import path from "node:path";

/** More links in one path are treated as a loop. */
const maxLinks = 40;

/** Whether a path, as written, is on another machine: `\\host\share`, `//host/share`, `file://host/share`. */
export function isNetworkPath(name: string): boolean {
  const slashed = name.trimStart().replaceAll("\\", "/");
  const scheme = /^file:/i.exec(slashed);
  if (!scheme) return slashed.startsWith("//");
  const rest = decodePercent(slashed.slice(scheme[0].length)).replaceAll("\\", "/");
  // "file:///path" has an empty host.
  return rest.startsWith("//") && (rest[2] !== "/" || rest[3] === "/");
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a path is a folder or inside it. Both must be without links. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/**
 * The path of a file with all symbolic links below `folder` resolved; undefined if one leads to another machine or in a
 * loop. Files that do not exist are not links.
 */
export async function followLinks(folder: string, file: string): Promise<string | undefined> {
  let current = folder;
  const parts = path.relative(folder, file).split(path.sep).reverse();
  for (let links = 0; parts.length > 0;) {
    const part = parts.pop()!;
    if (part === "" || part === ".") continue;
    const next = path.join(current, part);
    const target = part === ".." ? undefined : await fs.readlink(next).catch(() => undefined);
    if (target === undefined) {
      current = next;
      continue;
    }
    if (++links > maxLinks || isNetworkPath(target)) return undefined;
    const { root } = path.parse(target);
    if (root !== "") current = path.resolve(current, root);
    parts.push(...target.slice(root.length).split(/[\\/]/).reverse());
  }
  return current;
}
