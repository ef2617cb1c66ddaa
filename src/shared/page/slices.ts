// Work in slices: a page that has much to show still answers its user between two of them.

/** How long a slice may take, in ms: with its layout it stays well under what a hand notices. */
const SLICE_MS = 6;

/** Runs the work, each `yield` of which is a place to pause; after a slice the browser lays out, paints and answers. */
export async function inSlices(work: Iterator<unknown>): Promise<void> {
  let began = performance.now();
  while (!work.next().done) {
    if (performance.now() - began < SLICE_MS) continue;
    await nextFrame();
    began = performance.now();
  }
}

/** After the next frame is painted. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
