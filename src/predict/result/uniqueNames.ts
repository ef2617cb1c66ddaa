// Names that tell columns apart, where several have the same.

/** The names in their order, those that repeat with a number: `a`, `a_1`, `a_2`. No number makes a name that is there. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let n = 1; seen.has(unique) || (unique !== name && taken.has(unique)); n++) {
      unique = `${name}_${n}`;
    }
    seen.add(unique);
    return unique;
  });
}
