// Validates numbers from settings.

export interface NumberRange {
  least: number;
  most: number;
  /** The default, used for values that are not numbers. */
  usual: number;
}

/** The value as an integer within the range. Rounded up, so that fractions do not become 0. */
export function readNumberSetting(value: unknown, { least, most, usual }: NumberRange): number {
  const isText = typeof value === "string" && value.trim() !== "";
  const given = typeof value === "number" || isText ? Number(value) : NaN;
  return Number.isNaN(given) ? usual : Math.min(most, Math.max(least, Math.ceil(given)));
}
