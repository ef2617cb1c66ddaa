// The connections, with their credentials and clients.
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import {
  formatAddress,
  parseAddress,
  type ServerAddress,
} from "../../mindsdb/http/serverAddress.ts";
import { abortable } from "../../mindsdb/http/abortable.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { AppError, isAppError, withoutSecrets } from "../../mindsdb/errors.ts";
import type { ServerStatus } from "../../mindsdb/http/login.ts";
import { Secrets } from "../../mindsdb/redact/secrets.ts";
import type { NetworkOptions } from "../../mindsdb/http/transport.ts";
import { settings } from "../../ids.ts";
import type { Log } from "../../shared/host/log.ts";
import { networkOptions, onDidChangeNetworkSettings } from "../../shared/host/settings.ts";
import type {
  Connection,
  ConnectionGuard,
  PlannedChange,
  ServerAccess,
  ServerChange,
  ServerChanges,
  ServerStarter,
} from "../../shared/connection.ts";
import { getCredential, type ConnectionSecret } from "../secretRecord.ts";
import { UnreachableServers } from "../unreachableServers.ts";
import { ConnectionStore } from "./connectionStore.ts";
import type { Link } from "./openLink.ts";
import { PlainHttpConsent } from "./plainHttp.ts";
import { presetConnections, PresetProblems } from "./presets.ts";
import { SecretStore, type SecretOwner } from "./secretStore.ts";

export interface Account {
  username: string;
  password: string;
}

interface OpenLink {
  /** The connection's address when it was opened. */
  address: string;
  link: Promise<Link>;
}

export class Connections implements ServerAccess, ServerChanges, vscode.Disposable {
  /** Whether a password may be sent over plain http. */
  readonly plainHttp: PlainHttpConsent;
  readonly #own: ConnectionStore;
  readonly #secretStore: SecretStore;
  /** Usernames and passwords for web servers in front of MindsDB. */
  readonly #gatewayLogins: SecretStore;
  /** Separate for each connection: a password on one server can be a normal word on another. */
  readonly #secrets = new Map<string, Secrets>();
  readonly #log: Log;
  readonly #presetProblems: PresetProblems;
  readonly #unreachable = new UnreachableServers();
  readonly #links = new Map<string, OpenLink>();
  /** Secrets whose username and password the server has rejected. */
  readonly #refused = new WeakSet<ConnectionSecret>();
  readonly #starters = new Map<string, ServerStarter>();
  /** Addresses for this window only, by connection. */
  readonly #addresses = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<string | undefined>();
  readonly #serverChanged = new vscode.EventEmitter<ServerChange>();
  readonly #subscriptions: vscode.Disposable[];
  #machineId: Promise<string> | undefined;

  /** Fires with a connection's id when it changed, or with undefined when the list changed. */
  readonly onDidChange = this.#changed.event;

  /** Fires with what any request has shown about a server. */
  readonly onDidChangeServer = this.#serverChanged.event;

  constructor(context: vscode.ExtensionContext, log: Log) {
    this.#own = new ConnectionStore(context.globalState);
    this.plainHttp = new PlainHttpConsent(context.globalState);
    const createStore = (kind: "connection" | "gateway"): SecretStore =>
      new SecretStore({
        kind,
        storage: context.secrets,
        machineId: () =>
          (this.#machineId ??= import("../machineId.ts").then(({ loadMachineId }) =>
            loadMachineId(context.globalStorageUri.fsPath, log),
          )),
        learn: (id, secret) => this.#addSecrets(id, secret),
      });
    this.#secretStore = createStore("connection");
    this.#gatewayLogins = createStore("gateway");
    this.#log = log;
    this.#presetProblems = new PresetProblems(log);
    this.#presetProblems.tell();
    this.#subscriptions = [
      this.#changed,
      this.#serverChanged,
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
    const own = this.#own.list().filter(({ id }) => !ids.has(id));
    return [...presets, ...own.map((one) => this.#withAddressHere(one))];
  }

  find(id: string): Connection | undefined {
    return this.list().find((connection) => connection.id === id);
  }

  secrets(id: string): Secrets {
    let secrets = this.#secrets.get(id);
    if (!secrets) {
      secrets = new Secrets();
      this.#secrets.set(id, secrets);
    }
    return secrets;
  }

  async client(id: string): Promise<Client> {
    await this.#starters.get(id)?.start();
    return (await this.#getLink(id)).client;
  }

  async status(id: string, signal?: AbortSignal): Promise<ServerStatus> {
    await this.#starters.get(id)?.start();
    const { transport } = await this.#getLink(id);
    const { identifyServer } = await import("../../mindsdb/http/identifyServer.ts");
    try {
      const { status } = await identifyServer(transport, { signal });
      if (this.unreachableSince(id) !== undefined) {
        this.#noteServer({ kind: "reached", connectionId: id });
      }
      return status;
    } catch (error) {
      if (isAppError(error, "unreachable")) {
        this.#noteServer({ kind: "unreachable", connectionId: id });
      }
      throw withoutSecrets(error, this.secrets(id));
    }
  }

  /** Since when nothing reaches the server, in ms since 1970; undefined if it answers, or was not asked. */
  unreachableSince(id: string): number | undefined {
    return this.#unreachable.since(id);
  }

  async setTokenVariable(id: string): Promise<string | undefined> {
    const starter = this.#starters.get(id);
    if (!starter?.setTokenVariable) return undefined;
    await starter.start();
    return starter.setTokenVariable();
  }

  setStarter(id: string, starter: ServerStarter): void {
    this.#starters.set(id, starter);
  }

  /** The network options for this connection's server. */
  async networkOf(id: string): Promise<NetworkOptions> {
    return { ...networkOptions(), provenServer: await this.#starters.get(id)?.provenServer() };
  }

  /**
   * Uses this address for a connection of the user's own in this window, whatever is stored. The list is shared by
   * windows on different machines; what is served on each of them must not get another one's port.
   */
  useAddress(id: string, address: string): void {
    const before = this.find(id)?.address;
    this.#addresses.set(id, address);
    if (before === this.find(id)?.address) return;
    this.#closeLink(id);
    this.#changed.fire(undefined);
  }

  /** Adds a connection, or changes the address and name of an existing one. */
  async save(connection: { id?: string; name: string; address: string }): Promise<Connection> {
    const { id = randomUUID(), name, address } = connection;
    await this.#own.put({ id, name, address });
    this.#addresses.delete(id);
    this.#closeLink(id);
    this.#changed.fire(undefined);
    return this.#findOrThrow(id);
  }

  /** Renames a connection that is not a preset, or changes its guard. */
  async change(
    id: string,
    change: Partial<Pick<Connection, "name"> & ConnectionGuard>,
  ): Promise<void> {
    await this.#own.change(id, change);
    this.#changed.fire(undefined);
  }

  async allowWrite(id: string, change: PlannedChange): Promise<boolean> {
    const { allowWrite } = await import("./allowWrite.ts");
    return allowWrite(this.#findOrThrow(id), change);
  }

  /** Removes a connection with its secrets, then tries to log out of the server. */
  async remove(id: string): Promise<void> {
    const connection = this.find(id);
    if (!connection) return;
    const link = await this.#getLink(id).catch(() => undefined);
    // Before the secrets are deleted: a locked keyring must not keep the connection in the list.
    await this.#own.remove(id);
    this.#changed.fire(undefined);
    await this.plainHttp.forget(id);
    try {
      const forgetting = this.#forget(connection, link);
      await forgetting.catch(() => undefined);
      // Also if they could not be read, so that no secret of a removed connection remains.
      await this.#secretStore.delete(id);
      const logOut = await forgetting;
      await logOut();
    } finally {
      this.#closeLink(id);
      await this.#gatewayLogins.delete(id);
    }
  }

  /**
   * Logs in and remembers what the server gave. Throws AppError "signInRefused", and "refused" where the user has not
   * been asked about plain http.
   */
  async signIn(id: string, account: Account, signal?: AbortSignal): Promise<void> {
    const { transport, address } = await this.#getLink(id);
    if (this.#needsConsent(id, address)) {
      throw new AppError("refused", vscode.l10n.t("The connection is not encrypted."));
    }
    this.secrets(id).addCredential(account.password);
    const { login } = await import("../../mindsdb/http/login.ts");
    const credential = await login(transport, account, signal).catch((error: unknown) => {
      // The server may repeat the password in its error.
      throw withoutSecrets(error, this.secrets(id));
    });
    await abortable(this.#secretStore.set({ id, address }, credential), signal);
    this.#changed.fire(id);
  }

  /** Stores the account too, to sign in again when the server restarts. */
  async keepSignedIn(id: string, account: Account): Promise<void> {
    const { address } = await this.#getLink(id);
    const credential = getCredential(await this.#secretStore.get({ id, address }));
    if (credential) await this.#secretStore.set({ id, address }, { ...credential, ...account });
  }

  /** The login of a web server in front of this connection's MindsDB. */
  gatewayLogin(connection: Connection): Promise<Partial<Account> | undefined> {
    return this.#gatewayLogins.get(getSecretOwner(connection));
  }

  /** Stores the login of the web server in front of this connection's MindsDB. */
  async setGatewayLogin(connection: Connection, login: Account): Promise<void> {
    await this.#gatewayLogins.set(getSecretOwner(connection), login);
    this.#changed.fire(connection.id);
  }

  /** Deletes token, cookie, username and password, then tries to log out of the server. */
  async signOut(id: string): Promise<void> {
    const connection = this.find(id);
    if (!connection) return;
    const logOut = await this.#forget(connection, await this.#getLink(id).catch(() => undefined));
    this.#changed.fire(id);
    await logOut();
    // Not before: the request to log out needs it.
    await this.#gatewayLogins.set(getSecretOwner(connection), undefined);
    this.#changed.fire(id);
  }

  /** True if anything to sign in with is stored. The signal ends waiting for a locked keyring. */
  async isSignedIn(id: string, signal?: AbortSignal): Promise<boolean> {
    const connection = this.find(id);
    if (!connection) return false;
    const owner = getSecretOwner(connection);
    const reading = Promise.all([this.#secretStore.get(owner), this.#gatewayLogins.get(owner)]);
    return (await abortable(reading, signal)).some(Boolean);
  }

  /** The connections that one is signed in to. While the keyring is locked, all connections count as signed in. */
  async listSignedInIds(signal?: AbortSignal): Promise<ReadonlySet<string>> {
    const ids = await Promise.all(
      this.list().map(async ({ id }) =>
        (await this.isSignedIn(id, signal).catch(() => true)) ? [id] : [],
      ),
    );
    return new Set(ids.flat());
  }

  dispose(): void {
    this.#closeLinks();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #withAddressHere(connection: Connection): Connection {
    return { ...connection, address: this.#addresses.get(connection.id) ?? connection.address };
  }

  #findOrThrow(id: string): Connection {
    const connection = this.find(id);
    if (connection) return connection;
    throw new AppError("notFound", vscode.l10n.t("This connection has been removed."));
  }

  async #getLink(id: string): Promise<Link> {
    const { address } = this.#findOrThrow(id);
    const open = this.#links.get(id);
    if (open?.address === address) return open.link;
    // Another window has changed its address.
    if (open) this.#closeLink(id);
    const link = this.#open(id, parseAddress(address));
    this.#links.set(id, { address, link });
    link.catch(() => {
      if (this.#links.get(id)?.link === link) this.#links.delete(id);
    });
    return link;
  }

  async #open(id: string, address: ServerAddress): Promise<Link> {
    const { openLink } = await import("./openLink.ts");
    return openLink({
      owner: { id, address },
      network: await this.networkOf(id),
      secretStore: this.#secretStore,
      gatewayLogins: this.#gatewayLogins,
      secrets: this.secrets(id),
      refused: this.#refused,
      needsConsent: () => this.#needsConsent(id, address),
      onChanged: () => this.#changed.fire(id),
      observe: (observation) => this.#noteServer({ ...observation, connectionId: id }),
      isReadOnly: () => this.find(id)?.protection === "readOnly",
      log: this.#log,
    });
  }

  #needsConsent(id: string, address: ServerAddress): boolean {
    return this.plainHttp.isMissing({ id, address: formatAddress(address) });
  }

  /** Deletes the credentials; the returned function logs out of the server. */
  async #forget(connection: Connection, link: Link | undefined): Promise<() => Promise<void>> {
    const owner = getSecretOwner(connection);
    const credential = getCredential(await this.#secretStore.get(owner));
    await this.#secretStore.set(owner, undefined);
    return async () => {
      if (!credential || !link) return;
      const { logOut } = await import("./logOut.ts");
      const secrets = this.secrets(connection.id);
      await logOut(link.transport, credential, { secrets, log: this.#log });
    };
  }

  #addSecrets(id: string, { token, cookie, password }: ConnectionSecret): void {
    const secrets = this.secrets(id);
    // The server may send any number: the others are kept.
    for (const pair of cookie?.split("; ") ?? []) {
      secrets.addCredential(pair.slice(pair.indexOf("=") + 1));
    }
    secrets.addCredential(token);
    secrets.addCredential(password);
  }

  #noteServer(change: ServerChange): void {
    this.#unreachable.note(change);
    this.#serverChanged.fire(change);
  }

  #closeLink(id: string): void {
    const open = this.#links.get(id);
    this.#unreachable.forget(id);
    this.#links.delete(id);
    this.#secretStore.reload(id);
    this.#gatewayLogins.reload(id);
    open?.link.then(({ transport }) => transport.close()).catch(() => undefined);
  }

  #closeLinks(): void {
    for (const id of [...this.#links.keys()]) this.#closeLink(id);
  }

  /** Closes links whose address changed; requests on the others continue. */
  #presetsChanged(): void {
    this.#presetProblems.tell();
    for (const [id, { address }] of [...this.#links]) {
      if (this.find(id)?.address !== address) this.#closeLink(id);
    }
    this.#changed.fire(undefined);
  }
}

function getSecretOwner({ id, address }: Connection): SecretOwner {
  return { id, address: parseAddress(address) };
}
