import vm from "node:vm";
import * as l10n from "@vscode/l10n";
import { AssertionError } from "./assertionError.ts";

/** A pattern may take exponential time. */
const maxMs = 1_000;

const context = vm.createContext({ work: undefined as (() => unknown) | undefined });
const script = new vm.Script("work()");

/** What `work` returns. Throws AssertionError if it takes too long. */
export function limitTime<T>(work: () => T): T {
  try {
    context["work"] = work;
    // In another context, which can be interrupted, also while it is in a function of this one.
    return script.runInContext(context, { timeout: maxMs }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new AssertionError(l10n.t("The assertion took more than {0} ms for this answer.", maxMs));
  }
}
