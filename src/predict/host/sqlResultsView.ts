// The host of the view with the results of SQL files.
import * as vscode from "vscode";
import { views } from "../../ids.ts";
import { isCancelled } from "../../mindsdb/errors.ts";
import { connectPage } from "../../shared/host/connectPage.ts";
import { loadPage } from "../../shared/host/loadPage.ts";
import { showWarning } from "../../shared/host/notifications.ts";
import { Pages } from "../../shared/host/pages.ts";
import { HostState } from "../../shared/hostState.ts";
import { PageReads } from "../../shared/pageReads.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { sqlResultsCalls, type SqlResultsState } from "../sqlFile/resultsView.ts";
import { canPin, findResultsToDrop, maxResults } from "../sqlFile/keptResults.ts";
import { KeptSqlResult, type SqlResult } from "./keptSqlResult.ts";
import type { SqlFilesOptions } from "./predictOptions.ts";
import { SqlResultEditor } from "./sqlResultEditor.ts";

export class SqlResultsView implements vscode.Disposable {
  readonly state = new HostState<SqlResultsState>({ tabs: [] });
  readonly handlers: Handlers<typeof sqlResultsCalls> = {
    select: (runId) => this.#select(runId),
    close: (runId) => this.#close(runId),
    pin: (runId, isPinned) => this.#pin(runId, isPinned),
    openInEditor: (runId) => this.#openInEditor(runId),
    send: (message) =>
      "runId" in message ? this.#find(message.runId)?.receive(message) : undefined,
  };
  /** They don't come back after a reload: results don't outlive the window. */
  readonly editors: Pages<typeof sqlResultsCalls, SqlResultEditor>;
  readonly #options: Pick<SqlFilesOptions, "extensionUri" | "log">;
  /** The newest first. */
  #results: KeptSqlResult[] = [];
  #selected: string | undefined;
  readonly #drawing = new PageReads().create();

  constructor(options: Pick<SqlFilesOptions, "extensionUri" | "log">) {
    this.#options = options;
    const { extensionUri, log } = options;
    this.editors = new Pages({
      viewType: views.sqlResults,
      extensionUri,
      page: "sqlResults",
      calls: sqlResultsCalls,
      icon: "table",
      restore: () => undefined,
      log,
    });
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
    this.#results.unshift(new KeptSqlResult(result, this.#options.log));
    this.#selected = result.run.id;
    this.draw();
    // The file keeps the focus.
    await vscode.commands
      .executeCommand(`${views.sqlResults}.focus`, { preserveFocus: true })
      .then(undefined, (error: unknown) => {
        this.#options.log.error("The SQL results could not be shown", error);
      });
  }

  /** Draws the tabs, the selected result, and those in editors again. */
  draw(): void {
    this.#dropOld();
    const tabs = this.#results.map((one) => one.createTab());
    void this.#drawing.run(async () => this.#find(this.#selected ?? "")?.read(), {
      show: (shown) => this.state.update({ tabs, shown }),
      fail: (error) => {
        if (!isCancelled(error)) this.#options.log.error("A result could not be shown", error);
      },
    });
    for (const editor of this.editors.contents) editor.draw();
  }

  dispose(): void {
    for (const one of this.#results) one.release();
  }

  #find(runId: string): KeptSqlResult | undefined {
    return this.#results.find((one) => one.runId === runId);
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
    closed.release();
    const next = this.#results[Math.min(at, this.#results.length - 1)];
    if (this.#selected === runId) this.#selected = next?.runId;
    this.draw();
  }

  #pin(runId: string, isPinned: boolean): void {
    const found = this.#find(runId);
    if (!found) return;
    const pinned = this.#results.filter((one) => one.isPinned);
    if (isPinned && !canPin(pinned, found)) {
      void showWarning(
        pinned.length >= maxResults
          ? vscode.l10n.t("{0} results are pinned. Close or unpin one.", maxResults)
          : vscode.l10n.t(
              "The pinned results take too much memory. Close or unpin one, or export this one.",
            ),
      );
      return;
    }
    found.isPinned = isPinned;
    this.draw();
  }

  #openInEditor(runId: string): void {
    const found = this.#find(runId);
    if (found) this.editors.show(runId, () => new SqlResultEditor(found, this.#options.log));
  }

  #dropOld(): void {
    const old = findResultsToDrop(this.#results);
    if (old.length === 0) return;
    const dropped = new Set(old);
    this.#results = this.#results.filter((one) => !dropped.has(one));
    for (const one of old) one.release();
  }
}
