// The page of one table. The rows of a table that was dropped stay visible.
import * as l10n from "@vscode/l10n";
import { useMemo } from "preact/hooks";
import type { ItemState } from "../../shared/itemPage.ts";
import "../../shared/page/grid/gridPage.css";
import { TextGrid } from "../../shared/page/grid/textGrid.tsx";
import { ItemFrame } from "../../shared/page/itemFrame.tsx";
import { formatNumber } from "../../shared/page/l10n.ts";
import { Button } from "../../shared/page/parts.tsx";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import { explainNoRows } from "../explainNoRows.ts";
import type { PreviewRows } from "../previewRows.ts";
import type { TableContent, tableCalls } from "../tablePage.ts";

function TableView({ state, host }: PageProps<ItemState & TableContent, typeof tableCalls>) {
  const { item, connection, isGone, isView, preview } = state;
  const tools = (
    <>
      {!isGone && <Button label={l10n.t("Create Agent…")} press={host.useInAgent} />}
      <Button label={l10n.t("Copy SELECT")} press={host.copySelect} />
    </>
  );
  return (
    <ItemFrame
      state={state}
      host={host}
      place={
        isView
          ? l10n.t("View in {0} on {1}", item.project, connection)
          : l10n.t("Table in {0} on {1}", item.project, connection)
      }
      loading={l10n.t("Loading the rows")}
      tools={tools}
      isRead={preview !== undefined}
      fills
    >
      {preview && <p class="count">{formatCount(preview, isView)}</p>}
      {preview?.isMasked && (
        <p class="count">
          {l10n.t(
            "All values are masked, because the table may show the server's API keys or passwords.",
          )}
        </p>
      )}
      {preview && preview.columns.length > 0 && (
        <PreviewGrid preview={preview} copyText={host.copyText} />
      )}
    </ItemFrame>
  );
}

function formatCount(preview: PreviewRows, isView = false): string {
  const { rows, hasMore, mayLackRows } = preview;
  if (mayLackRows) return explainNoRows(preview);
  if (rows.length === 0) {
    return isView ? l10n.t("The view has no rows.") : l10n.t("The table has no rows.");
  }
  if (rows.length === 1 && !hasMore) return l10n.t("1 row");
  const count = formatNumber(rows.length);
  return hasMore ? l10n.t("First {0} rows", count) : l10n.t("{0} rows", count);
}

interface PreviewGridProps {
  preview: PreviewRows;
  copyText: (text: string) => unknown;
}

function PreviewGrid({ preview, copyText }: PreviewGridProps) {
  const { columns, rows } = preview;
  const table = useMemo(
    () => ({
      columns: columns.map(({ name }) => name),
      rows: rows.map((row) => row.map((value) => value ?? "")),
      numeric: columns.map(({ isNumeric }) => isNumeric),
    }),
    [preview],
  );
  return (
    <TextGrid
      table={table}
      label={l10n.t("First rows of the table")}
      hints={columns.map(({ type }) => type)}
      isNull={(row, column) => (rows[row]?.[column] ?? null) === null}
      nullText="null"
      copyText={copyText}
    />
  );
}

startPage(TableView);
