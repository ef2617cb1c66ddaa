// The page that compares agents, or shows what a search found.
import * as l10n from "@vscode/l10n";
import { useEffect, useRef } from "preact/hooks";
import "../../shared/page/grid/gridPage.css";
import { TextGrid } from "../../shared/page/grid/textGrid.tsx";
import type { TextTableGrid } from "../../shared/page/grid/textTableGrid.ts";
import { PageFrame } from "../../shared/page/itemFrame.tsx";
import { Button } from "../../shared/page/parts.tsx";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import { save } from "../../shared/page/webview.ts";
import type { resultsCalls, ResultsState } from "../resultsPage.ts";

function ResultsView({ state, host }: PageProps<ResultsState, typeof resultsCalls>) {
  const { title, place, table, status, isLoading, hasOpen, comparison } = state;
  const grid = useRef<TextTableGrid>(null);
  useEffect(() => {
    if (comparison) save({ comparison });
  }, []);
  const runCell = (): void => {
    const active = grid.current?.active;
    if (active) void host.runCell(active.row, active.column);
  };
  const tools = (
    <>
      {isLoading && <Button isFirst label={l10n.t("Cancel")} press={host.cancel} />}
      {!isLoading && hasOpen && <Button label={l10n.t("Run Failed Again")} press={host.runOpen} />}
      {!isLoading && comparison && <Button label={l10n.t("Run Cell Again")} press={runCell} />}
      <Button label={l10n.t("Export…")} press={host.exportTable} />
    </>
  );
  return (
    <PageFrame
      title={title}
      place={place}
      state={state}
      loading=""
      status={status}
      tools={tools}
      isRead
    >
      <p class="count">{status}</p>
      <TextGrid table={table} label={l10n.t("Results")} copyText={host.copyText} grid={grid} />
    </PageFrame>
  );
}

startPage(ResultsView);
