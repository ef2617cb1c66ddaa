// Checks a view's draft before it is sent, and finds the field that a server's error is about. Seen on 26.1.0 and 25.14.1.
import * as l10n from "@vscode/l10n";
import { isAppError } from "../mindsdb/errors.ts";
import { toPlainName } from "../mindsdb/sql/plainName.ts";
import { singleSelect } from "../mindsdb/sql/singleSelect.ts";
import { kindOfSql } from "../mindsdb/sql/statementKind.ts";
import type { Problem } from "../shared/formPage.ts";
import { findNameProblem } from "../shared/itemNameProblems.ts";
import type { ViewDraft, ViewField } from "./viewDraft.ts";
import type { ViewChoices } from "./viewForm.ts";

type ViewProblem = Problem<ViewField>;

/** Converts a name to one that SQL finds without quotes. */
export function toPlainViewName(name: string): string {
  return toPlainName(name, "view");
}

/** All problems of a draft, in the form's order. `isNew` is false for a view that is changed, which keeps its name. */
export function validateView(
  draft: ViewDraft,
  choices: ViewChoices | undefined,
  isNew: boolean,
): ViewProblem[] {
  return [...(isNew ? checkName(draft, choices) : []), ...checkQuery(draft.query)];
}

function checkName({ name, project }: ViewDraft, choices: ViewChoices | undefined): ViewProblem[] {
  const items = choices?.items.filter((item) => item.project === project);
  const problem = findNameProblem(name, "view", items, {
    missing: l10n.t("Enter a name."),
    notPlain: (plainName) => l10n.t("SQL can't find a view by this name. Try {0}.", plainName),
  });
  return problem ? [problem] : [];
}

/** Servers store any text, and a view of what is no SELECT cannot be read. */
function checkQuery(query: string): ViewProblem[] {
  if (query.trim() === "") {
    return [{ field: "query", text: l10n.t("Enter a SELECT statement."), isMissing: true }];
  }
  const statement = singleSelect(query);
  if (statement === undefined) {
    return [{ field: "query", text: l10n.t("Enter exactly one SELECT statement.") }];
  }
  if (kindOfSql(statement) !== "write") return [];
  const text = l10n.t(
    "This statement may change data. The server runs it whenever something reads the view.",
  );
  return [{ field: "query", text, isWarning: true }];
}

/** The problem that caused the server's error; undefined for others, like a missing login. */
export function findViewProblem(error: unknown, draft: ViewDraft): ViewProblem | undefined {
  const { name, project } = draft;
  if (isAppError(error, "conflict")) {
    const text = l10n.t("This project has a view named {0}. Choose another name.", name);
    return { field: "name", text };
  }
  // 26.1.0 has one view of a name on the whole server.
  if (
    isAppError(error, "serverFault") &&
    error.message.includes("UNIQUE constraint failed: view")
  ) {
    const text = l10n.t(
      "Another project of this server has a view named {0}. Choose another name.",
      name,
    );
    return { field: "name", text };
  }
  if (isAppError(error, "notFound") && error.message.includes(project)) {
    const text = l10n.t("The project {0} no longer exists.", project);
    return { field: "project", text };
  }
  if (!isAppError(error, "sql", "serverFault", "refused")) return undefined;
  const parameter = /Parameter is not set: (\w+)/.exec(error.message)?.[1];
  if (parameter !== undefined) {
    const text = l10n.t("A view can't have parameters. Replace :{0} with a value.", parameter);
    return { field: "query", text };
  }
  return { field: "query", text: l10n.t("Server message: {0}", error.message) };
}
