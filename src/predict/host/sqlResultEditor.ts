import * as vscode from "vscode";
import { isCancelled } from "../../mindsdb/errors.ts";
import type { Log } from "../../shared/host/log.ts";
import type { Page } from "../../shared/host/pages.ts";
import { HostState } from "../../shared/hostState.ts";
import { oneLine } from "../../shared/oneLine.ts";
import { PageReads } from "../../shared/pageReads.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import type {
  SavedSqlResult,
  sqlResultsCalls,
  SqlResultsState,
} from "../sqlFile/sqlResultsPage.ts";
import { maxTitle, type KeptSqlResult } from "./keptSqlResult.ts";

interface EditorOptions {
  saved: SavedSqlResult;
  /** Undefined if the result is no longer stored. */
  kept: KeptSqlResult | undefined;
  log: Log;
  /** Runs the statement of a result that is no longer stored. */
  runAgain: () => Promise<unknown>;
}

/** The host of a result in an editor, which stays until its tab is closed. */
export class SqlResultEditor implements Page<typeof sqlResultsCalls> {
  readonly state: HostState<SqlResultsState>;
  readonly handlers: Handlers<typeof sqlResultsCalls> = {
    send: async (message) => {
      const { kept, runAgain } = this.#options;
      if (kept) return kept.receive(message);
      // Not awaited: the page needs no answer, and a statement takes its time.
      if (message.type === "run") void runAgain();
      return undefined;
    },
    // An editor has no buttons for tabs.
    select: () => undefined,
    close: () => undefined,
    pin: () => undefined,
    openInEditor: () => undefined,
  };
  readonly title: string;
  readonly connectionId: string;
  readonly #options: EditorOptions;
  readonly #reads = new PageReads();
  readonly #drawing = this.#reads.create();

  constructor(options: EditorOptions) {
    const { saved, kept } = options;
    this.#options = options;
    this.state = new HostState<SqlResultsState>({
      tabs: [],
      editor: saved,
      ...(!kept && { isGone: true }),
    });
    // Without secrets: VS Code stores it.
    this.title = oneLine(saved.statement, maxTitle) || vscode.l10n.t("SQL Results");
    this.connectionId = saved.connectionId;
    kept?.retain();
    this.draw();
  }

  draw(): void {
    const { kept, log } = this.#options;
    if (!kept) return;
    void this.#drawing.run(() => kept.read(), {
      show: (shown) => this.state.update({ shown }),
      fail: (error) => {
        if (!isCancelled(error)) log.error("A result could not be shown", error);
      },
    });
  }

  onClosed(): void {
    this.#reads.close();
    this.#options.kept?.release();
  }
}
