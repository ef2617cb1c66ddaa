import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { AppError, isCancelled } from "../../mindsdb/errors.ts";

/** VS Code cannot stream files that are not on this machine's disk: they are read into memory. */
const maxVirtualBytes = 64 * 1024 * 1024;

/** Returns a file's size in bytes. Throws AppError "notFound". */
export async function readFileSize(uri: vscode.Uri): Promise<number> {
  try {
    return (await vscode.workspace.fs.stat(uri)).size;
  } catch (error) {
    throw unreadable(uri, error);
  }
}

/** Yields a file's bytes, a megabyte at a time. Throws AppError "tooLarge" or "notFound", or the signal's reason. */
export async function* readFileChunks(
  uri: vscode.Uri,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    if (uri.scheme === "file") {
      const options = { highWaterMark: 1024 * 1024, signal };
      yield* fs.createReadStream(uri.fsPath, options) as AsyncIterable<Buffer>;
      return;
    }
    if ((await readFileSize(uri)) > maxVirtualBytes) {
      throw new AppError(
        "tooLarge",
        vscode.l10n.t(
          "{0} is larger than 64 MB and not on this machine's disk. Copy it there first.",
          path.posix.basename(uri.path),
        ),
      );
    }
    yield await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (isCancelled(error) || error instanceof AppError) throw error;
    throw unreadable(uri, error);
  }
}

function unreadable(uri: vscode.Uri, error: unknown): AppError {
  const name = path.posix.basename(uri.path);
  const why = error instanceof Error ? error.message : String(error);
  return new AppError("notFound", vscode.l10n.t("{0} could not be read: {1}.", name, why));
}
