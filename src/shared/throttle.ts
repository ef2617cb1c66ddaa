// Limits how often a function runs.

/** Runs `work` at once, then at most every `ms`. The last call is never dropped. */
export function throttle(ms: number, work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  const run = (): void => {
    timer = undefined;
    if (!isDue) return;
    isDue = false;
    work();
    timer = setTimeout(run, ms);
  };
  return () => {
    isDue = true;
    if (!timer) run();
  };
}
