import { randomUUID } from "node:crypto";
import * as l10n from "@vscode/l10n";
import { cutOff } from "../../mindsdb/cutText.ts";
import { listDatabases, listTables } from "../../mindsdb/dataSources.ts";
import { AppError, isAppError, isCancelled } from "../../mindsdb/errors.ts";
import type { CallOptions, Client } from "../../mindsdb/http/client.ts";
import { countRows } from "../../mindsdb/rowPages.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { runSql } from "../../mindsdb/sql/runSql.ts";
import { readFirstRows } from "../../mindsdb/tables.ts";
import type { RunProgress, RunState } from "../messages.ts";
import { formatModelName } from "../notebook/modelName.ts";
import type { Recipe } from "../notebook/recipe.ts";
import type { ServerSource } from "../notebook/serverSource.ts";
import type { TargetTable } from "../notebook/targetTable.ts";
import { listUniqueColumns } from "../rows/serverRows.ts";
import { CellRun, type RecipeRunOptions } from "./cellRun.ts";
import { describeModels } from "./describeModels.ts";
import { predictedColumn, writeIntoStatement, type IntoStatement } from "./intoStatement.ts";
import { secondsSince } from "./responseDelay.ts";
import { throwIfMissing } from "./rowChecker.ts";
import { checkTable, type TableCheck } from "./tableCheck.ts";

/** Facts for the confirmation before the statement runs. */
export interface PlannedTable {
  /** As the recipe names it. */
  table: string;
  /** Whether it exists and its rows are lost. */
  replaces: boolean;
  /** The number of rows that are predicted. */
  count: number;
  /** With its version. */
  model: string;
  statement: string;
}

export interface IntoTableRunOptions extends RecipeRunOptions {
  /** Asks the user; false if they decline, or if the connection is read-only. */
  allowTable: (planned: PlannedTable) => Promise<boolean>;
}

/** A recipe whose predictions the server writes into a table. */
export type IntoRecipe = Pick<Recipe, "model" | "limit"> & {
  rows: ServerSource;
  into: TargetTable;
};

/**
 * Engines that get the statement with the table's whole name. Others insert the rows by a method of their own, which is
 * given the last part of the name (the handlers' sources in 26.1.0 and 25.14.1; seen with PostgreSQL on 26.1.0).
 */
const keepsSchema = new Set(["mssql", "snowflake", "bigquery"]);

/** Predicts rows of the server into a table with one statement, and checks a sample of what stands there afterwards. */
export class IntoTableRun extends CellRun<IntoTableRunOptions> {
  #activity: string | undefined;
  /** When the statement was sent; undefined before. In ms. */
  #sentAt: number | undefined;
  #table = "";
  /** Set once the statement has been answered. */
  #written: string | undefined;

  override get progress(): RunProgress {
    const progress = super.progress;
    const { into } = this.madeOf;
    return {
      ...progress,
      state: this.state.kind === "running" ? this.#runningState() : this.state,
      hasNoTable: true,
      into: into && { isWritten: this.#written !== undefined },
    };
  }

  /** `sendIncomplete` predicts rows that lack columns, too. */
  predictInto(recipe: IntoRecipe, sendIncomplete: boolean): Promise<void> {
    return this.execute(async () => {
      const { into } = recipe;
      this.#table = into.name;
      const client = await this.options.client();
      await this.#checkSource(client, into);
      const { plan, count } = await this.#plan(client, recipe, sendIncomplete);
      const statement = writeIntoStatement(plan);
      const table = into.name;
      const model = formatModelName(plan.model);
      const { replaces } = plan;
      this.#activity = l10n.t("Waiting for your answer");
      this.options.onProgress();
      if (!(await this.options.allowTable({ table, replaces, count, model, statement }))) {
        this.setState({ kind: "stopped", message: l10n.t("Nothing was written.") });
        return;
      }
      this.signal.throwIfAborted();
      this.madeOf.into = { table: [...into.parts], statement };
      this.#activity =
        count === 1
          ? l10n.t("Predicting 1 row into {0} on the server", table)
          : l10n.t(
              "Predicting {0} rows into {1} on the server",
              this.options.texts.formatCount(count),
              table,
            );
      this.#sentAt = Date.now();
      await runSql(client, statement, { ...this.#sqlOptions, cost: "byAction" });
      await this.#check(client, plan, count);
    });
  }

  protected override explainFailure(error: unknown): RunState {
    const state = super.explainFailure(error);
    if (this.#sentAt === undefined || this.#written !== undefined) return state;
    if (state.kind === "failed" && isAppError(error, "unreachable", "cutOff")) {
      // It may have been stopped, or only the connection to it.
      const unknown = l10n.t(
        "It is unknown whether {0} was written. Check it before you run the cell again.",
        this.#table,
      );
      return { ...state, message: `${state.message} ${unknown}` };
    }
    const isUnanswered =
      state.kind === "stopped" || isCancelled(error) || isAppError(error, "timeout");
    if (!isUnanswered) return state;
    // Neither version stops a statement whose client has gone (seen on 26.1.0 and 25.14.1).
    const goesOn = l10n.t(
      "The server can't be told to stop. It continues and may still write {0}.",
      this.#table,
    );
    if (state.kind === "failed") return { ...state, message: `${state.message} ${goesOn}` };
    return { kind: "stopped", message: goesOn };
  }

  get #sqlOptions(): CallOptions {
    const { cost, sqlTimeLimitMs: timeoutMs } = this.options;
    return { signal: this.signal, timeoutMs, cost };
  }

  #runningState(): RunState {
    if (this.#activity === undefined) return this.state;
    if (this.#sentAt === undefined || this.#written !== undefined) {
      return { kind: "running", activity: this.#activity };
    }
    return {
      kind: "running",
      activity: l10n.t("{0}… {1} s", this.#activity, secondsSince(this.#sentAt)),
      message: l10n.t(
        "The server does not report progress. If you stop, it continues, and its result is not verified.",
      ),
    };
  }

  /** Throws AppError unless the data source exists, may hold tables, and writes rows where the recipe says. */
  async #checkSource(client: Client, { parts }: TargetTable): Promise<void> {
    const [source = "", ...path] = parts;
    const sources = await listDatabases(client, { signal: this.signal });
    const found = sources.find(({ name }) => isSameName(name, source));
    if (!found) {
      throw new AppError("notFound", l10n.t("There is no data source {0} on the server.", source));
    }
    if (found.kind !== "data") {
      const message = l10n.t("{0} can't contain tables. Write to a data source.", found.name);
      throw new AppError("refused", message);
    }
    if (path.length === 1 || keepsSchema.has(found.engine ?? "")) return;
    const message = l10n.t(
      "MindsDB would ignore the schema {0} and write the rows to the default schema of {1}. Connect a data source whose schema is {0}, and write to a table there.",
      path[0] ?? "",
      found.name,
    );
    throw new AppError("refused", message);
  }

  async #plan(
    client: Client,
    { model, rows, limit = Infinity, into }: IntoRecipe,
    sendIncomplete: boolean,
  ): Promise<{ plan: IntoStatement; count: number }> {
    const server = { client, ...this.options.described };
    const described = await describeModels(server, { model }, { signal: this.signal });
    const version = model.version ?? described.origin.training?.version;
    const [target] = described.targets;
    if (version === undefined || target === undefined) {
      const message = l10n.t(
        "The server doesn't report what {0} predicts, so it can't write its predictions.",
        formatModelName(model),
      );
      throw new AppError("refused", message);
    }
    Object.assign(this.madeOf, described.origin);
    this.madeOf.serverRows = rows.table === undefined ? {} : { table: rows.table };
    const { source } = rows;
    const columns = await listUniqueColumns(client, source, this.#sqlOptions);
    const { queryAsSource, queryWithoutRows } = this.options.texts;
    if (!sendIncomplete) throwIfMissing(described.inputs, columns, rows.table ?? queryAsSource);
    const maxRows = Math.min(limit, rows.limit ?? Infinity);
    const count = Math.min(maxRows, await countRows(client, source, this.#sqlOptions));
    if (count === 0) {
      const { table } = rows;
      const message =
        table === undefined ? queryWithoutRows : l10n.t("{0}: There are no rows.", table);
      throw new AppError("refused", message);
    }
    const plan: IntoStatement = {
      source,
      columns,
      maxRows,
      model: { ...model, version },
      target,
      into: into.parts,
      replaces: await this.#hasTable(client, into),
      nonce: randomUUID(),
    };
    return { plan, count };
  }

  /**
   * Not every data source lists its tables, so that one row is read. A table that was left half-written cannot be read,
   * and is listed.
   */
  async #hasTable(client: Client, { parts }: TargetTable): Promise<boolean> {
    try {
      await readFirstRows(client, parts, 1, this.#sqlOptions);
      return true;
    } catch (error) {
      if (!isAppError(error, "sql")) throw error;
    }
    const { signal } = this;
    const [source = "", ...path] = parts;
    const tables = await listTables(client, source, { signal }).catch(() => []);
    signal.throwIfAborted();
    return tables.some(({ schema, name }) => {
      const listed = schema === undefined ? [name] : [schema, name];
      return isSameName(listed.join("\n"), path.join("\n"));
    });
  }

  async #check(client: Client, plan: IntoStatement, planned: number): Promise<void> {
    const { into: table, model, target } = plan;
    this.#written = l10n.t("The predictions were written to {0}.", this.#table);
    this.#activity = l10n.t("Predicting a sample of {0} again, to compare", this.#table);
    this.options.onProgress();
    let check: TableCheck;
    let isComplete: boolean;
    try {
      const count = await countRows(client, { table }, this.#sqlOptions);
      isComplete = count >= planned;
      const name = formatModelName(model);
      this.#written =
        count === 1
          ? l10n.t("{1} wrote 1 prediction to {0}.", this.#table, name)
          : l10n.t(
              "{2} wrote {0} predictions to {1}.",
              this.options.texts.formatCount(count),
              this.#table,
              name,
            );
      const predicted = predictedColumn(plan);
      const { timeLimitMs } = this.options;
      const checked = { table, count, predicted, model, target, timeLimitMs };
      check = await checkTable(client, checked, this.#sqlOptions);
    } catch (error) {
      const notChecked = l10n.t("They were not checked.");
      if (this.signal.aborted || isCancelled(error)) {
        this.setState({ kind: "stopped", message: `${this.#written} ${notChecked}` });
        return;
      }
      const { message } = this.options.explain(error);
      this.options.logError("A table of predictions could not be checked.", error);
      this.setState({ kind: "failed", message: `${this.#written} ${notChecked} ${message}` });
      return;
    }
    const state = describeCheck(this.#written, check);
    if (isComplete) {
      this.setState(state);
      return;
    }
    const lacking =
      planned === 1
        ? l10n.t("Expected 1 row.")
        : l10n.t("Expected {0} rows.", this.options.texts.formatCount(planned));
    this.setState({ kind: "failed", message: `${lacking} ${state.message}` });
  }
}

function describeCheck(
  written: string,
  { checked, differing, first }: TableCheck,
): RunState & { message: string } {
  if (!first) {
    const right =
      checked === 1
        ? l10n.t("Verified: 1 random row was predicted again with the same result.")
        : l10n.t("Verified: {0} random rows were predicted again with the same results.", checked);
    return { kind: "done", message: `${written} ${right}` };
  }
  const wrong = l10n.t(
    "In {0} of {1} sampled rows, the table and the model's prediction differ. First: {2} in the table, {3} from the model: {4}.",
    differing,
    checked,
    first.inTable,
    first.ofModel,
    cutOff(first.row, 300),
  );
  return { kind: "failed", message: `${wrong} ${written}` };
}
