// Stores whether the user allowed sending the password over plain http, where others can read it.
import type * as vscode from "vscode";
import { isLoopback, parseAddress } from "../../mindsdb/http/serverAddress.ts";
import type { Connection } from "../../shared/connection.ts";

const storageKey = "plainHttp";

type AllowedAddresses = Record<string, string>;

/** The user's answers, one for each connection and its address. */
export class PlainHttpConsent {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** True if the user must be asked before the password is sent. */
  isMissing({ id, address }: Pick<Connection, "id" | "address">): boolean {
    const server = parseAddress(address);
    if (!server.origin.startsWith("http:") || isLoopback(server)) return false;
    return this.#allowed()[id] !== address;
  }

  async give({ id, address }: Connection): Promise<void> {
    await this.#state.update(storageKey, { ...this.#allowed(), [id]: address });
  }

  async forget(id: string): Promise<void> {
    const { [id]: forgotten, ...others } = this.#allowed();
    if (forgotten !== undefined) await this.#state.update(storageKey, others);
  }

  #allowed(): AllowedAddresses {
    return this.#state.get<AllowedAddresses>(storageKey, {});
  }
}
