import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { AppError, isCancelled } from "../../mindsdb/errors.ts";

/** VS Code cannot stream files that are not on this machine's disk: they are read into memory. */
const maxVirtualBytes = 64 * 1024 * 1024;

/** Yields a file's bytes, a megabyte at a time. Throws AppError "tooLarge" or "notFound", or the signal's reason. */
export async function* readFileChunks(
  uri: vscode.Uri,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const name = path.posix.basename(uri.path);
  try {
    if (uri.scheme === "file") {
      const options = { highWaterMark: 1024 * 1024, ...(signal ? { signal } : {}) };
      yield* fs.createReadStream(uri.fsPath, options) as AsyncIterable<Buffer>;
      return;
    }
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxVirtualBytes) {
      throw new AppError(
        "tooLarge",
        vscode.l10n.t(
          "{0} is larger than 64 MB and not on this machine's disk. Copy it there first.",
          name,
        ),
      );
    }
    yield await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (isCancelled(error) || error instanceof AppError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError("notFound", vscode.l10n.t("{0} could not be read: {1}.", name, why));
  }
}
