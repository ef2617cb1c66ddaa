// The order of items in Find… while nothing is typed. VS Code orders the items that match a text.
import { compareNames } from "../mindsdb/nameOrder.ts";
import type { NamedNode } from "./node.ts";

/** Kinds in the order of the tree. */
const kindOrder: readonly NamedNode["kind"][] = [
  "connection",
  "project",
  "knowledgeBase",
  "agent",
  "model",
  "modelVersion",
  "view",
  "job",
  "trigger",
  "mlEngine",
  "dataSource",
  "schema",
  "table",
  "column",
];

export interface Findable {
  name: string;
  kind: NamedNode["kind"];
  /** True for what cannot be used now, such as a model in training. */
  isUnusable: boolean;
}

/** Sorts usable items first, then by kind and name. */
export function compareFindables(a: Findable, b: Findable): number {
  return (
    Number(a.isUnusable) - Number(b.isUnusable) ||
    kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) ||
    compareNames(a.name, b.name)
  );
}
