/** Returns the same part each time; `loaded` is undefined before the first call. */
export interface Lazy<Part> {
  (): Promise<Part>;
  loaded?: Promise<Part>;
}

/** Creates a part with the first call, for code that is imported with its first use. */
export function lazy<Part>(create: () => Promise<Part>): Lazy<Part> {
  const load: Lazy<Part> = () => (load.loaded ??= create());
  return load;
}
