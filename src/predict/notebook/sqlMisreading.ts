import * as l10n from "@vscode/l10n";
import type { Span } from "./recipe.ts";
import type { TextChange } from "./recipeEdits.ts";

/** A correction of a statement, or several that belong together. */
export interface SqlFix {
  title: string;
  changes: TextChange[];
}

export interface SqlMisreading extends Span {
  message: string;
  /** Whether it is one only if the table that is written is one of a data source: its name does not tell. */
  dependsOnSource?: boolean;
  /** One only if this is not the schema that the data source takes by default. */
  lostSchema?: string;
  /** Only for one that the user looks at: some corrections have to be tried. */
  findFixes: () => SqlFix[];
}

export function withoutFix({ start, end }: Span, message: string): SqlMisreading {
  return { start, end, message, findFixes: () => [] };
}

export function changeFix({ start, end }: Span, text: string): SqlFix {
  return { title: l10n.t("Change to {0}", text), changes: [{ start, end, text }] };
}

export function applyChanges(sql: string, changes: readonly TextChange[]): string {
  return changes.reduceRight(
    (text, change) => text.slice(0, change.start) + change.text + text.slice(change.end),
    sql,
  );
}
