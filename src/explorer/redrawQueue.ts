// Redraws rows in the background when nothing is loading. VS Code forgets the rows below one that is redrawn and asks for
// them again. If it is still opening them at that time, as after a reload of the window, they stay closed or empty.
import type { ExplorerNode } from "./node.ts";

/** How long nothing may have been loaded, in ms: VS Code asks for the next level when it has drawn one. */
const quietMs = 250;
/** How long a row waits for lists that are loading, in ms: a server that does not answer must not keep others waiting. */
const maxWaitMs = 3_000;

export class RedrawQueue {
  readonly #redraw: (nodes: ExplorerNode[]) => void;
  readonly #waiting = new Set<ExplorerNode>();
  /** When the first of the waiting rows is redrawn in any case, in ms since 1970. */
  #deadline = 0;
  #loading = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(redraw: (nodes: ExplorerNode[]) => void) {
    this.#redraw = redraw;
  }

  add(...nodes: ExplorerNode[]): void {
    if (this.#waiting.size === 0) this.#deadline = Date.now() + maxWaitMs;
    for (const node of nodes) this.#waiting.add(node);
    this.#schedule();
  }

  /** Lets all rows wait until a list is loaded. */
  async hold(loading: Promise<unknown>): Promise<void> {
    this.#loading++;
    this.#schedule();
    await Promise.allSettled([loading]);
    this.#loading--;
    this.#schedule();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0) return;
    const left = Math.max(0, this.#deadline - Date.now());
    const wait = this.#loading > 0 ? left : Math.min(quietMs, left);
    this.#timer = setTimeout(() => {
      const nodes = [...this.#waiting];
      this.#waiting.clear();
      this.#redraw(nodes);
    }, wait);
  }
}
