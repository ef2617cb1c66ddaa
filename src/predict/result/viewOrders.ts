// The orders that those who look at a result have asked for: kept while they hold, and never worked out twice at a time.
import { isCancelled } from "../../mindsdb/errors.ts";
import type { ResultView } from "../messages.ts";
import type { ResultOrder, ResultWindows } from "./resultWindows.ts";

/** What one viewer looks at. */
interface Kept {
  key: string;
  order: Promise<ResultOrder>;
  /** How many rows there were. */
  length: number;
  startedAt: number;
  /** How long it took, in ms; undefined until it is there. */
  took?: number;
  cancel: AbortController;
}

/** More viewers than this have to wait for their orders again; a split editor has two. */
const maxViewers = 4;

/** The order of a result that grows is used for so many times as long as it took to find, and this long at least, in ms. */
const patience = 5;
const shortest = 1_000;

/** Where the rows are, and whether there will be more of them. */
export interface ViewedResult {
  readonly table: ResultWindows;
  readonly isRunning: boolean;
}

export class ViewOrders {
  readonly #result: ViewedResult;
  readonly #kept = new Map<string, Kept>();

  constructor(result: ViewedResult) {
    this.#result = result;
  }

  /**
   * A view's order, which may lack the newest rows of a result that grows. A viewer has one view: what it asked for
   * before and has not got is given up, and rejects with an AbortError.
   */
  order(viewer: string, view: ResultView): Promise<ResultOrder> {
    if (!view.sort && !view.find && !view.refusedOnly) {
      this.#drop(viewer);
      return Promise.resolve(undefined);
    }
    const key = JSON.stringify([view.sort, view.find, view.refusedOnly]);
    const same = [...this.#kept.values()].find((kept) => kept.key === key && this.#holds(kept));
    const kept = same ?? this.#start(key, view);
    if (this.#kept.get(viewer) !== kept) {
      this.#drop(viewer);
      const [oldest] = this.#kept.keys();
      if (this.#kept.size >= maxViewers && oldest !== undefined) this.#drop(oldest);
      this.#kept.set(viewer, kept);
    }
    return kept.order;
  }

  /** Gives up what is being worked out. */
  dispose(): void {
    for (const viewer of [...this.#kept.keys()]) this.#drop(viewer);
  }

  #holds({ length, startedAt, took }: Kept): boolean {
    const { table, isRunning } = this.#result;
    if (took === undefined || length === table.length) return true;
    return isRunning && Date.now() - startedAt - took < Math.max(shortest, patience * took);
  }

  #start(key: string, view: ResultView): Kept {
    const { table } = this.#result;
    const cancel = new AbortController();
    const order = table.order(view, cancel.signal);
    const kept: Kept = { key, order, length: table.length, startedAt: Date.now(), cancel };
    order.then(
      () => (kept.took = Date.now() - kept.startedAt),
      (error: unknown) => {
        // Whoever asks again gets another try.
        if (isCancelled(error)) return;
        for (const [viewer, one] of this.#kept) if (one === kept) this.#kept.delete(viewer);
      },
    );
    return kept;
  }

  #drop(viewer: string): void {
    const dropped = this.#kept.get(viewer);
    this.#kept.delete(viewer);
    const isWanted = [...this.#kept.values()].some((kept) => kept === dropped);
    if (!isWanted) dropped?.cancel.abort();
  }
}
