// Pages that compare agents, or show what a search found.
import { randomUUID } from "node:crypto";
import * as v from "valibot";
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import type { Transcript } from "../../chat/transcript.ts";
import { panels } from "../../ids.ts";
import type { RestoredPage } from "../../shared/host/pages.ts";
import { showInformation } from "../../shared/host/notifications.ts";
import type { Log } from "../../shared/host/log.ts";
import { Pages, type Page } from "../../shared/host/pages.ts";
import { HostState } from "../../shared/hostState.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { joinNames } from "../../shared/joinNames.ts";
import type { TextTable } from "../../shared/textTable.ts";
import {
  Comparison,
  redactTypedQuestions,
  type ComparisonOptions,
  type KeptAnswer,
} from "../runs/comparison.ts";
import { ComparisonStore } from "../runs/comparisonStore.ts";
import {
  resultsCalls,
  savedComparison,
  type ResultsState,
  type SavedComparison,
} from "../resultsPage.ts";
import type { Ranking } from "../runs/runTests.ts";
import { createRankingTable } from "../checks/rankingTable.ts";
import type { AgentTest } from "../files/testFile.ts";
import { confirmQuestions } from "./confirmQuestions.ts";
import { readSavedTests, type ComparisonChoice } from "./compareAgents.ts";

export interface ResultPagesOptions {
  extensionUri: vscode.Uri;
  servers: ServerAccess;
  /** Where the answers of open comparisons are stored. */
  comparisonsFolder: string;
  log: Log;
  exportTable: (table: TextTable, name: string) => Promise<void>;
  /** Asks in a conversation of its own. Rejects with the signal's reason only. */
  ask: ComparisonOptions["ask"];
  /** Shows a run in the chat. */
  openRun: (transcript: Transcript) => Promise<void>;
}

type ResultPage = Page<typeof resultsCalls>;

/** A comparison's answers are there again after a reload of the window; the results of a search are closed. */
export class ResultPages {
  readonly #options: ResultPagesOptions;
  readonly #answers: ComparisonStore;
  readonly #pages: Pages<typeof resultsCalls, ResultPage>;

  constructor(options: ResultPagesOptions) {
    this.#options = options;
    this.#answers = new ComparisonStore(options.comparisonsFolder, (error) => {
      options.log.error("The answers of a comparison were not stored", error);
    });
    this.#pages = new Pages({
      ...options,
      viewType: panels.agentResults,
      page: "agentResults",
      icon: "agent",
      calls: resultsCalls,
      restore: (state) => this.#restoreComparison(state),
    });
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#pages.restore(panel, state);
  }

  /** Opens a comparison and starts it. */
  compare({ agents, tests, ...source }: ComparisonChoice): void {
    const saved = redactTypedQuestions({ id: randomUUID(), agents, ...source });
    this.#pages.show(saved.id, () => {
      const page = this.#createComparison(saved, tests, []);
      page.run();
      return page;
    });
  }

  /** Shows what a search found. */
  showRanking(ranking: Ranking): void {
    const key = `ranking ${JSON.stringify([ranking.knowledgeBase, ranking.question])}`;
    // Replaces the page of an earlier run.
    this.#pages.close(key);
    this.#pages.show(key, () => new RankingPage(ranking, this.#options));
  }

  async #restoreComparison(state: unknown): Promise<RestoredPage<ResultPage> | undefined> {
    const read = v.safeParse(v.object({ comparison: savedComparison }), state);
    if (!read.success) return undefined;
    const saved = read.output.comparison;
    const tests = await readSavedTests(saved);
    if (!tests) return undefined;
    const kept = await this.#answers.read(saved.id);
    return { key: saved.id, create: () => this.#createComparison(saved, tests, kept) };
  }

  #createComparison(
    saved: SavedComparison,
    tests: readonly AgentTest[],
    kept: readonly KeptAnswer[],
  ): ComparisonPage {
    const { id } = saved;
    return new ComparisonPage(saved, {
      ...this.#options,
      tests,
      kept,
      onAnswer: (answer) => this.#answers.add(id, answer),
      onClosed: () => this.#answers.remove(id),
    });
  }
}

interface ComparisonPageOptions
  extends ResultPagesOptions, Pick<ComparisonOptions, "tests" | "kept" | "onAnswer"> {
  onClosed: () => void;
}

class ComparisonPage implements ResultPage {
  readonly title = vscode.l10n.t("Compare Agents");
  /** The agents may be of several connections. */
  readonly connectionId = undefined;
  readonly state: HostState<ResultsState>;
  readonly handlers: Handlers<typeof resultsCalls> = {
    cancel: () => this.#comparison.cancel(),
    // After a reload, a test file can have more questions than were agreed to.
    runOpen: async () => {
      if (await confirmQuestions(this.#comparison.progress.open)) this.run();
    },
    runCell: (row, column) => void this.#comparison.runCell(row, column),
    openRun: async (row, column) => {
      const run = this.#comparison.findRun(row, column);
      if (run) await this.#options.openRun(run);
      else void showInformation(vscode.l10n.t("This question has not been answered yet."));
    },
    exportTable: () => this.#options.exportTable(this.#comparison.toTable(), this.title),
    copyText: (text) => vscode.env.clipboard.writeText(text),
  };
  readonly #comparison: Comparison;
  readonly #options: ComparisonPageOptions;

  constructor(comparison: SavedComparison, options: ComparisonPageOptions) {
    this.#options = options;
    const { agents } = comparison;
    const onChanged = () => this.state.update(this.#progress);
    this.#comparison = new Comparison({ ...options, agents, onChanged });
    const { servers } = options;
    const ids = [...new Set(agents.map(({ connectionId }) => connectionId))];
    const connections = joinNames(ids.map((id) => servers.find(id)?.name ?? id));
    const names = agents.map(({ label }) => label).join(", ");
    const place = vscode.l10n.t("{0} on {1}", names, connections);
    this.state = new HostState({ title: this.title, place, comparison, ...this.#progress });
  }

  /** Asks what has no passed answer yet. */
  run(): void {
    void this.#comparison.run();
  }

  onClosed(): void {
    this.#comparison.cancel();
    this.#options.onClosed();
  }

  get #progress(): Omit<ResultsState, "title" | "place" | "comparison"> {
    const { done, of, open } = this.#comparison.progress;
    return {
      table: this.#comparison.toShownTable(),
      verdicts: this.#comparison.verdicts,
      summary: this.#comparison.summarize(),
      isJudged: this.#comparison.isJudged,
      status: vscode.l10n.t("{0} of {1} answers", done, of),
      isLoading: this.#comparison.isRunning,
      hasOpen: open > 0,
    };
  }
}

class RankingPage implements ResultPage {
  readonly title: string;
  /** The test file names its connection, which may not be there any more. */
  readonly connectionId = undefined;
  readonly state: HostState<ResultsState>;
  readonly handlers: Handlers<typeof resultsCalls>;

  constructor(ranking: Ranking, { exportTable }: ResultPagesOptions) {
    const title = ranking.question;
    const { project, name } = ranking.knowledgeBase;
    const table = createRankingTable(ranking);
    this.title = title;
    this.state = new HostState<ResultsState>({
      title,
      place: vscode.l10n.t("Search in {0}", `${project}.${name}`),
      table,
      status: vscode.l10n.t("Documents found: {0}", table.rows.length),
      isLoading: false,
      hasOpen: false,
      verdicts: [],
      summary: [],
      isJudged: false,
    });
    this.handlers = {
      cancel: () => undefined,
      runOpen: () => undefined,
      runCell: () => undefined,
      openRun: () => undefined,
      exportTable: () => exportTable(table, title),
      copyText: (text) => vscode.env.clipboard.writeText(text),
    };
  }
}
