import * as vscode from "vscode";
import { visibleLine } from "../../shared/oneLine.ts";
import type { SqlTextProblem } from "../sqlFile/sqlChecker.ts";
import { problemSource, toRange } from "./cellText.ts";

export type SqlProblemCode = SqlTextProblem["code"];

export function toSqlDiagnostic(
  document: vscode.TextDocument,
  { message, code, ...span }: SqlTextProblem,
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(toRange(document, span), visibleLine(message, 2_000));
  diagnostic.source = problemSource;
  diagnostic.code = code;
  if (code === "sqlMisread") diagnostic.severity = vscode.DiagnosticSeverity.Warning;
  return diagnostic;
}
