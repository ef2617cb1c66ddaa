// A badge on an agent's row in the tree while it answers, or has answered, without a tab.
import * as vscode from "vscode";
import { agentAt } from "../../shared/host/agentUri.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { AgentActivity } from "./chatSession.ts";

export class AgentBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #activityOf: (agent: AgentRef) => AgentActivity | undefined;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #registration: vscode.Disposable;
  readonly onDidChangeFileDecorations = this.#changed.event;

  constructor(activityOf: (agent: AgentRef) => AgentActivity | undefined) {
    this.#activityOf = activityOf;
    this.#registration = vscode.window.registerFileDecorationProvider(this);
  }

  /** The activity of agents may have changed. */
  changed(): void {
    this.#changed.fire(undefined);
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const agent = agentAt(uri);
    switch (agent && this.#activityOf(agent)) {
      case "answering":
        return new vscode.FileDecoration("…", vscode.l10n.t("Answering"));
      case "unread":
        return new vscode.FileDecoration("●", vscode.l10n.t("New answer"));
      case undefined:
        return undefined;
    }
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
