// Comparing names.

/** Compares names ignoring case, with numbers by value. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b);
}

/** Sorts in place; fast for lists that are already sorted, as most are. */
export function sortedByName<T extends { name: string }>(items: T[]): T[] {
  const isSorted = items.every(
    ({ name }, index) => index === 0 || compareNames(items[index - 1]?.name ?? "", name) <= 0,
  );
  return isSorted ? items : items.sort((a, b) => compareNames(a.name, b.name));
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** True for names that differ at most in case, which SQL ignores. */
export function isSameName(a: string | undefined, b: string | undefined): boolean {
  if (a === b) return true;
  // One long name can be compared with thousands of others.
  return a?.length === b?.length && a?.toLowerCase() === b?.toLowerCase();
}
