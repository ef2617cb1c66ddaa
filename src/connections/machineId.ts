// Which machine the extension host runs on: 127.0.0.1 in a Remote-SSH window is another server than in a local one, while
// both windows share one SecretStorage.
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasErrorCode } from "../shared/hasErrorCode.ts";
import { makePrivateFolder, privateMode } from "../shared/node/privateFiles.ts";

const fileName = "machine-id";
const pattern = /^[0-9a-f-]{36}$/;

/** Attempts to read the file while another window may be writing it. */
const attempts = 20;
const attemptEveryMs = 25;

/** If the file cannot be written, secrets of private addresses last only as long as the window. */
export async function loadMachineId(
  folder: string,
  log: { error(message: string, error: unknown): void },
): Promise<string> {
  return readMachineId(folder).catch((error: unknown) => {
    log.error("The id of this machine could not be kept", error);
    return randomUUID();
  });
}

/**
 * A random id kept in a file of the folder, which is on the extension host's machine; made with the first use. Rejects
 * where the folder cannot be read or written.
 */
export async function readMachineId(folder: string): Promise<string> {
  const file = path.join(folder, fileName);
  makePrivateFolder(folder);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const known = await fs.readFile(file, "utf8").catch(undefinedIfMissing);
    if (known !== undefined && pattern.test(known)) return known;
    if (known === undefined) {
      const id = randomUUID();
      if (await create(file, id)) return id;
    } else {
      await sleep(attemptEveryMs);
    }
  }
  // The file is damaged: secrets bound to the former id need a new sign-in.
  const id = randomUUID();
  await fs.writeFile(file, id, { mode: privateMode });
  return id;
}

/** False if another window created the file first. */
async function create(file: string, id: string): Promise<boolean> {
  try {
    await fs.writeFile(file, id, { flag: "wx", mode: privateMode });
    return true;
  } catch (error) {
    if (hasErrorCode(error, "EEXIST")) return false;
    throw error;
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (!hasErrorCode(error, "ENOENT")) throw error;
}
