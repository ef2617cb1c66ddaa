import type { RunProgress } from "../messages.ts";
import type { ResultMetadata } from "./resultMetadata.ts";
import type { ResultWindows } from "./resultWindows.ts";

/** A command that a message offers as a button. */
export interface MessageAction {
  title: string;
  command: string;
  arguments: unknown[];
}

/** A result that a page shows: of a run in this window, or one that was stored before. */
export interface ResultAccess {
  readonly id: string;
  readonly table: ResultWindows;
  readonly progress: RunProgress;
  readonly isRunning: boolean;
  /** What the button of the state's message does. */
  readonly action: MessageAction | undefined;
  stop(): void;
  resume(): void;
  /** Stops, and closes the files. */
  dispose(): Promise<void>;
}

/** A result that was stored before. It never changes. */
export class StoredResult implements ResultAccess {
  readonly id: string;
  readonly table: ResultWindows;
  readonly progress: RunProgress;
  readonly isRunning = false;
  readonly action = undefined;

  constructor(id: string, { outcome }: ResultMetadata, table: ResultWindows) {
    this.id = id;
    this.table = table;
    this.progress = outcome;
  }

  stop(): void {
    // A stored result does not run.
  }

  resume(): void {
    // A stored result does not run.
  }

  dispose(): Promise<void> {
    return this.table.dispose();
  }
}
