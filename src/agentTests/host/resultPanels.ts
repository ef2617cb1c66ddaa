// Panels that compare agents, or show what a search found.
import { randomUUID } from "node:crypto";
import * as v from "valibot";
import * as vscode from "vscode";
import { panels } from "../../ids.ts";
import type { Log } from "../../shared/host/log.ts";
import {
  Panels,
  type PanelContent,
  type PostToPage,
  type RestoredPanel,
} from "../../shared/host/panels.ts";
import type { TextTable } from "../../shared/textTable.ts";
import { Comparison, type ComparisonOptions } from "../comparison.ts";
import {
  savedComparison,
  toHost,
  type SavedComparison,
  type ToHost,
  type ToPage,
} from "../messages.ts";
import type { Ranking } from "../runTests.ts";
import { createRankingTable } from "../rankingTable.ts";
import type { AgentTest } from "../testFile.ts";
import { readSavedTests, type ComparisonChoice } from "./compareAgents.ts";
import { createResultTexts } from "../resultTexts.ts";

export interface ResultPanelsOptions {
  extensionUri: vscode.Uri;
  log: Log;
  exportTable: (table: TextTable, name: string) => Promise<void>;
  /** Asks in a conversation of its own. Rejects with the signal's reason only. */
  ask: ComparisonOptions["ask"];
}

/**
 * Answers are not kept over a reload of the window: then a comparison waits to be run again, and what a search found is
 * closed.
 */
export class ResultPanels {
  readonly #options: ResultPanelsOptions;
  readonly #panels: Panels<ToHost, ToPage, PanelContent<ToHost, ToPage>>;

  constructor(options: ResultPanelsOptions) {
    this.#options = options;
    this.#panels = new Panels({
      ...options,
      viewType: panels.agentResults,
      page: "agentResults",
      icon: "agent",
      incoming: toHost,
      restore: (state) => this.#restoreComparison(state),
    });
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#panels.restore(panel, state);
  }

  /** Opens a comparison and starts it. */
  compare({ agents, tests, ...source }: ComparisonChoice): void {
    const saved = { id: randomUUID(), agents, ...source };
    this.#panels.show(saved.id, (post) => {
      const panel = new ComparisonPanel(saved, tests, post, this.#options);
      panel.run();
      return panel;
    });
  }

  /** Shows what a search found. */
  showRanking(ranking: Ranking): void {
    const key = `ranking ${JSON.stringify([ranking.knowledgeBase, ranking.question])}`;
    // What the last run found replaces what an earlier one did.
    this.#panels.close(key);
    this.#panels.show(key, () => new RankingPanel(ranking, this.#options));
  }

  async #restoreComparison(
    state: unknown,
  ): Promise<RestoredPanel<ToPage, PanelContent<ToHost, ToPage>> | undefined> {
    const read = v.safeParse(v.object({ comparison: savedComparison }), state);
    if (!read.success) return undefined;
    const saved = read.output.comparison;
    const tests = await readSavedTests(saved);
    if (!tests) return undefined;
    const create = (post: PostToPage<ToPage>) =>
      new ComparisonPanel(saved, tests, post, this.#options);
    return { key: saved.id, create };
  }
}

class ComparisonPanel implements PanelContent<ToHost, ToPage> {
  readonly title = vscode.l10n.t("Compare Agents");
  /** The agents may be of several connections. */
  readonly connectionId = undefined;
  readonly #comparison: Comparison;
  readonly #options: ResultPanelsOptions;

  readonly #saved: SavedComparison;
  #hasRun = false;

  constructor(
    saved: SavedComparison,
    tests: readonly AgentTest[],
    post: PostToPage<ToPage>,
    options: ResultPanelsOptions,
  ) {
    this.#saved = saved;
    this.#options = options;
    const { agents } = saved;
    const onChanged = () => post(this.#rows);
    this.#comparison = new Comparison({ agents, tests, ask: options.ask, onChanged });
  }

  /** Asks what has no passed answer yet. */
  run(): void {
    this.#hasRun = true;
    void this.#comparison.run();
  }

  snapshot(): ToPage[] {
    const place = this.#comparison.agents.map(({ label }) => label).join(", ");
    return [{ ...createBegin(this.title, place), comparison: this.#saved }, this.#rows];
  }

  receive(message: ToHost): void {
    switch (message.type) {
      case "cancel":
        this.#comparison.cancel();
        break;
      case "runOpen":
        this.run();
        break;
      case "runCell":
        this.#hasRun = true;
        void this.#comparison.runCell(message.row, message.column);
        break;
      case "export":
        void this.#options.exportTable(this.#comparison.toTable(), this.title);
        break;
      case "copyText":
        void vscode.env.clipboard.writeText(message.text);
        break;
      case "accept":
        break;
    }
  }

  onClosed(): void {
    this.#comparison.cancel();
  }

  get #rows(): ToPage {
    const { done, of, open } = this.#comparison.progress;
    return {
      type: "rows",
      table: this.#comparison.toTable(),
      status: this.#hasRun
        ? vscode.l10n.t("{0} of {1} answers", done, of)
        : vscode.l10n.t(
            "The window was reloaded, and answers are not kept. Run Failed Again asks all agents again.",
          ),
      isRunning: this.#comparison.isRunning,
      hasOpen: open > 0,
      canRunCell: true,
    };
  }
}

class RankingPanel implements PanelContent<ToHost, ToPage> {
  readonly title: string;
  /** The test file names its connection, which may not be there any more. */
  readonly connectionId = undefined;
  readonly #ranking: Ranking;
  readonly #options: ResultPanelsOptions;

  constructor(ranking: Ranking, options: ResultPanelsOptions) {
    this.title = ranking.question;
    this.#ranking = ranking;
    this.#options = options;
  }

  snapshot(): ToPage[] {
    const { project, name } = this.#ranking.knowledgeBase;
    const table = createRankingTable(this.#ranking);
    const status = vscode.l10n.t("{0} documents found", table.rows.length);
    return [
      createBegin(this.title, vscode.l10n.t("Search in {0}", `${project}.${name}`)),
      { type: "rows", table, status, isRunning: false, hasOpen: false, canRunCell: false },
    ];
  }

  receive(message: ToHost): void {
    if (message.type === "export") {
      void this.#options.exportTable(createRankingTable(this.#ranking), this.title);
    }
    if (message.type === "copyText") void vscode.env.clipboard.writeText(message.text);
  }
}

function createBegin(title: string, place: string): Extract<ToPage, { type: "begin" }> {
  return { type: "begin", title, place, texts: createResultTexts(), locale: vscode.env.language };
}
