// Runs the statements of SQL files, with the questions and the limits of SQL cells.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import type { Connection } from "../../shared/connection.ts";
import { isCancelled } from "../../mindsdb/errors.ts";
import { redactStatement } from "../../mindsdb/redact/redactStatement.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import { showErrorMessage, showWarning } from "../../shared/host/notifications.ts";
import { visibleLine } from "../../shared/oneLine.ts";
import { hashContent } from "../notebook/cellKeys.ts";
import { isRunSuccessful } from "../run/isRunSuccessful.ts";
import type { FileStatement } from "../sqlFile/fileStatements.ts";
import { fillParameters, type FilledStatement } from "../sqlFile/sqlParameters.ts";
import { sqlLanguage } from "../../ids.ts";
import { askParameters, type ParameterValues } from "./askParameters.ts";
import { createStatementRun } from "./createCellRun.ts";
import { checkTrust, NotebookConsent } from "./notebookConsent.ts";
import type { SqlFilePlaces } from "./sqlFilePlaces.ts";
import type { SqlFilesOptions } from "./predictOptions.ts";
import { SqlErrorMarks } from "./sqlErrorMarks.ts";
import type { SqlResult } from "./keptSqlResult.ts";
import { tableWorker } from "./tableWorkerUrl.ts";
import { maxKeptLength, type HistoryEntry, type SqlHistory } from "./sqlHistory.ts";
import type { SqlResultsView } from "./sqlResultsView.ts";

const maxEndingMs = 500;

/** A statement that runs, as it was when the user ran it. */
interface RunningStatement {
  document: vscode.TextDocument;
  statement: FileStatement;
  /** The statement as it is sent, with the values of its parameters. */
  filled: FilledStatement;
  values: ParameterValues;
  /** The texts of the statements that run after it. */
  later: string[];
  connectionId: string;
  /** Where the statement ran before, if it runs again; otherwise the file's default project counts. */
  database?: { name: string | undefined } | undefined;
}

/** Where a statement has run, and with which values. */
interface FormerRun {
  connectionId: string;
  database: { name: string | undefined };
  values: ParameterValues;
}

/** A statement of a file that has succeeded. */
export interface RanStatement {
  document: vscode.TextDocument;
  /** Where it started in the document when it was run. */
  start: number;
}

export class SqlFileRunner implements vscode.Disposable {
  readonly #options: SqlFilesOptions;
  readonly #places: SqlFilePlaces;
  readonly #results: SqlResultsView;
  readonly #consent: NotebookConsent;
  readonly #marks = new SqlErrorMarks();
  /** The files whose statements run, by their addresses. */
  readonly #running = new Map<string, { controller: AbortController; ended: Promise<void> }>();
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when statements of a file begin or end to run. */
  readonly onDidChange = this.#changed.event;
  readonly #succeeded = new vscode.EventEmitter<RanStatement>();
  readonly onDidSucceed = this.#succeeded.event;
  readonly #highlight = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.wordHighlightBackground"),
    borderColor: new vscode.ThemeColor("editor.wordHighlightBorder"),
  });

  readonly #history: SqlHistory;

  constructor(
    options: SqlFilesOptions,
    places: SqlFilePlaces,
    results: SqlResultsView,
    history: SqlHistory,
  ) {
    this.#history = history;
    this.#options = options;
    this.#places = places;
    this.#results = results;
    // Files are not the user's own words, wherever their text is from.
    this.#consent = new NotebookConsent(options.servers, { isOwn: () => false });
  }

  isRunning(uri: vscode.Uri): boolean {
    return this.#running.has(uri.toString());
  }

  stop(uri: vscode.Uri): void {
    this.#running.get(uri.toString())?.controller.abort();
  }

  /**
   * Runs statements one after the other, with the file's connection or where one has run before. The values of all their
   * parameters are asked for first. After one that fails the others do not run.
   */
  async run(
    document: vscode.TextDocument,
    statements: readonly FileStatement[],
    former?: FormerRun,
  ): Promise<void> {
    const untrusted = vscode.l10n.t("Statements do not run in an untrusted workspace.");
    if (!checkTrust(untrusted)) return;
    const key = document.uri.toString();
    await this.#waitForEnding(key);
    if (this.#running.has(key)) {
      void showWarning(vscode.l10n.t("Statements of this file are running. Stop them first."));
      return;
    }
    const controller = new AbortController();
    const ended = this.#runAll(document, statements, former, controller.signal).finally(() => {
      this.#running.delete(key);
      this.#show(document, undefined);
      this.#changed.fire();
    });
    this.#running.set(key, { controller, ended });
    this.#changed.fire();
    await ended;
  }

  async #runAll(
    document: vscode.TextDocument,
    statements: readonly FileStatement[],
    former: FormerRun | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    this.#marks.clear(document);
    try {
      const connectionId =
        former?.connectionId ?? (await this.#places.ensure(document.uri))?.connection.id;
      if (connectionId === undefined) return;
      const texts = statements.map(({ text }) => text);
      const values =
        former?.values ?? (await this.#askParameters(document, statements, connectionId));
      if (!values) return;
      const filled = texts.map((text) => fillParameters(text, values.literals));
      const { database } = former ?? {};
      for (const [at, statement] of statements.entries()) {
        if (signal.aborted) return;
        this.#show(document, statement);
        const later = filled.slice(at + 1).map(({ text }) => text);
        const sent = { filled: filled[at]!, later, values };
        const one = { document, statement, ...sent, connectionId, database };
        if (!(await this.#runOne(one, signal))) return;
      }
    } catch (error) {
      if (isCancelled(error)) return;
      this.#options.log.error("A statement could not be run", error);
      void showErrorMessage(explainError(error).message);
    }
  }

  /**
   * Gives statements that are about to end the time to do so: their result is drawn before it is stored, and the answer to
   * a question reaches the extension together with the key that follows it.
   */
  async #waitForEnding(key: string): Promise<void> {
    const running = this.#running.get(key);
    if (running) await Promise.race([running.ended, sleep(maxEndingMs)]);
  }

  dispose(): void {
    for (const { controller } of this.#running.values()) controller.abort();
    this.#marks.dispose();
    this.#consent.dispose();
    this.#changed.dispose();
    this.#succeeded.dispose();
    this.#highlight.dispose();
  }

  /** Returns true if the statement has succeeded. */
  async #runOne(one: RunningStatement, signal: AbortSignal): Promise<boolean> {
    const { document, statement, filled, values, later, connectionId } = one;
    const { uri } = document;
    const { text } = filled;
    // Read for each statement: USE changes the project, and the user the protection of the connection.
    const connection = this.#options.servers.find(connectionId);
    if (!connection) return false;
    const database = one.database ? one.database.name : this.#databaseOf(uri, connectionId);
    const allowed = await this.#consent.allowStatement(
      {
        kind: "file",
        uri,
        texts: [text, ...later],
        hideSecrets: values.hideSecrets,
        database,
        isOwn: () => false,
      },
      text,
      connection,
      signal,
    );
    if (allowed === "no" || signal.aborted) return false;
    const kept = await this.#withoutSecrets(statement.text, connectionId);
    const entry = allowed !== "readOnly" &&
      kept && { at: Date.now(), connectionId, database, ...kept };
    if (entry) this.#history.add(entry);
    // The question was about this project, whatever is chosen meanwhile.
    const defaultProject = { name: database };
    const { run, execute } = createStatementRun(
      {
        text,
        isRefused: allowed === "readOnly",
        isFollowed: later.length > 0,
        defaultProject,
        kind: "file",
      },
      {
        ...this.#options,
        connectionId,
        worker: tableWorker,
        createFolder: (runId) => this.#results.createFolder(runId),
        onProgress: () => this.#results.draw(),
      },
    );
    const shown = filled.names.map((name) =>
      visibleLine(`:${name} = ${values.shown.get(name) ?? ""}`, 80),
    );
    const stop = (): void => run.stop();
    signal.addEventListener("abort", stop, { once: true });
    const place = describePlace(uri, connection, database);
    const result: SqlResult = {
      run,
      statement: kept?.text ?? statement.text,
      place: [place, ...shown].join(" · "),
      origin: {
        startedAt: Date.now(),
        connectionId,
        contentHash: hashContent({ language: sqlLanguage, text }),
      },
      details: {
        statement: kept?.text ?? "",
        canRun: kept !== undefined && !kept.isRedacted && filled.names.length === 0,
        file: uri.toString(),
        place,
        database,
        isPinned: false,
      },
      runAgain: () =>
        this.run(document, [statement], { connectionId, database: { name: database }, values }),
    };
    try {
      const ended = execute();
      await this.#results.add(result);
      await ended;
    } finally {
      signal.removeEventListener("abort", stop);
    }
    this.#results.draw();
    if (entry && run.error) this.#history.add({ ...entry, isFailed: true });
    if (kept) await this.#results.store(result);
    if (
      defaultProject.name !== database &&
      this.#places.find(uri)?.connection.id === connectionId
    ) {
      await this.#places.set(uri, { connectionId, database: defaultProject.name });
    }
    await this.#marks.mark(document, statement, run.error, filled.originalPlace);
    const isSuccessful = isRunSuccessful(run.progress) === true;
    if (isSuccessful) this.#succeeded.fire({ document, start: statement.start });
    return isSuccessful;
  }

  /** A statement as it may be stored; undefined for a long one: looking for secrets takes time. */
  async #withoutSecrets(
    statement: string,
    connectionId: string,
  ): Promise<Pick<HistoryEntry, "text" | "isRedacted"> | undefined> {
    if (statement.length > maxKeptLength) return undefined;
    try {
      const { secrets } = await this.#options.servers.client(connectionId);
      const text = redactStatement(secrets.redactWhole(statement));
      return { text, ...(text !== statement && { isRedacted: true }) };
    } catch (error) {
      if (!isCancelled(error)) {
        this.#options.log.error("A statement could not be kept", error);
      }
      return undefined;
    }
  }

  /** The values of the parameters in statements; undefined if the user gives none. */
  async #askParameters(
    document: vscode.TextDocument,
    statements: readonly FileStatement[],
    connectionId: string,
  ): Promise<ParameterValues | undefined> {
    const { servers, state } = this.#options;
    const { secrets } = await servers.client(connectionId);
    const texts = statements.map(({ text }) => text);
    const reveal = (at: number, offset: number): void => {
      const position = document.positionAt(statements[at]!.start + offset);
      const range = new vscode.Range(position, position);
      // The question covers the first lines of the editor.
      for (const editor of editorsOf(document)) {
        editor.revealRange(range, vscode.TextEditorRevealType.InCenter);
      }
    };
    return askParameters(texts, { state, secrets, reveal });
  }

  #databaseOf(uri: vscode.Uri, connectionId: string): string | undefined {
    const place = this.#places.find(uri);
    return place?.connection.id === connectionId ? place.database : undefined;
  }

  /** Shows the range of the statement that runs. */
  #show(document: vscode.TextDocument, statement: FileStatement | undefined): void {
    const { start, end } = statement ?? { start: 0, end: 0 };
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    for (const editor of editorsOf(document)) {
      editor.setDecorations(this.#highlight, statement ? [range] : []);
    }
  }
}

function editorsOf(document: vscode.TextDocument): vscode.TextEditor[] {
  return vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
}

/** "shop.sql · Local · sales" */
function describePlace(
  uri: vscode.Uri,
  { name }: Connection,
  database: string | undefined,
): string {
  const parts = [
    path.posix.basename(uri.path),
    name,
    ...(database === undefined ? [] : [database]),
  ];
  return parts.map((part) => visibleLine(part, 80)).join(" · ");
}
