// Validates numbers from settings.

export interface NumberRange {
  min: number;
  max: number;
  /** Used for values that are not numbers. */
  defaultValue: number;
}

/** The value as an integer within the range. Rounded up, so that fractions do not become 0. */
export function readNumberSetting(value: unknown, { min, max, defaultValue }: NumberRange): number {
  const isText = typeof value === "string" && value.trim() !== "";
  const given = typeof value === "number" || isText ? Number(value) : NaN;
  return Number.isNaN(given) ? defaultValue : Math.min(max, Math.max(min, Math.ceil(given)));
}
