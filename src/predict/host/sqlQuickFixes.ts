import * as vscode from "vscode";
import { visibleLine } from "../../shared/oneLine.ts";
import type { Span } from "../notebook/recipe.ts";
import { readStatements } from "../sqlFile/fileStatements.ts";
import { maxCheckedText, type SqlProblemCode } from "./sqlDiagnostics.ts";
import { isSqlFile } from "./sqlDocuments.ts";
import { findNameFixes } from "./sqlTextChecks.ts";
import { problemSource, toRange } from "./cellText.ts";
import type { SqlFix } from "../notebook/sqlMisreading.ts";

/** Problems that have fixes at a time. */
const maxProblems = 10;

/** Of problems whose fixes are known from the check. */
const nameCodes: readonly unknown[] = [
  "sqlUnknownName",
  "ignoredInput",
  "earlyFilter",
  "earlyLimit",
  "calculation",
] satisfies SqlProblemCode[];
const textCodes: readonly unknown[] = ["sqlSyntax", "sqlMisread"] satisfies SqlProblemCode[];

/** Quick fixes for the statements of SQL files and cells. */
export const sqlQuickFixes: vscode.CodeActionProvider = {
  provideCodeActions: async (document, _range, { diagnostics }) => {
    const ours = diagnostics.filter(
      ({ source, code }) => source === problemSource && [...nameCodes, ...textCodes].includes(code),
    );
    // VS Code asks for all that are selected, and each fix is tried.
    const few = ours.slice(0, maxProblems);
    const fixes = await Promise.all(few.map((problem) => fixProblem(document, problem)));
    return fixes.flat();
  },
};

async function fixProblem(
  document: vscode.TextDocument,
  problem: vscode.Diagnostic,
): Promise<vscode.CodeAction[]> {
  const text = document.getText();
  if (text.length > maxCheckedText) return [];
  const start = document.offsetAt(problem.range.start);
  const place = { start, end: document.offsetAt(problem.range.end) };
  const fixes = nameCodes.includes(problem.code)
    ? findNameFixes(document, place)
    : await findFixes(document, place);
  return fixes.map(({ title, changes }, index) => {
    const action = new vscode.CodeAction(visibleLine(title, 500), vscode.CodeActionKind.QuickFix);
    action.diagnostics = [problem];
    action.isPreferred = index === 0;
    action.edit = new vscode.WorkspaceEdit();
    for (const change of changes) {
      action.edit.replace(document.uri, toRange(document, change), change.text);
    }
    return action;
  });
}

/** The fixes at a place, with offsets in the document. */
async function findFixes(document: vscode.TextDocument, { start, end }: Span): Promise<SqlFix[]> {
  const text = document.getText();
  const { findSqlFixes } = await import("../notebook/sqlFixes.ts");
  const { findGluedComments } = await import("../notebook/sqlMisreadings.ts");
  const comment = findGluedComments(text).find((one) => one.start === start);
  if (comment) return comment.findFixes();
  // A cell has one statement.
  const statement = isSqlFile(document)
    ? readStatements(text).find((one) => one.start <= start && start <= one.end)
    : { start: 0, text };
  if (!statement) return [];
  const from = statement.start;
  return findSqlFixes(statement.text, { start: start - from, end: end - from }).map((fix) => ({
    ...fix,
    changes: fix.changes.map((change) => {
      return { ...change, start: from + change.start, end: from + change.end };
    }),
  }));
}
