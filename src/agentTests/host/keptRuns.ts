import type * as vscode from "vscode";
import type { Transcript } from "../../chat/transcript.ts";
import type { TestResult } from "../runTests.ts";

/** The most runs that are kept: a transcript can be large. */
const maxRuns = 200;

/** The last run of each test, redacted, until the window closes. */
export class KeptRuns {
  readonly #runs = new Map<string, Transcript>();

  /** Keeps the first run that did not pass, or the last one. */
  put(testId: string, { attempts }: TestResult): void {
    const kept = attempts.find(({ state, run }) => state !== "passed" && run) ?? attempts.at(-1);
    this.#runs.delete(testId);
    if (!kept?.run) return;
    this.#runs.set(testId, kept.run);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > maxRuns && oldest !== undefined) this.#runs.delete(oldest);
  }

  /** The run of a test, or of the test that an assertion belongs to. */
  find(item: vscode.TestItem): Transcript | undefined {
    return this.#runs.get(item.id) ?? (item.parent && this.find(item.parent));
  }
}
