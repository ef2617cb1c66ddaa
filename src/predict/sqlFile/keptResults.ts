// Which results of SQL files are kept in memory.

/** Results that are kept beside pinned ones. As many can be pinned. */
export const maxResults = 20;

/** Memory of all results together: with some gigabytes the extension host ends, and with it all extensions. */
const maxBytes = 512 * 1024 ** 2;

interface Kept {
  readonly isPinned: boolean;
  /** About what it takes in memory. */
  readonly bytes: number;
}

/** The results that are dropped, of all, the newest first. Never the newest one, and none that is pinned. */
export function findResultsToDrop<Result extends Kept>(results: readonly Result[]): Result[] {
  let bytes = sum(results.filter(({ isPinned }) => isPinned));
  return results
    .filter(({ isPinned }) => !isPinned)
    .filter((one, at) => {
      bytes += one.bytes;
      return at > 0 && (at >= maxResults || bytes > maxBytes);
    });
}

/** Whether one more result can be pinned. */
export function canPin(pinned: readonly Kept[], next: Kept): boolean {
  return pinned.length < maxResults && sum([...pinned, next]) <= maxBytes;
}

function sum(results: readonly Kept[]): number {
  return results.reduce((total, { bytes }) => total + bytes, 0);
}
