// Text files as rows: one row for each file.
import { isUtf8 } from "node:buffer";
import path from "node:path";
import { parseRows } from "../../predict/rows/readRows.ts";
import type { Row } from "../../predict/rows/row.ts";

/** File name endings that stand for texts to read; a folder's other files are left out. */
const textFileEndings = [
  "txt",
  "text",
  "md",
  "markdown",
  "mdx",
  "rst",
  "adoc",
  "asciidoc",
  "org",
  "tex",
  "html",
  "htm",
];

/** A document goes to the server in one request. */
export const maxTextFileBytes = 4 * 1024 * 1024;

/** Files that are no documents, by reason. */
export interface LeftOutFiles {
  /** In a folder only: files chosen one by one may have any name. */
  otherEnding: string[];
  notText: string[];
  tooLarge: string[];
  notRead: string[];
  /** Links out of the folder, to folders, and to what is no file. */
  link: string[];
}

export function createLeftOutFiles(): LeftOutFiles {
  return { otherEnding: [], notText: [], tooLarge: [], notRead: [], link: [] };
}

export function isTextFileName(name: string): boolean {
  return textFileEndings.includes(path.posix.extname(name).slice(1).toLowerCase());
}

/** Whether a folder is looked into: hidden ones and those of packages hold no documents. */
export function isSearchedFolder(name: string): boolean {
  return !name.startsWith(".") && name !== "node_modules";
}

/** The row of a file; undefined if it is not UTF-8 text. `relativePath` has slashes. */
export function toTextFileRow(relativePath: string, bytes: Uint8Array): Row[] | undefined {
  if (!isUtf8(bytes) || bytes.includes(0)) return undefined;
  const content = Buffer.from(bytes)
    .toString("utf8")
    .replace(/^\ufeff/, "");
  const folder = path.posix.dirname(relativePath);
  const row = {
    id: relativePath,
    content,
    file: path.posix.basename(relativePath),
    ...(folder === "." ? {} : { folder }),
  };
  return parseRows(Buffer.from(JSON.stringify([row])));
}

/** The paths of files relative to the folder that all of them are in. */
export function findRelativePaths(paths: readonly string[]): string[] {
  const folders = paths.map((file) => path.posix.dirname(file).split("/"));
  const [first = []] = folders;
  let depth = first.length;
  for (const folder of folders) {
    // few: the folders of one path.
    const differs = first.findIndex((part, at) => at >= folder.length || folder[at] !== part);
    if (differs >= 0) depth = Math.min(depth, differs);
  }
  return paths.map((file) => file.split("/").slice(depth).join("/"));
}
