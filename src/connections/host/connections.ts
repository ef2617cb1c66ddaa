// The connections: which there are, what each knows to prove who we are, and a client for each.
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { formatAddress, parseAddress, type ServerAddress } from "../../mindsdb/address.ts";
import type { Client } from "../../mindsdb/client.ts";
import { AppError, isAppError, withoutSecrets } from "../../mindsdb/errors.ts";
import type { ServerStatus } from "../../mindsdb/login.ts";
import type { Secrets } from "../../mindsdb/redact.ts";
import type { Credential, CredentialKeeper } from "../../mindsdb/session.ts";
import type { Transport } from "../../mindsdb/transport.ts";
import { settings } from "../../ids.ts";
import type { Log } from "../../shared/host/log.ts";
import { networkOptions, onDidChangeNetworkSettings } from "../../shared/host/settings.ts";
import {
  readSecret,
  type Connection,
  type ConnectionSecret,
  type ServerAccess,
} from "../connection.ts";
import { presetConnections, PresetProblems } from "./presets.ts";

const storageKey = "connections";

export interface Account {
  username: string;
  password: string;
}

/** What is open towards one server; made anew when its address or the network settings change. */
interface Link {
  address: ServerAddress;
  transport: Transport;
  client: Client;
}

interface OpenLink {
  /** The connection's address when it was opened. */
  address: string;
  link: Promise<Link>;
}

export class Connections implements ServerAccess, vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #secretStorage: vscode.SecretStorage;
  readonly #secrets: Secrets;
  readonly #log: Log;
  readonly #presetProblems: PresetProblems;
  readonly #links = new Map<string, OpenLink>();
  readonly #known = new Map<string, Promise<ConnectionSecret | undefined>>();
  /** Secrets whose username and password the server does not take any more. */
  readonly #refused = new WeakSet<ConnectionSecret>();
  /** Settles when what is known is stored, too. */
  #writing: Promise<unknown> = Promise.resolve();
  readonly #starters = new Map<string, () => Promise<void>>();
  readonly #changed = new vscode.EventEmitter<string | undefined>();
  readonly #subscriptions: vscode.Disposable[];

  /** Fires with a connection's id when what it shows may be different now, with undefined when the list changed. */
  readonly onDidChange = this.#changed.event;

  constructor(context: vscode.ExtensionContext, secrets: Secrets, log: Log) {
    this.#state = context.globalState;
    this.#secretStorage = context.secrets;
    this.#secrets = secrets;
    this.#log = log;
    this.#presetProblems = new PresetProblems(log);
    this.#presetProblems.tell();
    this.#subscriptions = [
      this.#changed,
      onDidChangeNetworkSettings(() => {
        this.#closeLinks();
        this.#changed.fire(undefined);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(`${settings.section}.${settings.connections}`)) return;
        this.#presetsChanged();
      }),
    ];
  }

  list(): readonly Connection[] {
    const presets = presetConnections();
    const ids = new Set(presets.map(({ id }) => id));
    return [...presets, ...this.#own().filter(({ id }) => !ids.has(id))];
  }

  find(id: string): Connection | undefined {
    return this.list().find((connection) => connection.id === id);
  }

  async client(id: string): Promise<Client> {
    await this.#starters.get(id)?.();
    return (await this.#link(id)).client;
  }

  async status(id: string, signal?: AbortSignal): Promise<ServerStatus> {
    await this.#starters.get(id)?.();
    const { transport } = await this.#link(id);
    const { getStatus } = await import("../../mindsdb/login.ts");
    return getStatus(transport, { signal });
  }

  /** Has `start` run before each request to this connection (the sample server starts itself that way). */
  setStarter(id: string, start: () => Promise<void>): void {
    this.#starters.set(id, start);
  }

  /** Adds a connection, or gives the address and name of one that exists. */
  async save(connection: { id?: string; name: string; address: string }): Promise<Connection> {
    const { id = randomUUID(), name, address } = connection;
    const others = this.#own().filter((other) => other.id !== id);
    await this.#state.update(storageKey, [...others, { id, name, address }]);
    this.#closeLink(id);
    this.#changed.fire(undefined);
    return { id, name, address, isPreset: false };
  }

  /** Forgets a connection and everything that is known of it, then tells the server, as far as it listens. */
  async remove(id: string): Promise<void> {
    const logOut = await this.#forget(id);
    await this.#state.update(
      storageKey,
      this.#own().filter((other) => other.id !== id),
    );
    this.#changed.fire(undefined);
    await logOut();
    this.#closeLink(id);
  }

  /** Logs in and remembers what the server gave. Throws AppError "signInRefused". */
  async signIn(id: string, account: Account, signal?: AbortSignal): Promise<void> {
    const { transport, address } = await this.#link(id);
    this.#secrets.add(account.password);
    const { login } = await import("../../mindsdb/login.ts");
    const credential = await login(transport, account, signal).catch((error: unknown) => {
      // A server may repeat what it was sent.
      throw withoutSecrets(error, this.#secrets);
    });
    await this.#remember(id, address, credential);
    this.#changed.fire(id);
  }

  /** Remembers who has signed in too, so that a login which the server forgets is made again without a word. */
  async keepSignedIn(id: string, account: Account): Promise<void> {
    const credential = credentialOf(await this.#secret(id));
    if (!credential) return;
    const { address } = await this.#link(id);
    await this.#remember(id, address, credential, account);
  }

  /** Forgets token, cookie, username and password, then tells the server, as far as it listens. */
  async signOut(id: string): Promise<void> {
    const logOut = await this.#forget(id);
    this.#changed.fire(id);
    await logOut();
  }

  /** True when a token, a cookie or an account is known for it. */
  async isSignedIn(id: string): Promise<boolean> {
    return (await this.#secret(id)) !== undefined;
  }

  /** The connections that one is signed in to. Nobody knows while a keyring is locked: then it is all. */
  async signedIn(): Promise<ReadonlySet<string>> {
    const ids = this.list().map(({ id }) => id);
    const answers = await Promise.all(ids.map((id) => this.isSignedIn(id).catch(() => true)));
    return new Set(ids.filter((_, at) => answers[at]));
  }

  dispose(): void {
    this.#closeLinks();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #own(): Connection[] {
    const saved = this.#state.get<Omit<Connection, "isPreset">[]>(storageKey, []);
    return saved.map(({ id, name, address }) => ({ id, name, address, isPreset: false }));
  }

  async #link(id: string): Promise<Link> {
    const connection = this.find(id);
    if (!connection) {
      throw new AppError("notFound", vscode.l10n.t("This connection has been removed."));
    }
    const open = this.#links.get(id);
    if (open) return open.link;
    const { address } = connection;
    const link = this.#open(id, parseAddress(address));
    this.#links.set(id, { address, link });
    link.catch(() => this.#links.delete(id));
    return link;
  }

  /** undici and what hangs on it are loaded here, with the first request to any server. */
  async #open(id: string, address: ServerAddress): Promise<Link> {
    const [{ createTransport }, { Session }, { Client }] = await Promise.all([
      import("../../mindsdb/transport.ts"),
      import("../../mindsdb/session.ts"),
      import("../../mindsdb/client.ts"),
    ]);
    const transport = createTransport(address, networkOptions());
    const session = new Session(transport, this.#keeper(id, address, transport));
    return { address, transport, client: new Client(session, this.#secrets) };
  }

  #keeper(id: string, address: ServerAddress, transport: Transport): CredentialKeeper {
    return {
      current: async () => credentialOf(await this.#secret(id)),
      renew: async (rejected) => {
        const secret = await this.#storedSecret(id);
        const other = credentialOf(secret);
        if (other && !isDeepStrictEqual(other, rejected)) return other;
        if (!secret?.username || secret.password === undefined) return undefined;
        // Servers may lock out who tries a wrong password again and again.
        if (this.#refused.has(secret)) return undefined;
        const account = { username: secret.username, password: secret.password };
        const { login, logout } = await import("../../mindsdb/login.ts");
        try {
          const credential = await login(transport, account);
          const now = await this.#secret(id);
          if (now !== secret) {
            // Signed out, or in again, while the server took its time: that counts.
            await logout(transport, credential).catch(() => undefined);
            return credentialOf(now);
          }
          await this.#remember(id, address, credential, account);
          this.#log.info(`Signed in again at ${formatAddress(address)}`);
          return credential;
        } catch (error) {
          this.#log.error(`Signing in again at ${formatAddress(address)} failed`, error);
          if (!isAppError(error, "signInRefused")) throw error;
          this.#refused.add(secret);
          return undefined;
        }
      },
    };
  }

  /** The connection's secret, read once; one that was saved for another origin is dropped. */
  #secret(id: string): Promise<ConnectionSecret | undefined> {
    let known = this.#known.get(id);
    if (!known) {
      known = this.#readSecret(id);
      this.#known.set(id, known);
      // A keyring that was locked may be open the next time.
      known.catch(() => this.#known.delete(id));
    }
    return known;
  }

  /** The connection's secret as it is stored: in another window one may have signed out since, or in again. */
  async #storedSecret(id: string): Promise<ConnectionSecret | undefined> {
    await this.#writing;
    const known = await this.#secret(id);
    const stored = await this.#readSecret(id).catch(() => known);
    const now = await this.#secret(id);
    if (now !== known || isDeepStrictEqual(stored, known)) return now;
    this.#known.set(id, Promise.resolve(stored));
    this.#changed.fire(id);
    return stored;
  }

  async #readSecret(id: string): Promise<ConnectionSecret | undefined> {
    const connection = this.find(id);
    const text = await this.#secretStorage.get(secretKey(id));
    if (text === undefined || !connection) return undefined;
    const secret = readSecret(text, parseAddress(connection.address).origin);
    if (!secret) await this.#secretStorage.delete(secretKey(id));
    this.#learn(secret);
    return secret;
  }

  async #remember(
    id: string,
    address: ServerAddress,
    credential: Credential,
    account?: Account,
  ): Promise<void> {
    const secret: ConnectionSecret = { origin: address.origin, ...credential, ...account };
    this.#learn(secret);
    this.#known.set(id, Promise.resolve(secret));
    await this.#write(this.#secretStorage.store(secretKey(id), JSON.stringify(secret)));
  }

  /** Forgets what proves who we are; what comes back tells the server. */
  async #forget(id: string): Promise<() => Promise<void>> {
    const credential = credentialOf(await this.#secret(id));
    this.#known.set(id, Promise.resolve(undefined));
    await this.#write(this.#secretStorage.delete(secretKey(id)));
    const link = credential && (await this.#link(id).catch(() => undefined));
    return async () => {
      if (!link) return;
      const { logout } = await import("../../mindsdb/login.ts");
      await logout(link.transport, credential).catch((error: unknown) =>
        this.#log.error("The server was not told of the sign-out", error),
      );
    };
  }

  async #write(writing: Thenable<void>): Promise<void> {
    this.#writing = Promise.allSettled([this.#writing, writing]);
    await writing;
  }

  #learn(secret: ConnectionSecret | undefined): void {
    this.#secrets.add(secret?.token);
    for (const pair of secret?.cookie?.split("; ") ?? []) {
      this.#secrets.add(pair.slice(pair.indexOf("=") + 1));
    }
    this.#secrets.add(secret?.password);
  }

  #closeLink(id: string): void {
    const open = this.#links.get(id);
    this.#links.delete(id);
    this.#known.delete(id);
    open?.link.then(({ transport }) => transport.close()).catch(() => undefined);
  }

  #closeLinks(): void {
    for (const id of [...this.#links.keys()]) this.#closeLink(id);
  }

  /** A connection whose address stayed keeps what is under way. */
  #presetsChanged(): void {
    this.#presetProblems.tell();
    for (const [id, { address }] of [...this.#links]) {
      if (this.find(id)?.address !== address) this.#closeLink(id);
    }
    // One that is read again is held against the address of now.
    this.#known.clear();
    this.#changed.fire(undefined);
  }
}

function secretKey(id: string): string {
  return `connection/${id}`;
}

function credentialOf(secret: ConnectionSecret | undefined): Credential | undefined {
  if (secret?.token !== undefined) return { token: secret.token };
  if (secret?.cookie !== undefined) return { cookie: secret.cookie };
  return undefined;
}
