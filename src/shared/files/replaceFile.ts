import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import { privateMode } from "../../shared/node/privateFiles.ts";

/** Options for temporary files: readable by this user only, and never an existing file. */
export const temporaryFile = { flag: "wx", mode: privateMode } as const;

/**
 * Replaces a file by a new one, which `write` writes beside it with a random name; the old file stays until the new one is
 * complete. `write` has to open the file with the options of `temporaryFile`. A symbolic link is replaced, not its target.
 * The permissions of the old file are kept, unless it is stored for this user only.
 */
export async function replaceFile(
  file: string,
  write: (temporary: string) => Promise<void>,
  isPrivate = false,
): Promise<void> {
  const part = `${file}.${randomBytes(8).toString("hex")}.part`;
  const before = await fs.lstat(file).catch(() => undefined);
  try {
    await write(part);
    const mode = before?.isFile() ? before.mode & 0o777 : 0o666 & ~process.umask();
    // Some file systems have no permissions.
    if (!isPrivate) await fs.chmod(part, mode).catch(() => undefined);
    await fs.rename(part, file);
  } finally {
    await fs.rm(part, { force: true });
  }
}
