import type { NumberRange } from "./readNumberSetting.ts";

/** Limits and defaults of the settings that are numbers, as package.json has them (a unit test compares them). */
export const settingRanges = {
  agentTimeLimit: { min: 0, max: 86_400, defaultValue: 0 },
  // More rows per request make a run no faster, but harder to stop.
  predictBatchRows: { min: 1, max: 10_000, defaultValue: 1_000 },
  predictConcurrency: { min: 1, max: 4, defaultValue: 1 },
  predictTimeLimit: { min: 1, max: 86_400, defaultValue: 300 },
  sqlTimeLimit: { min: 0, max: 86_400, defaultValue: 0 },
} as const satisfies Record<string, NumberRange>;
