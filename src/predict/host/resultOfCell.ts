// A result that is shown: of a run of this window or of an earlier one, with the cell it belongs to and what has changed
// since it was made.
import * as vscode from "vscode";
import type { RunProgress } from "../messages.ts";
import type { ResultOrigin } from "../result/resultMetadata.ts";
import { ViewOrders } from "../result/viewOrders.ts";
import { cellChange, formatOrigin, rowsChange, type ModelChanges } from "./changesSince.ts";
import type { ResultAccess } from "../result/resultAccess.ts";

export class ResultOfCell {
  readonly run: ResultAccess;
  /** The cell that ran, or that a stored result is shown for; undefined if only a copy of it is there. */
  cell: vscode.NotebookCell | undefined;
  notebook: vscode.NotebookDocument;
  readonly orders: ViewOrders;
  readonly #origin: () => ResultOrigin;
  readonly #isStored: boolean;
  #rowsChange: string | undefined;
  #modelChange: string | undefined;
  /** Settles once the run is over and stored. */
  over: Promise<unknown> = Promise.resolve();

  constructor(
    run: ResultAccess,
    owner: { notebook: vscode.NotebookDocument; cell: vscode.NotebookCell | undefined },
    options: { origin: () => ResultOrigin; isStored: boolean },
  ) {
    this.run = run;
    this.cell = owner.cell;
    this.notebook = owner.notebook;
    this.#origin = options.origin;
    this.#isStored = options.isStored;
    this.orders = new ViewOrders(run);
  }

  get origin(): ResultOrigin {
    return this.#origin();
  }

  /** The progress, with where the result is from if it is not simply what the cell gave a moment ago. */
  get progress(): RunProgress {
    const { progress, isRunning, table } = this.run;
    const gaveSomething = progress.state.kind === "done" || table.columns.length > 0;
    if (isRunning || !gaveSomething) return progress;
    const { origin } = this;
    const changes = [cellChange(this.cell, origin), this.#rowsChange, this.#modelChange].filter(
      (change) => change !== undefined,
    );
    if (!this.#isStored && changes.length === 0) return progress;
    return { ...progress, origin: formatOrigin(origin), changes };
  }

  /** Looks whether rows or model are others now; true if what is known of that has changed. */
  async lookForChanges(models: ModelChanges): Promise<boolean> {
    if (this.run.isRunning) return false;
    const { origin } = this;
    const before = JSON.stringify([this.#rowsChange, this.#modelChange]);
    this.#rowsChange = await rowsChange(origin);
    // A workspace that is not trusted causes no requests.
    if (vscode.workspace.isTrusted) this.#modelChange = await models.change(origin);
    return JSON.stringify([this.#rowsChange, this.#modelChange]) !== before;
  }

  /** Stops the run, waits until it is stored, and closes the files. */
  async dispose(): Promise<void> {
    this.orders.dispose();
    this.run.stop();
    await this.over;
    await this.run.dispose();
  }
}
