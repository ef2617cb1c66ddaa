import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { isObject } from "../../mindsdb/json.ts";
import { readJsonFile, writeJsonFile } from "./jsonFile.ts";
import { openStorageFolder } from "../../shared/node/privateFiles.ts";

/** The ids of results, by their cells' keys (cellKeys.ts). */
type CellResults = Readonly<Record<string, string>>;

interface NotebookEntry {
  address: string;
  cells: CellResults;
}

const maxFileBytes = 1024 * 1024;

/** The format of `randomUUID`, so that an id cannot be a path to another folder. */
const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isResultId(text: string): boolean {
  return idPattern.test(text);
}

/** The results of the cells of each notebook, in one file per notebook, named by a hash of the notebook's address. */
export class NotebookIndex {
  readonly #folder: string;
  /** Resolves when the last change is written: they must not overlap. */
  #changes: Promise<unknown> = Promise.resolve();

  /** `root` is the folder of results, which all windows share. */
  constructor(root: string) {
    this.#folder = path.join(root, "notebooks");
  }

  /** The results of a notebook's cells; empty if the file is missing or cannot be read. */
  async read(address: string): Promise<CellResults> {
    await this.#changes;
    return this.#read(address);
  }

  /** Changes the results of a notebook's cells; deletes the notebook's file if none are left. */
  change(address: string, change: (cells: CellResults) => CellResults): Promise<void> {
    const changed = this.#changes.then(async () => {
      const before = await this.#read(address);
      const cells = change(before);
      if (JSON.stringify(cells) === JSON.stringify(before)) return;
      await this.#write({ address, cells });
    });
    this.#changes = changed.catch(() => undefined);
    return changed;
  }

  /** All notebooks that have results. */
  async all(): Promise<NotebookEntry[]> {
    await this.#changes;
    const names = await fs.readdir(this.#folder).catch(() => []);
    const entries = await Promise.all(
      names.map((name) => readEntry(path.join(this.#folder, name))),
    );
    return entries.filter((entry) => entry !== undefined);
  }

  async #read(address: string): Promise<CellResults> {
    const entry = await readEntry(this.#toFileName(address));
    return entry?.address === address ? entry.cells : {};
  }

  async #write(entry: NotebookEntry): Promise<void> {
    const file = this.#toFileName(entry.address);
    if (Object.keys(entry.cells).length === 0) {
      await fs.rm(file, { force: true });
      return;
    }
    openStorageFolder(this.#folder);
    await writeJsonFile(file, entry);
  }

  #toFileName(address: string): string {
    const hash = createHash("sha256").update(address).digest("hex").slice(0, 32);
    return path.join(this.#folder, `${hash}.json`);
  }
}

async function readEntry(file: string): Promise<NotebookEntry | undefined> {
  try {
    const value = await readJsonFile(file, maxFileBytes);
    if (!isObject(value) || typeof value["address"] !== "string" || !isObject(value["cells"])) {
      return undefined;
    }
    const cells = Object.entries(value["cells"]).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string" && isResultId(entry[1]),
    );
    return { address: value["address"], cells: Object.fromEntries(cells) };
  } catch {
    return undefined;
  }
}
