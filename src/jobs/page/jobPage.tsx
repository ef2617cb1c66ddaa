// The page of one job. A deleted job's data stays visible, without the buttons.
import * as l10n from "@vscode/l10n";
import type { JobRun } from "../../mindsdb/jobs.ts";
import type { Job } from "../../mindsdb/listItems.ts";
import { wholeSeconds } from "../../mindsdb/wholeSeconds.ts";
import type { ItemState } from "../../shared/itemPage.ts";
import { ItemFrame } from "../../shared/page/itemFrame.tsx";
import { formatNumber } from "../../shared/page/l10n.ts";
import { LongTable } from "../../shared/page/longTable.tsx";
import { Button, Code, Facts, IconButton, Section } from "../../shared/page/parts.tsx";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import type { JobContent, jobCalls } from "../jobPage.ts";
import "./jobPage.css";

type Props = PageProps<ItemState & JobContent, typeof jobCalls>;

function JobView({ state, host }: Props) {
  const { item, connection, isGone, job, runs, onceName } = state;
  const tools = !isGone && job && (
    <>
      <Button
        kind="primary"
        label={l10n.t("Run Now")}
        press={host.runNow}
        isDisabled={onceName !== undefined}
        isFirst
      />
      <Button label={l10n.t("Edit")} press={host.edit} />
    </>
  );
  return (
    <ItemFrame
      state={state}
      host={host}
      place={l10n.t("Job in {0} on {1}", item.project, connection)}
      loading={l10n.t("Loading the job")}
      tools={tools}
      isRead={job !== undefined || runs !== undefined}
    >
      {onceName !== undefined && (
        <p class="hint" role="status">
          {l10n.t(
            "{0} is waiting for the server, which checks for jobs about twice a minute.",
            onceName,
          )}
        </p>
      )}
      {job && <Details job={job} runs={runs} copyStatement={host.copyStatement} />}
      {runs !== undefined && <History runs={runs} hasEarlier={state.hasEarlier} host={host} />}
    </ItemFrame>
  );
}

interface DetailsProps {
  job: Job;
  runs: JobRun[] | null | undefined;
  copyStatement: () => unknown;
}

function Details({ job, runs, copyStatement }: DetailsProps) {
  const { query, condition, schedule, startAt, endAt, nextRunAt, isDue } = job;
  const last = runs?.[0];
  const copy = (
    <IconButton icon="copy" label={l10n.t("Copy CREATE Statement")} press={copyStatement} />
  );
  return (
    <>
      <Facts
        kind="glance"
        facts={[
          [l10n.t("Schedule"), schedule ?? l10n.t("once")],
          [isDue ? l10n.t("Was due") : l10n.t("Next run"), time(nextRunAt)],
          [l10n.t("Last run"), last ? resultOf(last) : l10n.t("none")],
          [l10n.t("Start"), time(startAt)],
          [l10n.t("End"), time(endAt)],
        ]}
      />
      <Section title={l10n.t("Statements")} tools={copy}>
        <Code label={l10n.t("Statements")} text={query} />
      </Section>
      {condition !== undefined && (
        <Section title={l10n.t("Condition")}>
          <Code label={l10n.t("Condition")} text={condition} />
        </Section>
      )}
    </>
  );
}

interface HistoryProps {
  runs: JobRun[] | null;
  hasEarlier: boolean | undefined;
  host: Props["host"];
}

function History({ runs, hasEarlier, host }: HistoryProps) {
  const title = l10n.t("History");
  const rows = (runs ?? []).map((run) => ({
    text: `${run.plannedAt} ${resultOf(run)} ${run.error ?? ""}`,
    cells: () => [time(run.plannedAt), time(run.endedAt), resultOf(run), errorOf(run, host)],
  }));
  return (
    <Section title={title}>
      {runs === null && <p class="hint">{l10n.t("This server has no job history.")}</p>}
      {runs?.length === 0 && <p class="hint">{l10n.t("The job has not run yet.")}</p>}
      <LongTable
        name={title}
        class="job-runs"
        head={[l10n.t("Scheduled for"), l10n.t("Ended"), l10n.t("Result"), l10n.t("Error")]}
        rows={rows}
      />
      {hasEarlier && (
        <p class="hint">
          {l10n.t("These are the last {0} runs.", formatNumber(rows.length))}{" "}
          <Button kind="link" label={l10n.t("Load Earlier Runs")} press={host.showEarlier} />
        </p>
      )}
    </Section>
  );
}

function errorOf({ plannedAt, error, errorLength }: JobRun, host: Props["host"]) {
  return (
    <>
      {error !== undefined && <span class="error">{error}</span>}
      {errorLength !== undefined && (
        <Button
          kind="link"
          label={l10n.t("Open Whole Text ({0} characters)", formatNumber(errorLength))}
          press={() => host.openError(plannedAt)}
        />
      )}
    </>
  );
}

/** The server notes a run before it begins. */
function resultOf({ error, endedAt }: JobRun): string {
  if (error !== undefined) return l10n.t("failed");
  return endedAt === undefined ? l10n.t("running") : l10n.t("done");
}

function time(text: string | undefined): string {
  return text === undefined ? l10n.t("none") : wholeSeconds(text);
}

startPage(JobView);
