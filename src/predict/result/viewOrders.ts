import { isCancelled } from "../../mindsdb/errors.ts";
import type { ResultView, ToHost, ToPage } from "../messages.ts";
import type { OpenResult } from "./openResult.ts";
import type { RowOrder } from "./rowTable.ts";

/** The order of a view, perhaps still being computed. */
interface CachedOrder {
  key: string;
  order: Promise<RowOrder>;
  /** The number of rows when it was computed. */
  length: number;
  startedAt: number;
  /** How long it took to compute; undefined while it is being computed. */
  durationMs?: number;
  cancel: AbortController;
}

/** Viewers whose orders are kept; a split editor has two. */
const maxViewers = 4;

/**
 * The order of a growing result is used for this multiple of the time it took to compute, and for at least this many
 * ms.
 */
const reuseFactor = 5;
const minReuseMs = 1_000;

/** A result, which grows while its run lasts. */
type ViewedResult = Pick<OpenResult, "table" | "isRunning">;

/** Computes the orders of views and keeps them while they are valid. */
export class ViewOrders {
  readonly #result: ViewedResult;
  readonly #cached = new Map<string, CachedOrder>();

  constructor(result: ViewedResult) {
    this.#result = result;
  }

  /** Answers a viewer's request for rows, in the order of its view. */
  async readWindow({
    runId,
    instance,
    request,
    view,
    from,
    count,
  }: Extract<ToHost, { type: "window" }>): Promise<Extract<ToPage, { type: "window" }>> {
    const order = await this.order(instance, view);
    const { table } = this.#result;
    const rows = await table.window(from, count, order);
    const total = order?.length ?? table.length;
    return { type: "window", runId, instance, request, total, from, rows };
  }

  /**
   * The order of a view, which may lack the newest rows of a growing result. A viewer has one view: its earlier request, if
   * still pending, is cancelled and rejects with an AbortError.
   */
  order(viewer: string, view: ResultView): Promise<RowOrder> {
    if (!view.sort && !view.find && !view.refusedOnly) {
      this.#drop(viewer);
      return Promise.resolve(undefined);
    }
    const key = JSON.stringify([view.sort, view.find, view.refusedOnly]);
    const same = [...this.#cached.values()].find(
      (cached) => cached.key === key && this.#isValid(cached),
    );
    const cached = same ?? this.#start(key, view);
    if (this.#cached.get(viewer) !== cached) {
      this.#drop(viewer);
      const [oldest] = this.#cached.keys();
      if (this.#cached.size >= maxViewers && oldest !== undefined) this.#drop(oldest);
      this.#cached.set(viewer, cached);
    }
    return cached.order;
  }

  /** Cancels all pending requests. */
  dispose(): void {
    for (const viewer of [...this.#cached.keys()]) this.#drop(viewer);
  }

  #isValid({ length, startedAt, durationMs }: CachedOrder): boolean {
    const { table, isRunning } = this.#result;
    if (durationMs === undefined || length === table.length) return true;
    return (
      isRunning &&
      Date.now() - startedAt - durationMs < Math.max(minReuseMs, reuseFactor * durationMs)
    );
  }

  #start(key: string, view: ResultView): CachedOrder {
    const { table } = this.#result;
    const cancel = new AbortController();
    const order = table.order(view, cancel.signal);
    const cached: CachedOrder = { key, order, length: table.length, startedAt: Date.now(), cancel };
    order.then(
      () => (cached.durationMs = Date.now() - cached.startedAt),
      (error: unknown) => {
        // The next request tries again.
        if (isCancelled(error)) return;
        for (const [viewer, one] of this.#cached) if (one === cached) this.#cached.delete(viewer);
      },
    );
    return cached;
  }

  #drop(viewer: string): void {
    const dropped = this.#cached.get(viewer);
    this.#cached.delete(viewer);
    const isWanted = [...this.#cached.values()].some((cached) => cached === dropped);
    if (!isWanted) dropped?.cancel.abort();
  }
}
