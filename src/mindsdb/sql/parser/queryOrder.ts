import { nameParts, withoutParentheses } from "./checks.ts";
import { parseSql } from "./parseSql.ts";
import type { SqlNode } from "./sqlNode.ts";

/** A term of ORDER BY that is a column, by its name or by its number in the result. */
export interface OrderTerm {
  column: string | number;
  isDescending: boolean;
  nulls?: "first" | "last";
}

/** The terms of the ORDER BY of a whole query; undefined for those that are no columns. None for a UNION. */
export function readQueryOrder(sql: string): (OrderTerm | undefined)[] {
  const { tree } = parseSql(sql);
  let node = tree?.children[0];
  while (node?.kind === "select") {
    const [first, second, third] = node.children;
    if (second?.kind === "ORDER_BY") return listTerms(third!).map((term) => readTerm(term, sql));
    node = first!.kind === "select" ? first : second;
  }
  return [];
}

function listTerms(orderTerms: SqlNode): SqlNode[] {
  const terms: SqlNode[] = [];
  let rest: SqlNode | undefined = orderTerms;
  while (rest) {
    terms.push(rest.children.at(-1)!);
    rest = rest.children.length > 1 ? rest.children[0] : undefined;
  }
  return terms.reverse();
}

function readTerm(term: SqlNode, sql: string): OrderTerm | undefined {
  const words: string[] = [];
  let inner = term;
  while (inner.kind === "orderTerm") {
    words.push(...inner.children.slice(1).map(({ kind }) => kind));
    inner = inner.children[0]!;
  }
  // Of several directions, the server takes the last one, which is the outermost.
  const direction = words.find((word) => word === "ASC" || word === "DESC");
  const nulls = words.find((word) => word.startsWith("NULLS_"));
  const column = readColumn(inner, sql);
  if (column === undefined) return undefined;
  return {
    column,
    isDescending: direction === "DESC",
    ...(nulls && { nulls: nulls === "NULLS_FIRST" ? "first" : "last" }),
  };
}

function readColumn(expression: SqlNode, sql: string): string | number | undefined {
  const [first, ...others] = withoutParentheses(expression).children;
  if (!first || others.length > 0) return undefined;
  if (first.kind === "constant" && first.children[0]?.kind === "integer") {
    return Number(sql.slice(first.start, first.end));
  }
  return first.kind === "name" ? nameParts(first, sql).at(-1) : undefined;
}
