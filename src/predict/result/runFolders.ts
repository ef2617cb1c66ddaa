// Where runs are kept on disk: a folder for each run, in one for each extension host. What a dead one left is deleted.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export class RunFolders {
  readonly #root: string;
  readonly #own: string;
  #swept: Promise<void> | undefined;

  /** `root` may be shared by several windows, each with a process of its own. */
  constructor(root: string, processId = process.pid) {
    this.#root = root;
    this.#own = path.join(root, String(processId));
  }

  /** Deletes what earlier processes left behind; once. */
  sweep(): Promise<void> {
    return (this.#swept ??= this.#deleteOrphans());
  }

  /** The folder of a new run, still to be made. */
  async folderOf(runId: string): Promise<string> {
    await this.sweep();
    return path.join(this.#own, runId);
  }

  /** Deletes all runs of this process. Does not wait: there is no time left when VS Code shuts down. */
  dispose(): void {
    fs.rmSync(this.#own, { recursive: true, force: true });
  }

  async #deleteOrphans(): Promise<void> {
    const names = await fs.promises.readdir(this.#root).catch(() => []);
    const folders = names.map((name) => path.join(this.#root, name));
    const orphans = folders.filter((folder) => folder === this.#own || !isInUse(folder));
    const remove = (folder: string) => fs.promises.rm(folder, { recursive: true, force: true });
    // What cannot be deleted now is tried again the next time.
    await Promise.allSettled(orphans.map(remove));
  }
}

/** Whether the process that a folder is named after is alive, and was when the folder was made. */
function isInUse(folder: string): boolean {
  const startedAt = Date.now() - 1_000 * os.uptime();
  try {
    process.kill(Number(path.basename(folder)), 0);
    return fs.statSync(folder).mtimeMs > startedAt;
  } catch (error) {
    // Somebody else's process is one, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
