import { splitEntry } from "../mindsdb/dataPatterns.ts";
import { quotePath } from "../mindsdb/sql/runSql.ts";
import { singleSelect } from "../mindsdb/sql/singleSelect.ts";
import type { TrainDraft } from "./trainDraft.ts";

/** The statement that selects the training rows; undefined if it is not known, or is the one of the version before. */
export function selectOfDraft({ source, table, select }: TrainDraft): string | undefined {
  switch (source) {
    case "same":
      return undefined;
    case "table": {
      const parts = splitEntry(table);
      return parts.length < 2 ? undefined : `SELECT * FROM ${quotePath(parts)}`;
    }
    case "select":
      return singleSelect(select);
  }
}
