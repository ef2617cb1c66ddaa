import vm from "node:vm";
import * as l10n from "@vscode/l10n";
import { AssertionError } from "./assertionError.ts";

const context = vm.createContext({ work: undefined as (() => unknown) | undefined });
const script = new vm.Script("work()");

/** What `work` returns. Throws AssertionError if it takes longer than `maxMs`: a pattern may take exponential time. */
export function limitTime<T>(work: () => T, maxMs = 1_000): T {
  const outer = context["work"] as unknown;
  try {
    context["work"] = work;
    // In another context, which can be interrupted, also while it is in a function of this one.
    return script.runInContext(context, { timeout: maxMs }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new AssertionError(l10n.t("The assertion took more than {0} ms for this answer.", maxMs));
  } finally {
    // The answer can be large.
    context["work"] = outer;
  }
}
