import type { ServerChange } from "../shared/connection.ts";

/** Which servers nothing reaches, and since when, as far as requests have shown. */
export class UnreachableServers {
  readonly #since = new Map<string, number>();

  note({ kind, connectionId }: ServerChange): void {
    if (kind === "unreachable") {
      if (!this.#since.has(connectionId)) this.#since.set(connectionId, Date.now());
    } else if (kind === "answered" || kind === "reached") {
      this.#since.delete(connectionId);
    }
  }

  /** Nothing is known: the connection has another address. */
  forget(connectionId: string): void {
    this.#since.delete(connectionId);
  }

  /** In ms since 1970; undefined for a server that answers, or was not asked. */
  since(connectionId: string): number | undefined {
    return this.#since.get(connectionId);
  }
}
