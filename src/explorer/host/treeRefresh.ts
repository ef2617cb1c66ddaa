// Reads the lists in view again, because other people and programs change servers too. No request of the server tells
// whether anything has changed; each list is one request of a few ms.
import { isAppError } from "../../mindsdb/errors.ts";
import { filesSource } from "../../mindsdb/filesSource.ts";
import type { ErrorNode } from "../node.ts";
import { listsInView, type ReadList, type SyncedTree, type TreeList } from "./loadedTree.ts";

/** Age in ms at which a list is read again while the user looks at the tree, and when the user turns to it. */
const refreshMs = 30_000;
const attendedMs = 2_000;
/** Lists that reach a database behind the server, which may cost money, are read only when the user turns to the tree. */
const outsideMs = 300_000;
/** Reading takes at most this part of the time. */
const maxShare = 1 / 20;
/** Doubles with each failure. */
const maxFailureMs = 600_000;
/**
 * How long lists are read after the window has lost the focus: the user may watch the tree beside another window. In a
 * browser, VS Code also takes its window for unfocused after a page with the focus was closed, until the next click.
 */
const watchedMs = 600_000;
/** How long after a job's next run its list is read, in ms. */
const afterRunMs = 1_000;

interface TreeRefreshOptions {
  /** Whether a connection's server did not answer the last request. */
  isGone: (connectionId: string) => boolean;
  isReading: (list: TreeList) => boolean;
  /** Reads a list while the old one stays visible; returns the failure. */
  readAgain: (list: TreeList) => Promise<ErrorNode | undefined>;
}

interface LastRead {
  at: number;
  tookMs: number;
  failures: number;
}

export class TreeRefresh {
  readonly #tree: SyncedTree;
  readonly #options: TreeRefreshOptions;
  readonly #lastReads = new WeakMap<TreeList, LastRead>();
  /** Connections that need a sign-in, until a request succeeds. */
  readonly #signedOut = new Set<string>();
  /** Connections whose lists are being read. */
  readonly #busy = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(tree: SyncedTree, options: TreeRefreshOptions) {
    this.#tree = tree;
    this.#options = options;
  }

  /** Call when a list was read in `tookMs`. */
  noteRead(list: TreeList, tookMs: number, failures = 0): void {
    this.#lastReads.set(list, { at: Date.now(), tookMs, failures });
    this.schedule();
  }

  /** Call when a request that may need a sign-in has succeeded. */
  noteAnswer(connectionId: string): void {
    this.#signedOut.delete(connectionId);
  }

  /** Call when the user turns to the tree or comes back to the window. */
  attend(): void {
    if (this.#tree.unfocusedSince() === undefined) this.#readDue(true);
    else this.schedule();
  }

  /** Call when a list has come into view. */
  schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isDisposed) return;
    const dueTimes = this.#candidates(false).map((list) => this.#dueAt(list, false));
    const next = Math.min(...dueTimes);
    if (next === Infinity) return;
    this.#timer = setTimeout(() => this.#readDue(false), Math.max(0, next - Date.now()));
    this.#timer.unref();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  #readDue(isAttended: boolean): void {
    const now = Date.now();
    const due = this.#candidates(isAttended).filter((list) => this.#dueAt(list, isAttended) <= now);
    for (const connectionId of new Set(due.map(({ node }) => node.connectionId))) {
      const lists = due.filter(({ node }) => node.connectionId === connectionId);
      void this.#readAll(connectionId, lists);
    }
    if (due.length === 0) this.schedule();
  }

  /** Reads the lists of a connection one after the other. */
  async #readAll(connectionId: string, lists: readonly ReadList[]): Promise<void> {
    this.#busy.add(connectionId);
    try {
      for (const list of lists) {
        if (this.#isDisposed || this.#signedOut.has(connectionId)) break;
        if (this.#options.isReading(list)) continue;
        const startedAt = performance.now();
        const failure = await this.#options.readAgain(list);
        if (failure && isAppError(failure.error, "signInNeeded")) this.#signedOut.add(connectionId);
        const failures = failure ? (this.#lastReads.get(list)?.failures ?? 0) + 1 : 0;
        this.noteRead(list, performance.now() - startedAt, failures);
      }
    } finally {
      this.#busy.delete(connectionId);
      this.schedule();
    }
  }

  /** The lists in view that a request of their own can read. */
  #candidates(isAttended: boolean): ReadList[] {
    const { isGone, isReading } = this.#options;
    return listsInView(this.#tree).filter((list) => {
      const { node, nodes } = list;
      const { connectionId } = node;
      if (this.#busy.has(connectionId) || this.#signedOut.has(connectionId)) return false;
      // A failed list has rules of its own, and so has one that the server does not have.
      if (isReading(list) || nodes.some(({ kind }) => kind === "error" || kind === "unlisted")) {
        return false;
      }
      if (isGone(connectionId)) return node.kind === "connection";
      if (reachesDatabase(node)) return isAttended;
      return isReadByRequest(node) && (this.#isWatched() || isJobs(node));
    });
  }

  #isWatched(): boolean {
    const since = this.#tree.unfocusedSince();
    return since === undefined || Date.now() - since < watchedMs;
  }

  #dueAt(list: ReadList, isAttended: boolean): number {
    const { at = 0, tookMs = 0, failures = 0 } = this.#lastReads.get(list) ?? {};
    const age = reachesDatabase(list.node) ? outsideMs : isAttended ? attendedMs : refreshMs;
    const backoff = failures === 0 ? 0 : Math.min(maxFailureMs, refreshMs * 2 ** failures);
    // A server can say that a job is always about to have run.
    const earliest = at + Math.max(attendedMs, tookMs / maxShare, backoff);
    const lookAt = list.nodes.reduce((first, node) => {
      const time = node.kind === "job" ? (node.item.nextRunMs ?? 0) + afterRunMs : 0;
      return time > at ? Math.min(first, time) : first;
    }, Infinity);
    return Math.min(Math.max(earliest, at + age), Math.max(earliest, lookAt));
  }
}

function isReadByRequest({ kind }: TreeList["node"]): boolean {
  return kind !== "project" && kind !== "model" && kind !== "schema";
}

function isJobs(node: TreeList["node"]): boolean {
  return node.kind === "group" && node.group === "jobs";
}

/** Whether the server asks a database for this list. */
function reachesDatabase(node: TreeList["node"]): boolean {
  if (node.kind === "dataSource") return node.name !== filesSource;
  return node.kind === "table";
}
