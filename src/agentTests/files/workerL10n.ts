// Replaces @vscode/l10n in the worker thread for test files (see esbuild.js), which is started with the translations.
import { workerData } from "node:worker_threads";
import { formatMessage } from "../../shared/formatMessage.ts";
import type { TestFileWork } from "./testFileWorker.ts";

const { texts = {} } = workerData as TestFileWork;

export function t(text: string, ...values: unknown[]): string {
  const translated = texts[text] ?? text;
  return values.length === 0 ? translated : formatMessage(translated, ...values.map(String));
}
