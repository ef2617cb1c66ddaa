// For what is called more often than it should be done.

/** Does `work` at once, and then at most every `ms`; the last call is never lost. */
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
