// The order of names in lists.

/** Names in the order people expect: without regard to case, numbers by value. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b);
}

/** Sorts in place; a list that came sorted, as most do, costs one look. */
export function sortedByName<T extends { name: string }>(items: T[]): T[] {
  const isSorted = items.every(
    ({ name }, index) => index === 0 || compareNames(items[index - 1]?.name ?? "", name) <= 0,
  );
  return isSorted ? items : items.sort((a, b) => compareNames(a.name, b.name));
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
