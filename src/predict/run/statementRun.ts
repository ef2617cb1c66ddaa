import * as l10n from "@vscode/l10n";
import { isAppError } from "../../mindsdb/errors.ts";
import { responseLimits } from "../../mindsdb/http/responseBody.ts";
import { redactResult } from "../../mindsdb/redact/redactResult.ts";
import { mayEndEarly } from "../../mindsdb/sql/earlyEnd.ts";
import { runSql } from "../../mindsdb/sql/runSql.ts";
import type { RunProgress, RunState } from "../messages.ts";
import { SqlTable } from "../result/resultTable.ts";
import { ResultInMemory } from "../result/resultWindows.ts";
import { readSessionStatement } from "../notebook/sessionStatement.ts";
import { CellRun, type CellRunOptions } from "./cellRun.ts";
import { secondsSince } from "./responseDelay.ts";

interface StatementRunOptions extends CellRunOptions {
  kind?: "notebook" | "file";
  /** The project of names without one, for the notebook's cells or the file's statements; set by USE. */
  defaultProject?: { name: string | undefined };
}

/** Runs the statement of a SQL cell. */
export class StatementRun extends CellRun<StatementRunOptions> {
  #startedAt: number | undefined;
  /** Whether the statement was sent, and not answered. */
  #isUnanswered = false;
  #hasNoTable = false;
  #note: string | undefined;
  #isMasked = false;
  #mayEndEarly = false;

  override get progress(): RunProgress {
    const progress = super.progress;
    const { state } = progress;
    if (state.kind === "running" && this.#startedAt !== undefined) {
      const activity = this.options.texts.statementRunning(secondsSince(this.#startedAt));
      return { ...progress, state: { ...state, activity } };
    }
    const notes = [
      ...(this.#isMasked ? [explainMasks()] : []),
      ...(this.#mayEndEarly ? [explainEarlyEnd()] : []),
    ];
    if (notes.length > 0) return { ...progress, notes };
    if (!this.#hasNoTable) return progress;
    return { ...progress, hasNoTable: true, notes: this.#note === undefined ? [] : [this.#note] };
  }

  /** `timeoutMs` of 0 is no limit. */
  runStatement(statement: string, timeoutMs: number): Promise<void> {
    return this.execute(async () => {
      const client = await this.options.client();
      this.#startedAt = Date.now();
      const { signal } = this;
      const limits = responseLimits.rows;
      const database = this.options.defaultProject?.name;
      // Asked before: afterwards the view may be gone.
      const use = await client.findListingUse(statement, { signal, database });
      const learned = client.learnSecrets();
      signal.throwIfAborted();
      this.#isUnanswered = true;
      const result = await runSql(client, statement, {
        signal,
        timeoutMs,
        limits,
        database,
        // The cell was run, and the question about its statement was answered before.
        cost: "byAction",
      });
      this.#isUnanswered = false;
      this.#hasNoTable = result.columns.length === 0;
      this.#mayEndEarly =
        !this.#hasNoTable &&
        (await mayEndEarly(client, statement, result.rows.length, { signal, database }));
      await learned;
      if (this.#hasNoTable) this.#note = this.#explainDone(statement);
      // Grid, plain text, copies and exports all show this table, so secrets are removed first.
      const redacted = redactResult(result, use, client.secrets);
      this.#isMasked = redacted.isMasked ?? false;
      this.table = new ResultInMemory(new SqlTable(redacted));
    });
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

  /** Explains the effect of a statement to which the server answers only "ok". */
  #explainDone(statement: string): string | undefined {
    const session = readSessionStatement(statement);
    const { defaultProject } = this.options;
    if (session?.kind === "use" && defaultProject) {
      defaultProject.name = session.database;
      return this.options.kind === "file"
        ? l10n.t("This file now uses {0} for names without a project.", session.database)
        : l10n.t(
            "The SQL cells of this notebook now use {0} for names without a project, until the next USE.",
            session.database,
          );
    }
    if (session?.kind === "withoutEffect") {
      return l10n.t(
        "Nothing has changed: the server accepts {0}, but keeps nothing from one statement to the next.",
        session.word,
      );
    }
    return /^[\s(]*(select|with)\b/i.test(statement)
      ? l10n.t("The data source ran the statement and returned no rows.")
      : undefined;
  }
}

function explainEarlyEnd(): string {
  return l10n.t(
    "This result may be incomplete: if PostgreSQL fails while it sends rows, this version of MindsDB ends the result without an error, after 0 rows or a multiple of 10,000. To check, run the statement with count(*) instead of its columns.",
  );
}

function explainMasks(): string {
  return l10n.t(
    "All values are masked, because the statement may show API keys or passwords under other names. Select the columns of one listing as they are.",
  );
}
