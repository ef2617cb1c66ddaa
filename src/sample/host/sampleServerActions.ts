// Commands of the sample server.
import * as vscode from "vscode";
import { sampleConnectionId as connectionId } from "../../shared/connection.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import { showError } from "../../shared/host/errorMessages.ts";
import { showInformation } from "../../shared/host/notifications.ts";
import type { SampleServer } from "./sampleServer.ts";
import { askConsent } from "../../shared/host/consent.ts";

/** The operations of the explorer tree that the sample server's commands need. */
export interface SampleTree {
  revealConnection(connectionId: string): Promise<void>;
  /** Reveals the connection and expands the lists of its first project. */
  openConnection(connectionId: string): Promise<void>;
  refreshConnection(connectionId: string): void;
}

/** The agent that "Try Sample Server" opens a chat with. */
const firstAgent = { connectionId, project: "mindsdb", name: "rental_agent" };

export class SampleServerActions {
  readonly #server: SampleServer;
  readonly #tree: SampleTree;
  readonly #ask: (agent: AgentRef) => void;

  constructor(server: SampleServer, tree: SampleTree, ask: (agent: AgentRef) => void) {
    this.#server = server;
    this.#tree = tree;
    this.#ask = ask;
  }

  /** Runs one of the others; shows its error. */
  async attempt(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => void showError(error));
  }

  /** Starts the server, with a chat. */
  async tryOut(): Promise<void> {
    await this.#server.start();
    this.#ask(firstAgent);
    await this.#tree.openConnection(connectionId);
  }

  async start(): Promise<void> {
    if (this.#warnIfPreset()) return;
    await this.#server.start();
    this.#tree.refreshConnection(connectionId);
    await this.#tree.revealConnection(connectionId);
  }

  async stop(): Promise<void> {
    if (!this.#warnIfPreset()) await this.#server.stop();
  }

  async reset(): Promise<void> {
    if (this.#warnIfPreset()) return;
    const confirm = vscode.l10n.t("Reset");
    const detail = vscode.l10n.t(
      "Agents and projects you created on it are deleted, and its own agents are restored.",
    );
    const message = vscode.l10n.t("Reset the sample server?");
    if ((await askConsent(message, detail, confirm)) !== confirm) return;
    await this.#server.reset();
    this.#tree.refreshConnection(connectionId);
  }

  /** Returns true, after showing a message, if the server comes from settings. */
  #warnIfPreset(): boolean {
    const address = this.#server.presetAddress;
    if (address === undefined) return false;
    void showInformation(
      vscode.l10n.t(
        "The sample server at {0} comes from the settings and is not run by VS Code. Start, stop, or reset it where it runs.",
        address,
      ),
    );
    return true;
  }
}
