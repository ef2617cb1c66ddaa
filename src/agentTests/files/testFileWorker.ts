// The worker thread that parses a large test file, so that the extension host stays responsive.
import { parentPort, workerData } from "node:worker_threads";
import { testFileTasks, type TestFileTasks } from "./testFileTasks.ts";

/** The data that a worker is started with. */
export interface TestFileWork {
  name: keyof TestFileTasks;
  args: unknown[];
  /** The translations of the texts. */
  texts: Readonly<Record<string, string>> | undefined;
}

const { name, args } = workerData as TestFileWork;
const task = testFileTasks[name] as (...args: unknown[]) => unknown;
parentPort?.postMessage(task(...args));
