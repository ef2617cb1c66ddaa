// Checks of MindsDB's parser beyond its grammar. The server reports no position for a statement that fails one.
import type { SqlNode } from "./sqlNode.ts";

/** The checks of grammar.ts by name. They return false where the server refuses the form. */
export const checks: Record<string, (node: SqlNode, sql: string) => boolean> = {
  from: (node) => addClause(node, "from"),
  where: (node) => addClause(node, "where") && isOperation(node.children[2]!),
  groupBy: (node) => addClause(node, "groupBy"),
  having: (node) => addClause(node, "having") && isOperation(node.children[2]!),
  orderBy: (node) => addClause(node, "orderBy"),
  limit: (node) => {
    const constants = node.children.filter(({ kind }) => kind === "constant");
    if (!addClause(node, "limit") || !constants.every(isInteger)) return false;
    if (constants.length > 1) node.clauses!.add("offset");
    return true;
  },
  offset: (node) => addClause(node, "offset") && isInteger(node.children[2]!),
  mode: (node) => addClause(node, "mode"),
  table: (node) => {
    node.clauses = new Set(["from"]);
    return true;
  },
  deleteWhere: ({ children }) => children.length < 5 || isOperation(children[4]!),
  assignment: ({ children }) => {
    const target = withoutParentheses(children[0]!);
    return target.children[0]?.kind === "variable";
  },
  negative: ({ children }) => {
    const first = children[1]!.children[0]!.kind;
    return first !== "NULL" && first !== "ON" && first !== "string";
  },
  digits: ({ start, end }) => end - start <= maxPythonDigits,
  alias: ({ children }, sql) => {
    const name = children.at(-1)!;
    return name.kind === "name" || name.kind === "word" || textOf(name, sql) !== "";
  },
  called: ({ children }, sql) => {
    const name = children[0]!;
    return name.kind !== "name" || isWholeName(name, sql);
  },
  described: ({ children }, sql) => isWholeName(children[1]!, sql),
  columnAliases: ({ children }) => hasTargets(children[1]!.children[0]!),
  nullable: (node) => firstToken(node).kind !== "PRIMARY_KEY",
  names: ({ children }, sql) => nameParts(children[0]!, sql).join(".").toLowerCase() === "names",
  schedule: ({ children }) => {
    const [first, second] = children.map(scheduleWords);
    const known = new Set(first);
    return !second!.some((word) => known.has(word));
  },
  option: ({ children }, sql) => !nameParts(children[0]!, sql).includes(undefined),
  skill: (node, sql) => optionsOf(node, sql).has("type"),
  chatbot: (node, sql) => {
    const options = optionsOf(node, sql);
    const isNamed = (name: string): boolean => Boolean(options.get(name));
    const isAbsent = (name: string): boolean => (options.get(name) ?? null) === null;
    return (
      isNamed("database") && ["model", "agent"].every((name) => isAbsent(name) || isNamed(name))
    );
  },
  knowledgeBase: (node, sql) => {
    const options = optionsOf(node, sql);
    return options.get("model") !== "" && options.get("storage") !== "";
  },
};

/** Python refuses to read longer numbers. */
const maxPythonDigits = 4300;

const clauseOrder = ["from", "where", "groupBy", "having", "orderBy", "limit", "offset", "mode"];

/** Adds a clause to a SELECT, if it may follow those before it. */
function addClause(node: SqlNode, clause: string): boolean {
  if (!followsClauses(node.clauses!, clause)) return false;
  node.clauses!.add(clause);
  return true;
}

/** Whether a clause may follow those that a SELECT has. */
export function followsClauses(clauses: ReadonlySet<string>, clause: string): boolean {
  const needsTable = clause === "where" || clause === "groupBy" || clause === "orderBy";
  if (needsTable && !clauses.has("from")) return false;
  return !clauseOrder.slice(clauseOrder.indexOf(clause)).some((other) => clauses.has(other));
}

/** Whether an expression is an operator or a call, which conditions have to be. */
function isOperation(expression: SqlNode): boolean {
  const { children } = withoutParentheses(expression);
  const [first, second] = children;
  if (children.length === 1) return first!.kind === "call";
  if (first!.kind === "(" || second?.kind === "::") return false;
  return !["CAST", "CONVERT", "DATE"].includes(first!.kind);
}

export function withoutParentheses(expression: SqlNode): SqlNode {
  let inner = expression;
  while (inner.children.length === 3 && inner.children[1]!.kind === "expression") {
    if (inner.children[0]!.kind !== "(") break;
    inner = inner.children[1]!;
  }
  return inner;
}

function isInteger(constant: SqlNode): boolean {
  let inner = constant;
  while (inner.children.length === 2) inner = inner.children[1]!;
  return ["integer", "TRUE", "FALSE"].includes(inner.children[0]!.kind);
}

/** Whether a statement in the place of a table has columns that can be renamed. */
function hasTargets(statement: SqlNode): boolean {
  if (statement.kind === "select") return true;
  let inner = statement;
  while (inner.children[0]!.kind === inner.kind) inner = inner.children[0]!;
  return (
    ["trainModel", "detectAnomalies"].includes(inner.kind) &&
    inner.children.some(({ kind }) => kind === "targets")
  );
}

function scheduleWords({ children }: SqlNode): string[] {
  return children[0]!.kind === "schedule" ? children.flatMap(scheduleWords) : [children[0]!.kind];
}

function firstToken(node: SqlNode): SqlNode {
  let first = node;
  while (first.children.length > 0) first = first.children[0]!;
  return first;
}

/** The text of a string, without its quotes. */
function textOf(string: SqlNode, sql: string): string {
  const { start, end, kind } = firstToken(string);
  const quote = kind === "SINGLE_QUOTED" ? "'" : '"';
  const text = sql
    .slice(start, end)
    .replaceAll(/\\(['"])/g, "$1")
    .replaceAll(quote + quote, quote);
  // The server takes all quotes away at both ends, also those of the text.
  let [from, to] = [0, text.length];
  while (from < to && text[from] === quote) from++;
  while (to > from && text[to - 1] === quote) to--;
  return text.slice(from, to);
}

/** The parts of a name; undefined for a star. Without recursion, because a name can have 100,000 parts. */
export function nameParts(name: SqlNode, sql: string): (string | undefined)[] {
  const parts: (string | undefined)[] = [];
  const waiting = [name];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const [first, second, third] = node.children;
    if (node.kind === "star") parts.push(undefined);
    else if (node.kind === "part") parts.push(textOf(node, sql));
    else if (node.kind === "doubleQuoted") parts.push(...splitParts(textOf(node, sql)));
    else if (!first) parts.push(...splitParts(sql.slice(node.start, node.end)));
    else if (second?.kind !== ".") waiting.push(first);
    else if (third!.kind !== "doubleQuoted") waiting.push(third!, first);
    // Its text is one part, which the server does not split.
    else waiting.push({ ...third!, kind: "part" }, first);
  }
  return parts;
}

/** The server splits at dots even what is between double quotes, if a name starts with it. */
function splitParts(text: string): string[] {
  return [...text.matchAll(/`[^`]+`|[^.]+/g)].map(([part]) => part.replaceAll("`", ""));
}

function isWholeName(name: SqlNode, sql: string): boolean {
  return nameParts(name, sql).at(-1) !== undefined;
}

/** The values of options by name: texts, null, and undefined for all others. */
function optionsOf(statement: SqlNode, sql: string): Map<string, string | null | undefined> {
  const found = new Map<string, string | null | undefined>();
  // From the last to the first, because the list is one in another.
  const options: SqlNode[] = [];
  const waiting = statement.children.filter(({ kind }) => kind === "options");
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const child of node.children) (child.kind === "option" ? options : waiting).push(child);
  }
  for (const { children } of options.reverse()) {
    const value = children[2]!.children[0];
    const key = nameParts(children[0]!, sql).join(".").toLowerCase();
    if (value?.kind === "string") found.set(key, textOf(value, sql));
    else found.set(key, value?.kind === "NULL" ? null : undefined);
  }
  return found;
}
