// The view with the results of SQL files: a tab for each statement that was run, and the grid of the selected one.
import * as l10n from "@vscode/l10n";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import "../../../shared/page/base.css";
import "../../../shared/page/grid/grid.css";
import { startPage, type PageProps } from "../../../shared/page/startPage.tsx";
import { Button, Icon, IconButton } from "../../../shared/page/parts.tsx";
import { save } from "../../../shared/page/webview.ts";
import type { ResultRow, ToPage } from "../../messages.ts";
import { maxChartRows } from "../../sqlFile/chartData.ts";
import type {
  SqlResultTab,
  SavedSqlResult,
  ShownResult,
  sqlResultsCalls,
  SqlResultsState,
} from "../../sqlFile/sqlResultsPage.ts";
import "../result.css";
import { ResultOutput } from "../resultOutput.tsx";
import { Chart } from "./chart.tsx";
import "./sqlResults.css";

type Props = PageProps<SqlResultsState, typeof sqlResultsCalls>;

function SqlResults({ state: { tabs, shown, editor, isGone = false }, host }: Props) {
  const isEditor = editor !== undefined;
  useEffect(() => {
    if (editor) save({ ...editor });
  }, [editor]);
  if (editor && isGone) return <GoneResult {...editor} host={host} />;
  if (!shown) {
    if (isEditor) return null;
    return <p class="empty">{l10n.t("Run a statement in a SQL file to see its results here.")}</p>;
  }
  return (
    <main class="sql-results">
      <h1 class="visually-hidden">{l10n.t("SQL Results")}</h1>
      {!isEditor && (
        <Tabs tabs={tabs} selected={shown.runId} select={(runId) => void host.select(runId)} />
      )}
      <Result
        key={shown.runId}
        shown={shown}
        isPinned={tabs.some(({ runId, isPinned }) => isPinned && runId === shown.runId)}
        isEditor={isEditor}
        host={host}
      />
    </main>
  );
}

/** An editor that VS Code has restored without its result. */
function GoneResult({ runId, statement, place, host }: SavedSqlResult & Pick<Props, "host">) {
  const runAgain = (): void => void host.send({ type: "run", runId, anyway: false });
  return (
    <main class="sql-results">
      <h1 class="visually-hidden">{l10n.t("SQL Results")}</h1>
      <div class="shown">
        <div class="head">
          <code tabIndex={0} title={statement}>
            {statement}
          </code>
          <span class="place">{place}</span>
        </div>
        <p>
          {l10n.t("The rows of this result are no longer stored.")}{" "}
          {statement !== "" && <Button label={l10n.t("Run Again")} press={runAgain} />}
        </p>
      </div>
    </main>
  );
}

interface TabsProps {
  tabs: readonly SqlResultTab[];
  selected: string;
  select: (runId: string) => void;
}

function Tabs({ tabs, selected, select }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ runId }) => runId === selected);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[to];
    if (to === undefined || !next) return;
    event.preventDefault();
    select(next.runId);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus();
  };
  return (
    <div
      ref={list}
      class="tabs"
      role="tablist"
      aria-orientation="vertical"
      aria-label={l10n.t("Results")}
      onKeyDown={move}
    >
      {tabs.map((tab) => (
        <button
          key={tab.runId}
          type="button"
          role="tab"
          id={`tab-${tab.runId}`}
          aria-selected={tab.runId === selected}
          aria-controls="result"
          tabIndex={tab.runId === selected ? 0 : -1}
          title={tab.title}
          onClick={() => select(tab.runId)}
        >
          <Icon name={iconOf(tab)} />
          <span class="title">{tab.title}</span>
          {tab.isPinned && <Icon name="pinned" />}
          {tab.isPinned && <span class="visually-hidden">{l10n.t("pinned")}</span>}
          {tab.isRunning && <span class="visually-hidden">{l10n.t("running")}</span>}
          {tab.hasFailed && <span class="visually-hidden">{l10n.t("failed")}</span>}
        </button>
      ))}
    </div>
  );
}

function iconOf({ isRunning, hasFailed }: SqlResultTab): string {
  if (isRunning) return "sync";
  return hasFailed ? "error" : "table";
}

interface ResultProps {
  shown: ShownResult;
  isPinned: boolean;
  isEditor: boolean;
  host: Props["host"];
}

function Result({ shown, isPinned, isEditor, host }: ResultProps) {
  const [isChart, setIsChart] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const output = useRef<ResultOutput>(undefined);
  useLayoutEffect(() => {
    const created = new ResultOutput(shown, {
      instance: "sqlResults",
      number: 1,
      fills: true,
      post: (message) => {
        host.send(message).then(
          (answer) =>
            answer && created.receive(answer as Extract<ToPage, { type: "window" | "copied" }>),
          // The host has logged why.
          () => undefined,
        );
      },
    });
    output.current = created;
    place.current?.append(created.element);
    return () => created.dispose();
  }, []);
  useLayoutEffect(() => {
    const { runId, columns } = shown;
    output.current?.receive({ type: "progress", runId, progress: shown, columns });
  }, [shown]);
  return (
    <div
      class="shown"
      id="result"
      role={isEditor ? undefined : "tabpanel"}
      aria-labelledby={isEditor ? undefined : `tab-${shown.runId}`}
    >
      <div class="head">
        {/* A long one scrolls, by keyboard too. */}
        <code tabIndex={0} title={shown.statement}>
          {shown.statement}
        </code>
        <span class="place">{shown.place}</span>
        {shown.count > 0 && (
          <Button
            label={isChart ? l10n.t("Show Rows") : l10n.t("Show Chart")}
            press={() => setIsChart(!isChart)}
          />
        )}
        {!isEditor && <TabButtons runId={shown.runId} isPinned={isPinned} host={host} />}
      </div>
      {isChart && (
        <Chart columns={shown.columns} count={shown.count} read={() => readRows(shown, host)} />
      )}
      <div ref={place} class="sql-result" hidden={isChart} />
    </div>
  );
}

function TabButtons({
  runId,
  isPinned,
  host,
}: { runId: string } & Omit<ResultProps, "shown" | "isEditor">) {
  return (
    <>
      <IconButton
        icon="go-to-file"
        label={l10n.t("Open in Editor")}
        press={() => void host.openInEditor(runId)}
      />
      <IconButton
        icon={isPinned ? "pinned" : "pin"}
        label={isPinned ? l10n.t("Unpin Result") : l10n.t("Pin Result")}
        press={() => void host.pin(runId, !isPinned)}
      />
      <IconButton
        icon="close"
        label={l10n.t("Close Result")}
        press={() => void host.close(runId)}
      />
    </>
  );
}

/** The rows of a chart, as the server has sent them. */
async function readRows(
  { runId }: ShownResult,
  host: Props["host"],
): Promise<readonly ResultRow[]> {
  const part = { from: 0, count: maxChartRows, view: {} };
  const request = { type: "window", runId, instance: "chart", request: 0, ...part } as const;
  const answer = (await host.send(request)) as ToPage | undefined;
  return answer?.type === "window" ? answer.rows : [];
}

startPage(SqlResults);
