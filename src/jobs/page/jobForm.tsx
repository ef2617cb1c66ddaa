// The page of the form that creates or changes a job.
import * as l10n from "@vscode/l10n";
import {
  LongTextField,
  SelectField,
  TextField,
  type Choice,
} from "../../shared/page/form/fields.tsx";
import { formatPlace, FormFrame } from "../../shared/page/form/formPageFrame.tsx";
import { NewItemFields } from "../../shared/page/form/newItemFields.tsx";
import { useForm } from "../../shared/page/form/useForm.ts";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import { repeats, scheduleOf, type JobDraft, type JobField } from "../jobDraft.ts";
import { jobFormTitle, type JobForm, type jobFormCalls, type JobFormState } from "../jobForm.ts";
import { formatJobTime, listNextRuns, parseJobTime } from "../jobTimes.ts";
import { findSchedulerProblem, toPlainJobName, validateJob } from "../validation.ts";

const shownRuns = 5;

function JobFormView({ state, host }: PageProps<JobFormState, typeof jobFormCalls>) {
  const { form: given, connection, choices } = state;
  const { before } = given;
  const isNew = before === undefined;
  const now = Date.now() + (choices?.aheadMs ?? 0);
  const form = useForm<JobForm, JobField>({
    state,
    host,
    findProblems: (draft) => validateJob(draft, { choices, before, now }),
    notices: [findSchedulerProblem(choices)],
    complete: (draft) => {
      const plain = isNew ? toPlainJobName(draft.name) : "";
      return plain === "" || plain === draft.name ? draft : { ...draft, name: plain };
    },
  });
  const { draft } = form;
  return (
    <FormFrame
      {...{ state, host, form }}
      title={jobFormTitle(given)}
      place={formatPlace(connection, isNew ? undefined : draft.project)}
      intro={
        isNew
          ? l10n.t("A job is a list of statements the server runs automatically.")
          : l10n.t(
              "The server can't change a job: saving deletes it and creates it again. Its history stays.",
            )
      }
      send={isNew ? jobFormTitle(given) : l10n.t("Save")}
      formatSending={(seconds) => l10n.t("Saving… {0} s", seconds)}
    >
      {isNew && (
        <NewItemFields
          form={form}
          description={l10n.t("The project that contains the job.")}
          projects={choices?.projects}
        />
      )}
      <LongTextField
        form={form}
        name="query"
        label={l10n.t("Statements")}
        description={l10n.t(
          "Separated by semicolons. The first one that fails ends the run. {{PREVIOUS_START_DATETIME}} is the time of the last run.",
        )}
      />
      <SelectField
        form={form}
        name="repeat"
        label={l10n.t("Repeat")}
        description={l10n.t("How often the server runs the statements.")}
        choices={repeats.map((repeat): Choice => [repeat, nameOfRepeat(repeat)])}
      />
      {draft.repeat === "other" && (
        <TextField
          form={form}
          name="interval"
          label={l10n.t("Interval")}
          description={l10n.t("A number of minutes, hours, days, weeks, or months.")}
          placeholder="30 minutes"
        />
      )}
      <TextField
        form={form}
        name="start"
        label={l10n.t("{0} (optional)", l10n.t("Start"))}
        description={
          choices?.aheadMs === undefined
            ? l10n.t("Server time. Without a start, the server runs the job within a minute.")
            : l10n.t(
                "Server time, now {0}. Without a start, the server runs the job within a minute.",
                formatJobTime(now),
              )
        }
        placeholder="2026-12-31 18:00:00"
      />
      <TextField
        form={form}
        name="end"
        label={l10n.t("{0} (optional)", l10n.t("End"))}
        description={l10n.t(
          "The server deletes the job when its next run would be after this time.",
        )}
        placeholder="2027-12-31 18:00:00"
      />
      <NextRuns draft={draft} now={now} isKnown={choices?.aheadMs !== undefined} />
      <LongTextField
        form={form}
        name="condition"
        label={l10n.t("{0} (optional)", l10n.t("Condition"))}
        description={l10n.t("A SELECT: the statements run only if it returns rows.")}
      />
    </FormFrame>
  );
}

function nameOfRepeat(repeat: JobDraft["repeat"]): string {
  switch (repeat) {
    case "once":
      return l10n.t("Never: run once");
    case "hour":
      return l10n.t("Every hour");
    case "day":
      return l10n.t("Every day");
    case "week":
      return l10n.t("Every week");
    case "month":
      return l10n.t("Every month");
    case "other":
      return l10n.t("Other interval");
  }
}

interface NextRunsProps {
  draft: JobDraft;
  now: number;
  /** The server's time is known. */
  isKnown: boolean;
}

function NextRuns({ draft, now, isKnown }: NextRunsProps) {
  const [start, end] = [parseJobTime(draft.start), parseJobTime(draft.end)];
  if (draft.start.trim() === "" ? !isKnown : start === undefined) return null;
  const interval = scheduleOf(draft)?.replace(/^every /, "");
  const isAtOnce = start === undefined || start < now;
  const runs = listNextRuns({ start, end, interval, now }, shownRuns).map(formatJobTime);
  const title = l10n.t("Next Runs");
  return (
    <section class="next-runs" aria-label={title}>
      <h2>{title}</h2>
      <ol>
        {runs.map((run, at) => (
          <li key={at}>{at === 0 && isAtOnce ? l10n.t("{0}, within a minute", run) : run}</li>
        ))}
      </ol>
    </section>
  );
}

startPage(JobFormView);
