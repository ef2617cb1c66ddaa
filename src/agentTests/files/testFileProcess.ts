import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import * as l10n from "@vscode/l10n";
import { AppError } from "../../mindsdb/errors.ts";
import { abortable } from "../../mindsdb/http/abortable.ts";
import type { TestFileAnswer, TestFileRequest } from "./testFileProcessMain.ts";
import type { TestFileTasks } from "./testFileTasks.ts";

/** In MB. The largest file that is read needs less than 128. */
const maxHeap = 256;
/** In ms, with the start of the process. Reading counts its own time and gives up after 3 s. */
const maxTime = 30_000;
/** In ms. After so long without a task, the process ends. */
const maxIdle = 30_000;

export interface TestFileProcessOptions {
  /** The script of the process (testFileProcessMain.ts). */
  script: URL;
  /** The translations of the texts. */
  texts: Readonly<Record<string, string>> | undefined;
  /** In ms; for tests. */
  maxTime?: number;
}

/**
 * Parses the texts of test files in a process of its own, one after the other: whatever a stranger's file costs ends that
 * process, not the extension host. A worker thread is not enough: one allocation over its limit ends the whole process.
 */
export class TestFileProcess {
  readonly #options: TestFileProcessOptions;
  #process: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: TestFileProcessOptions) {
    this.#options = options;
  }

  /** Rejects with the signal's reason, or with AppError "tooLarge" if the text takes too much memory or time. */
  run<Name extends keyof TestFileTasks>(
    name: Name,
    args: Parameters<TestFileTasks[Name]>,
    signal?: AbortSignal,
  ): Promise<ReturnType<TestFileTasks[Name]>> {
    const result = this.#last.then(() => {
      signal?.throwIfAborted();
      return this.#run({ name, args }, signal);
    });
    this.#last = result.catch(() => undefined);
    return result as Promise<ReturnType<TestFileTasks[Name]>>;
  }

  async #run(task: TestFileRequest, signal: AbortSignal | undefined): Promise<unknown> {
    clearTimeout(this.#idle);
    const child = (this.#process ??= this.#start());
    const limit = AbortSignal.timeout(this.#options.maxTime ?? maxTime);
    const settled = new AbortController();
    const answer = Promise.race([
      once(child, "message", { signal: settled.signal }),
      once(child, "exit", { signal: settled.signal }).then(() => []),
    ]) as Promise<[TestFileAnswer?]>;
    try {
      child.send(task);
      const stop = signal ? AbortSignal.any([signal, limit]) : limit;
      const [message] = await abortable(answer, stop);
      if (message === undefined) throw tooLarge();
      if (message.kind === "failed") throw new Error(message.error);
      this.#idle = setTimeout(() => this.#end(), maxIdle).unref();
      return message.result;
    } catch (error) {
      this.#end();
      throw error === limit.reason ? tooLarge() : error;
    } finally {
      settled.abort();
    }
  }

  #start(): ChildProcess {
    const child = fork(fileURLToPath(this.#options.script), [], {
      serialization: "advanced",
      execArgv: [`--max-old-space-size=${String(maxHeap)}`],
      // VS Code's own program is Node only where it is told to be.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: "1", NODE_OPTIONS: "" },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    child.unref();
    child.channel?.unref();
    child.on("error", () => undefined);
    child.once("exit", () => {
      if (this.#process === child) this.#process = undefined;
    });
    const { texts } = this.#options;
    if (texts) child.send({ texts } satisfies TestFileRequest);
    return child;
  }

  #end(): void {
    this.#process?.kill("SIGKILL");
    this.#process = undefined;
  }
}

function tooLarge(): AppError {
  return new AppError("tooLarge", l10n.t("The tests are too large, including repeated values."));
}
