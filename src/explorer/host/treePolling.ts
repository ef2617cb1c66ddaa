// Polls visible items that will change: models in training, running queries, and servers that do not answer. The results
// reach the tree through the events of `ServerChanges`.
import type { Client } from "../../mindsdb/http/client.ts";
import { sampleConnectionId } from "../../shared/connection.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import { isTraining } from "../../mindsdb/modelStatus.ts";
import type { GroupNode, ModelNode } from "../node.ts";
import { isSilence, listsInView, type SyncedTree } from "./loadedTree.ts";

/** The part of the tree that polling needs. */
type PolledTree = Pick<
  SyncedTree,
  "access" | "lists" | "isVisible" | "collapsedIds" | "unreachableSince"
>;

/** Interval in ms: grows with each poll, and is reset when something changes. */
const firstWaitMs = 2_000;
const maxWaitMs = 30_000;
const waitGrowth = 1.5;
/** Time limit of a poll, for slow servers and locked keyrings. */
const patienceMs = 20_000;
/** For longer lists only the versions in training are read, up to a maximum. */
const longList = 300;
const maxVersions = 5;

export class TreePolling {
  readonly #tree: PolledTree;
  readonly #onAnswer: (connectionId: string) => void;
  /** Connections that need a sign-in: polling continues once a list was loaded again. */
  readonly #signedOut = new Set<string>();
  readonly #disposed = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #waitMs = firstWaitMs;
  #isAsking = false;

  /** `onAnswer` is called when a server answers again. */
  constructor(tree: PolledTree, onAnswer: (connectionId: string) => void) {
    this.#tree = tree;
    this.#onAnswer = onAnswer;
  }

  /** Call when something changed or came into view: polls soon. */
  wake(): void {
    this.#waitMs = firstWaitMs;
    this.#signedOut.clear();
    this.#schedule();
  }

  /** Call when a list was loaded. With a connection, its sign-in is known to work. */
  look(connectionId: string | undefined): void {
    if (connectionId !== undefined) this.#signedOut.delete(connectionId);
    if (this.#timer === undefined) this.#schedule();
  }

  dispose(): void {
    this.#disposed.abort();
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isAsking || this.#disposed.signal.aborted) return;
    const { length } = [...this.#trainings(), ...this.#busyServers(), ...this.#silentServers()];
    if (length === 0) {
      this.#waitMs = firstWaitMs;
      return;
    }
    this.#timer = setTimeout(() => void this.#ask(), this.#waitMs);
    this.#timer.unref();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    this.#waitMs = Math.min(maxWaitMs, this.#waitMs * waitGrowth);
    const signal = AbortSignal.any([this.#disposed.signal, AbortSignal.timeout(patienceMs)]);
    await Promise.all([
      ...this.#trainings().map((list) => this.#askForTraining(list, signal)),
      ...this.#busyServers().map((id) => this.#askForQueries(id, signal)),
      ...this.#silentServers().map((id) => this.#askWhetherThere(id, signal)),
    ]);
    this.#isAsking = false;
    this.#schedule();
  }

  async #askForTraining(
    { node, models }: { node: GroupNode; models: ModelNode[] },
    signal: AbortSignal,
  ): Promise<void> {
    const { connectionId, project } = node;
    const { findVersion, listModels } = await import("../../mindsdb/models.ts");
    const trained = models.flatMap(({ name, item }) =>
      item.versions.filter(isTraining).map(({ version }) => ({ project, name, version })),
    );
    await this.#poll(connectionId, (client) =>
      models.length <= longList || trained.length > maxVersions
        ? listModels(client, project, { signal })
        : Promise.all(trained.map((version) => findVersion(client, version, { signal }))),
    );
  }

  async #askForQueries(connectionId: string, signal: AbortSignal): Promise<void> {
    const { listRunningQueries } = await import("../../mindsdb/runningQueries.ts");
    await this.#poll(connectionId, (client) => listRunningQueries(client, { signal }));
  }

  /** Results arrive through `ServerChanges`; failures are retried later. */
  async #poll(connectionId: string, ask: (client: Client) => Promise<unknown>): Promise<void> {
    try {
      await ask(await this.#tree.access.client(connectionId));
    } catch (error) {
      if (isAppError(error, "signInNeeded")) this.#signedOut.add(connectionId);
    }
  }

  async #askWhetherThere(connectionId: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#tree.access.status(connectionId, signal);
    } catch {
      return;
    }
    this.#onAnswer(connectionId);
  }

  /** The visible lists that contain a version in training. */
  #trainings(): { node: GroupNode; models: ModelNode[] }[] {
    return listsInView(this.#tree).flatMap(({ node, nodes }) => {
      if (node.kind !== "group" || node.group !== "models") return [];
      if (this.#signedOut.has(node.connectionId)) return [];
      const models = nodes.filter((one) => one.kind === "model");
      return models.some(({ item }) => item.versions.some(isTraining)) ? [{ node, models }] : [];
    });
  }

  /** Connections whose running queries are visible. */
  #busyServers(): string[] {
    return listsInView(this.#tree).flatMap(({ node: { kind, connectionId }, nodes }) => {
      if (kind !== "queries" || this.#signedOut.has(connectionId)) return [];
      const isBusy = nodes.some((one) => one.kind === "query" && one.item.state !== "failed");
      return isBusy ? [connectionId] : [];
    });
  }

  /** Visible servers that did not answer, without the sample server: a request would start it, which is up to the user. */
  #silentServers(): string[] {
    const { access, unreachableSince } = this.#tree;
    const failed = listsInView(this.#tree)
      .filter(({ nodes }) => nodes.some((one) => one.kind === "error" && isSilence(one.error)))
      .map(({ node }) => node.connectionId);
    const gone = this.#tree.isVisible() ? access.list().map(({ id }) => id) : [];
    const ids = [...failed, ...gone.filter((id) => unreachableSince(id) !== undefined)];
    const isOwnSample = (id: string): boolean =>
      id === sampleConnectionId && access.find(id)?.isPreset === false;
    return [...new Set(ids)].filter((id) => !isOwnSample(id));
  }
}
