// The host of the view with the results of SQL files.
import * as vscode from "vscode";
import { views } from "../../ids.ts";
import { isCancelled } from "../../mindsdb/errors.ts";
import { connectPage } from "../../shared/host/connectPage.ts";
import { runAction } from "../../shared/host/errorMessages.ts";
import { loadPage } from "../../shared/host/loadPage.ts";
import { HostState } from "../../shared/hostState.ts";
import { showWarning } from "../../shared/host/notifications.ts";
import { oneLine } from "../../shared/oneLine.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import type { ToHost, ToPage } from "../messages.ts";
import type { ResultOrigin } from "../result/resultMetadata.ts";
import { ViewOrders } from "../result/viewOrders.ts";
import type { CellRun } from "../run/cellRun.ts";
import { sqlResultsCalls, type ResultTab, type SqlResultsState } from "../sqlFile/resultsView.ts";
import { copyRows } from "./copyRows.ts";
import { createResultHeader } from "./resultOutput.ts";
import type { SqlFilesOptions } from "./predictOptions.ts";

/** Results that are kept, in memory. The oldest one goes when another statement runs. As many can be pinned. */
const maxResults = 20;
/** Characters of a statement that are shown. */
const maxStatement = 2_000;
/** Characters of a statement on its tab. */
const maxTitle = 60;

export interface SqlResult {
  run: CellRun;
  uri: vscode.Uri;
  statement: string;
  /** The file, the connection and the default project. */
  place: string;
  origin: ResultOrigin;
  /** Runs the same statement again. */
  runAgain: () => Promise<unknown>;
}

interface KeptResult {
  result: SqlResult;
  orders: ViewOrders;
  isPinned: boolean;
}

export class SqlResultsView implements vscode.Disposable {
  readonly state = new HostState<SqlResultsState>({ tabs: [] });
  readonly handlers: Handlers<typeof sqlResultsCalls> = {
    select: (runId) => this.#select(runId),
    close: (runId) => this.#close(runId),
    pin: (runId, isPinned) => this.#pin(runId, isPinned),
    send: (message) => this.#receive(message),
  };
  readonly #options: Pick<SqlFilesOptions, "extensionUri" | "log">;
  /** The newest first, by the ids of their runs. */
  #results: KeptResult[] = [];
  #selected: string | undefined;
  /** Counts what is drawn: an earlier drawing that is late is dropped. */
  #drawing = 0;

  constructor(options: Pick<SqlFilesOptions, "extensionUri" | "log">) {
    this.#options = options;
  }

  resolve({ webview, onDidDispose }: vscode.WebviewView): void {
    const { extensionUri, log } = this.#options;
    const options = { viewType: views.sqlResults, calls: sqlResultsCalls, log };
    const { receive, disconnect } = connectPage(
      this,
      (message) => {
        webview.postMessage(message).then(undefined, (error: unknown) => {
          log.error("A message did not reach the SQL results", error);
        });
      },
      options,
    );
    onDidDispose(disconnect);
    webview.onDidReceiveMessage(receive);
    loadPage(webview, { extensionUri, page: "sqlResults", title: vscode.l10n.t("SQL Results") });
  }

  /** Shows a result that has begun. */
  async add(result: SqlResult): Promise<void> {
    this.#results.unshift({ result, orders: new ViewOrders(result.run), isPinned: false });
    this.#dropOld();
    this.#selected = result.run.id;
    this.draw();
    // The file keeps the focus.
    await vscode.commands
      .executeCommand(`${views.sqlResults}.focus`, { preserveFocus: true })
      .then(undefined, (error: unknown) => {
        this.#options.log.error("The SQL results could not be shown", error);
      });
  }

  /** Draws the tabs and the selected result again. */
  draw(): void {
    void this.#draw().catch((error: unknown) => {
      if (!isCancelled(error)) this.#options.log.error("A result could not be shown", error);
    });
  }

  dispose(): void {
    for (const one of this.#results) this.#dispose(one);
  }

  async #draw(): Promise<void> {
    const drawing = ++this.#drawing;
    const tabs = this.#results.map(createTab);
    const selected = this.#find(this.#selected ?? "")?.result;
    if (!selected) {
      this.state.update({ tabs, shown: undefined });
      return;
    }
    const { run, place } = selected;
    const header = await createResultHeader(run, run.progress, {});
    if (drawing !== this.#drawing) return;
    const statement = oneLine(selected.statement, maxStatement);
    this.state.update({ tabs, shown: { ...header, statement, place } });
  }

  #find(runId: string): KeptResult | undefined {
    return this.#results.find(({ result }) => result.run.id === runId);
  }

  #select(runId: string): void {
    if (!this.#find(runId)) return;
    this.#selected = runId;
    this.draw();
  }

  #close(runId: string): void {
    const closed = this.#find(runId);
    if (!closed) return;
    const at = this.#results.indexOf(closed);
    this.#results.splice(at, 1);
    this.#dispose(closed);
    const next = this.#results[Math.min(at, this.#results.length - 1)];
    if (this.#selected === runId) this.#selected = next?.result.run.id;
    this.draw();
  }

  #pin(runId: string, isPinned: boolean): void {
    const found = this.#find(runId);
    if (!found) return;
    const pinned = this.#results.filter((one) => one.isPinned);
    if (isPinned && pinned.length >= maxResults) {
      void showWarning(vscode.l10n.t("{0} results are pinned. Close or unpin one.", maxResults));
      return;
    }
    found.isPinned = isPinned;
    this.#dropOld();
    this.draw();
  }

  #dropOld(): void {
    const old = this.#results.filter(({ isPinned }) => !isPinned).slice(maxResults);
    if (old.length === 0) return;
    const dropped = new Set(old);
    this.#results = this.#results.filter((one) => !dropped.has(one));
    for (const one of old) this.#dispose(one);
  }

  #dispose({ result, orders }: KeptResult): void {
    orders.dispose();
    result.run.dispose().catch((error: unknown) => {
      this.#options.log.error("A result could not be closed", error);
    });
  }

  async #receive(message: ToHost): Promise<ToPage | undefined> {
    const found = "runId" in message ? this.#find(message.runId) : undefined;
    if (!found) return undefined;
    const { result, orders } = found;
    const { run } = result;
    switch (message.type) {
      case "window":
        return orders.readWindow(message);
      case "copy":
        await copyRows(run.table, await orders.order("clipboard", message.view), message);
        return undefined;
      case "export": {
        const { exportResult } = await import("./exportResult.ts");
        const order = await orders.order("export", message.view);
        const named = result.uri.with({
          path: result.uri.path.replace(/(\.mindsdb)?\.sql$/i, ""),
        });
        await exportResult(run.table, order, named, result.origin);
        return undefined;
      }
      case "stop":
        run.stop();
        return undefined;
      case "runAction":
        if (run.action) await runAction(run.action);
        return undefined;
      case "run":
        // Not awaited: the page needs no answer, and a statement takes its time.
        void result.runAgain();
        return undefined;
      // Results of statements have no such buttons.
      case "compareRuns":
      case "hello":
      case "previewTable":
      case "resume":
      case "showSql":
      case "stored":
      case "whatIf":
        return undefined;
    }
  }
}

function createTab({ result: { run, statement }, isPinned }: KeptResult): ResultTab {
  return {
    runId: run.id,
    title: oneLine(statement, maxTitle),
    isRunning: run.isRunning,
    hasFailed: run.progress.state.kind === "failed",
    isPinned,
  };
}
