import type { NumberRange } from "./readNumberSetting.ts";

/** Limits and defaults of the settings that are numbers, as package.json has them (a unit test compares them). */
export const settingRanges = {
  agentTimeLimit: { least: 0, most: 86_400, usual: 0 },
  // More rows in one request make a run no faster, and harder to stop.
  predictBatchRows: { least: 1, most: 10_000, usual: 1_000 },
  predictConcurrency: { least: 1, most: 4, usual: 1 },
  predictTimeLimit: { least: 1, most: 86_400, usual: 300 },
  sqlTimeLimit: { least: 0, most: 86_400, usual: 0 },
} as const satisfies Record<string, NumberRange>;
