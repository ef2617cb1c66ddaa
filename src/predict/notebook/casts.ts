// How values are cast to other types in the tree of a statement.
import type { SqlNode } from "../../mindsdb/sql/parser/sqlNode.ts";

/** `CAST(value AS type(size))` or `value::type` */
export interface Cast {
  value: SqlNode;
  type: SqlNode;
  size: SqlNode | undefined;
}

/** Undefined for any other node. */
export function readCast({ children }: SqlNode): Cast | undefined {
  const [first, second, third, , fifth, , size] = children;
  if (first?.kind === "CAST") return { value: third!, type: fifth!, size };
  if (second?.kind === "::") return { value: first!, type: third!, size: undefined };
  return undefined;
}
