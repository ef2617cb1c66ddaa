// The sample server inside VS Code: one for all windows, started on demand, as a connection of its own.
import * as vscode from "vscode";
import { sampleConnectionId as connectionId } from "../../connections/connection.ts";
import { commands, contextKeys } from "../../ids.ts";
import { AppError } from "../../mindsdb/errors.ts";
import { showError } from "../../shared/host/errorMessages.ts";
import type { Log } from "../../shared/host/log.ts";
import { showInformation, showWarning } from "../../shared/host/notifications.ts";
import type { StorageProblem } from "../savedChanges.ts";
import type { SharedSampleServer } from "../sharedServer.ts";

/** The part of the connections that the sample server needs. */
export interface SampleConnections {
  find(id: string): { address: string; isPreset: boolean } | undefined;
  save(connection: { id: string; name: string; address: string }): Promise<unknown>;
  useAddress(id: string, address: string): void;
  setStarter(id: string, start: () => Promise<void>): void;
}

/** Whom a newcomer meets first. */
const firstAgent = { connectionId, project: "mindsdb", name: "rental_agent" };

export class SampleServer implements vscode.Disposable {
  readonly #connections: SampleConnections;
  readonly #log: Log;
  readonly #folder: string;
  readonly #stopped = new vscode.EventEmitter<void>();
  #shared: Promise<SharedSampleServer> | undefined;

  /** Fires when the server has stopped, also by another window. */
  readonly onDidStop = this.#stopped.event;

  /** `folder` keeps what is changed on the server; all windows have the same one. */
  constructor(connections: SampleConnections, log: Log, folder: string) {
    this.#connections = connections;
    this.#log = log;
    this.#folder = folder;
    // After a reload the connection is there and the server is not: the first request starts it, or finds it elsewhere.
    connections.setStarter(connectionId, async () => {
      if (this.presetAddress !== undefined) return;
      const url = await this.#attempt((shared) => shared.connect());
      if (url !== undefined) connections.useAddress(connectionId, url);
    });
  }

  /** The address of a preset named `sample`, which is a sample server that somebody else started. */
  get presetAddress(): string | undefined {
    const connection = this.#connections.find(connectionId);
    return connection?.isPreset === true ? connection.address : undefined;
  }

  /** Starts it, unless a window serves already, and makes sure that its connection exists. Throws AppError. */
  async start(): Promise<void> {
    if (this.presetAddress !== undefined) return;
    const address = await this.#attempt((shared) => shared.start());
    // It may run on after its connection was removed.
    if (this.#connections.find(connectionId)) this.#connections.useAddress(connectionId, address);
    else {
      const name = vscode.l10n.t("Sample Server");
      await this.#connections.save({ id: connectionId, name, address });
    }
  }

  /** Stops it in all windows, until one starts it. Throws AppError. */
  async stop(): Promise<void> {
    await this.#attempt((shared) => shared.stop());
  }

  /** Takes back what was changed on it. Throws AppError. */
  async reset(): Promise<void> {
    await this.#attempt((shared) => Promise.resolve(shared.reset()));
  }

  dispose(): void {
    this.#stopped.dispose();
    void this.#shared?.then((shared) => shared.close()).catch(() => undefined);
  }

  async #attempt<T>(work: (shared: SharedSampleServer) => Promise<T>): Promise<T> {
    const { NoFreePortError } = await import("../sharedServer.ts");
    try {
      return await work(await (this.#shared ??= this.#load()));
    } catch (error) {
      this.#log.error("The sample server failed", error);
      const message =
        error instanceof NoFreePortError
          ? vscode.l10n.t(
              "The sample server can't start because other programs use its ports ({0}).",
              error.ports.join(", "),
            )
          : vscode.l10n.t("The sample server failed: {0}", (error as Error).message);
      throw new AppError("unreachable", message, { cause: error });
    }
  }

  async #load(): Promise<SharedSampleServer> {
    const { SharedSampleServer } = await import("../sharedServer.ts");
    return new SharedSampleServer({
      folder: this.#folder,
      onChange: (url) => this.#changed(url),
      onStorageProblem: (problem) => void this.#warn(problem),
    });
  }

  #changed(url: string | undefined): void {
    const isRunning = url !== undefined;
    this.#log.info(
      isRunning
        ? `The sample server runs at ${url}; its changes are kept in ${this.#folder}`
        : "The sample server has stopped",
    );
    void vscode.commands.executeCommand("setContext", contextKeys.sampleServerRunning, isRunning);
    if (isRunning) this.#connections.useAddress(connectionId, url);
    else this.#stopped.fire();
  }

  async #warn({ error, keptAs }: StorageProblem): Promise<void> {
    const kept = keptAs === undefined ? "The file could not be kept" : `The file is now ${keptAs}`;
    this.#log.error(`The changes to the sample server could not be read. ${kept}`, error);
    const message = vscode.l10n.t(
      "The saved changes to the sample server could not be read, so it was reset.",
    );
    const showLog = vscode.l10n.t("Show Log");
    if ((await showWarning(message, showLog)) !== showLog) return;
    await vscode.commands.executeCommand(commands.logShow);
  }
}

/** How the tree follows: `explorer` is told which connection to show and which to ask again. */
export interface SampleTree {
  revealConnection(connectionId: string): Promise<void>;
  /** Shows it with its first project's lists opened. */
  openConnection(connectionId: string): Promise<void>;
  refreshConnection(connectionId: string): void;
}

/** `ask` opens the chat with the agent that a newcomer meets first. */
export function registerSampleServerCommands(
  server: SampleServer,
  tree: SampleTree,
  ask: (agent: typeof firstAgent) => void,
): vscode.Disposable {
  const register = (id: string, run: () => Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(id, () =>
      run().catch((error: unknown) => void showError(error)),
    );

  /** For a server that this VS Code has not started: true after saying so. */
  function isPreset(): boolean {
    const address = server.presetAddress;
    if (address === undefined) return false;
    void showInformation(
      vscode.l10n.t(
        "The sample server at {0} comes from the settings and is not run by VS Code. Start, stop or reset it where it runs.",
        address,
      ),
    );
    return true;
  }

  async function reset(): Promise<void> {
    if (isPreset()) return;
    const confirm = vscode.l10n.t("Reset");
    const detail = vscode.l10n.t(
      "Agents and projects that you created on it are deleted, and its own agents are restored.",
    );
    const message = vscode.l10n.t("Reset the sample server?");
    const options = { modal: true, detail };
    if ((await showWarning(message, options, confirm)) !== confirm) return;
    await server.reset();
    tree.refreshConnection(connectionId);
  }

  return vscode.Disposable.from(
    server.onDidStop(() => tree.refreshConnection(connectionId)),
    register(commands.sampleServerTry, async () => {
      await server.start();
      ask(firstAgent);
      await tree.openConnection(connectionId);
    }),
    register(commands.sampleServerStart, async () => {
      if (isPreset()) return;
      await server.start();
      tree.refreshConnection(connectionId);
      await tree.revealConnection(connectionId);
    }),
    register(commands.sampleServerStop, async () => {
      if (!isPreset()) await server.stop();
    }),
    register(commands.sampleServerReset, reset),
  );
}
