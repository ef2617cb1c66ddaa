import * as vscode from "vscode";
import { runTestFileTask } from "../../files/runTestFileTask.ts";
import type { TestFileTasks } from "../../files/testFileTasks.ts";

const worker = new URL("./testFileWorker.js", import.meta.url);

/** Parses the text of a test file without blocking the extension host. */
export function parseTestFile<Name extends keyof TestFileTasks>(
  name: Name,
  args: Parameters<TestFileTasks[Name]>,
  signal?: AbortSignal,
): Promise<ReturnType<TestFileTasks[Name]>> {
  return runTestFileTask({ worker, texts: vscode.l10n.bundle, signal }, name, ...args);
}
