// The host of the view with the results of SQL files.
import * as v from "valibot";
import * as vscode from "vscode";
import { panels, sqlResultsVisibleKey, views } from "../../ids.ts";
import { isCancelled } from "../../mindsdb/errors.ts";
import { connectPage } from "../../shared/host/connectPage.ts";
import { loadPage } from "../../shared/host/loadPage.ts";
import { showWarning } from "../../shared/host/notifications.ts";
import { Pages } from "../../shared/host/pages.ts";
import { HostState } from "../../shared/hostState.ts";
import { PageReads } from "../../shared/pageReads.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import {
  savedSqlResult,
  sqlResultsCalls,
  type SavedSqlResult,
  type SqlResultsState,
} from "../sqlFile/sqlResultsPage.ts";
import { SqlResultStore } from "../result/sqlResultStore.ts";
import { formatOrigin } from "./changesSince.ts";
import { KeptSqlResult, type SqlResult } from "./keptSqlResult.ts";
import type { SqlFilesOptions } from "./predictOptions.ts";
import { tableWorker } from "./tableWorkerUrl.ts";
import { SqlResultEditor } from "./sqlResultEditor.ts";

/** Results that are kept. The oldest one goes when another statement runs. As many can be pinned. */
const maxResults = 20;

type Options = Pick<
  SqlFilesOptions,
  "extensionUri" | "log" | "state" | "resultsFolder" | "workspace"
> & {
  /** Runs the statement of a stored result again, or shows it if it cannot run as it is. */
  runStored: (
    result: Pick<SavedSqlResult, "connectionId" | "statement" | "canRun" | "database">,
  ) => Promise<unknown>;
};

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
  readonly editors: Pages<typeof sqlResultsCalls, SqlResultEditor>;
  readonly #options: Options;
  readonly #store: SqlResultStore;
  /** The newest first. */
  #results: KeptSqlResult[] = [];
  #selected: string | undefined;
  readonly #drawing = new PageReads().create();
  readonly #restored: Promise<void>;

  constructor(options: Options) {
    this.#options = options;
    const { extensionUri, log, resultsFolder, workspace } = options;
    this.#store = new SqlResultStore(resultsFolder, tableWorker, workspace);
    this.editors = new Pages({
      viewType: panels.sqlResult,
      extensionUri,
      page: "sqlResults",
      calls: sqlResultsCalls,
      icon: "table",
      restore: async (state) => {
        const saved = v.safeParse(savedSqlResult, state);
        if (!saved.success) return undefined;
        await this.#restored;
        const { output } = saved;
        return { key: output.runId, create: () => this.#createEditor(output) };
      },
      log,
    });
    this.#restored = this.#restore();
  }

  /** Creates the folder for the rows of a run, and returns its path. */
  createFolder(runId: string): Promise<string> {
    return this.#store.createFolder(runId);
  }

  resolve(view: vscode.WebviewView): void {
    const { webview, onDidDispose } = view;
    const { extensionUri, log } = this.#options;
    this.#rememberVisible(view.visible);
    view.onDidChangeVisibility(() => this.#rememberVisible(view.visible));
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
    this.#results.unshift(this.#keep(result));
    this.#dropOld();
    this.#selected = result.run.id;
    this.draw();
    await this.#show();
  }

  /** Stores a result whose run has ended, unless it was closed meanwhile. Never rejects. */
  async store({ run, origin, details }: SqlResult): Promise<void> {
    try {
      const kept = this.#find(run.id);
      if (!kept) return;
      const { isPinned } = kept;
      await this.#store.keep({ run, origin, details: { ...details, isPinned } });
    } catch (error) {
      this.#options.log.error("A result could not be stored", error);
    }
  }

  /** Draws the tabs, the selected result, and those in editors again. */
  draw(): void {
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
    for (const { result } of this.#results) result.run.stop();
    this.#store.dispose();
  }

  /** The file keeps the focus. */
  async #show(): Promise<void> {
    await vscode.commands
      .executeCommand(`${views.sqlResults}.focus`, { preserveFocus: true })
      .then(undefined, (error: unknown) => {
        this.#options.log.error("The SQL results could not be shown", error);
      });
  }

  #rememberVisible(isVisible: boolean): void {
    void this.#options.state.update(sqlResultsVisibleKey, isVisible);
  }

  #keep(result: SqlResult): KeptSqlResult {
    const released = () => this.#store.remove(result.run.id);
    return new KeptSqlResult(result, { log: this.#options.log, released });
  }

  async #restore(): Promise<void> {
    try {
      const stored = await this.#store.restore();
      const kept = stored.map((one) =>
        this.#keep({
          ...one,
          statement: one.details.statement,
          place: one.details.place,
          storedOrigin: formatOrigin(one.origin),
          runAgain: () =>
            this.#options.runStored({ ...one.details, connectionId: one.origin.connectionId }),
        }),
      );
      // Statements may have run meanwhile.
      this.#results.push(...kept);
      this.#selected ??= kept[0]?.runId;
      this.draw();
      // VS Code shows another view after a reload: this one is not there before a SQL file is known to be open.
      if (kept.length > 0 && this.#options.state.get(sqlResultsVisibleKey)) await this.#show();
    } catch (error) {
      this.#options.log.error("Stored results could not be read", error);
    }
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
    if (isPinned && pinned.length >= maxResults) {
      void showWarning(vscode.l10n.t("{0} results are pinned. Close or unpin one.", maxResults));
      return;
    }
    found.isPinned = isPinned;
    this.#store.change(runId, { isPinned }).catch((error: unknown) => {
      this.#options.log.error("A pinned result could not be stored", error);
    });
    this.#dropOld();
    this.draw();
  }

  #openInEditor(runId: string): void {
    const found = this.#find(runId);
    if (found) this.editors.show(runId, () => this.#createEditor(found.describe()));
  }

  #createEditor(saved: SavedSqlResult): SqlResultEditor {
    const { log, runStored } = this.#options;
    const kept = this.#find(saved.runId);
    return new SqlResultEditor({ saved, kept, log, runAgain: () => runStored(saved) });
  }

  #dropOld(): void {
    const old = this.#results.filter(({ isPinned }) => !isPinned).slice(maxResults);
    if (old.length === 0) return;
    const dropped = new Set(old);
    this.#results = this.#results.filter((one) => !dropped.has(one));
    for (const one of old) one.release();
  }
}
