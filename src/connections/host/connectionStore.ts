// The connections that the user has added, in the window's global storage. It is shared by all windows.
import type * as vscode from "vscode";
import { readGuard, type Connection, type ConnectionGuard } from "../../shared/connection.ts";

const storageKey = "connections";

/** A connection without defaults. */
type StoredConnection = Pick<Connection, "id" | "name" | "address"> & Partial<ConnectionGuard>;

export class ConnectionStore {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  list(): Connection[] {
    return this.#stored().map(({ id, name, address, ...guard }) => {
      return { id, name, address, ...readGuard(guard), isPreset: false };
    });
  }

  /** Adds a connection, or replaces name and address of the one with this id; its guard stays. */
  async put(connection: Pick<Connection, "id" | "name" | "address">): Promise<void> {
    const stored = this.#stored();
    const before = stored.find(({ id }) => id === connection.id);
    const others = stored.filter((other) => other !== before);
    await this.#store([...others, { ...before, ...connection }]);
  }

  /** Changes a connection; nothing happens if there is none with this id. */
  async change(
    id: string,
    change: Partial<Pick<Connection, "name"> & ConnectionGuard>,
  ): Promise<void> {
    await this.#store(this.#stored().map((own) => (own.id === id ? { ...own, ...change } : own)));
  }

  async remove(id: string): Promise<void> {
    await this.#store(this.#stored().filter((own) => own.id !== id));
  }

  #stored(): StoredConnection[] {
    return this.#state.get<StoredConnection[]>(storageKey, []);
  }

  async #store(connections: StoredConnection[]): Promise<void> {
    await this.#state.update(storageKey, connections);
  }
}
