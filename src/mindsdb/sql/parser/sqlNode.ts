// The tree that the parser makes of a statement.

/** A token, or a rule of grammar.ts with its parts. Offsets are in UTF-16 units. */
export interface SqlNode {
  kind: string;
  start: number;
  end: number;
  children: SqlNode[];
  /** The clauses that a SELECT has so far. */
  clauses?: Set<string>;
}
