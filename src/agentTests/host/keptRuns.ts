import * as vscode from "vscode";
import type { Transcript } from "../../chat/transcript.ts";
import { findKeptAttempt, listResults, reportTest, type ReportedTest } from "../runs/junitXml.ts";
import type { Ranking, TestResult } from "../runs/runTests.ts";
import type { AgentTest } from "../files/testFile.ts";

/** The most runs that are kept: a transcript can be large. */
const maxRuns = 200;
/** The most results without transcripts. */
const maxResults = 10_000;

/** The last run and result of each test, redacted, until the window closes. */
export class KeptRuns {
  readonly #runs = new Map<string, Transcript | Ranking>();
  readonly #results = new Map<string, ReportedTest>();

  /** Keeps the first run that did not pass, or the last one; returns its result. */
  put(item: vscode.TestItem, test: AgentTest, result: TestResult): ReportedTest {
    const kept = findKeptAttempt(result);
    this.#runs.delete(item.id);
    const run = kept?.run ?? kept?.ranking;
    if (run) set(this.#runs, item.id, run, maxRuns);
    this.#results.delete(item.id);
    const file = item.uri ? vscode.workspace.asRelativePath(item.uri) : "";
    const reported = reportTest(file, test.name, result);
    set(this.#results, item.id, reported, maxResults);
    return reported;
  }

  /** The run of a test, or of the test that an assertion belongs to. */
  find(item: vscode.TestItem): Transcript | Ranking | undefined {
    return this.#runs.get(item.id) ?? (item.parent && this.find(item.parent));
  }

  /** The last results, by file. */
  get results(): ReportedTest[] {
    return listResults(this.#results);
  }
}

/** Adds an entry, and drops the oldest if there are too many. */
function set<Value>(all: Map<string, Value>, key: string, value: Value, max: number): void {
  all.set(key, value);
  const [oldest] = all.keys();
  if (all.size > max && oldest !== undefined) all.delete(oldest);
}
