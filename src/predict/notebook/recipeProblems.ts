import * as l10n from "@vscode/l10n";
import type { RecipeProblem } from "./recipe.ts";

/** Nobody reads more of them at once. */
const maxProblems = 10;

/** One sentence for each of the first problems, with its line if the recipe has several. */
export function describeProblems(text: string, problems: readonly RecipeProblem[]): string {
  const hasLines = text.trim().includes("\n");
  return problems
    .slice(0, maxProblems)
    .map(({ start, end, message }) => {
      const isAboutAll = start === 0 && end === text.length;
      if (!hasLines || isAboutAll) return message;
      const line = text.slice(0, start).split("\n").length;
      return l10n.t("Line {0}: {1}", line, message);
    })
    .join(" ");
}
