// The status bar item of the active editor's connection. Imported with the first such editor.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { bindCommand } from "../../shared/host/commands.ts";
import {
  activeConnectionId,
  onDidChangeActiveConnection,
} from "../../shared/host/activeConnection.ts";
import { plainLabel } from "../../shared/oneLine.ts";
import type { Connection, Protection, ServerChange } from "../../shared/connection.ts";
import { formatTime } from "../../shared/host/formatTime.ts";
import { isSampleConnection } from "../isSampleConnection.ts";
import { guardMarks } from "../../shared/guardMarks.ts";
import { reachabilityText } from "../reachabilityText.ts";
import type { Connections } from "./connections.ts";

const maxNameLength = 40;
const maxVersionLength = 20;
const statusTimeLimitMs = 5_000;
/** Interval in which a server that is gone is asked; grows from the first to the last. */
const firstWaitMs = 2_000;
const maxWaitMs = 30_000;
const waitGrowth = 1.5;

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
  #timer: NodeJS.Timeout | undefined;
  #waitMs = firstWaitMs;

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
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#update()),
    ];
    this.#update();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #update(): void {
    const id = activeConnectionId();
    const connection = id === undefined ? undefined : this.#connections.find(id);
    if (!connection) {
      this.#watch(undefined);
      this.#item.hide();
      return;
    }
    const version = this.#versionOf(connection);
    const { isProduction, address } = connection;
    const shown = plainLabel(connection.name, maxNameLength);
    const marks = guardMarks(connection);
    const goneSince = this.#connections.unreachableSince(connection.id);
    const isGone = goneSince !== undefined;
    this.#watch(isGone ? connection : undefined);
    const state = isGone ? reachabilityText(connection) : version;
    const parts = [shown, ...marks, state].filter((part) => part !== undefined);
    const icon = isGone ? "debug-disconnect" : icons[connection.protection];
    this.#item.text = `$(${icon}) ${parts.join(" · ")}`;
    this.#item.backgroundColor = isProduction
      ? new vscode.ThemeColor("statusBarItem.warningBackground")
      : undefined;
    const server = isGone
      ? [vscode.l10n.t("Unreachable since {0}", formatTime(goneSince))]
      : version === undefined
        ? []
        : [vscode.l10n.t("MindsDB {0}", version)];
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
    if (!isGone && kind !== "answered" && kind !== "reached") return;
    if (isGone === this.#gone.has(id)) return;
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

  /** Asks a server that is gone whether it is back. The sample server would start, which is up to the user. */
  #watch(connection: Connection | undefined): void {
    clearTimeout(this.#timer);
    if (!connection) {
      this.#waitMs = firstWaitMs;
      return;
    }
    if (isSampleConnection(connection)) return;
    this.#timer = setTimeout(() => {
      this.#waitMs = Math.min(maxWaitMs, this.#waitMs * waitGrowth);
      const asked = this.#connections.status(connection.id, AbortSignal.timeout(statusTimeLimitMs));
      void asked.catch(() => undefined).finally(() => this.#update());
    }, this.#waitMs);
    this.#timer.unref();
  }

  #versionOf(connection: Connection): string | undefined {
    // Opening a stranger's notebook sends no request.
    if (!vscode.workspace.isTrusted) return undefined;
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
