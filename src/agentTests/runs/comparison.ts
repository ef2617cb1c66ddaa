// Asks several agents the same questions and keeps what each of them answered.
import { createHash } from "node:crypto";
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import { cutOff } from "../../mindsdb/cutText.ts";
import { isObject } from "../../mindsdb/json.ts";
import { redactPatterns } from "../../mindsdb/redact/secretPatterns.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import { numericColumns, type TextTable } from "../../shared/textTable.ts";
import type { AskAgent, AskedRun } from "../checks/agentOutcome.ts";
import { runTest, type TestAttempt, type TestResult } from "./runTests.ts";
import type { AgentSummary, SavedComparison, ShownVerdict } from "../resultsPage.ts";
import type { AgentTest } from "../files/testFile.ts";

/** Agents that can be compared with each other. */
export const minAgents = 2;
export const maxAgents = 4;

/** In characters, of each text that a page shows, and of all. */
const maxTextLength = 10_000;
const maxTableLength = 20_000_000;

/** An agent as a column group of the comparison. */
export interface ComparedAgent extends AgentRef {
  /** Tells it from the others. */
  label: string;
}

/** One agent's answer to one question; undefined until it was asked. */
interface Cell {
  test: AgentTest;
  agent: ComparedAgent;
  /** Of the question and of the agent. */
  place: [row: number, agent: number];
  isRunning: boolean;
  result?: TestResult;
}

/** An answer as it is stored. */
export const keptAnswer = v.object({
  /** Of the question, which may hold a secret: tells which answers no longer belong to a test file that was changed. */
  hash: v.string(),
  /** Of the question and of the agent. */
  place: v.tuple([v.number(), v.number()]),
  result: v.custom<TestResult>(
    (result) => isObject(result) && Array.isArray(result["attempts"]) && "state" in result,
  ),
});
export type KeptAnswer = v.InferOutput<typeof keptAnswer>;

export interface ComparisonOptions {
  agents: readonly ComparedAgent[];
  /** Questions with their assertions. */
  tests: readonly AgentTest[];
  /** Rejects with the signal's reason only. */
  ask: (agent: AgentRef, question: string, signal: AbortSignal) => Promise<AskedRun>;
  onChanged: () => void;
  /** Answers of an earlier window, the oldest first. */
  kept?: readonly KeptAnswer[];
  /** Gets each answer, redacted. */
  onAnswer?: (answer: KeptAnswer) => void;
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
  /** What the page shows of answers. */
  readonly #shownTexts = new WeakMap<TestResult, string[]>();

  constructor(options: ComparisonOptions) {
    this.#options = options;
    this.agents = options.agents;
    this.#cells = options.tests.map((test, row) =>
      options.agents.map((agent, at) => ({ test, agent, place: [row, at], isRunning: false })),
    );
    for (const { hash, place, result } of options.kept ?? []) {
      const cell = this.#cells[place[0]]?.[place[1]];
      if (cell && hashQuestion(cell.test) === hash) cell.result = result;
    }
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

  /** Whether something is expected of answers; without that, an answer can't pass. */
  get isJudged(): boolean {
    return this.#options.tests.some(({ assertions }) => assertions.length > 0);
  }

  /** Asks what has no passed answer yet. */
  run(): Promise<void> {
    return this.#run(this.#cells.flat().filter(isOpen));
  }

  /** Asks the agent of a cell of the table again; on a question, all agents. */
  async runCell(row: number, column: number): Promise<void> {
    await this.#run(this.#find(row, column));
  }

  /** The run of a cell of the table, redacted; on a question, that of the first agent. */
  findRun(row: number, column: number): AskedRun["transcript"] | undefined {
    return this.#find(row, column)[0]?.result?.attempts[0]?.run;
  }

  #find(row: number, column: number): Cell[] {
    const cells = this.#cells[row] ?? [];
    const agents = this.agents.length;
    if (column === 0) return cells;
    const at = column <= 2 * agents ? Math.floor((column - 1) / 2) : (column - 1) % agents;
    return cells.slice(at, at + 1);
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

  /** A row for each question: verdict and answer of each agent, then their times, steps and SQL side by side. */
  toTable(): TextTable {
    return this.#toTable(toTexts);
  }

  /** The same with the beginnings of long texts, for a page that gets it with each answer. */
  toShownTable(): TextTable {
    const texts = this.#cells.length * this.agents.length * createColumnNames().length;
    const maxLength = Math.floor(Math.min(maxTextLength, Math.max(200, maxTableLength / texts)));
    return this.#toTable((cell) => {
      const { result } = cell;
      const known = result && this.#shownTexts.get(result);
      if (known) return known;
      const shown = toTexts(cell).map((text) => cutOff(text, maxLength));
      if (result) this.#shownTexts.set(result, shown);
      return shown;
    }, maxLength);
  }

  #toTable(toTextsOf: (cell: Cell) => string[], maxQuestionLength = Infinity): TextTable {
    const [verdict, answer, ...measures] = createColumnNames();
    const columns = [
      l10n.t("Question"),
      ...this.agents.flatMap(({ label }) => [`${label}: ${verdict}`, `${label}: ${answer}`]),
      ...measures.flatMap((name) => this.agents.map(({ label }) => `${label}: ${name}`)),
    ];
    const rows = this.#cells.map((cells) => {
      const texts = cells.map(toTextsOf);
      const byMeasure = measures.flatMap((_, at) => texts.map((ofOne) => ofOne[at + 2] ?? ""));
      const { question, name } = cells[0]!.test;
      const asked = cutOff(question || name, maxQuestionLength);
      return [asked, ...texts.flatMap((ofOne) => ofOne.slice(0, 2)), ...byMeasure];
    });
    return { columns, rows, numeric: numericColumns(columns, rows) };
  }

  /** The verdicts by question and agent; "" where there is none yet. */
  get verdicts(): ShownVerdict[][] {
    return this.#cells.map((cells) => cells.map(({ result }) => result?.state ?? ""));
  }

  /** How each agent has done so far. */
  summarize(): AgentSummary[] {
    return this.agents.map(({ label }, at) => {
      const results = this.#cells.flatMap((cells) => cells[at]?.result ?? []);
      const attempts = results.flatMap((result) => result.attempts.filter(({ run }) => run));
      const steps = attempts.map(({ run }) => run?.runs[0]?.steps.length ?? 0);
      return {
        label,
        passed: results.filter(({ state }) => state === "passed").length,
        of: results.length,
        meanMs: mean(attempts.map(({ tookMs }) => tookMs)),
        meanSteps: mean(steps),
      };
    });
  }

  async #ask(cell: Cell, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    cell.isRunning = true;
    this.#options.onChanged();
    const { agent, test } = cell;
    try {
      const ask: AskAgent = (_, question, given) => this.#options.ask(agent, question, given);
      cell.result = await runTest({ ...test, repeat: 1 }, ask, signal);
      const { place, result } = cell;
      this.#options.onAnswer?.({ hash: hashQuestion(test), place, result });
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      cell.isRunning = false;
      this.#options.onChanged();
    }
  }
}

/** The comparison as its page saves it: typed questions without secrets. After a reload they are asked like that. */
export function redactTypedQuestions(comparison: SavedComparison): SavedComparison {
  const { questions } = comparison;
  return questions ? { ...comparison, questions: questions.map(redactPatterns) } : comparison;
}

/** The same for a typed question as it was saved. */
function hashQuestion({ question }: AgentTest): string {
  return createHash("sha256").update(redactPatterns(question)).digest("base64");
}

function isOpen({ result }: Cell): boolean {
  return result?.state !== "passed";
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Of the columns of an agent. */
function createColumnNames(): string[] {
  return [l10n.t("Verdict"), l10n.t("Answer"), l10n.t("Time (ms)"), l10n.t("Steps"), l10n.t("SQL")];
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
    [formatVerdict(result.state, test.assertions.length > 0), ...listFailures(attempt)].join("\n"),
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

/** Why an answer has failed. */
function listFailures({ state, results }: TestAttempt): string[] {
  if (state !== "failed") return [];
  return results.filter(({ isPassed }) => !isPassed).map(({ reason }) => reason);
}
