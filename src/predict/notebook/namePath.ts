// Names in the tree that the parser makes of a statement.
import type { SqlNode } from "../../mindsdb/sql/parser/sqlNode.ts";
import type { Span } from "./recipe.ts";

/** One part of a name, without quotes. */
export interface NamePart extends Span {
  text: string;
  isQuoted: boolean;
}

export type NamePath = readonly NamePart[];

/**
 * The parts of a name, without a star at its end; undefined if it has a part in double quotes: those are split at dots.
 * `offset`: where the text that the tree was made of starts.
 */
export function readNamePath(sql: string, name: SqlNode, offset = 0): NamePath | undefined {
  const path: NamePart[] = [];
  const waiting = [name];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.kind === "DOUBLE_QUOTED") return undefined;
    if (node.kind === "word" || node.kind === "integer") path.push(readNamePart(sql, node, offset));
    else waiting.push(...node.children.toReversed());
  }
  return path.length === 0 ? undefined : path;
}

export function readNamePart(sql: string, node: SqlNode, offset: number): NamePart {
  const [start, end] = [offset + node.start, offset + node.end];
  const written = sql.slice(start, end);
  const isQuoted = written.startsWith("`");
  return { start, end, isQuoted, text: isQuoted ? written.slice(1, -1) : written };
}
