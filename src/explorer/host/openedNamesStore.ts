// Stores the names that were opened, by connection, across windows.
import type * as vscode from "vscode";
import { withName, withoutName, type OpenedName } from "../openedNames.ts";

const storageKey = "explorer.openedNames";

type Stored = Record<string, OpenedName[]>;

export class OpenedNamesStore {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  of(connectionId: string): readonly OpenedName[] {
    const stored = this.#stored();
    return Object.hasOwn(stored, connectionId) ? (stored[connectionId] ?? []) : [];
  }

  async add(connectionId: string, opened: OpenedName): Promise<void> {
    await this.#keep(connectionId, withName(this.of(connectionId), opened));
  }

  async remove(connectionId: string, opened: OpenedName): Promise<void> {
    await this.#keep(connectionId, withoutName(this.of(connectionId), opened));
  }

  #stored(): Stored {
    return this.#state.get<Stored>(storageKey, {});
  }

  async #keep(connectionId: string, names: OpenedName[]): Promise<void> {
    const others = Object.entries(this.#stored()).filter(([id]) => id !== connectionId);
    const own: [string, OpenedName[]][] = names.length > 0 ? [[connectionId, names]] : [];
    await this.#state.update(storageKey, Object.fromEntries([...others, ...own]));
  }
}
