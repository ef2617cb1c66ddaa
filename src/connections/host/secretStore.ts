// The connections' secrets in VS Code's SecretStorage, each read once and bound to the server that gave it.
import { isDeepStrictEqual } from "node:util";
import type * as vscode from "vscode";
import { formatAddress, isPrivate, type ServerAddress } from "../../mindsdb/http/serverAddress.ts";
import {
  findSecret,
  replaceSecret,
  type ConnectionSecret,
  type SecretBinding,
} from "../secretRecord.ts";

/** A connection with one of its addresses; an open transport may still use the previous one. */
export interface SecretOwner {
  id: string;
  address: ServerAddress;
}

interface SecretStoreOptions {
  storage: vscode.SecretStorage;
  /** The id of the machine that the extension host runs on. */
  machineId: () => Promise<string>;
  /** Prefix of the keys in the secret storage, before the connection's id. */
  kind: "connection" | "gateway";
  /** Called with every secret that is read or stored. */
  learn: (id: string, secret: ConnectionSecret) => void;
}

export class SecretStore {
  readonly #options: SecretStoreOptions;
  readonly #known = new Map<string, Promise<ConnectionSecret | undefined>>();
  /** Settles when all changes are stored. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: SecretStoreOptions) {
    this.#options = options;
  }

  /** The secret for this server, read once. Secrets of other addresses or machines are ignored. */
  get(owner: SecretOwner): Promise<ConnectionSecret | undefined> {
    const key = cacheKey(owner);
    let known = this.#known.get(key);
    if (!known) {
      known = this.#read(owner);
      this.#known.set(key, known);
      // A locked keyring may be unlocked the next time.
      known.catch(() => {
        if (this.#known.get(key) === known) this.#known.delete(key);
      });
    }
    return known;
  }

  /** The stored secret, read again: another window may have signed out or in since. */
  async reread(
    owner: SecretOwner,
  ): Promise<{ secret: ConnectionSecret | undefined; isNews: boolean }> {
    await this.#writing;
    const known = await this.get(owner);
    const stored = await this.#read(owner).catch(() => known);
    const now = await this.get(owner);
    if (now !== known || isDeepStrictEqual(stored, known)) return { secret: now, isNews: false };
    this.#known.set(cacheKey(owner), Promise.resolve(stored));
    return { secret: stored, isNews: true };
  }

  /** Stores or deletes the secret for this server. `get` returns it at once, before it is stored. */
  async set(owner: SecretOwner, secret: ConnectionSecret | undefined): Promise<void> {
    if (secret) this.#options.learn(owner.id, secret);
    this.#known.set(cacheKey(owner), Promise.resolve(secret));
    await this.#write(async () => {
      const record = await this.#options.storage.get(this.#key(owner.id));
      await this.#store(owner.id, replaceSecret(record, await this.#binding(owner), secret));
    });
  }

  /** Deletes all secrets of a connection. */
  async delete(id: string): Promise<void> {
    await this.#write(() => this.#store(id, undefined));
    this.reload(id);
  }

  /** Discards cached secrets of one connection or of all. */
  reload(id?: string): void {
    for (const key of [...this.#known.keys()]) {
      if (id === undefined || key.startsWith(cacheKey({ id }))) this.#known.delete(key);
    }
  }

  async #read(owner: SecretOwner): Promise<ConnectionSecret | undefined> {
    const record = await this.#options.storage.get(this.#key(owner.id));
    if (record === undefined) return undefined;
    const secret = findSecret(record, await this.#binding(owner));
    if (secret) this.#options.learn(owner.id, secret);
    return secret;
  }

  async #binding({ address }: SecretOwner): Promise<SecretBinding> {
    const text = formatAddress(address);
    if (!isPrivate(address)) return { address: text };
    return { address: text, machine: await this.#options.machineId() };
  }

  async #store(id: string, record: string | undefined): Promise<void> {
    const { storage } = this.#options;
    if (record === undefined) await storage.delete(this.#key(id));
    else await storage.store(this.#key(id), record);
  }

  #key(id: string): string {
    return `${this.#options.kind}/${id}`;
  }

  /** Runs changes one after another, because each reads what the previous one wrote. */
  async #write(change: () => Promise<void>): Promise<void> {
    const writing = this.#writing.then(change);
    this.#writing = writing.catch(() => undefined);
    await writing;
  }
}

function cacheKey({ id, address }: { id: string; address?: ServerAddress }): string {
  return `${JSON.stringify(id)}\n${address ? formatAddress(address) : ""}`;
}
