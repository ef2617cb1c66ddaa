// Pages that compare agents, or show what a search found.
import { randomUUID } from "node:crypto";
import * as v from "valibot";
import * as vscode from "vscode";
import { panels } from "../../ids.ts";
import type { RestoredContent } from "../../shared/host/keyedPanels.ts";
import type { Log } from "../../shared/host/log.ts";
import { Pages, type Page } from "../../shared/host/pages.ts";
import { HostState } from "../../shared/hostState.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import type { TextTable } from "../../shared/textTable.ts";
import { Comparison, type ComparisonOptions } from "../comparison.ts";
import {
  resultsCalls,
  savedComparison,
  type ResultsState,
  type SavedComparison,
} from "../resultsPage.ts";
import type { Ranking } from "../runTests.ts";
import { createRankingTable } from "../rankingTable.ts";
import type { AgentTest } from "../testFile.ts";
import { readSavedTests, type ComparisonChoice } from "./compareAgents.ts";

export interface ResultPagesOptions {
  extensionUri: vscode.Uri;
  log: Log;
  exportTable: (table: TextTable, name: string) => Promise<void>;
  /** Asks in a conversation of its own. Rejects with the signal's reason only. */
  ask: ComparisonOptions["ask"];
}

type ResultPage = Page<typeof resultsCalls>;

/**
 * Answers are not kept over a reload of the window: then a comparison waits to be run again, and what a search found is
 * closed.
 */
export class ResultPages {
  readonly #options: ResultPagesOptions;
  readonly #pages: Pages<typeof resultsCalls, ResultPage>;

  constructor(options: ResultPagesOptions) {
    this.#options = options;
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
    const saved = { id: randomUUID(), agents, ...source };
    this.#pages.show(saved.id, () => {
      const page = new ComparisonPage(saved, tests, this.#options);
      page.run();
      return page;
    });
  }

  /** Shows what a search found. */
  showRanking(ranking: Ranking): void {
    const key = `ranking ${JSON.stringify([ranking.knowledgeBase, ranking.question])}`;
    // What the last run found replaces what an earlier one did.
    this.#pages.close(key);
    this.#pages.show(key, () => new RankingPage(ranking, this.#options));
  }

  async #restoreComparison(state: unknown): Promise<RestoredContent<() => ResultPage> | undefined> {
    const read = v.safeParse(v.object({ comparison: savedComparison }), state);
    if (!read.success) return undefined;
    const saved = read.output.comparison;
    const tests = await readSavedTests(saved);
    if (!tests) return undefined;
    return { key: saved.id, create: () => new ComparisonPage(saved, tests, this.#options) };
  }
}

class ComparisonPage implements ResultPage {
  readonly title = vscode.l10n.t("Compare Agents");
  /** The agents may be of several connections. */
  readonly connectionId = undefined;
  readonly state: HostState<ResultsState>;
  readonly handlers: Handlers<typeof resultsCalls> = {
    cancel: () => this.#comparison.cancel(),
    runOpen: () => this.run(),
    runCell: (row, column) => {
      this.#hasRun = true;
      void this.#comparison.runCell(row, column);
    },
    exportTable: () => this.#options.exportTable(this.#comparison.toTable(), this.title),
    copyText: (text) => vscode.env.clipboard.writeText(text),
  };
  readonly #comparison: Comparison;
  readonly #options: ResultPagesOptions;
  #hasRun = false;

  constructor(
    comparison: SavedComparison,
    tests: readonly AgentTest[],
    options: ResultPagesOptions,
  ) {
    this.#options = options;
    const { agents } = comparison;
    const onChanged = () => this.state.update(this.#progress);
    this.#comparison = new Comparison({ agents, tests, ask: options.ask, onChanged });
    const place = agents.map(({ label }) => label).join(", ");
    this.state = new HostState({ title: this.title, place, comparison, ...this.#progress });
  }

  /** Asks what has no passed answer yet. */
  run(): void {
    this.#hasRun = true;
    void this.#comparison.run();
  }

  onClosed(): void {
    this.#comparison.cancel();
  }

  get #progress(): Pick<ResultsState, "table" | "status" | "isLoading" | "hasOpen"> {
    const { done, of, open } = this.#comparison.progress;
    return {
      table: this.#comparison.toTable(),
      status: this.#hasRun
        ? vscode.l10n.t("{0} of {1} answers", done, of)
        : vscode.l10n.t(
            "The window was reloaded, and answers are not kept. Run Failed Again asks all agents again.",
          ),
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
      status: vscode.l10n.t("{0} documents found", table.rows.length),
      isLoading: false,
      hasOpen: false,
    });
    this.handlers = {
      cancel: () => undefined,
      runOpen: () => undefined,
      runCell: () => undefined,
      exportTable: () => exportTable(table, title),
      copyText: (text) => vscode.env.clipboard.writeText(text),
    };
  }
}
