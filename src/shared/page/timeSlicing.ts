// Splits long work into slices, so that the page stays responsive.

/** Target for a slice with its layout and paint, in ms: two frames at 60 Hz. */
const roundMs = 33;
const minSliceMs = 1;
const maxSliceMs = 8;

/** The present length of a slice in ms, adapted to the layout and paint time of earlier ones. */
let sliceMs = 3;
/** Start of the slice in the browser's current task. */
let began: number | undefined;

/**
 * Runs the work and pauses at a `yield` when the slice is used up, so that the browser can paint and handle input. Works
 * in the same task share a slice.
 */
export async function runInSlices(work: Iterator<unknown>): Promise<void> {
  do {
    if (performance.now() - sliceBegan() >= sliceMs) await nextRound();
  } while (!work.next().done);
}

function sliceBegan(): number {
  if (began === undefined) {
    began = performance.now();
    setTimeout(endSlice);
  }
  return began;
}

function endSlice(): void {
  began = undefined;
}

/** Resolves after the next paint; adapts the slice length. */
async function nextRound(): Promise<void> {
  const start = sliceBegan();
  await new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });
  const wanted = (sliceMs * roundMs) / (performance.now() - start);
  // Shrinks fast, grows slowly.
  sliceMs = Math.min(maxSliceMs, sliceMs * 1.25, Math.max(minSliceMs, wanted));
  endSlice();
}
