// The order in which Find… lists things: what is named most like the typed text first.
import { compareNames } from "../mindsdb/names.ts";
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

/** Exact name, beginning of the name, beginning of a word, anywhere, elsewhere; then what is usable, kind and name. */
export function sortByRelevance<T>(
  items: readonly T[],
  typed: string,
  describe: (item: T) => Findable,
): T[] {
  const wanted = typed.trim().toLowerCase();
  return items
    .map((item) => {
      const found = describe(item);
      return { item, found, rank: matchRank(found.name, wanted) };
    })
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        Number(a.found.isUnusable) - Number(b.found.isUnusable) ||
        kindOrder.indexOf(a.found.kind) - kindOrder.indexOf(b.found.kind) ||
        compareNames(a.found.name, b.found.name),
    )
    .map(({ item }) => item);
}

/** How well a name fits: 0 is the name itself, 4 not at all. `wanted` is in lower case. */
export function matchRank(name: string, wanted: string): number {
  if (wanted === "") return 0;
  const lower = name.toLowerCase();
  if (lower === wanted) return 0;
  if (lower.startsWith(wanted)) return 1;
  let at = lower.indexOf(wanted);
  if (at < 0) return 4;
  for (; at >= 0; at = lower.indexOf(wanted, at + 1)) {
    if (/[^\p{L}\p{N}]/u.test(lower[at - 1] ?? "")) return 2;
  }
  return 3;
}
