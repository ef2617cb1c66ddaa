import vm from "node:vm";
import * as l10n from "@vscode/l10n";
import { AssertionError } from "../files/finding.ts";

const context = vm.createContext({ work: undefined as (() => unknown) | undefined });
const script = new vm.Script("work()");

/** How often work gets twice the time if it had too little of the processor: other programs can keep a machine busy. */
const maxDoublings = 3;

/**
 * Returns the result of `work`. Throws AssertionError if it takes more processor time than `maxMs`: a pattern may take
 * exponential time. Work that waited for the processor is done again, so it must change nothing.
 */
export function limitTime<T>(work: () => T, maxMs = 1_000): T {
  const outer = context["work"] as unknown;
  try {
    context["work"] = work;
    for (let doublings = 0; ; doublings++) {
      const before = process.cpuUsage();
      try {
        // In another context, which can be interrupted, also while it is in a function of this one.
        return script.runInContext(context, { timeout: maxMs * 2 ** doublings }) as T;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
        const { user, system } = process.cpuUsage(before);
        if ((user + system) / 1_000 < 0.9 * maxMs && doublings < maxDoublings) continue;
        throw new AssertionError(
          l10n.t("The assertion took more than {0} ms for this answer.", maxMs),
        );
      }
    }
  } finally {
    // The answer can be large.
    context["work"] = outer;
  }
}
