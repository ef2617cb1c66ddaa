// Checks a job's draft before it is sent, and finds the field that a server's error is about. Seen on 26.1.0 and 25.14.1.
import * as l10n from "@vscode/l10n";
import { isAppError } from "../mindsdb/errors.ts";
import { isSameName } from "../mindsdb/nameOrder.ts";
import { findParameterName } from "../mindsdb/sql/parameterName.ts";
import { toPlainName } from "../mindsdb/sql/plainName.ts";
import { singleSelect } from "../mindsdb/sql/singleSelect.ts";
import { isName, tokenizeSql } from "../mindsdb/sql/sqlTokens.ts";
import type { Problem } from "../shared/formPage.ts";
import { findNameProblem } from "../shared/itemNameProblems.ts";
import type { JobDraft, JobField } from "./jobDraft.ts";
import type { JobChoices, JobForm } from "./jobForm.ts";
import { parseInterval, parseJobTime } from "./jobTimes.ts";

type JobProblem = Problem<JobField>;

/** Converts a name to one that SQL finds without quotes. */
export function toPlainJobName(name: string): string {
  return toPlainName(name, "job");
}

interface Known {
  choices: JobChoices | undefined;
  before: JobForm["before"];
  /** The server's time. */
  now: number;
}

/** All problems of a draft, in the form's order. */
export function validateJob(draft: JobDraft, { choices, before, now }: Known): JobProblem[] {
  return [
    // A changed job keeps its name.
    ...(before ? [] : checkName(draft, choices)),
    ...checkQuery(draft, before),
    ...checkInterval(draft),
    ...checkTimes(draft, now),
    ...checkCondition(draft.condition),
  ];
}

/** Says that the server's scheduler may be off: then jobs can be created, never run, and nothing tells. */
export function findSchedulerProblem(choices: JobChoices | undefined): JobProblem | undefined {
  const overdue = choices?.overdue;
  if (!overdue) return undefined;
  const text = l10n.t(
    "The server may not be running jobs: {0} in {1} should have run at {2}.",
    overdue.name,
    overdue.project,
    overdue.since,
  );
  return { field: "form", text, isWarning: true };
}

function checkName({ name, project }: JobDraft, choices: JobChoices | undefined): JobProblem[] {
  const problem = findNameProblem(name, "job", undefined, {
    missing: l10n.t("Enter a name."),
    notPlain: (plainName) => l10n.t("SQL can't find a job by this name. Try {0}.", plainName),
  });
  if (problem) return [problem];
  const isTaken = choices?.jobs.some(
    (job) => job.project === project && isSameName(job.name, name),
  );
  return isTaken === true ? [nameTaken(name)] : [];
}

function nameTaken(name: string): JobProblem {
  return {
    field: "name",
    text: l10n.t("This project has a job named {0}. Choose another name.", name),
  };
}

function checkQuery({ query }: JobDraft, before: JobForm["before"]): JobProblem[] {
  if (query.trim() === "") {
    return [{ field: "query", text: l10n.t("Enter one or more statements."), isMissing: true }];
  }
  const problems = checkParameters("query", query);
  if (before && usesLast(before.query)) {
    const text = l10n.t(
      "The changed job has no stored values for LAST. Its first run only stores them again.",
    );
    problems.push({ field: "query", text, isWarning: true });
  }
  return problems;
}

/** The server takes such a job, and each of its runs fails or reads a column of this name. */
function checkParameters(field: "query" | "condition", sql: string): JobProblem[] {
  const name = findParameterName(sql);
  if (name === undefined) return [];
  const text = l10n.t("The server has no value for :{0}. Replace it with one.", name);
  return [{ field, text, isWarning: true }];
}

/** Whether a statement reads what is new since its last run. */
export function usesLast(sql: string): boolean {
  return tokenizeSql(sql).statements.some(({ tokens }) =>
    tokens.some((token) => isName(token) && /^last$/i.test(token.text)),
  );
}

function checkInterval({ repeat, interval }: JobDraft): JobProblem[] {
  if (repeat !== "other") return [];
  if (interval.trim() === "") {
    return [{ field: "interval", text: l10n.t("Enter an interval."), isMissing: true }];
  }
  const period = parseInterval(interval);
  if (!period) {
    const text = l10n.t(
      "Enter a whole number and minutes, hours, days, weeks, or months, like 30 minutes. The server has no other units.",
    );
    return [{ field: "interval", text }];
  }
  if (period.count > 0) return [];
  const text = l10n.t(
    "With 0, the job would run at each of the server's checks, every half minute.",
  );
  return [{ field: "interval", text }];
}

function checkTimes({ start, end, repeat }: JobDraft, now: number): JobProblem[] {
  const problems: JobProblem[] = [];
  const [startAt, endAt] = [parseJobTime(start), parseJobTime(end)];
  const format = l10n.t("Enter a time like 2026-12-31 18:00:00, without a time zone.");
  if (start.trim() !== "" && startAt === undefined) problems.push({ field: "start", text: format });
  else if (startAt !== undefined && startAt < now) {
    const text = l10n.t("This time has passed: the server runs the job immediately.");
    problems.push({ field: "start", text, isWarning: true });
  }
  if (end.trim() === "") return problems;
  if (endAt === undefined) problems.push({ field: "end", text: format });
  else if (repeat === "once") {
    const text = l10n.t("The server ignores the end of a job that runs once.");
    problems.push({ field: "end", text, isWarning: true });
  } else if (endAt < Math.max(startAt ?? now, now)) {
    problems.push({ field: "end", text: l10n.t("The job would end before it starts.") });
  }
  return problems;
}

function checkCondition(condition: string): JobProblem[] {
  if (condition.trim() === "") return [];
  if (singleSelect(condition) !== undefined) return checkParameters("condition", condition);
  return [{ field: "condition", text: l10n.t("Enter exactly one SELECT statement.") }];
}

/** By what an error says: the field that it is about. */
const causes: readonly [reason: RegExp, field: JobField][] = [
  [/unknown period|can't parse repeat|number expected|schedule:/i, "interval"],
  [/wrong end date/i, "end"],
  [/can't parse date|wrong date/i, "start"],
];

/** The problem that caused the server's error; undefined for others, like a missing login. */
export function findJobProblem(error: unknown, draft: JobDraft): JobProblem | undefined {
  const { name, project, repeat, condition } = draft;
  if (isAppError(error, "notFound") && error.message.includes(project)) {
    return { field: "project", text: l10n.t("The project {0} no longer exists.", project) };
  }
  if (!isAppError(error, "sql", "serverFault", "refused", "conflict")) return undefined;
  const { message } = error;
  if (/already exists/i.test(message)) return nameTaken(name);
  const text = l10n.t("Server message: {0}", message);
  const found = causes.find(([reason]) => reason.test(message))?.[1];
  if (found === "interval" && repeat !== "other") return { field: "repeat", text };
  if (found) return { field: found, text };
  const refused = /unable to parse: ([^]{1,200}?): /i.exec(message)?.[1]?.trim() ?? "";
  const isCondition =
    refused !== "" && condition.includes(refused) && !draft.query.includes(refused);
  return { field: isCondition ? "condition" : "query", text };
}
