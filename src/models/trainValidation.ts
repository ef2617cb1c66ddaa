// Problems of a training's draft, before and after it is sent.
import * as l10n from "@vscode/l10n";
import { isEngineMissing } from "../mindsdb/engineMissing.ts";
import { isAppError } from "../mindsdb/errors.ts";
import type { ProjectItem } from "../mindsdb/listItems.ts";
import { toPlainName } from "../mindsdb/sql/plainName.ts";
import { singleSelect } from "../mindsdb/sql/singleSelect.ts";
import { kindOfSql } from "../mindsdb/sql/statementKind.ts";
import type { Problem } from "../shared/formPage.ts";
import { findNameProblem } from "../shared/itemNameProblems.ts";
import { describeGone } from "../shared/itemGone.ts";
import { parseOptions } from "./optionLines.ts";
import type { TrainDraft, TrainKind } from "./trainDraft.ts";

export type TrainField = keyof TrainDraft;
type TrainProblem = Problem<TrainField>;

/** Known server data. Undefined data is unknown and causes no problem. */
interface KnownServer {
  /** The items of the project. */
  items?: readonly ProjectItem[] | undefined;
  columns?: readonly string[] | undefined;
}

/** Options that are fields of the form. */
const fieldOptions = ["engine", "active"];

/** All problems of a draft, in the form's order. */
export function validateTraining(
  kind: TrainKind,
  draft: TrainDraft,
  known: KnownServer,
): TrainProblem[] {
  return [
    ...(kind === "create" ? checkName(draft.name, known.items) : []),
    ...checkSource(draft),
    ...(kind === "finetune" ? [] : checkTarget(draft.target, known.columns)),
    ...(kind === "create" && draft.engine === ""
      ? [{ field: "engine", text: l10n.t("Select an engine."), isMissing: true } as const]
      : []),
    ...checkOptions(draft.options).map((text) => ({ field: "options", text }) as const),
  ];
}

function checkName(name: string, items: KnownServer["items"]): TrainProblem[] {
  // The form makes the name plain when its field is left.
  const plain = toPlainName(name, "model") || name.trim();
  const problem = findNameProblem(plain, "model", items, {
    missing: l10n.t("Enter a name."),
    notPlain: (plainName) => l10n.t("Use a name that SQL can find, like {0}.", plainName),
  });
  return problem ? [problem] : [];
}

function checkSource({ source, table, select }: TrainDraft): TrainProblem[] {
  if (source === "table" && table === "") {
    return [{ field: "table", text: l10n.t("Select a table."), isMissing: true }];
  }
  if (source !== "select") return [];
  if (select.trim() === "") {
    return [{ field: "select", text: l10n.t("Enter a SELECT statement."), isMissing: true }];
  }
  const statement = singleSelect(select);
  if (statement === undefined) {
    return [{ field: "select", text: l10n.t("Enter exactly one SELECT statement.") }];
  }
  const kind = kindOfSql(statement);
  if (kind === "read") return [];
  const text =
    kind === "write"
      ? l10n.t("This statement may change data. Its rows are not shown before the training.")
      : l10n.t("This statement may cost money. Its rows are not shown before the training.");
  return [{ field: "select", text, isWarning: true }];
}

function checkTarget(target: string, columns: KnownServer["columns"]): TrainProblem[] {
  if (target === "") {
    return [{ field: "target", text: l10n.t("Select the column to predict."), isMissing: true }];
  }
  const isKnown = columns?.some((column) => column.toLowerCase() === target.toLowerCase()) ?? true;
  if (isKnown) return [];
  const text = l10n.t("The training rows have no column {0}.", target);
  return [{ field: "target", text, isEarly: true }];
}

function checkOptions(text: string): string[] {
  const { options, wrong, lacking, notExpressible } = parseOptions(text);
  if (wrong !== undefined) return [l10n.t("Expected name = value: {0}", wrong)];
  if (lacking !== undefined) {
    return [l10n.t("Enter a value for {0}. Keys you enter are not stored.", lacking)];
  }
  if (notExpressible !== undefined) {
    return [
      l10n.t(
        "MindsDB's SQL can't express this value (a negative number, or quotes and backslashes): {0}",
        notExpressible,
      ),
    ];
  }
  return fieldOptions
    .filter((name) => options.has(name))
    .map((name) => l10n.t("{0} has a field of its own in this form.", name));
}

/** The problem that caused the server's error; undefined for others, like a missing login. Seen on 26.1.0 and 25.14.1. */
export function findTrainingProblem(error: unknown, draft: TrainDraft): TrainProblem | undefined {
  if (!isAppError(error, "sql", "refused", "notFound")) return undefined;
  const { message } = error;
  const { name, project, engine } = draft;
  if (message.startsWith("Model already exists")) {
    const text = l10n.t("The name {0} is already used in this project. Choose another name.", name);
    return { field: "name", text };
  }
  // The project is also where the statement says that the rows come from.
  if (/^(Project|Database) does not exist/.test(message)) {
    return { field: "project", text: l10n.t("The project {0} no longer exists.", project) };
  }
  if (message.startsWith("Predictor not found")) {
    return { field: "form", text: describeGone(draft) };
  }
  if (message.includes("find suitable base model")) {
    const text = l10n.t("{0} has no trained version to start from. Retrain it instead.", name);
    return { field: "form", text };
  }
  if (isEngineMissing(message)) {
    return { field: "engine", text: l10n.t("The server has no engine called {0}.", engine) };
  }
  if (message.includes("handler cannot be used")) {
    return { field: "engine", text: l10n.t("The server has no driver for {0} yet.", engine) };
  }
  return { field: "form", text: l10n.t("Server message: {0}", message) };
}
