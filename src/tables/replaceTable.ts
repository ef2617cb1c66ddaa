// Replaces an uploaded table. MindsDB does not overwrite one, so the old table has to be deleted before.
import { randomBytes } from "node:crypto";
import { isAppError } from "../mindsdb/errors.ts";
import { dropFile, uploadFile, type FileUpload } from "../mindsdb/files.ts";
import type { Client } from "../mindsdb/http/client.ts";

/** The new table is not there, and its rows are in the table `copy`. */
export class ReplaceError extends Error {
  readonly copy: string;
  /** False if the connection was lost meanwhile: the old table may be there. */
  readonly isOldDeleted: boolean;

  constructor(copy: string, isOldDeleted: boolean, cause: unknown) {
    super("The new table is missing", { cause });
    this.name = "ReplaceError";
    this.copy = copy;
    this.isOldDeleted = isOldDeleted;
  }
}

/**
 * Uploads the file under another name before the old table is deleted, so that a file that the server cannot read, a lost
 * connection or a cancelled upload leaves the old table as it is; then uploads it again under its name. `signal` cancels
 * as long as the old table is there. Throws ReplaceError if the connection is lost while the old table is deleted, or if the
 * second upload fails.
 */
export async function replaceTable(
  client: Client,
  name: string,
  file: FileUpload,
  signal?: AbortSignal,
): Promise<void> {
  const copy = `${name}_new_${randomBytes(4).toString("hex")}`;
  try {
    await uploadFile(client, copy, file, { signal });
    signal?.throwIfAborted();
  } catch (error) {
    await dropFile(client, copy).catch(() => undefined);
    throw error;
  }
  try {
    await dropFile(client, name);
  } catch (error) {
    if (!isAppError(error, "sql", "readOnly")) throw new ReplaceError(copy, false, error);
    await dropFile(client, copy).catch(() => undefined);
    throw error;
  }
  try {
    await uploadFile(client, name, file);
  } catch (error) {
    throw new ReplaceError(copy, true, error);
  }
  // It is complete: a copy that stays does no harm.
  await dropFile(client, copy).catch(() => undefined);
}
