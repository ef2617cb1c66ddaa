// A filter of a search: a metadata column, a comparison, and a value with suggestions.
import * as l10n from "@vscode/l10n";
import { useId, useState } from "preact/hooks";
import { IconButton, Picker } from "../../shared/page/parts.tsx";
import type { Host } from "../../shared/pageProtocol.ts";
import type {
  ColumnValues,
  knowledgeBaseCalls,
  Operator,
  SearchDraft,
} from "../knowledgeBasePage.ts";
import { isWrongType } from "../parseFilterValue.ts";
import { ValueField } from "./valueField.tsx";

type Filter = SearchDraft["filters"][number];

export function operatorNames(): Record<Operator, string> {
  return {
    "=": l10n.t("is"),
    "!=": l10n.t("is not"),
    ">": l10n.t("is over"),
    ">=": l10n.t("is at least"),
    "<": l10n.t("is under"),
    "<=": l10n.t("is at most"),
    contains: l10n.t("contains"),
  };
}

interface FilterRowProps {
  filter: Filter;
  columns: string[];
  /** Undefined until the column's values have been read. */
  known: ColumnValues | undefined;
  change: (filter: Filter) => void;
  remove: () => void;
  host: Host<typeof knowledgeBaseCalls>;
}

export function FilterRow({ filter, columns, known, change, remove, host }: FilterRowProps) {
  const { column, operator, value, type } = filter;
  const id = useId();
  const [isReading, setReading] = useState(false);
  const isWrong = operator !== "contains" && isWrongType(value, type);
  // Keeps a column that no longer exists visible.
  const names = [...new Set([...columns, column])];
  return (
    <div class="filter-row">
      <div class="filter">
        <Picker
          label={l10n.t("Column")}
          choices={names.map((name) => [name, name])}
          value={column}
          change={(chosen) => change({ ...filter, column: chosen, type: undefined })}
        />
        <Picker
          label={l10n.t("Comparison")}
          choices={Object.entries(operatorNames())}
          value={operator}
          change={(chosen) => change({ ...filter, operator: chosen as Operator })}
        />
        <div class="filter-value">
          <ValueField
            label={l10n.t("Value")}
            value={value}
            values={known?.values ?? []}
            isWrong={isWrong}
            describedBy={`${id}-problem ${id}-hint`}
            change={(typed) => change({ ...filter, value: typed })}
            onFocus={() => {
              if (known?.values) return;
              setReading(true);
              void host.readValues(column);
            }}
            onBlur={() => {
              setReading(false);
              if (!known) void host.cancelValues();
            }}
          />
          <IconButton icon="close" label={l10n.t("Remove Filter")} press={remove} />
        </div>
      </div>
      <p class="problem" id={`${id}-problem`} aria-live="polite">
        {isWrong && l10n.t("{0} contains numbers. Enter a number, like 42 or 2.5.", column)}
      </p>
      <p class="hint" id={`${id}-hint`}>
        {known ? explainValues(known) : isReading && l10n.t("Reading the stored values…")}
      </p>
    </div>
  );
}

function explainValues({ values }: ColumnValues): string {
  if (!values) return l10n.t("The stored values could not be read.");
  return values.length === 0 ? l10n.t("No chunk has a value here.") : "";
}
