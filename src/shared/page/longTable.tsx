// A table that may have thousands of rows: a filter, and a hundred rows at a time.
import * as l10n from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { formatNumber } from "./l10n.ts";
import { Button, Table } from "./parts.tsx";

interface LongTableProps {
  name: string;
  head: string[];
  class?: string;
  /** `text` is what the filter looks at. */
  rows: { text: string; cells: () => ComponentChildren[] }[];
}

/** Fewer rows are in view at once, and need no filter. */
const minFiltered = 20;
/** Rows that are drawn at once, and with each press of the button. */
const page = 100;

export function LongTable({ name, head, class: className = "", rows }: LongTableProps) {
  const [filter, setFilter] = useState("");
  const [shown, setShown] = useState(page);
  const wanted = filter.trim().toLowerCase();
  const found = useMemo(
    () => (wanted === "" ? rows : rows.filter(({ text }) => text.toLowerCase().includes(wanted))),
    [rows, wanted],
  );
  const isLong = rows.length > minFiltered;
  return (
    <>
      {isLong && (
        <label class="table-filter">
          {l10n.t("Filter")}
          <input
            class="input"
            type="search"
            value={filter}
            onInput={({ currentTarget }) => {
              setFilter(currentTarget.value);
              setShown(page);
            }}
          />
          <span class="quiet" role="status">
            {wanted !== "" &&
              l10n.t("{0} of {1}", formatNumber(found.length), formatNumber(rows.length))}
          </span>
        </label>
      )}
      {found.length > 0 && (
        <Table
          name={name}
          head={head}
          class={className}
          rows={found.slice(0, shown).map(({ cells }) => cells())}
        />
      )}
      {found.length > shown && (
        <Button
          kind="link"
          label={l10n.t("Show More ({0})", formatNumber(found.length - shown))}
          press={() => setShown(shown + page)}
        />
      )}
    </>
  );
}
