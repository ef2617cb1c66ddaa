/** The names, with numbers added to repeated ones: `a`, `a_1`, `a_2`. Numbered names never equal other names. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  /** By name, the next number to try: a name can repeat thousands of times. */
  const numbers = new Map<string, number>();
  return names.map((name) => {
    let unique = name;
    let n = numbers.get(name) ?? 1;
    while (seen.has(unique) || (unique !== name && taken.has(unique))) unique = `${name}_${n++}`;
    numbers.set(name, n);
    seen.add(unique);
    return unique;
  });
}
