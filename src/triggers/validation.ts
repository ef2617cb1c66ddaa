// Checks a trigger's draft before it is sent, and finds the field that a server's error is about. Seen on 26.1.0 and 25.14.1.
import * as l10n from "@vscode/l10n";
import { formatEntry, splitEntry } from "../mindsdb/dataPatterns.ts";
import { isAppError } from "../mindsdb/errors.ts";
import { isSameName } from "../mindsdb/nameOrder.ts";
import { isEnclosable } from "../mindsdb/sql/enclosedSql.ts";
import { findParameterName } from "../mindsdb/sql/parameterName.ts";
import { toPlainName } from "../mindsdb/sql/plainName.ts";
import { isName, tokenizeSql } from "../mindsdb/sql/sqlTokens.ts";
import type { Problem } from "../shared/formPage.ts";
import { findNameProblem } from "../shared/itemNameProblems.ts";
import { splitColumns, type TriggerDraft, type TriggerField } from "./triggerDraft.ts";
import type { TriggerChoices } from "./triggerForm.ts";

type TriggerProblem = Problem<TriggerField>;

/** The engines that tell MindsDB about changes: PostgreSQL, those like it, and a few others (read in both versions). */
const watchable = new Set([
  "postgres",
  "cockroachdb",
  "documentdb",
  "mongodb",
  "opengauss",
  "orioledb",
  "slack",
  "solace",
  "supabase",
  "timescaledb",
  "yugabyte",
]);

/** PostgreSQL's, where the data source has no other. */
const defaultSchema = "public";

/** The name that the server replaces by the row. In another case it is a table's name. */
export const deltaTable = "TABLE_DELTA";

/** Converts a name to one that SQL finds without quotes. */
export function toPlainTriggerName(name: string): string {
  return toPlainName(name, "trigger");
}

/** All problems of a draft, in the form's order. */
export function validateTrigger(
  draft: TriggerDraft,
  choices: TriggerChoices | undefined,
): TriggerProblem[] {
  return [
    ...checkName(draft, choices),
    ...checkTable(draft, choices),
    ...checkColumns(draft),
    ...checkQuery(draft.query),
  ];
}

function checkName(
  { name, project }: TriggerDraft,
  choices: TriggerChoices | undefined,
): TriggerProblem[] {
  const problem = findNameProblem(name, "trigger", undefined, {
    missing: l10n.t("Enter a name."),
    notPlain: (plainName) => l10n.t("SQL can't find a trigger by this name. Try {0}.", plainName),
  });
  if (problem) return [problem];
  const isTaken = choices?.triggers.some(
    (trigger) => trigger.project === project && isSameName(trigger.name, name),
  );
  return isTaken === true ? [nameTaken(name)] : [];
}

function nameTaken(name: string): TriggerProblem {
  return {
    field: "name",
    text: l10n.t("This project has a trigger named {0}. Choose another name.", name),
  };
}

function checkTable(
  { table, columns }: TriggerDraft,
  choices: TriggerChoices | undefined,
): TriggerProblem[] {
  if (table === "") return [{ field: "table", text: l10n.t("Select a table."), isMissing: true }];
  const [source = "", ...path] = splitEntry(table);
  const known = choices?.sources.find(({ name }) => isSameName(name, source));
  if (choices && !known) {
    return [{ field: "table", text: l10n.t("{0} is not a table of a data source.", table) }];
  }
  if (known && !watchable.has(known.engine)) {
    const text = l10n.t(
      "The server may refuse this table. Few engines other than PostgreSQL and MongoDB report changes, and the engine of this table is {0}.",
      known.engine,
    );
    return [{ field: "table", text, isWarning: true }];
  }
  const name = path.at(-1) ?? "";
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) {
    const text = l10n.t("The server can't watch {0}: only names in lowercase work.", name);
    return [{ field: "table", text }];
  }
  const [schema] = path.slice(0, -1);
  if (schema !== undefined && schema !== defaultSchema) {
    const text = l10n.t(
      "The server looks for {0} in the data source's default schema, which may not be {1}.",
      name,
      schema,
    );
    return [{ field: "table", text, isWarning: true }];
  }
  const watched = formatEntry([source, name]);
  const others = choices?.triggers.some((other) => isSameName(other.table, watched));
  if (others !== true || columns.trim() !== "") return [];
  const text = l10n.t(
    "Another trigger may watch this table. If neither has columns, they share one trigger in the database, and deleting one stops both.",
  );
  return [{ field: "table", text, isWarning: true }];
}

function checkColumns({ columns }: TriggerDraft): TriggerProblem[] {
  const wrong = splitColumns(columns).find((column) => !/^[a-z_][a-z0-9_]*$/.test(column));
  if (wrong === undefined) return [];
  const text = l10n.t("The server can't watch {0}: only names in lowercase work.", wrong);
  return [{ field: "columns", text }];
}

function checkQuery(query: string): TriggerProblem[] {
  if (query.trim() === "") {
    return [{ field: "query", text: l10n.t("Enter a statement."), isMissing: true }];
  }
  const { statements, isSure } = tokenizeSql(query);
  if (statements.length !== 1 || !isSure || !isEnclosable(query)) {
    return [{ field: "query", text: l10n.t("Enter exactly one statement.") }];
  }
  const parameter = findParameterName(query);
  if (parameter !== undefined) {
    const text = l10n.t("The server has no value for :{0}. Replace it with one.", parameter);
    return [{ field: "query", text, isWarning: true }];
  }
  const names = (statements[0]?.tokens ?? []).filter(isName).map(({ text }) => text);
  if (names.includes(deltaTable)) return [];
  const inOtherCase = names.find((name) => name.toUpperCase() === deltaTable);
  if (inOtherCase !== undefined) {
    return [{ field: "query", text: l10n.t("Write {0} in capital letters.", deltaTable) }];
  }
  const text = l10n.t("The statement does not read the row, which is in {0}.", deltaTable);
  return [{ field: "query", text, isWarning: true }];
}

/** The problem that caused the server's error; undefined for others, like a missing login. */
export function findTriggerProblem(
  error: unknown,
  { name, table }: TriggerDraft,
): TriggerProblem | undefined {
  if (!isAppError(error, "sql", "serverFault", "refused", "conflict")) return undefined;
  const { message } = error;
  if (/already exists/i.test(message)) return nameTaken(name);
  if (/does?n?t support subscription/i.test(message)) {
    const [source = ""] = splitEntry(table);
    return {
      field: "table",
      text: l10n.t(
        "MindsDB can't watch tables of {0}: its engine does not report changes.",
        source,
      ),
    };
  }
  const text = l10n.t("Server message: {0}", message);
  if (/project/i.test(message) && /not found|not exist/i.test(message)) {
    return { field: "project", text };
  }
  if (/\bnot found|not exist|no integration/i.test(message)) return { field: "table", text };
  return { field: /parse/i.test(message) ? "query" : "form", text };
}
