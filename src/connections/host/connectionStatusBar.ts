// The status bar item of the active editor's connection. Imported with the first such editor.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { bindCommand } from "../../shared/host/commands.ts";
import {
  activeConnectionId,
  onDidChangeActiveConnection,
} from "../../shared/host/activeConnection.ts";
import { plainLabel } from "../../shared/oneLine.ts";
import type { Connection, Protection, ServerChange } from "../connection.ts";
import { guardMarks } from "../protectionTexts.ts";
import type { Connections } from "./connections.ts";

const maxNameLength = 40;
const maxVersionLength = 20;
const statusTimeLimitMs = 5_000;

export class ConnectionStatusBar implements vscode.Disposable {
  readonly #connections: Connections;
  readonly #item = vscode.window.createStatusBarItem(
    "connection",
    vscode.StatusBarAlignment.Left,
    1,
  );
  /** Versions by connection and address; undefined while a server is asked, or if it did not say. */
  readonly #versions = new Map<string, string | undefined>();
  /** Connections whose server did not answer the last request. */
  readonly #gone = new Set<string>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(connections: Connections) {
    this.#connections = connections;
    this.#item.name = vscode.l10n.t("MindsDB Connection");
    this.#subscriptions = [
      this.#item,
      connections.onDidChange(() => this.#update()),
      connections.onDidChangeServer(({ kind, connectionId }) =>
        this.#handleServerChange(kind, connectionId),
      ),
      onDidChangeActiveConnection(() => this.#update()),
    ];
    this.#update();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #update(): void {
    const id = activeConnectionId();
    const connection = id === undefined ? undefined : this.#connections.find(id);
    if (!connection) {
      this.#item.hide();
      return;
    }
    const version = this.#versionOf(connection);
    const { isProduction, address } = connection;
    const shown = plainLabel(connection.name, maxNameLength);
    const marks = guardMarks(connection);
    const parts = [shown, ...marks, version].filter((part) => part !== undefined);
    this.#item.text = `$(${icons[connection.protection]}) ${parts.join(" · ")}`;
    this.#item.backgroundColor = isProduction
      ? new vscode.ThemeColor("statusBarItem.warningBackground")
      : undefined;
    const server = version === undefined ? [] : [vscode.l10n.t("MindsDB {0}", version)];
    this.#item.tooltip = [shown, plainLabel(address), ...marks, ...server].join("\n");
    this.#item.accessibilityInformation = {
      label: [vscode.l10n.t("MindsDB Connection"), ...parts].join(", "),
      role: "button",
    };
    const title = vscode.l10n.t("Show Connection Menu");
    this.#item.command = bindCommand(commands.connectionShowMenu, title, connection.id);
    this.#item.show();
  }

  /** Shows no version while there is no server, and asks again when there is one. */
  #handleServerChange(kind: ServerChange["kind"], id: string): void {
    const isGone = kind === "unreachable";
    if (isGone === this.#gone.has(id) || (!isGone && kind !== "answered")) return;
    const connection = this.#connections.find(id);
    if (!connection) return;
    if (isGone) {
      this.#gone.add(id);
      this.#versions.set(keyOf(connection), undefined);
    } else {
      this.#gone.delete(id);
      this.#versions.delete(keyOf(connection));
    }
    this.#update();
  }

  #versionOf(connection: Connection): string | undefined {
    const key = keyOf(connection);
    if (!this.#versions.has(key)) {
      this.#versions.set(key, undefined);
      void this.#askVersion(connection.id, key);
    }
    return this.#versions.get(key);
  }

  async #askVersion(id: string, key: string): Promise<void> {
    try {
      const { version } = await this.#connections.status(
        id,
        AbortSignal.timeout(statusTimeLimitMs),
      );
      this.#versions.set(key, version && plainLabel(version, maxVersionLength));
      this.#update();
    } catch {
      // Asked again when the editor is active the next time.
      this.#versions.delete(key);
    }
  }
}

function keyOf({ id, address }: Connection): string {
  return JSON.stringify([id, address]);
}

const icons: Record<Protection, string> = {
  none: "server-environment",
  confirm: "shield",
  readOnly: "lock",
};
