/** The engine that a statement named and the server does not have; undefined for other errors. Seen on 26.1.0 and 25.14.1. */
export function findMissingEngine(message: string): string | undefined {
  return /\bThere is no (?:engine|integration with name) '([^']{1,200})'/.exec(message)?.[1];
}

export function isEngineMissing(message: string): boolean {
  return findMissingEngine(message) !== undefined;
}
