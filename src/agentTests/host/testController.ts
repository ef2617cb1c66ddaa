// Agent tests in VS Code's Test Explorer: files, their tests and assertions, and running them.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import type { Transcript } from "../../chat/transcript.ts";
import { showInformation } from "../../shared/host/notifications.ts";
import type { TestedAgent } from "../files/testFile.ts";
import { runTest } from "../runs/runTests.ts";
import { QuestionConsent, type PlannedQuestion } from "../runs/questionConsent.ts";
import { RunHistory } from "../runs/runHistory.ts";
import type { AskedRun, SearchedRun } from "../checks/agentOutcome.ts";
import { registerTargetCompletion } from "./files/targetCompletion.ts";
import { askUser } from "./confirmQuestions.ts";
import { explainTrust } from "./explainTrust.ts";
import { KeptRuns } from "./keptRuns.ts";
import { registerKeyCompletion } from "./files/keyCompletion.ts";
import { KnownTargets } from "./files/knownTargets.ts";
import type { ResultPages, ResultPagesOptions } from "./resultPages.ts";
import { RunReporter } from "./runReporter.ts";
import { searchOnce } from "./searchOnce.ts";
import { TestConnections } from "./files/testConnections.ts";
import { TestFiles } from "./files/testFiles.ts";
import { historyKey, registerTestHover } from "./files/testHover.ts";

export interface AgentTestOptions extends ResultPagesOptions {
  servers: ServerAccess;
  state: vscode.Memento;
  /** The conversation in the active editor. */
  activeTranscript: () => Promise<Transcript | undefined>;
}

const controllerId = "mindsdbWorkbench.agentTests";

/** The last runs of tests, in the workspace's state. */
const historyStateKey = "agentTests.history";

/**
 * Larger runs do not show which tests wait. VS Code looks at all tests of a file again whenever one of them goes from
 * waiting to its result: with 2,000 of them the window was blocked for twice as long (1.139.1).
 */
const maxQueuedTests = 200;

export class AgentTestController implements vscode.Disposable {
  readonly files: TestFiles;
  readonly consent: QuestionConsent;
  readonly #options: AgentTestOptions & { resultPages: () => Promise<ResultPages> };
  readonly #controller: vscode.TestController;
  readonly #connections: TestConnections;
  readonly #subscriptions: vscode.Disposable[];
  readonly #runs = new KeptRuns();
  readonly #history: RunHistory;

  constructor(options: AgentTestOptions & { resultPages: () => Promise<ResultPages> }) {
    this.#options = options;
    this.#controller = vscode.tests.createTestController(
      controllerId,
      vscode.l10n.t("Agent Tests"),
    );
    this.consent = new QuestionConsent(options.state, askUser);
    this.#connections = new TestConnections(options.servers, options.state);
    const targets = new KnownTargets(options.servers);
    this.files = new TestFiles(
      this.#controller,
      options.log,
      async ({ kind, connection, project, name }) => {
        const server = this.#connections.get(connection);
        const known = server && (await targets.list(server, kind));
        const wanted = `${project}/${name}`;
        if (!server || !known || known.has(wanted)) return undefined;
        return kind === "agent"
          ? vscode.l10n.t("{0} has no agent {1}.", server.name, wanted)
          : vscode.l10n.t("{0} has no knowledge base {1}.", server.name, wanted);
      },
    );
    const completion = registerTargetCompletion(async (kind) => {
      const server = this.#connections.get();
      return server && targets.list(server, kind);
    });
    this.#history = new RunHistory(options.state.get(historyStateKey));
    const hover = registerTestHover((uri, line) => this.files.findAt(uri, line), this.#history);
    const keys = registerKeyCompletion(this.files.problems);
    this.#subscriptions = [completion, hover, keys, this.files, this.#controller];
    this.#controller.refreshHandler = () => this.files.discover();
    this.#controller.resolveHandler = (item) => {
      if (item) this.files.resolveAssertions(item);
    };
    const profile = this.#controller.createRunProfile(
      vscode.l10n.t("Ask Agents"),
      vscode.TestRunProfileKind.Run,
      (request, token) => this.run(request, token),
      true,
    );
    profile.configureHandler = () => void this.#connections.choose();
    void this.files.discover();
  }

  /** Runs tests. Nothing is asked before the user has agreed and a connection is known. */
  async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      void explainTrust();
      return;
    }
    const tests = this.files.collect(request);
    const runnable = tests.filter(({ test }) => test.problems.length === 0);
    const findConnection = await this.#connections.resolve(runnable.map(({ test }) => test.agent));
    if (!findConnection) return;
    const planned = runnable.flatMap(({ item, test }): PlannedQuestion[] => {
      const connection = this.#options.servers.find(findConnection(test.agent) ?? "");
      // Without a connection the test fails and asks nothing.
      if (!connection) return [];
      const { kind, project, name } = test.agent;
      const file = String(item.uri);
      return [{ file, connection, kind, project, name, repeat: test.repeat }];
    });
    if (!(await this.consent.allows(planned))) return;
    const run = this.#controller.createTestRun(request);
    const stop = new AbortController();
    const subscription = run.token.onCancellationRequested(() => stop.abort());
    const cancelled = token.onCancellationRequested(() => stop.abort());
    const reporter = new RunReporter(run, this.files);
    this.files.reportBrokenFiles(request, run);
    if (tests.length <= maxQueuedTests) {
      for (const { item } of tests) run.enqueued(item);
    }
    try {
      for (const { item, test } of tests) {
        if (stop.signal.aborted) break;
        reporter.start(item);
        const result = await runTest(
          test,
          (agent, question, signal) => this.#ask(findConnection(agent), agent, question, signal),
          stop.signal,
        ).catch((error: unknown) => {
          if (stop.signal.aborted) return undefined;
          throw error;
        });
        if (!result) {
          reporter.skip(item);
          break;
        }
        const reported = this.#runs.put(item, test, result);
        // A test with a problem asks nothing.
        if (test.problems.length === 0) this.#history.add(historyKey(item), reported);
        reporter.finish(item, test, result);
      }
    } finally {
      reporter.end();
      void this.#options.state.update(historyStateKey, this.#history.stored);
      subscription.dispose();
      cancelled.dispose();
    }
  }

  /** Opens the last run of a test, or of the test that a message belongs to. */
  async openRun(given: unknown): Promise<void> {
    const item = findItem(given);
    const run = item && this.#runs.find(item);
    if (run && "documents" in run) (await this.#options.resultPages()).showRanking(run);
    else if (run) await this.#options.openRun(run);
    else void showInformation(vscode.l10n.t("This test has not been run yet."));
  }

  /** Writes the last results to a file. */
  async exportResults(): Promise<void> {
    const { exportResults } = await import("./exportResults.ts");
    await exportResults(this.#runs.results);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #ask(
    connectionId = "",
    { kind, project, name, limit }: TestedAgent,
    question: string,
    signal: AbortSignal,
  ): Promise<AskedRun | SearchedRun> {
    const item = { connectionId, project, name };
    if (kind === "agent") return this.#options.ask(item, question, signal);
    return searchOnce(this.#options.servers, item, question, { limit, signal });
  }
}

function findItem(given: unknown): vscode.TestItem | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  if ("test" in given) return findItem(given.test);
  return "id" in given && "children" in given ? (given as vscode.TestItem) : undefined;
}
