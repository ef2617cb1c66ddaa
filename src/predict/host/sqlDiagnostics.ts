// Problems as VS Code shows them.
import * as vscode from "vscode";
import { visibleLine } from "../../shared/oneLine.ts";
import type { Span } from "../notebook/recipe.ts";
import type { SqlTextProblem } from "../sqlFile/sqlChecker.ts";
import { problemSource, toRange } from "./cellText.ts";

/** Problems that are shown of a statement. */
export const maxSqlProblems = 20;
/** Longer texts, in characters, are not checked: they consist of rows. */
export const maxCheckedText = 200_000;

export type SqlProblemCode = SqlTextProblem["code"];

export function toDiagnostic<Code extends string>(
  document: vscode.TextDocument,
  { message, ...span }: Span & { message: string },
  code?: Code,
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(toRange(document, span), visibleLine(message, 2_000));
  diagnostic.source = problemSource;
  if (code !== undefined) diagnostic.code = code;
  return diagnostic;
}

export function toSqlDiagnostic(
  document: vscode.TextDocument,
  { code, ...problem }: SqlTextProblem,
): vscode.Diagnostic {
  const diagnostic = toDiagnostic(document, problem, code);
  const { Error, Information, Warning } = vscode.DiagnosticSeverity;
  // It may be meant.
  if (code === "calculation" || code === "emptyText") diagnostic.severity = Information;
  else diagnostic.severity = code === "sqlSyntax" ? Error : Warning;
  return diagnostic;
}
