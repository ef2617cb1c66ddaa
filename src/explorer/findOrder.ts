// The order in which Find… lists things as long as nothing is typed; VS Code orders what fits a text by how well it fits.
import { compareNames } from "../mindsdb/nameOrder.ts";
import type { NamedNode } from "./node.ts";

/** The kinds in the order of the tree. */
const kindOrder: readonly NamedNode["kind"][] = [
  "connection",
  "project",
  "knowledgeBase",
  "agent",
  "model",
  "modelVersion",
];

export interface Findable {
  name: string;
  kind: NamedNode["kind"];
  /** It cannot be used now, like a model that is still in training. */
  isUnusable: boolean;
}

/** What can be used first, then by kind and name. */
export function compareFindables(a: Findable, b: Findable): number {
  return (
    Number(a.isUnusable) - Number(b.isUnusable) ||
    kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) ||
    compareNames(a.name, b.name)
  );
}
