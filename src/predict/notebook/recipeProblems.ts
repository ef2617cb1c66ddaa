import * as l10n from "@vscode/l10n";
import type { RecipeProblem } from "./recipe.ts";

/** One sentence for each problem, with its line if the recipe has several. */
export function describeProblems(text: string, problems: readonly RecipeProblem[]): string {
  const hasLines = text.trim().includes("\n");
  return problems
    .map(({ start, end, message }) => {
      const isAboutAll = start === 0 && end === text.length;
      if (!hasLines || isAboutAll) return message;
      const line = text.slice(0, start).split("\n").length;
      return l10n.t("Line {0}: {1}", line, message);
    })
    .join(" ");
}
