import fs from "node:fs";
import os from "node:os";
import { hasErrorCode } from "../../shared/hasErrorCode.ts";

/** Whether the process that wrote a file still runs. A file from before the last boot is from another process. */
export function isWriterAlive(file: string, processId: number): boolean {
  const startedAt = Date.now() - 1_000 * os.uptime();
  try {
    process.kill(processId, 0);
    return fs.statSync(file).mtimeMs > startedAt;
  } catch (error) {
    // The process exists but belongs to another user.
    return hasErrorCode(error, "EPERM");
  }
}
