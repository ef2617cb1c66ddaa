// The parameters of a statement, as `:name`, and the statement with values in their places.
import { parseWithParameters } from "../../mindsdb/sql/parser/parseWithParameters.ts";
import type { SqlNode } from "../../mindsdb/sql/parser/sqlNode.ts";
import { sqlLiteral } from "../../mindsdb/sql/sqlWithValues.ts";
import type { Span } from "../notebook/recipe.ts";

interface SqlParameter extends Span {
  name: string;
}

/** Longer statements, in characters, have no parameters: they consist of rows. */
const maxStatement = 200_000;

/**
 * The parameters of a statement, in its order. Only where the grammar has a value: not in texts, comments and casts, and not
 * in what the server stores or passes on as a text: the statements of views and jobs, and native queries. None in a
 * statement that the server would refuse.
 */
export function findParameters(sql: string): SqlParameter[] {
  const mayHave = sql.length <= maxStatement && /:[a-z]/i.test(sql);
  const { tree } = mayHave ? parseWithParameters(sql) : {};
  const found: SqlParameter[] = [];
  const waiting: SqlNode[] = tree ? [tree] : [];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    // After FROM, it would be the name of a table.
    if (node.kind === "source" && node.children[0]?.kind === "parameter") continue;
    const { kind, start, end } = node;
    const isParameter = sql[start] === ":" && ["parameter", "constant"].includes(kind);
    if (isParameter) found.push({ name: sql.slice(start + 1, end), start, end });
    else waiting.push(...node.children);
  }
  return found.sort((a, b) => a.start - b.start);
}

/**
 * A value as SQL: a number as it is, anything else as a text. Quotes around it make a text of a number. Undefined for a text
 * that SQL can't express.
 */
export function parameterLiteral(value: string): string | undefined {
  // In brackets: a second minus would start a comment.
  if (/^-(0|[1-9]\d*)(\.\d+)?$/.test(value)) return `(${value})`;
  if (/^(0|[1-9]\d*)(\.\d+)?$/.test(value)) return value;
  const quoted = /^'([^']*)'$/.exec(value)?.[1];
  return sqlLiteral(quoted ?? value);
}

/** A statement with values in place of its parameters. */
export interface FilledStatement {
  text: string;
  /** The parameters that it has. */
  names: string[];
  /** The same place in the statement with the parameters. */
  originalPlace: (place: Span) => Span;
}

/** `literals` has the SQL of each parameter's value, by its name. */
export function fillParameters(
  sql: string,
  literals: ReadonlyMap<string, string>,
): FilledStatement {
  let text = "";
  let end = 0;
  const filled = findParameters(sql).map((parameter) => {
    const literal = literals.get(parameter.name) ?? `:${parameter.name}`;
    text += sql.slice(end, parameter.start);
    const start = text.length;
    text += literal;
    ({ end } = parameter);
    return { parameter, start, end: text.length };
  });
  const original = (offset: number, side: "start" | "end"): number => {
    const last = filled.findLast(({ start }) =>
      side === "start" ? start <= offset : start < offset,
    );
    if (!last) return offset;
    const { parameter } = last;
    return offset < last.end || (offset === last.end && side === "end")
      ? parameter[side]
      : parameter.end + offset - last.end;
  };
  return {
    text: text + sql.slice(end),
    names: [...new Set(filled.map(({ parameter }) => parameter.name))],
    originalPlace: ({ start, end }) => ({
      start: original(start, "start"),
      end: original(end, "end"),
    }),
  };
}
