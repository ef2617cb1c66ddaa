// The frames of a window, which VS Code creates and removes with every tab.
import { setTimeout as sleep } from "node:timers/promises";
import type { Frame } from "playwright-core";

/** A live frame responds within this many ms, even on a busy machine. */
const patience = 5_000;

/** Returns what a frame evaluates to, or `otherwise`, as a frame that comes or goes throws or never responds. */
export async function answerOf<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  const patient = new AbortController();
  try {
    const late = sleep(patience, otherwise, { signal: patient.signal });
    late.catch(() => undefined);
    return await Promise.race([asked.catch(() => otherwise), late]);
  } finally {
    patient.abort();
  }
}

/** Scrolls all of a frame to its start, for a picture. */
export function scrollToStart(frame: Frame): Promise<void> {
  return frame.evaluate(() => {
    for (const node of document.querySelectorAll("*")) node.scrollTop = 0;
  });
}

/** Scrolls all of a frame to its end, for a picture. */
export function scrollToEnd(frame: Frame): Promise<void> {
  return frame.evaluate(() => {
    for (const node of document.querySelectorAll("*")) node.scrollTop = node.scrollHeight;
  });
}
