import * as l10n from "@vscode/l10n";
import { AssertionError } from "../files/finding.ts";

/** V8 ends the process where its compiler for regular expressions runs out of stack (22.23, from about 10,000 groups). */
const maxPatternLength = 20_000;
const maxPatternDepth = 200;

/** Throws AssertionError for a pattern that is too large to be compiled safely. */
export function checkPattern(pattern: string): void {
  let depth = 0;
  let deepest = 0;
  for (const character of pattern) {
    if (character === "(") deepest = Math.max(deepest, ++depth);
    else if (character === ")") depth--;
  }
  if (pattern.length <= maxPatternLength && deepest <= maxPatternDepth) return;
  throw new AssertionError(l10n.t("Not supported here: a pattern this large."));
}
