import * as vscode from "vscode";
import type { RunProgress } from "../messages.ts";
import type { RunOrigin } from "../result/resultMetadata.ts";
import type { PastRun } from "../result/runHistory.ts";
import { ViewOrders } from "../result/viewOrders.ts";
import {
  describeCellChange,
  describeRowsChange,
  formatOrigin,
  type ModelChanges,
} from "./changesSince.ts";
import type { OpenResult } from "../result/openResult.ts";

/** A result that a notebook shows, with its cell and what has changed since it was made. */
export class CellResult {
  readonly run: OpenResult;
  /** The cell that ran, or that shows a stored result; undefined if only a copy of it exists. */
  cell: vscode.NotebookCell | undefined;
  notebook: vscode.NotebookDocument;
  readonly orders: ViewOrders;
  readonly #origin: () => RunOrigin;
  readonly #isStored: boolean;
  #rowsChange: string | undefined;
  #modelChange: string | undefined;
  /** The last runs of the cell, the oldest first. */
  history: PastRun[] = [];
  /** Settles when the run has ended and is stored. */
  ended: Promise<unknown> = Promise.resolve();

  constructor(
    run: OpenResult,
    owner: { notebook: vscode.NotebookDocument; cell: vscode.NotebookCell | undefined },
    options: { origin: () => RunOrigin; isStored: boolean },
  ) {
    this.run = run;
    this.cell = owner.cell;
    this.notebook = owner.notebook;
    this.#origin = options.origin;
    this.#isStored = options.isStored;
    this.orders = new ViewOrders(run);
  }

  get origin(): RunOrigin {
    return this.#origin();
  }

  /** The progress, with the result's origin if it is stored or outdated. */
  get progress(): RunProgress {
    const { progress, isRunning, table } = this.run;
    const hasResult = progress.state.kind === "done" || table.columns.length > 0;
    if (isRunning) return progress;
    const shown = { ...progress, pastRuns: this.history.length };
    if (!hasResult) return shown;
    const { origin } = this;
    const changes = [
      describeCellChange(this.cell, origin),
      this.#rowsChange,
      this.#modelChange,
    ].filter((change) => change !== undefined);
    if (!this.#isStored && changes.length === 0) return shown;
    return { ...shown, origin: formatOrigin(origin), changes };
  }

  /** Checks whether rows or model have changed; true if the answer differs from the last one. */
  async updateChanges(models: ModelChanges): Promise<boolean> {
    if (this.run.isRunning) return false;
    const { origin } = this;
    const before = JSON.stringify([this.#rowsChange, this.#modelChange]);
    this.#rowsChange = await describeRowsChange(origin);
    // No requests in a workspace that is not trusted.
    if (vscode.workspace.isTrusted) this.#modelChange = await models.describeChange(origin);
    return JSON.stringify([this.#rowsChange, this.#modelChange]) !== before;
  }

  /** Stops the run, waits until its result is stored, and closes the files. */
  async dispose(): Promise<void> {
    this.orders.dispose();
    this.run.stop();
    await this.ended;
    await this.run.dispose();
  }
}
