import { Worker } from "node:worker_threads";
import { abortable } from "../../mindsdb/http/abortable.ts";
import { TooMuchTimeError } from "../checks/workBudget.ts";
import { testFileTasks, type TestFileTasks } from "./testFileTasks.ts";
import type { TestFileWork } from "./testFileWorker.ts";

/** In characters. Parsing as much takes some 10 ms; starting a thread takes longer. */
const maxLengthHere = 20_000;

/** A short file can also ask for a lot of work. */
const maxMsHere = 100;

interface TestFileTaskOptions extends Pick<TestFileWork, "texts"> {
  /** The script of the worker thread (testFileWorker.ts). */
  worker: URL;
  signal?: AbortSignal;
}

/** Parses the text of a test file; a long one in a worker thread. Rejects with the signal's reason. */
export async function runTestFileTask<Name extends keyof TestFileTasks>(
  { worker: script, texts, signal }: TestFileTaskOptions,
  name: Name,
  ...args: Parameters<TestFileTasks[Name]>
): Promise<ReturnType<TestFileTasks[Name]>> {
  type Result = ReturnType<TestFileTasks[Name]>;
  signal?.throwIfAborted();
  if (args[0].length <= maxLengthHere) {
    const task = testFileTasks[name] as (...args: unknown[]) => unknown;
    const given = name === "readTestFile" ? [args[0], maxMsHere] : args;
    try {
      return task(...given) as Result;
    } catch (error) {
      if (!(error instanceof TooMuchTimeError)) throw error;
    }
  }
  const worker = new Worker(script, { workerData: { name, args, texts } satisfies TestFileWork });
  const result = new Promise<Result>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`A test file's worker ended with ${code}.`)));
  });
  try {
    return await abortable(result, signal);
  } finally {
    await worker.terminate();
  }
}
