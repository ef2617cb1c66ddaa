import * as vscode from "vscode";
import { TestFileProcess } from "../../files/testFileProcess.ts";
import type { TestFileTasks } from "../../files/testFileTasks.ts";

const script = new URL("./testFileProcessMain.js", import.meta.url);
let parser: TestFileProcess | undefined;

/**
 * Parses the text of a test file outside of the extension host. Rejects with AppError "tooLarge" if the text takes too
 * much memory or time.
 */
export function parseTestFile<Name extends keyof TestFileTasks>(
  name: Name,
  args: Parameters<TestFileTasks[Name]>,
  signal?: AbortSignal,
): Promise<ReturnType<TestFileTasks[Name]>> {
  parser ??= new TestFileProcess({ script, texts: vscode.l10n.bundle });
  return parser.run(name, args, signal);
}
