// Work in slices: a page that has much to show still answers its user between two of them.

/** What a slice may take together with the layout and paint that follow it, in ms: two frames of a common screen. */
const roundMs = 33;
const minSliceMs = 1;
const maxSliceMs = 8;

/** How long a slice may take, in ms: learned from what the slices before it cost in layout and paint. */
let sliceMs = 3;
/** When the browser's present task began to show things; undefined before it does. */
let began: number | undefined;

/**
 * Runs the work, each `yield` of which is a place to pause; after a slice the browser lays out, paints and answers.
 * Works that follow each other within one task share its slice.
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

/** After the next frame is painted; what it took decides how long the next slice may be. */
async function nextRound(): Promise<void> {
  const start = sliceBegan();
  await new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });
  const wanted = (sliceMs * roundMs) / (performance.now() - start);
  // Quickly down, slowly up.
  sliceMs = Math.min(maxSliceMs, sliceMs * 1.25, Math.max(minSliceMs, wanted));
  endSlice();
}
