// A result as the renderer's messages reach it: of a run of this window, or one that was stored before.
import type { ErrorAction } from "../../shared/host/errorMessages.ts";
import type { RunProgress } from "../messages.ts";
import type { ResultMetadata } from "../result/resultMetadata.ts";
import type { ResultWindows } from "../result/resultWindows.ts";

export interface ResultAccess {
  readonly id: string;
  readonly table: ResultWindows;
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
export class StoredResult implements ResultAccess {
  readonly id: string;
  readonly table: ResultWindows;
  readonly progress: RunProgress;
  readonly isRunning = false;
  readonly action = undefined;

  constructor(id: string, { outcome }: ResultMetadata, table: ResultWindows) {
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
