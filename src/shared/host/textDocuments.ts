// Read-only documents. They are files of a file system, because VS Code stores no editors of a content provider's
// documents: these would be gone after a reload of the window (seen in 1.139.1).
import * as vscode from "vscode";
import { fileSystems } from "../../ids.ts";

/** Registers documents of one scheme at activation; `read` returns undefined for those that no longer exist. */
export function registerDocuments(
  scheme: string,
  read: (uri: vscode.Uri) => Promise<string | undefined>,
): vscode.Disposable {
  const readBytes = async (uri: vscode.Uri): Promise<Uint8Array> => {
    const text = await read(uri);
    if (text === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return Buffer.from(text);
  };
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const ignore = (): vscode.Disposable => new vscode.Disposable(() => undefined);
  const files: vscode.FileSystemProvider = {
    stat: async (uri) => {
      const { length } = await readBytes(uri);
      return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: length };
    },
    readFile: readBytes,
    onDidChangeFile: ignore,
    watch: ignore,
    readDirectory: refuse,
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.workspace.registerFileSystemProvider(scheme, files, { isReadonly: true });
}

/** Registers the documents whose text is in their URI. */
export function registerTextDocuments(): vscode.Disposable {
  return registerDocuments(fileSystems.texts, ({ query }) => Promise.resolve(query));
}

/** The URI of such a document; `name` is that of its file, and may hold any characters. */
export function createTextUri(name: string, text: string): vscode.Uri {
  const path = `/${name.replace(/[^\p{L}\p{N} ._-]/gu, "_")}`;
  return vscode.Uri.from({ scheme: fileSystems.texts, path, query: text });
}
