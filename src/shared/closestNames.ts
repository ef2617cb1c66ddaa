// Suggests existing names for a misspelled one.
import { distance } from "fastest-levenshtein";

/** Longer names are not compared by edit distance. */
const maxLength = 100;

/** The candidates with the most similar names, the best first. Ignores case. */
export function closestNames<Candidate>(
  wanted: string,
  candidates: Iterable<Candidate>,
  nameOf: (candidate: Candidate) => string,
  most = 3,
): Candidate[] {
  const scored: { candidate: Candidate; score: number }[] = [];
  for (const candidate of candidates) {
    const score = measureDifference(wanted.toLowerCase(), nameOf(candidate).toLowerCase());
    if (Number.isFinite(score)) scored.push({ candidate, score });
  }
  return scored
    .sort((a, b) => a.score - b.score)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** The edit distance; Infinity for names that are not similar. */
function measureDifference(a: string, b: string): number {
  if (a.length > maxLength || b.length > maxLength) return a === b ? 0 : Infinity;
  const limit = Math.max(1, Math.floor(Math.max(a.length, b.length) * 0.4));
  const difference = Math.abs(a.length - b.length) > limit ? Infinity : countEdits(a, b);
  if (difference <= limit) return difference;
  // One name contains the other.
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 3 && long.includes(short) ? limit + 1 : Infinity;
}

/** The edit distance, in which two letters in the wrong order are one mistake. */
export function countEdits(a: string, b: string): number {
  const measured = distance(a, b);
  const isSwapped =
    measured === 2 && a.length === b.length && [...a].sort().join("") === [...b].sort().join("");
  return isSwapped ? 1 : measured;
}
