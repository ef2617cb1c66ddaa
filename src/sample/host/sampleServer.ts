// Runs the sample server in VS Code: started on demand, shared by all windows, shown as a connection.
import * as vscode from "vscode";
import { sampleConnectionId as connectionId, type ServerStarter } from "../../shared/connection.ts";
import { contextKeys } from "../../ids.ts";
import type { Log } from "../../shared/host/log.ts";
import type { SharedSampleServer } from "../sharedServer/sharedServer.ts";

/** The operations on connections that the sample server needs. */
interface SampleConnections {
  find(id: string): { address: string; isPreset: boolean } | undefined;
  save(connection: { id: string; name: string; address: string }): Promise<unknown>;
  useAddress(id: string, address: string): void;
  setStarter(id: string, starter: ServerStarter): void;
}

export class SampleServer implements vscode.Disposable {
  readonly #connections: SampleConnections;
  readonly #log: Log;
  readonly #folder: string;
  /** Variables that VS Code adds to the environment of new terminals. */
  readonly variables: vscode.EnvironmentVariableCollection;
  readonly #stopped = new vscode.EventEmitter<void>();
  #shared: Promise<SharedSampleServer> | undefined;

  /** Fires when this or another window stops the server. */
  readonly onDidStop = this.#stopped.event;

  /** `folder` stores the changes made on the server and must be the same in all windows. */
  constructor(
    connections: SampleConnections,
    log: Log,
    folder: string,
    variables: vscode.EnvironmentVariableCollection,
  ) {
    this.#connections = connections;
    this.#log = log;
    this.#folder = folder;
    this.variables = variables;
    // After a reload the connection exists but the server may not run. The first request starts it or finds it in
    // another window.
    connections.setStarter(connectionId, {
      start: async () => {
        if (this.presetAddress !== undefined) return;
        const url = await this.#attempt((shared) => shared.connect());
        if (url !== undefined) connections.useAddress(connectionId, url);
      },
      provenServer: async () => {
        const { createProvenServer } = await import("./provenServer.ts");
        return createProvenServer(this.#folder, this.presetAddress !== undefined);
      },
      setTokenVariable: async () => {
        const { address } = connections.find(connectionId) ?? {};
        if (address === undefined) return undefined;
        const { setTokenVariable } = await import("./tokenVariable.ts");
        const isPreset = this.presetAddress !== undefined;
        return setTokenVariable(this.variables, address, this.#folder, isPreset);
      },
    });
  }

  /** The address of the sample server if it comes from settings, in which case VS Code does not start it. */
  get presetAddress(): string | undefined {
    const connection = this.#connections.find(connectionId);
    return connection?.isPreset === true ? connection.address : undefined;
  }

  /** Starts the server unless a window already runs it, and adds its connection if missing. Throws AppError. */
  async start(): Promise<void> {
    if (this.presetAddress !== undefined) return;
    const address = await this.#attempt((shared) => shared.start());
    // The server keeps running when its connection is removed.
    if (this.#connections.find(connectionId)) this.#connections.useAddress(connectionId, address);
    else {
      const name = vscode.l10n.t("Sample Server");
      await this.#connections.save({ id: connectionId, name, address });
    }
  }

  /** Stops the server for all windows until one of them starts it again. Throws AppError. */
  async stop(): Promise<void> {
    await this.#attempt((shared) => shared.stop());
  }

  /** Deletes all changes made on the server. Throws AppError. */
  async reset(): Promise<void> {
    await this.#attempt((shared) => Promise.resolve(shared.reset()));
  }

  dispose(): void {
    this.#stopped.dispose();
    void this.#shared?.then((shared) => shared.close()).catch(() => undefined);
  }

  async #attempt<T>(work: (shared: SharedSampleServer) => Promise<T>): Promise<T> {
    try {
      return await work(await (this.#shared ??= this.#load()));
    } catch (error) {
      const { startError } = await import("./sampleServerProblems.ts");
      throw startError(error, this.#log);
    }
  }

  async #load(): Promise<SharedSampleServer> {
    const { SharedSampleServer } = await import("../sharedServer/sharedServer.ts");
    return new SharedSampleServer({
      folder: this.#folder,
      onChange: (url) => this.#onChange(url),
      onStorageProblem: (problem) => {
        void import("./sampleServerProblems.ts").then(({ warnOfStorage }) =>
          warnOfStorage(problem, this.#log),
        );
      },
    });
  }

  #onChange(url: string | undefined): void {
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
}
