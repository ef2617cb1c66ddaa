// A number from a setting, which somebody may have written by hand.

export interface NumberRange {
  least: number;
  most: number;
  /** What stands in for something that is no number. */
  usual: number;
}

/** The value as a whole number, rounded up, so that a little does not become nothing; within the range. */
export function readNumberSetting(value: unknown, { least, most, usual }: NumberRange): number {
  const isText = typeof value === "string" && value.trim() !== "";
  const given = typeof value === "number" || isText ? Number(value) : NaN;
  return Number.isNaN(given) ? usual : Math.min(most, Math.max(least, Math.ceil(given)));
}
