// A result as the renderer's messages reach it: of a run of this window, or one that was stored before.
import type { ErrorAction } from "../../shared/host/explain.ts";
import type { RunProgress } from "../messages.ts";
import type { KeptResult } from "../result/keptResult.ts";
import type { ResultSource } from "../result/resultSource.ts";

export interface ShownResult {
  readonly id: string;
  readonly table: ResultSource;
  readonly progress: RunProgress;
  readonly isRunning: boolean;
  /** What the button of a state does. */
  readonly action: ErrorAction | undefined;
  stop(): void;
  resume(): void;
  /** Stops, and closes the files. */
  dispose(): Promise<void>;
}

/** A result that was stored before: nothing of it changes. */
export class StoredResult implements ShownResult {
  readonly id: string;
  readonly table: ResultSource;
  readonly progress: RunProgress;
  readonly isRunning = false;
  readonly action = undefined;

  constructor(id: string, { outcome }: KeptResult, table: ResultSource) {
    const { metrics, hasNoTable, ...rest } = outcome;
    this.id = id;
    this.table = table;
    this.progress = {
      ...rest,
      ...(metrics ? { metrics } : {}),
      ...(hasNoTable ? { hasNoTable } : {}),
    };
  }

  stop(): void {
    // It is over.
  }

  resume(): void {
    // It is over.
  }

  dispose(): Promise<void> {
    return this.table.dispose();
  }
}
