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

/** Visits a tree, each node before its parts. Without recursion: a statement can have 100,000 levels. */
export function visitTree(tree: SqlNode | undefined, onNode: (node: SqlNode) => void): void {
  const waiting = tree ? [tree] : [];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    onNode(node);
    waiting.push(...node.children);
  }
}
