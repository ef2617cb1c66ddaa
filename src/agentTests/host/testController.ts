// Agent tests in VS Code's Test Explorer: files, their tests and assertions, and running them.
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import type { Transcript } from "../../chat/transcript.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { Log } from "../../shared/host/log.ts";
import { showInformation, showWarning } from "../../shared/host/notifications.ts";
import type { AgentTest } from "../testFile.ts";
import { runTest } from "../runTests.ts";
import type { AskedRun } from "../agentOutcome.ts";
import { registerAgentCompletion } from "./agentCompletion.ts";
import { KeptRuns } from "./keptRuns.ts";
import { KnownAgents } from "./knownAgents.ts";
import { RunReporter } from "./runReporter.ts";
import { TestConnections } from "./testConnections.ts";
import { TestFiles } from "./testFiles.ts";

export interface AgentTestOptions {
  servers: ServerAccess;
  state: vscode.Memento;
  log: Log;
  /** Asks in a conversation of its own. Rejects with the signal's reason only. */
  ask: (agent: AgentRef, question: string, signal: AbortSignal) => Promise<AskedRun>;
  /** Shows a run in the chat. */
  openRun: (transcript: Transcript) => Promise<void>;
  /** The conversation in the active editor. */
  activeTranscript: () => Promise<Transcript | undefined>;
}

export const controllerId = "mindsdbWorkbench.agentTests";

/** From so many questions on the user is asked first: each of them calls a language model. */
const maxUnaskedQuestions = 100;

export class AgentTestController implements vscode.Disposable {
  readonly files: TestFiles;
  readonly #options: AgentTestOptions;
  readonly #controller: vscode.TestController;
  readonly #connections: TestConnections;
  readonly #completion: vscode.Disposable;
  readonly #runs = new KeptRuns();

  constructor(options: AgentTestOptions) {
    this.#options = options;
    this.#controller = vscode.tests.createTestController(
      controllerId,
      vscode.l10n.t("Agent Tests"),
    );
    this.#connections = new TestConnections(options.servers, options.state);
    const agents = new KnownAgents(options.servers);
    this.files = new TestFiles(
      this.#controller,
      options.log,
      async ({ connection, project, name }) => {
        const server = this.#connections.get(connection);
        const known = server && (await agents.list(server));
        const wanted = `${project}/${name}`;
        if (!server || !known || known.includes(wanted)) return undefined;
        return vscode.l10n.t("{0} has no agent {1}.", server.name, wanted);
      },
    );
    this.#completion = registerAgentCompletion(async () => {
      const server = this.#connections.get();
      return server && agents.list(server);
    });
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
    const questions = tests
      .filter(({ test }) => test.problems.length === 0)
      .reduce((sum, { test }) => sum + test.repeat, 0);
    if (questions > maxUnaskedQuestions && !(await confirmQuestions(questions))) return;
    const agents = tests.flatMap(({ test }) => (test.problems.length === 0 ? [test.agent] : []));
    const connections = await this.#connections.resolve(agents);
    if (!connections) return;
    const run = this.#controller.createTestRun(request);
    const stop = new AbortController();
    const subscription = run.token.onCancellationRequested(() => stop.abort());
    const cancelled = token.onCancellationRequested(() => stop.abort());
    const reporter = new RunReporter(run, this.files);
    this.files.reportBrokenFiles(request, run);
    for (const { item } of tests) run.enqueued(item);
    try {
      for (const { item, test } of tests) {
        if (stop.signal.aborted) break;
        reporter.start(item);
        const result = await runTest(
          test,
          (agent, question, signal) => this.#ask(connections.find(agent), test, question, signal),
          stop.signal,
        ).catch((error: unknown) => {
          if (stop.signal.aborted) return undefined;
          throw error;
        });
        if (!result) {
          reporter.skip(item);
          break;
        }
        this.#runs.put(item, test, result);
        reporter.finish(item, test, result);
      }
    } finally {
      reporter.end();
      subscription.dispose();
      cancelled.dispose();
    }
  }

  /** Opens the last run of a test, or of the test that a message belongs to. */
  async openRun(given: unknown): Promise<void> {
    const item = findItem(given);
    const transcript = item && this.#runs.find(item);
    if (transcript) await this.#options.openRun(transcript);
    else void showInformation(vscode.l10n.t("This test has no run yet."));
  }

  /** Writes the last results to a file. */
  async exportResults(): Promise<void> {
    const { exportResults } = await import("./exportResults.ts");
    await exportResults(this.#runs.results);
  }

  dispose(): void {
    this.#completion.dispose();
    this.files.dispose();
    this.#controller.dispose();
  }

  #ask(
    connectionId: string | undefined,
    { agent }: AgentTest,
    question: string,
    signal: AbortSignal,
  ): Promise<AskedRun> {
    const { project, name } = agent;
    return this.#options.ask({ connectionId: connectionId ?? "", project, name }, question, signal);
  }
}

function findItem(given: unknown): vscode.TestItem | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  if ("test" in given) return findItem(given.test);
  return "id" in given && "children" in given ? (given as vscode.TestItem) : undefined;
}

async function confirmQuestions(questions: number): Promise<boolean> {
  const ask = vscode.l10n.t("Ask");
  const message = vscode.l10n.t("Ask {0} questions?", questions);
  const detail = vscode.l10n.t(
    "Each question runs an agent's language model, which may cost money.",
  );
  return (await showWarning(message, { modal: true, detail }, ask)) === ask;
}

async function explainTrust(): Promise<void> {
  const manage = vscode.l10n.t("Manage Workspace Trust");
  const message = vscode.l10n.t("Agent tests do not run in a workspace that is not trusted.");
  if ((await showWarning(message, manage)) === manage) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  }
}
