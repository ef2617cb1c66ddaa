/** The names, with numbers added to repeated ones: `a`, `a_1`, `a_2`. Numbered names never equal other names. */
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
