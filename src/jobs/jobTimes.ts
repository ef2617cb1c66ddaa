// When a job runs, by the server's clock. Times are in ms as if the server's time were UTC. As servers plan runs (read in
// 26.1.0 and 25.14.1).

interface Period {
  count: number;
  unit: "minute" | "hour" | "day" | "week" | "month";
}

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };

/** Reads what follows `every` in a schedule; undefined for what servers refuse. */
export function parseInterval(text: string): Period | undefined {
  const match = /^(?:(\d{1,6})\s+)?(min|minute|hour|day|week|month)(s?)$/i.exec(text.trim());
  if (!match) return undefined;
  const [, count = "1", word = "", plural = ""] = match;
  const name = word.toLowerCase();
  if (name === "min" && plural !== "") return undefined;
  const unit = name === "min" ? "minute" : (name as Period["unit"]);
  return { count: Number(count), unit };
}

/** Parses a time as jobs have it, which has no zone; undefined for any other text. */
export function parseJobTime(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/.exec(text.trim());
  if (!match) return undefined;
  const ms = Date.parse(`${match[1]}T${match[2] ?? "00:00:00"}Z`);
  // 2026-02-30 would be a day in March.
  return Number.isNaN(ms) || !formatJobTime(ms).startsWith(match[1] ?? "") ? undefined : ms;
}

export function formatJobTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}

interface Plan {
  /** By default as soon as the server looks. */
  start?: number | undefined;
  end?: number | undefined;
  /** The text after `every`; absent for a job that runs once. */
  interval?: string | undefined;
  now: number;
}

/** The next runs, the earliest first; the server may be up to 40 s late. */
export function listNextRuns({ start, end, interval, now }: Plan, count: number): number[] {
  const first = start === undefined || start < now ? now : start;
  const period = interval === undefined ? undefined : parseInterval(interval);
  const runs = [first];
  while (period && period.count > 0 && runs.length < count) {
    const next = addPeriod(runs.at(-1) ?? first, period);
    if (!Number.isFinite(next) || (end !== undefined && next > end)) break;
    runs.push(next);
  }
  return runs;
}

function addPeriod(ms: number, { count, unit }: Period): number {
  if (unit !== "month") return ms + count * unitMs[unit];
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  // Years beyond 9999 have another notation.
  return date.getUTCFullYear() > 9_999 ? Number.NaN : date.getTime();
}
