import { setTimeout as sleep } from "node:timers/promises";
import * as l10n from "@vscode/l10n";
import { listDatabases } from "../../mindsdb/dataSources.ts";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import type { Secrets } from "../../mindsdb/redact/redact.ts";
import { listRunningQueries } from "../../mindsdb/runningQueries.ts";
import { mayEndEarly } from "../../mindsdb/sql/earlyEnd.ts";
import { explainEarlyEnd } from "../../mindsdb/sql/explainEarlyEnd.ts";
import { tokenizeSql } from "../../mindsdb/sql/sqlTokens.ts";
import type { ListingUse } from "../../mindsdb/sql/listingUse.ts";
import { streamSql, type ReadAnswer } from "../../mindsdb/sql/runSql.ts";
import type { RunProgress, RunState } from "../messages.ts";
import { readSessionStatement } from "../notebook/sessionStatement.ts";
import type { ListColumns } from "../result/listColumns.ts";
import type { DiskTable } from "../result/diskTable.ts";
import { EventLoopYielder } from "../../mindsdb/yieldToEventLoop.ts";
import { readTextAt, type Row } from "../rows/row.ts";
import { CellRun, type CellRunOptions } from "./cellRun.ts";
import { secondsSince } from "./responseDelay.ts";
import { StatementRows } from "./statementRows.ts";
import { StatementTable } from "./statementTable.ts";

/** In ms, between two looks at a statement that the server runs in the background. */
const pollMs = 1_000;

interface StatementRunOptions extends CellRunOptions {
  kind?: "notebook" | "file";
  /** Creates the table of the run with this id on disk. */
  createTable: (runId: string, columns: ListColumns) => Promise<DiskTable>;
  /** The project of names without one, for the notebook's cells or the file's statements; set by USE. */
  defaultProject?: { name: string | undefined };
  /** Whether others run after it, which may need what a statement in the background does. */
  isFollowed?: boolean;
}

/** Runs the statement of a SQL cell. */
export class StatementRun extends CellRun<StatementRunOptions> {
  #startedAt: number | undefined;
  /** Whether the statement was sent, and not answered. */
  #isUnanswered = false;
  #hasNoTable = false;
  #changedRows: number | undefined;
  #isQueued = false;
  /** Of a query in the background, its only one. */
  #firstRow: Row | undefined;
  /** Of a query in the background that is waited for. */
  #rowsSoFar: number | undefined;
  #note: string | undefined;
  #isMasked = false;
  #mayEndEarly = false;
  #seconds: number | undefined;

  override get progress(): RunProgress {
    const progress = { ...super.progress, seconds: this.#seconds };
    const { state } = progress;
    if (state.kind === "running" && this.#rowsSoFar !== undefined) {
      const activity = l10n.t("Running in the background… {0} rows so far", this.#rowsSoFar);
      // The row that describes the query is not counted.
      return { ...super.progress, count: 0, state: { ...state, activity } };
    }
    if (state.kind === "running" && this.#startedAt !== undefined) {
      const activity = this.options.texts.statementRunning(secondsSince(this.#startedAt));
      const rowsPerSecond = (1_000 * this.table.length) / Math.max(1, Date.now() - this.#startedAt);
      return { ...progress, state: { ...state, activity }, rowsPerSecond };
    }
    const notes = [
      ...(isUnfinished(state) && !this.#isQueued && this.table.length > 0
        ? [explainUnfinished()]
        : []),
      ...(this.#isMasked ? [explainMasks()] : []),
      ...(this.#mayEndEarly ? [explainEarlyEnd()] : []),
      ...(this.#isQueued ? [this.#explainQueued(state)] : []),
    ];
    if (notes.length > 0) return { ...progress, notes };
    if (!this.#hasNoTable) return progress;
    const changedRows = this.#changedRows;
    return {
      ...progress,
      hasNoTable: true,
      ...(changedRows !== undefined && { changedRows }),
      notes: this.#note === undefined ? [] : [this.#note],
    };
  }

  /** `timeoutMs` of 0 is no limit. */
  runStatement(statement: string, timeoutMs: number): Promise<void> {
    return this.execute(async () => {
      const client = await this.options.client();
      this.#startedAt = Date.now();
      const { signal } = this;
      const database = this.options.defaultProject?.name;
      // Asked before: afterwards the view may be gone.
      const use = await client.findListingUse(statement, { signal, database });
      const learned = client.learnSecrets();
      const read: ReadAnswer = async (chunks) => {
        const table = this.#createTable(use, client.secrets);
        const answer = await this.#receive(chunks, table, learned);
        this.#changedRows = readChangedRows(statement, answer);
        return answer;
      };
      signal.throwIfAborted();
      this.#isUnanswered = true;
      const sentAt = performance.now();
      const columns = await streamSql(client, statement, read, {
        signal,
        timeoutMs,
        database,
        // The cell was run, and the question about its statement was answered before.
        cost: "byAction",
      }).finally(() => {
        this.#seconds = (performance.now() - sentAt) / 1_000;
      });
      this.#isUnanswered = false;
      this.#hasNoTable = columns.length === 0;
      this.#isQueued = readVerb(statement) === "insert" && columns.includes("PROCESSED_ROWS");
      if (this.#isQueued && this.options.isFollowed) {
        await this.#waitForQuery(client, columns.indexOf("ID"));
      }
      this.#mayEndEarly =
        !this.#hasNoTable &&
        (await mayEndEarly(client, statement, this.table.length, { signal, database }));
      if (this.#hasNoTable) this.#note = await this.#explainDone(client, statement);
    });
  }

  /** Waits until a query in the background has ended. Throws AppError "sql" if it failed. */
  async #waitForQuery(client: Client, idIndex: number): Promise<void> {
    const { signal } = this;
    if (!this.#firstRow || idIndex < 0) return;
    const queryId = Number(readTextAt(this.#firstRow, idIndex));
    for (;;) {
      const queries = await listRunningQueries(client, { signal });
      const query = queries.find(({ id }) => id === queryId);
      if (!query) return;
      if (query.error !== undefined) throw new AppError("sql", query.error);
      this.#rowsSoFar = query.processedRows ?? 0;
      this.options.onProgress();
      await sleep(pollMs, undefined, { signal });
    }
  }

  #explainQueued(state: RunState): string {
    return this.options.isFollowed && state.kind === "done"
      ? l10n.t("The server has run this statement in the background.")
      : l10n.t(
          "The server runs this statement in the background, so its rows may not be there yet. Running Queries in the tree lists it until it ends.",
        );
  }

  protected override explainFailure(error: unknown): RunState {
    const state = super.explainFailure(error);
    const isGivenUp = state.kind === "stopped" || isAppError(error, "timeout");
    if (!this.#isUnanswered || !isGivenUp) return state;
    // Neither version stops a statement whose client has gone (seen on 26.1.0 and 25.14.1).
    const goesOn = l10n.t("The server can't be told to stop, and may still finish the statement.");
    if (state.kind === "failed") return { ...state, message: `${state.message} ${goesOn}` };
    return { kind: "stopped", message: goesOn };
  }

  /** Grid, plain text, copies and exports all show this table, so it has no secrets. */
  #createTable(use: ListingUse, secrets: Secrets): StatementTable {
    return new StatementTable({
      create: (columns) => this.options.createTable(this.id, columns),
      created: (table) => {
        this.table = table;
      },
      use,
      secrets,
    });
  }

  /** Reads an answer while it arrives, and returns it without its rows. `learned`: the server's secrets are known. */
  async #receive(
    chunks: AsyncIterable<Uint8Array>,
    table: StatementTable,
    learned: Promise<void>,
  ): Promise<Record<string, unknown>> {
    const answer = new StatementRows();
    const yielder = new EventLoopYielder();
    const add = async (rows: readonly Row[]): Promise<void> => {
      await learned;
      const isFirst = this.table.length === 0;
      await table.add(rows, answer.columns);
      this.#isMasked = table.isMasked;
      if (isFirst) this.#firstRow = rows[0];
      if (isFirst && this.table.length > 0) this.options.onProgress();
      await yielder.yieldIfDue();
    };
    for await (const chunk of chunks) await add(answer.push(chunk));
    await add(answer.end());
    answer.checkEnd();
    return Object.fromEntries(answer.members);
  }

  /** Explains the effect of a statement to which the server answers only "ok". */
  async #explainDone(client: Client, statement: string): Promise<string | undefined> {
    const session = readSessionStatement(statement);
    const { defaultProject } = this.options;
    if (session?.kind === "use" && defaultProject) {
      const name = await findListedName(client, session.database, this.signal);
      defaultProject.name = name;
      return this.options.kind === "file"
        ? l10n.t("This file now uses {0} for names without a project.", name)
        : l10n.t(
            "The SQL cells of this notebook now use {0} for names without a project, until the next USE.",
            name,
          );
    }
    if (session?.kind === "withoutEffect") {
      return l10n.t(
        "This has no effect. The server accepts {0} but forgets it before the next statement.",
        session.word,
      );
    }
    return /^[\s(]*(select|with)\b/i.test(statement)
      ? l10n.t("The data source ran the statement and returned no rows.")
      : undefined;
  }
}

/** A database's name as the server lists it: it takes any case, but what it lists of another one is empty (26.1.0, 25.14.1). */
async function findListedName(client: Client, name: string, signal: AbortSignal): Promise<string> {
  const databases = await listDatabases(client, { signal }).catch(() => []);
  const names = databases.map((one) => one.name).filter((one) => isSameName(one, name));
  return names.includes(name) ? name : (names[0] ?? name);
}

function isUnfinished({ kind }: RunState): boolean {
  return kind === "failed" || kind === "stopped";
}

/**
 * Only of statements that change rows. 0 says nothing of an INSERT into an uploaded table, and nothing says how many rows
 * `UPDATE … FROM (SELECT …)` has changed: the number is that of the last update (seen on 26.1.0).
 */
function readChangedRows(
  statement: string,
  { affected_rows: count }: Record<string, unknown>,
): number | undefined {
  const verb = readVerb(statement);
  if (verb === "update" && readsOtherRows(statement)) return undefined;
  if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 0) return undefined;
  if (verb === "insert") return count || undefined;
  return verb === "update" || verb === "delete" ? count : undefined;
}

/** Whether a statement has a FROM outside of parentheses. */
function readsOtherRows(statement: string): boolean {
  let depth = 0;
  return (tokenizeSql(statement).statements[0]?.tokens ?? []).some(({ text }) => {
    if (text === "(") depth++;
    if (text === ")") depth--;
    return depth === 0 && /^from$/i.test(text);
  });
}

function readVerb(statement: string): string | undefined {
  return tokenizeSql(statement).statements[0]?.tokens[0]?.text.toLowerCase();
}

function explainUnfinished(): string {
  return l10n.t("The result is incomplete: it has only the rows that arrived before then.");
}

function explainMasks(): string {
  return l10n.t(
    "All values are masked, because the statement may show API keys or passwords under other names. To see values, select from a single list, such as mindsdb.agents, without renaming or changing its columns.",
  );
}
