// Asks several agents the same questions and keeps what each of them answered.
import * as l10n from "@vscode/l10n";
import type { AgentRef } from "../mindsdb/references.ts";
import { numericColumns, type TextTable } from "../shared/textTable.ts";
import type { AskAgent, AskedRun } from "./agentOutcome.ts";
import { runTest, type TestResult } from "./runTests.ts";
import type { AgentTest } from "./testFile.ts";

/** Agents that can be compared with each other. */
export const minAgents = 2;
export const maxAgents = 4;

/** An agent as a column group of the comparison. */
export interface ComparedAgent extends AgentRef {
  /** Tells it from the others. */
  label: string;
}

/** One agent's answer to one question; undefined until it was asked. */
interface Cell {
  test: AgentTest;
  agent: ComparedAgent;
  isRunning: boolean;
  result?: TestResult;
}

export interface ComparisonOptions {
  agents: readonly ComparedAgent[];
  /** Questions with their assertions. */
  tests: readonly AgentTest[];
  /** Rejects with the signal's reason only. */
  ask: (agent: AgentRef, question: string, signal: AbortSignal) => Promise<AskedRun>;
  onChanged: () => void;
}

/** Returns the tests of a file once for each question: its own agents do not matter. */
export function listTestsOfOneAgent(tests: readonly AgentTest[]): AgentTest[] {
  const ofAgents = tests.filter(({ agent }) => agent.kind === "agent");
  return ofAgents.filter(({ agent }) => agent === ofAgents[0]?.agent);
}

export class Comparison {
  readonly agents: readonly ComparedAgent[];
  readonly #options: ComparisonOptions;
  /** By question, then by agent. */
  readonly #cells: Cell[][];
  #stop: AbortController | undefined;

  constructor(options: ComparisonOptions) {
    this.#options = options;
    this.agents = options.agents;
    this.#cells = options.tests.map((test) =>
      options.agents.map((agent) => ({ test, agent, isRunning: false })),
    );
  }

  get isRunning(): boolean {
    return this.#stop !== undefined;
  }

  /** How many answers there are, of how many, and how many cells have none that passed. */
  get progress(): { done: number; of: number; open: number } {
    const cells = this.#cells.flat();
    return {
      done: cells.filter(({ result }) => result).length,
      of: cells.length,
      open: cells.filter(isOpen).length,
    };
  }

  /** Asks what has no passed answer yet. */
  run(): Promise<void> {
    return this.#run(this.#cells.flat().filter(isOpen));
  }

  /** Asks the agent of a cell of the table again; on a question, all agents. */
  async runCell(row: number, column: number): Promise<void> {
    const cells = this.#cells[row] ?? [];
    const agent = (column - 1) % this.agents.length;
    await this.#run(column === 0 ? cells : cells.slice(agent, agent + 1));
  }

  /** Each server gets one question after the other: several at once lose answers (26.1.0). */
  async #run(open: readonly Cell[]): Promise<void> {
    if (this.#stop || open.length === 0) return;
    const stop = new AbortController();
    this.#stop = stop;
    for (const cell of open) delete cell.result;
    this.#options.onChanged();
    const servers = new Set(open.map(({ agent }) => agent.connectionId));
    const work = [...servers].map(async (server) => {
      for (const cell of open) {
        if (cell.agent.connectionId === server) await this.#ask(cell, stop.signal);
      }
    });
    await Promise.all(work);
    this.#stop = undefined;
    this.#options.onChanged();
  }

  /** Ends the questions under way; the servers cannot be told. */
  cancel(): void {
    this.#stop?.abort();
  }

  /** A row for each question. What the agents answered stands side by side, and so do their verdicts and the rest. */
  toTable(): TextTable {
    const names = createColumnNames();
    const columns = [
      names.question,
      ...names.ofAgent.flatMap((name) => this.agents.map(({ label }) => `${label}: ${name}`)),
    ];
    const rows = this.#cells.map((cells) => {
      const texts = cells.map(toTexts);
      const byName = names.ofAgent.flatMap((_, at) => texts.map((ofOne) => ofOne[at] ?? ""));
      const { question, name } = cells[0]!.test;
      return [question || name, ...byName];
    });
    return { columns, rows, numeric: numericColumns(columns, rows) };
  }

  async #ask(cell: Cell, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    cell.isRunning = true;
    this.#options.onChanged();
    const { agent, test } = cell;
    try {
      const ask: AskAgent = (_, question, given) => this.#options.ask(agent, question, given);
      cell.result = await runTest({ ...test, repeat: 1 }, ask, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      cell.isRunning = false;
      this.#options.onChanged();
    }
  }
}

function isOpen({ result }: Cell): boolean {
  return result?.state !== "passed";
}

function createColumnNames(): { question: string; ofAgent: string[] } {
  return {
    question: l10n.t("Question"),
    ofAgent: [
      l10n.t("Verdict"),
      l10n.t("Answer"),
      l10n.t("Time (ms)"),
      l10n.t("Steps"),
      l10n.t("SQL"),
    ],
  };
}

/** Redacted texts, in the order of the columns of an agent. */
function toTexts({ test, isRunning, result }: Cell): string[] {
  const [attempt] = result?.attempts ?? [];
  if (!result || !attempt) return [isRunning ? l10n.t("Running") : "", "", "", "", ""];
  const run = attempt.run?.runs[0];
  const queries = (run?.steps ?? [])
    .filter(({ kind }) => kind === "sql")
    .flatMap(({ parts }) => parts.filter(({ kind }) => kind === "sql" || kind === "input"))
    .map(({ text }) => text);
  return [
    formatVerdict(result.state, test.assertions.length > 0),
    attempt.message ?? run?.answer?.text ?? "",
    run ? String(Math.round(attempt.tookMs)) : "",
    run ? String(run.steps.length) : "",
    queries.join(";\n"),
  ];
}

function formatVerdict(state: TestResult["state"], isJudged: boolean): string {
  if (state === "error") return l10n.t("Error");
  if (state === "failed") return l10n.t("Failed");
  return isJudged ? l10n.t("Passed") : l10n.t("Answered");
}
