// The sample server inside VS Code: started on demand, on the port it had before, as a connection of its own.
import * as vscode from "vscode";
import { sampleConnectionId as connectionId } from "../../connections/connection.ts";
import { commands, contextKeys } from "../../ids.ts";
import type { Log } from "../../shared/host/log.ts";

/** The part of the connections that the sample server needs. */
export interface SampleConnections {
  find(id: string): { address: string; isPreset: boolean } | undefined;
  save(connection: { id: string; name: string; address: string }): Promise<unknown>;
  setStarter(id: string, start: () => Promise<void>): void;
}

interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

/** Whom a newcomer meets first. */
const firstAgent = { connectionId, project: "mindsdb", name: "rental_agent" };

export class SampleServer implements vscode.Disposable {
  readonly #connections: SampleConnections;
  readonly #log: Log;
  #running: Promise<RunningServer> | undefined;
  /** Stopped by the user: then the tree shows a server that does not answer, and no request brings it back. */
  #stopped = false;

  constructor(connections: SampleConnections, log: Log) {
    this.#connections = connections;
    this.#log = log;
    // After a reload the connection is there and the server is not: the first request starts it.
    connections.setStarter(connectionId, async () => {
      if (!this.#stopped && !this.#isElsewhere()) await this.#start();
    });
  }

  /** Starts it, unless it runs, and makes sure that its connection exists. */
  async start(): Promise<void> {
    this.#stopped = false;
    if (this.#isElsewhere()) return;
    const { url } = await this.#start();
    // It may run on after its connection was removed.
    if (!this.#connections.find(connectionId)) await this.#saveConnection(url);
  }

  /** Stops it; what was changed in it is lost. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const running = this.#running;
    this.#running = undefined;
    await this.#setContext(false);
    await (await running)?.stop();
  }

  dispose(): void {
    void this.#running?.then((server) => server.stop());
  }

  /** A preset named `sample` is a sample server that somebody else started. */
  #isElsewhere(): boolean {
    return this.#connections.find(connectionId)?.isPreset === true;
  }

  #start(): Promise<RunningServer> {
    this.#running ??= this.#launch().catch((error: unknown) => {
      this.#running = undefined;
      throw error;
    });
    return this.#running;
  }

  async #launch(): Promise<RunningServer> {
    const { startSampleServer } = await import("../server.ts");
    const before = this.#connections.find(connectionId)?.address;
    const port = before ? Number(new URL(before).port) : 0;
    const server = await startSampleServer({ port }).catch(() => startSampleServer({ port: 0 }));
    if (server.url !== before) await this.#saveConnection(server.url);
    this.#log.info(`The sample server runs at ${server.url}; changes in it last until it stops.`);
    await this.#setContext(true);
    return server;
  }

  async #saveConnection(address: string): Promise<void> {
    const name = vscode.l10n.t("Sample Server");
    await this.#connections.save({ id: connectionId, name, address });
  }

  async #setContext(isRunning: boolean): Promise<void> {
    await vscode.commands.executeCommand("setContext", contextKeys.sampleServerRunning, isRunning);
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
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.sampleServerTry, async () => {
      await server.start();
      ask(firstAgent);
      await tree.openConnection(connectionId);
    }),
    vscode.commands.registerCommand(commands.sampleServerStart, async () => {
      await server.start();
      tree.refreshConnection(connectionId);
      await tree.revealConnection(connectionId);
    }),
    vscode.commands.registerCommand(commands.sampleServerStop, async () => {
      await server.stop();
      tree.refreshConnection(connectionId);
    }),
  );
}
