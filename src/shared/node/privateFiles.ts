// Files that no other user of the machine may read: everything that the extension stores.
import fs from "node:fs";
import path from "node:path";
import { hasErrorCode } from "../hasErrorCode.ts";

/** The mode of a new file. On Windows, the user's profile folder protects it. */
export const privateMode = 0o600;
const privateFolderMode = 0o700;
const forOthers = 0o7077;

/** Creates a folder that only this user can open, if it does not exist. */
export function makePrivateFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: privateFolderMode });
}

/** Folders that this process has made private. */
const known = new Set<string>();

/**
 * Creates a folder of the extension's storage, or makes it private with all that is in it, once in a process: earlier
 * versions stored it readable by others.
 */
export function openStorageFolder(folder: string): void {
  makePrivateFolder(folder);
  if (process.platform === "win32" || known.has(folder)) return;
  fs.chmodSync(folder, privateFolderMode);
  mend(folder);
  known.add(folder);
}

/** Removes a symbolic link, before a file of its name is written: what it leads to is not ours. */
export function removeLink(file: string): void {
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) fs.rmSync(file);
}

/** Follows no link: what it leads to is not ours. */
function mend(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    try {
      if (entry.isFile() || entry.isDirectory()) {
        const { mode } = fs.lstatSync(file);
        if ((mode & forOthers) !== 0) fs.chmodSync(file, mode & ~forOthers);
      }
      if (entry.isDirectory()) mend(file);
    } catch (error) {
      // Another window may have deleted it.
      if (!hasErrorCode(error, "ENOENT")) throw error;
    }
  }
}
