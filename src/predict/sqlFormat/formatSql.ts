// Formats statements: their white space changes and nothing else, or they stay as they are.
import type { Span } from "../notebook/recipe.ts";
import type { TextChange } from "../notebook/recipeEdits.ts";
import { EventLoopYielder } from "../../mindsdb/yieldToEventLoop.ts";
import { readStatements } from "../sqlFile/fileStatements.ts";
import { formatStatement, type FormattingStyle } from "./formatStatement.ts";

interface FormattedSql {
  changes: TextChange[];
  /** Statements without a syntax error that stay as they are. */
  refused: number;
}

/**
 * Formats the statements of a text that `place` touches, or all. Those with a syntax error stay as they are. The changes
 * have "\n" as line breaks.
 */
export async function formatSql(
  text: string,
  style: FormattingStyle,
  { place, signal }: { place?: Span; signal?: AbortSignal } = {},
): Promise<FormattedSql> {
  const changes: TextChange[] = [];
  let refused = 0;
  const yielder = new EventLoopYielder();
  const statements = readStatements(text);
  for (const [at, { start, end, text: statement }] of statements.entries()) {
    await yielder.yieldIfDue();
    signal?.throwIfAborted();
    if (place && (end < place.start || start > place.end)) continue;
    changes.push(...formatStart(text, start));
    const former = statement.replaceAll("\r\n", "\n");
    const { formatted = former, isRefused } = formatStatement(former, style);
    if (isRefused) refused++;
    if (formatted !== former) changes.push({ start, end, text: formatted });
    changes.push(...formatEnd(text, { start: end, end: statements[at + 1]?.start ?? text.length }));
  }
  return { changes, refused };
}

/** Puts a statement at the start of a line, unless a comment precedes it there. */
function formatStart(text: string, start: number): TextChange[] {
  const before = text.slice(0, start).trimEnd();
  const spaces = text.slice(before.length, start);
  const line = spaces.lastIndexOf("\n") + 1;
  if (line > 0 || before === "") {
    const from = before.length + line;
    return from < start ? [{ start: from, end: start, text: "" }] : [];
  }
  return before.endsWith(";") ? [{ start: before.length, end: start, text: "\n" }] : [];
}

/** Removes the white space before a semicolon. `gap` goes to the next statement. */
function formatEnd(text: string, { start, end }: Span): TextChange[] {
  const [spaces = ""] = /^\s+(?=;)/.exec(text.slice(start, end)) ?? [];
  return spaces === "" ? [] : [{ start, end: start + spaces.length, text: "" }];
}
