import * as l10n from "@vscode/l10n";
import { responseLimits } from "../../mindsdb/http/responseBody.ts";
import { redactResult } from "../../mindsdb/redact/redactResult.ts";
import { runSql } from "../../mindsdb/sql/runSql.ts";
import type { RunProgress } from "../messages.ts";
import { SqlTable } from "../result/resultTable.ts";
import { ResultInMemory } from "../result/resultWindows.ts";
import { CellRun } from "./cellRun.ts";
import { secondsSince } from "./responseDelay.ts";

/** Runs the statement of a SQL cell. */
export class StatementRun extends CellRun {
  #startedAt: number | undefined;
  #hasNoTable = false;
  #isMasked = false;

  override get progress(): RunProgress {
    const progress = super.progress;
    const { state } = progress;
    if (state.kind === "running" && this.#startedAt !== undefined) {
      const activity = this.options.texts.statementRunning(secondsSince(this.#startedAt));
      return { ...progress, state: { ...state, activity } };
    }
    if (this.#isMasked) return { ...progress, notes: [explainMasks()] };
    return this.#hasNoTable ? { ...progress, hasNoTable: true } : progress;
  }

  /** `timeoutMs` of 0 is no limit. */
  runStatement(statement: string, timeoutMs: number): Promise<void> {
    return this.execute(async () => {
      const client = await this.options.client();
      this.#startedAt = Date.now();
      const { signal } = this;
      const limits = responseLimits.rows;
      // Asked before: afterwards the view may be gone.
      const use = await client.findListingUse(statement, { signal });
      const learned = client.learnSecrets();
      const result = await runSql(client, statement, {
        signal,
        timeoutMs,
        limits,
        // The cell was run, and the question about its statement was answered before.
        cost: "byAction",
      });
      this.#hasNoTable = result.columns.length === 0;
      await learned;
      // Grid, plain text, copies and exports all show this table, so secrets are removed first.
      const redacted = redactResult(result, use, client.secrets);
      this.#isMasked = redacted.isMasked ?? false;
      this.table = new ResultInMemory(new SqlTable(redacted));
    });
  }
}

function explainMasks(): string {
  return l10n.t(
    "All values are masked, because the statement may show API keys or passwords under other names. Select the columns of one listing as they are.",
  );
}
