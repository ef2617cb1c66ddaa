// Sentences about how the rows of a file were read.
import * as l10n from "@vscode/l10n";
import { cutOff } from "../../mindsdb/cutText.ts";
import type { RowTotal } from "./rowTotal.ts";

/** Characters of a member's name in a sentence. */
const maxShownName = 60;

/** Notes about what users may not expect; numbers are written by `format`. */
export function describeReading(total: RowTotal, format: (count: number) => string): string[] {
  const { listName, nullMarks } = total;
  return [
    ...(listName === undefined
      ? []
      : [l10n.t("Rows are read from the list {0} in the file.", quoteName(listName))]),
    ...(nullMarks > 0
      ? [l10n.t("Cells with {0} that were read as null: {1}", "\\N", format(nullMarks))]
      : []),
  ];
}

export function quoteName(name: string): string {
  return `“${cutOff(name, maxShownName)}”`;
}
