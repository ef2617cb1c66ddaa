import path from "node:path";
import * as vscode from "vscode";
import { writeLocalFile } from "../files/localFile.ts";

/**
 * Writes a file that the user picked. A link with its name is replaced, never followed; links in its path are followed only
 * within `folder`, by default the file's own.
 */
export async function writeFile(
  uri: vscode.Uri,
  content: string | Uint8Array,
  folder = path.dirname(uri.fsPath),
): Promise<void> {
  if (uri.scheme === "file") await writeLocalFile(uri.fsPath, folder, content);
  else await vscode.workspace.fs.writeFile(uri, Buffer.from(content));
}
