// Files that are written whole or not at all.
import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";

/** For files that are only of use while something is done: nobody else reads them, and none that is there is written to. */
export const temporaryFile = { flag: "wx", mode: 0o600 } as const;

/**
 * Replaces a file by what `write` writes to a new one beside it, whose name nobody can know before; what was there stays
 * as it was until all is written. `write` has to open the new one as `temporaryFile` says. A symbolic link is replaced,
 * and what it leads to left alone. Keeps the permissions of the file that was there.
 */
export async function replaceFile(
  file: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const part = `${file}.${randomBytes(8).toString("hex")}.part`;
  const before = await fs.lstat(file).catch(() => undefined);
  try {
    await write(part);
    const mode = before?.isFile() ? before.mode & 0o777 : 0o666 & ~process.umask();
    // Some file systems know no permissions.
    await fs.chmod(part, mode).catch(() => undefined);
    await fs.rename(part, file);
  } finally {
    await fs.rm(part, { force: true });
  }
}
