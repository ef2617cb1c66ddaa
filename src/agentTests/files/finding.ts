/** The finding of an assertion, before `not-` is applied. */
export interface Finding {
  isTrue: boolean;
  /** It also holds under `not-`. */
  isFinal?: boolean;
  /** The measured value, if it is not the answer's text. */
  actual?: string;
  /** Where it is not 1 for true and 0 for false. */
  score?: number;
  /** One sentence about what was found. */
  reason?: string;
}

/** An assertion that cannot be judged. It makes the test an error, whatever the other assertions say. */
export class AssertionError extends Error {}

/** Whether a number is within `min` and `max`, each of which may be absent. */
export function isWithin(count: number, { min, max }: { min?: unknown; max?: unknown }): boolean {
  return (typeof min !== "number" || count >= min) && (typeof max !== "number" || count <= max);
}
