// One statement in lines, made by sql-formatter.
import { lexSql } from "../../mindsdb/sql/parser/lexSql.ts";
import { parseWithParameters } from "../../mindsdb/sql/parser/parseWithParameters.ts";
import { visitTree, type SqlNode } from "../../mindsdb/sql/parser/sqlNode.ts";
import type { Span } from "../notebook/recipe.ts";
import { readStatements } from "../sqlFile/fileStatements.ts";
import { formatWithNames } from "./mindsdbDialect.ts";

/** Longer statements, in characters, stay as they are: they consist of rows, and would take more than half a second. */
const maxStatement = 100_000;

/** Brackets in brackets: of more, the library takes quadratic time. */
const maxDepth = 100;

/** Statements in the bodies of others: each body is parsed again with all that is in it. Deeper ones stay as they are. */
const maxBodies = 4;
/** Statements of a body: a statement is formatted at once. With more, it stays as it is. */
const maxInner = 500;

/** As in the options of an editor. */
export interface FormattingStyle {
  tabSize: number;
  insertSpaces: boolean;
}

interface FormattedStatement {
  /** Undefined for a statement that stays as it is. */
  formatted?: string;
  /** Whether it stays although the server's parser would accept it. */
  isRefused: boolean;
}

/** Formats a statement without changing anything but white space. Its lines will be indented by `outer`. */
export function formatStatement(
  sql: string,
  style: FormattingStyle,
  outer = "",
  bodies = 0,
): FormattedStatement {
  if (sql.length > maxStatement || bodies > maxBodies) return { isRefused: true };
  const { tree } = parseWithParameters(sql);
  if (!tree) return { isRefused: false };
  if (isTooDeep(sql)) return { isRefused: true };
  const formatted = formatTree(sql, tree, style, { outer, bodies });
  return formatted !== undefined && hasSameTokens(sql, formatted)
    ? { formatted, isRefused: false }
    : { isRefused: true };
}

function isTooDeep(sql: string): boolean {
  let depth = 0;
  return lexSql(sql).tokens.some(({ kind }) => {
    if (["(", "[", "{"].includes(kind)) depth++;
    else if ([")", "]", "}"].includes(kind)) depth--;
    return depth > maxDepth;
  });
}

function formatTree(
  sql: string,
  tree: SqlNode,
  style: FormattingStyle,
  place: { outer: string; bodies: number },
): string | undefined {
  const bodies = findBodies(tree);
  // Bodies are formatted on their own, or not at all.
  const similar = Math.max(4, ...(sql.match(/\$body\$*/g)?.map(({ length }) => length) ?? []));
  const placeholder = `$body${"$".repeat(similar - 4)}`;
  let rest = "";
  let end = 0;
  for (const [index, body] of bodies.entries()) {
    rest += `${sql.slice(end, body.start)}${placeholder}${index}$`;
    ({ end } = body);
  }
  rest += sql.slice(end);
  const formatted = formatOuter(rest, style);
  if (formatted === undefined) return undefined;
  let text = "";
  let from = 0;
  /** That of the last line. */
  let indent = "";
  const add = (part: string): void => {
    const line = part.lastIndexOf("\n");
    if (line >= 0 || text === "") [indent = ""] = /^[ \t]*/.exec(part.slice(line + 1)) ?? [];
    text += part;
  };
  for (const [index, body] of bodies.entries()) {
    const mark = `${placeholder}${index}$`;
    const at = formatted.indexOf(mark, from);
    const inner = sql.slice(body.start, body.end);
    add(formatted.slice(from, at));
    // What will be indented once more must not move each time.
    add(
      body.isNative
        ? inner.replaceAll(`\n${place.outer}`, "\n")
        : formatBody(inner, indent, style, place),
    );
    from = at + mark.length;
  }
  return text + formatted.slice(from);
}

/** Formats a statement whose bodies are placeholders. */
function formatOuter(sql: string, { tabSize, insertSpaces }: FormattingStyle): string | undefined {
  const names = new Set<number>();
  visitTree(parseWithParameters(sql).tree, ({ kind, start }) => {
    if (kind === "word") names.add(start);
  });
  try {
    return formatWithNames(sql, names, { tabWidth: tabSize, useTabs: !insertSpaces });
  } catch {
    // The library's parser is stricter than the server's in some places.
    return undefined;
  }
}

/** The statements in the brackets of a view, a job or a trigger, which may have no syntax that we know. */
function formatBody(
  sql: string,
  indent: string,
  style: FormattingStyle,
  { outer, bodies }: { outer: string; bodies: number },
): string {
  // PostgreSQL's texts between dollar signs must not move.
  if (/\$\w*\$[^$]*\n/.test(sql)) return sql;
  const statements = readStatements(sql);
  const first = statements[0];
  const last = statements.at(-1);
  if (!first || !last || statements.length > maxInner) return sql;
  const inner = indent + (style.insertSpaces ? " ".repeat(style.tabSize) : "\t");
  const gap = (text: string): string => indentLines(text.trim(), inner);
  const parts = statements.map(({ text, end }, index) => {
    const { formatted = text } = formatStatement(text, style, outer + inner, bodies + 1);
    const after = sql.slice(end, statements[index + 1]?.start ?? sql.length);
    return indentLines(formatted, inner) + gap(after).replace(/^[^;\n]/, " $&");
  });
  const comment = gap(sql.slice(0, first.start));
  return ["", ...(comment === "" ? [] : [comment]), ...parts]
    .join(`\n${inner}`)
    .concat(`\n${indent}`);
}

/** Indents all lines but the first. Those in quotes stay as they are. */
function indentLines(text: string, indent: string): string {
  const { tokens } = lexSql(text, true);
  let indented = "";
  let end = 0;
  for (const token of [...tokens, { start: text.length, end: text.length }]) {
    indented += text.slice(end, token.start).replaceAll("\n", `\n${indent}`);
    indented += text.slice(token.start, token.end);
    ({ end } = token);
  }
  return indented;
}

interface Body extends Span {
  /** Whether it is written in the language of a data source. */
  isNative: boolean;
}

/** Text in brackets that the grammar does not parse. */
function findBodies(tree: SqlNode): Body[] {
  const found: Body[] = [];
  visitTree(tree, (node) => {
    const { kind, children } = node;
    for (const [index, child] of children.entries()) {
      if (child.kind !== "text" || kind === "text") continue;
      const [open, close] = [children[index - 1]!, children[index + 1]!];
      // few: the parts of one statement.
      const hasSource = children.some((one) => one.kind === "viewSource" && one.start < one.end);
      const isOurs = ["view", "job", "trigger"].includes(kind) && !hasSource;
      found.push({ start: open.end, end: close.start, isNative: !isOurs });
    }
  });
  return found.sort((a, b) => a.start - b.start);
}

/** Whether two texts have the same tokens, and the same comments in the same order. */
function hasSameTokens(before: string, after: string): boolean {
  const [one, other] = [before, after].map(readTokens);
  return one === other;
}

function readTokens(sql: string): string {
  const { tokens } = lexSql(sql);
  const comments: string[] = [];
  let end = 0;
  for (const token of [...tokens, { start: sql.length, end: sql.length }]) {
    comments.push(sql.slice(end, token.start));
    ({ end } = token);
  }
  return JSON.stringify([
    // Two-word keywords are one token.
    tokens.map((token) => [token.kind, oneSpace(sql.slice(token.start, token.end), token.kind)]),
    comments.join(" ").replaceAll(/\s+/g, " ").trim(),
  ]);
}

function oneSpace(text: string, kind: string): string {
  return kind.includes("_") && /^[A-Z]/i.test(text) ? text.replaceAll(/\s+/g, " ") : text;
}
