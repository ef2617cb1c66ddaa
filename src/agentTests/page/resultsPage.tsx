// The page that compares agents, or shows what a search found.
import * as l10n from "@vscode/l10n";
import { useEffect, useRef } from "preact/hooks";
import "../../shared/page/grid/gridPage.css";
import "./results.css";
import { TextGrid } from "../../shared/page/grid/textGrid.tsx";
import type { TextTableGrid } from "../../shared/page/grid/textTableGrid.ts";
import { PageFrame } from "../../shared/page/itemFrame.tsx";
import { formatNumber } from "../../shared/page/l10n.ts";
import { Button, Table } from "../../shared/page/parts.tsx";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import { save } from "../../shared/page/webview.ts";
import type { AgentSummary, resultsCalls, ResultsState, ShownVerdict } from "../resultsPage.ts";

function ResultsView({ state, host }: PageProps<ResultsState, typeof resultsCalls>) {
  const {
    title,
    place,
    table,
    status,
    isLoading,
    hasOpen,
    verdicts,
    summary,
    isJudged,
    comparison,
  } = state;
  const grid = useRef<TextTableGrid>(null);
  useEffect(() => {
    if (comparison) save({ comparison });
  }, []);
  const onActive = (call: (row: number, column: number) => unknown) => (): void => {
    const active = grid.current?.active;
    if (active && active.row >= 0) call(active.row, active.column);
  };
  const tools = (
    <>
      {isLoading && <Button isFirst label={l10n.t("Cancel")} press={host.cancel} />}
      {!isLoading && hasOpen && (
        <Button label={l10n.t("Run Failed Tests Again")} press={host.runOpen} />
      )}
      {!isLoading && comparison && (
        <Button label={l10n.t("Run Cell Again")} press={onActive(host.runCell)} />
      )}
      {comparison && <Button label={l10n.t("Open Run")} press={onActive(host.openRun)} />}
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
      fills
    >
      <p class="count">{status}</p>
      {summary.length > 0 && <Summary agents={summary} isJudged={isJudged} />}
      <TextGrid
        table={table}
        label={l10n.t("Results")}
        copyText={host.copyText}
        {...(comparison && { open: host.openRun })}
        markOf={(row, column) => marks[verdictAt(verdicts, row, column)]}
        grid={grid}
      />
    </PageFrame>
  );
}

const marks = {
  passed: "pass",
  failed: "error",
  error: "warning",
  "": undefined,
};

function verdictAt(verdicts: ShownVerdict[][], row: number, column: number): ShownVerdict {
  return (column % 2 === 1 && verdicts[row]?.[(column - 1) / 2]) || "";
}

function Summary({ agents, isJudged }: { agents: AgentSummary[]; isJudged: boolean }) {
  const head = [
    l10n.t("Agent"),
    isJudged ? l10n.t("Passed") : l10n.t("Answered"),
    l10n.t("Mean time (ms)"),
    l10n.t("Steps per answer"),
  ];
  const rows = agents.map(({ label, passed, of, meanMs, meanSteps }) => [
    label,
    l10n.t("{0} of {1}", formatNumber(passed), formatNumber(of)),
    of > 0 ? formatNumber(Math.round(meanMs)) : "",
    of > 0 ? formatNumber(meanSteps, { maximumFractionDigits: 1 }) : "",
  ]);
  return <Table name={l10n.t("Summary")} head={head} rows={rows} class="summary" />;
}

startPage(ResultsView);
