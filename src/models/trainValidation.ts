// What is wrong with the draft of a training, before and after it is sent.
import { toPlainName } from "../mindsdb/sql/plainName.ts";
import { isAppError } from "../mindsdb/errors.ts";
import { kindOfSql } from "../mindsdb/sql/statementKind.ts";
import { singleSelect } from "../mindsdb/sql/singleSelect.ts";
import type { ProjectItem } from "../mindsdb/listItems.ts";
import { checkItemName } from "../shared/itemName.ts";
import type { FieldProblem } from "../shared/formFields.ts";
import type { TrainDraft, TrainKind } from "./trainDraft.ts";
import { parseOptions } from "./optionLines.ts";
import type { TrainProblemKind } from "./trainProblemTexts.ts";

export type TrainField = keyof TrainDraft;
export type TrainProblem = FieldProblem<TrainField | "form", TrainProblemKind>;

/** What is known of the server; what is undefined is unknown and causes no problem. */
interface KnownServer {
  /** What the project holds. */
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
  const problems: TrainProblem[] = [];
  const add = (field: TrainField, problem: TrainProblemKind, ...values: string[]): void => {
    problems.push({ field, kind: problem, values, isWarning: false });
  };
  const warn = (field: TrainField, problem: TrainProblemKind): void => {
    problems.push({ field, kind: problem, values: [], isWarning: true });
  };
  if (kind === "create") {
    // The form makes the name plain when its field is left.
    const name = toPlainName(draft.name, "model") || draft.name.trim();
    const problem = checkItemName(name, "model", known.items);
    if (problem) add("name", problem.kind, ...problem.values);
  }
  if (draft.source === "table" && draft.table === "") add("table", "tableMissing");
  if (draft.source === "select") {
    const select = singleSelect(draft.select);
    if (draft.select.trim() === "") add("select", "selectMissing");
    else if (select === undefined) add("select", "selectNotOne");
    else if (kindOfSql(select) === "write") warn("select", "selectWrites");
    else if (kindOfSql(select) === "costsMoney") warn("select", "selectCosts");
  }
  if (kind !== "finetune") {
    const { target } = draft;
    const isKnown = known.columns?.some((column) => column.toLowerCase() === target.toLowerCase());
    if (target === "") add("target", "targetMissing");
    else if (isKnown === false) add("target", "targetNotInData", target);
  }
  if (kind === "create" && draft.engine === "") add("engine", "engineMissing");
  const { options, wrong, unsayable } = parseOptions(draft.options);
  if (wrong !== undefined) add("options", "optionNotRead", wrong);
  if (unsayable !== undefined) add("options", "optionNotSayable", unsayable);
  for (const name of fieldOptions) if (options.has(name)) add("options", "optionIsField", name);
  return problems;
}

/** The problem that caused the server's error; undefined for others, like a missing login. Seen on 26.1.0 and 25.14.1. */
export function findTrainingProblem(error: unknown, draft: TrainDraft): TrainProblem | undefined {
  if (!isAppError(error, "sql", "refused", "notFound")) return undefined;
  const { message } = error;
  const problem = (
    field: TrainProblem["field"],
    kind: TrainProblemKind,
    ...values: string[]
  ): TrainProblem => ({ field, kind, values, isWarning: false });
  if (message.startsWith("Model already exists")) {
    return problem("name", "nameTaken", draft.name);
  }
  // The project is also where the statement says that the rows come from.
  if (/^(Project|Database) does not exist/.test(message)) {
    return problem("project", "projectGone", draft.project);
  }
  if (message.startsWith("Predictor not found")) {
    return problem("form", "modelGone", draft.name, draft.project);
  }
  if (message.includes("find suitable base model")) {
    return problem("form", "nothingTrained", draft.name);
  }
  if (message.startsWith("There is no engine")) {
    return problem("engine", "engineUnknown", draft.engine);
  }
  return problem("form", "serverSays", message);
}
