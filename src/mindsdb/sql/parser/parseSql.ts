// Reads SQL as MindsDB's parser does: with the same verdict, and with the error at the same token.
import { checks } from "./checks.ts";
import { lexSql, type LexedToken } from "./lexSql.ts";
import type { SqlNode } from "./sqlNode.ts";
import { accepting, parserTables, type ParserTables } from "./unpackTables.ts";

export type SqlProblem =
  /** Nothing that is allowed there starts with the token. */
  | { kind: "token"; start: number; end: number }
  /** The lexer refuses the character. */
  | { kind: "character"; start: number; end: number }
  /** The statement is incomplete: more is needed after its last token, which a text without tokens does not have. */
  | { kind: "end"; last: { start: number; end: number } | undefined }
  /** The server refuses a form that the grammar allows, and names no place. */
  | { kind: "rule"; rule: string; form: { start: number; end: number } };

export type ParsedSql =
  { tree: SqlNode; problem?: undefined } | { tree?: undefined; problem: SqlProblem };

/** Reads a single statement, which may end with semicolons. Takes linear time. */
export function parseSql(sql: string): ParsedSql {
  const { tokens, illegalAt } = lexSql(sql);
  while (tokens.at(-1)?.kind === ";") tokens.pop();
  const illegal = (start: number): ParsedSql => {
    const end = start + String.fromCodePoint(sql.codePointAt(start)!).length;
    return { problem: { kind: "character", start, end } };
  };

  const tables = parserTables();
  const states = [0];
  const nodes: SqlNode[] = [];
  for (let at = 0; ;) {
    const state = states.at(-1)!;
    let action = tables.defaults[state]!;
    if (action === 0) {
      if (at === tokens.length && illegalAt !== undefined) return illegal(illegalAt);
      action = actionBefore(tables, state, tokens[at]);
    }
    const token = tokens[at];
    if (action > 0) {
      nodes.push({ ...token!, children: [] });
      states.push(action - 1);
      at++;
    } else if (action === accepting) {
      return { tree: nodes[0]! };
    } else if (action < 0) {
      const rule = reduce(tables, -action - 1, states, nodes, sql);
      if (rule !== undefined) {
        return { problem: { kind: "rule", rule, form: ownPart(nodes.at(-1)!) } };
      }
    } else if (illegalAt !== undefined) {
      // The server reads all tokens before it tells of an error, and then tells of this one.
      return illegal(illegalAt);
    } else if (token) {
      return { problem: { kind: "token", start: token.start, end: token.end } };
    } else {
      return { problem: { kind: "end", last: tokens.at(-1) } };
    }
  }
}

/** The part that a form adds to a nested form of the same kind: of a SELECT, its last clause. */
function ownPart({ kind, start, end, children }: SqlNode): { start: number; end: number } {
  const [first, second] = children;
  return { start: first?.kind === kind && second ? second.start : start, end };
}

function actionBefore(
  { actions, tokens, tokenIds }: ParserTables,
  state: number,
  token: LexedToken | undefined,
): number {
  return actions[state * tokens.length + tokenIds.get(token?.kind ?? "$end")!]!;
}

/** Makes a node of the last ones. Returns the name of the check that refuses it. */
function reduce(
  { leftOf, lengthOf, checkOf, rules, goto }: ParserTables,
  production: number,
  states: number[],
  nodes: SqlNode[],
  sql: string,
): string | undefined {
  const length = lengthOf[production]!;
  const left = leftOf[production]!;
  const children = length === 0 ? [] : nodes.splice(-length);
  if (length > 0) states.length -= length;
  const start = children[0]?.start ?? nodes.at(-1)?.end ?? 0;
  const node: SqlNode = { kind: rules[left]!, start, end: children.at(-1)?.end ?? start, children };
  if (node.kind === "select") {
    node.clauses = children.find(({ kind }) => kind === "select")?.clauses ?? new Set();
  }
  nodes.push(node);
  states.push(goto(states.at(-1)!, left));
  const check = checkOf[production];
  return check === undefined || checks[check]!(node, sql) ? undefined : check;
}
