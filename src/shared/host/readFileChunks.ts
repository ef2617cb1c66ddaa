import path from "node:path";
import * as vscode from "vscode";
import { AppError, isCancelled } from "../../mindsdb/errors.ts";
import {
  LocalFileError,
  openLocalFile,
  readLocalFile,
  readSmallLocalFile,
} from "../files/localFile.ts";
import { folderAround } from "./folderAround.ts";

/** VS Code cannot stream files that are not on this machine's disk: they are read into memory. */
const maxVirtualBytes = 64 * 1024 * 1024;

/** Returns a file's size in bytes. Throws AppError "notFound", or "refused" for a link out of its folder. */
export async function readFileSize(uri: vscode.Uri): Promise<number> {
  try {
    if (uri.scheme === "file") {
      const handle = await openLocalFile(uri.fsPath, folderAround(uri));
      return await handle
        .stat()
        .then(({ size }) => size)
        .finally(() => handle.close());
    }
    return (await vscode.workspace.fs.stat(uri)).size;
  } catch (error) {
    throw unreadable(uri, error);
  }
}

/**
 * Yields a file's bytes, a megabyte at a time. Links are followed only within its workspace folder, or else its own folder.
 * Throws AppError "tooLarge", "notFound" or "refused", or the signal's reason.
 */
export async function* readFileChunks(
  uri: vscode.Uri,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    if (uri.scheme === "file") {
      yield* readLocalFile(uri.fsPath, folderAround(uri), signal);
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

/**
 * Returns the bytes of a file; undefined if it has more than `maxBytes`. Links are followed only within `folder`. Throws
 * AppError "notFound" or "refused".
 */
export async function readSmallFile(
  uri: vscode.Uri,
  maxBytes: number,
  folder = folderAround(uri),
): Promise<Uint8Array | undefined> {
  try {
    if (uri.scheme === "file") return await readSmallLocalFile(uri.fsPath, folder, maxBytes);
    const { size, type } = await vscode.workspace.fs.stat(uri);
    // A pipe may never end, and a device neither.
    if (!(type & vscode.FileType.File)) throw new LocalFileError("special", uri.path);
    return size > maxBytes ? undefined : await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    throw unreadable(uri, error);
  }
}

function unreadable(uri: vscode.Uri, error: unknown): AppError {
  const name = path.posix.basename(uri.path);
  if (error instanceof LocalFileError) return refuse(name, error);
  const why = error instanceof Error ? error.message : String(error);
  return new AppError("notFound", vscode.l10n.t("{0} could not be read: {1}.", name, why));
}

function refuse(name: string, { problem, target }: LocalFileError): AppError {
  if (problem === "special") {
    return new AppError("refused", vscode.l10n.t("{0} is not a file that can be read.", name));
  }
  const message =
    target === undefined
      ? vscode.l10n.t("{0} is a link to a file outside its folder, so it is not read.", name)
      : vscode.l10n.t(
          "{0} is a link to {1}, which is outside its folder. To use that file, select it directly.",
          name,
          target,
        );
  return new AppError("refused", message);
}
