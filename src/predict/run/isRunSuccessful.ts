import type { RunProgress } from "../messages.ts";

/** Whether a cell ends with a check mark; undefined where it ends without any mark, since the user stopped it. */
export function isRunSuccessful({ state, count, refused }: RunProgress): boolean | undefined {
  if (state.kind === "stopped") return undefined;
  const isAllRefused = count > 0 && refused === count;
  return state.kind === "done" && !isAllRefused;
}
