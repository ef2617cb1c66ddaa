// A result of a SQL file, which the results view and editors show.
import * as vscode from "vscode";
import { runAction } from "../../shared/host/errorMessages.ts";
import type { Log } from "../../shared/host/log.ts";
import { oneLine } from "../../shared/oneLine.ts";
import type { ToHost, ToPage } from "../messages.ts";
import type { StoredSqlResult } from "../result/sqlResultStore.ts";
import { ViewOrders } from "../result/viewOrders.ts";
import type { SqlResultTab, SavedSqlResult, ShownResult } from "../sqlFile/sqlResultsPage.ts";
import { copyRows } from "./copyRows.ts";
import { createResultHeader } from "./cellOutput.ts";

/** Characters of a statement that are shown. */
const maxStatement = 2_000;
/** Characters of a statement on its tab. */
export const maxTitle = 60;

export interface SqlResult extends StoredSqlResult {
  /** As the user sees it: with secrets, unless the result is a stored one. */
  statement: string;
  /** The file, the connection and the default project; the values of parameters. */
  place: string;
  /** When it was made, if the result is a stored one. */
  storedOrigin?: string;
  /** Runs the same statement again. */
  runAgain: () => Promise<unknown>;
}

interface KeptOptions {
  log: Log;
  /** Called when nothing shows the result any more, and its files are closed. */
  released: () => Promise<void>;
}

export class KeptSqlResult {
  readonly result: SqlResult;
  isPinned: boolean;
  readonly #orders: ViewOrders;
  readonly #options: KeptOptions;
  /** The number of places that show it: the view, and an editor. */
  #viewers = 1;

  constructor(result: SqlResult, options: KeptOptions) {
    this.result = result;
    this.isPinned = result.details.isPinned;
    this.#options = options;
    this.#orders = new ViewOrders(result.run);
  }

  get runId(): string {
    return this.result.run.id;
  }

  createTab(): SqlResultTab {
    const { run, statement } = this.result;
    return {
      runId: run.id,
      title: oneLine(statement, maxTitle),
      isRunning: run.isRunning,
      hasFailed: run.progress.state.kind === "failed",
      isPinned: this.isPinned,
    };
  }

  /** What its page in an editor saves. */
  describe(): SavedSqlResult {
    const { origin, details } = this.result;
    const { statement, canRun, place, database } = details;
    return {
      runId: this.runId,
      connectionId: origin.connectionId,
      statement,
      canRun,
      place,
      ...(database !== undefined && { database }),
    };
  }

  async read(): Promise<ShownResult> {
    const { run, place, statement, storedOrigin: origin } = this.result;
    const progress = { ...run.progress, ...(origin !== undefined && { origin }) };
    const header = await createResultHeader(run, progress, {});
    return { ...header, statement: oneLine(statement, maxStatement), place };
  }

  /** One more shows it. */
  retain(): void {
    this.#viewers++;
  }

  /** One less shows it. After the last one, it is no longer stored. */
  release(): void {
    if (--this.#viewers > 0) return;
    void this.#close();
  }

  async #close(): Promise<void> {
    this.#orders.dispose();
    try {
      await this.result.run.dispose();
      await this.#options.released();
    } catch (error) {
      this.#options.log.error("A result could not be closed", error);
    }
  }

  async receive(message: ToHost): Promise<ToPage | undefined> {
    const { result } = this;
    const { run } = result;
    switch (message.type) {
      case "window":
        return this.#orders.readWindow(message);
      case "copy":
        return copyRows(run.table, await this.#orders.order("clipboard", message.view), message);
      case "export": {
        const { exportResult } = await import("./exportResult.ts");
        const order = await this.#orders.order("export", message.view);
        const uri = vscode.Uri.parse(result.details.file);
        const named = uri.with({ path: uri.path.replace(/(\.mindsdb)?\.sql$/i, "") });
        await exportResult(run.table, order, named, result.origin);
        return undefined;
      }
      case "stop":
        run.stop();
        return undefined;
      case "runAction":
        if (run.action) await runAction(run.action);
        return undefined;
      case "run":
        // Not awaited: the page needs no answer, and a statement takes its time.
        void result.runAgain();
        return undefined;
      // Results of statements have no such buttons.
      case "compareRuns":
      case "hello":
      case "previewTable":
      case "resume":
      case "showSql":
      case "stored":
      case "whatIf":
        return undefined;
    }
  }
}
