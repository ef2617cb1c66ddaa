// The page of the form that trains a model.
import * as l10n from "@vscode/l10n";
import { useEffect } from "preact/hooks";
import { toPlainName } from "../../mindsdb/sql/plainName.ts";
import {
  Field,
  LongTextField,
  nameChoices,
  SelectField,
  type Choice,
} from "../../shared/page/form/fields.tsx";
import { FormFrame } from "../../shared/page/form/formPageFrame.tsx";
import { NewItemFields } from "../../shared/page/form/newItemFields.tsx";
import { RowsTable } from "../../shared/page/form/rowsTable.tsx";
import { useForm } from "../../shared/page/form/useForm.ts";
import { Button } from "../../shared/page/parts.tsx";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import { save } from "../../shared/page/webview.ts";
import { explainNoRows } from "../../tables/explainNoRows.ts";
import type { TrainDraft, TrainForm } from "../trainDraft.ts";
import { omitTypedKeys } from "../trainDraft.ts";
import { trainTitle, type TrainContent, type TrainState, type trainCalls } from "../trainPage.ts";
import { validateTraining, type TrainField } from "../trainValidation.ts";
import "./train.css";

function TrainView({ state, host }: PageProps<TrainState, typeof trainCalls>) {
  const { form: given, connection, choices, rows, started } = state;
  const { kind, version = 1 } = given;
  const isNew = kind === "create";
  const columns = rows?.read?.columns.map(({ name }) => name);
  const complete = (draft: TrainDraft): TrainDraft => {
    if (!isNew) return draft;
    const name = toPlainName(draft.name, "model") || draft.name;
    const engine = draft.engine || (choices?.engines[0] ?? "");
    const isComplete = name === draft.name && engine === draft.engine;
    return isComplete ? draft : { ...draft, name, engine };
  };
  const form = useForm<TrainForm, TrainField>({
    state,
    host,
    findProblems: (draft) =>
      validateTraining(kind, draft, {
        items: choices?.project === draft.project ? choices.items : undefined,
        columns,
      }),
    notices: [rows?.problem],
    complete,
    omitKeys: omitTypedKeys,
  });
  useEffect(() => save({ started: started ?? null }), [started]);
  const { draft } = form;
  const pickTable = async (): Promise<void> => {
    const table = await host.pickTable();
    if (typeof table !== "string") return;
    form.change({ table });
    form.leave("table");
  };
  return (
    <FormFrame
      {...{ state, host, form }}
      title={trainTitle(given)}
      place={
        isNew
          ? l10n.t("On {0}", connection)
          : l10n.t("Version {0} in {1} on {2}", version, draft.project, connection)
      }
      intro={describeTraining(kind)}
      send={trainTitle(given)}
      formatSending={(seconds) =>
        l10n.t(
          "Starting the training… {0} s. This takes longer if the server has no free worker.",
          seconds,
        )
      }
      copies={[[l10n.t("Copy as SQL"), () => form.callWithDraft(host.copySql)]]}
      done={
        started && {
          title: l10n.t(
            "Training of {0} (version {1}) has started.",
            started.name,
            started.version,
          ),
          note: l10n.t(
            "The tree and the model's page show the progress. You'll be notified when it finishes.",
          ),
          next: [
            [l10n.t("Show Model"), host.showModel],
            [l10n.t("Train Another"), host.another],
          ],
        }
      }
    >
      {isNew && (
        <NewItemFields
          form={form}
          description={l10n.t("The project that contains the model.")}
          projects={choices?.projects}
        />
      )}
      <SelectField
        form={form}
        name="source"
        label={l10n.t("Training Rows")}
        description={l10n.t("The rows the model learns from.")}
        choices={listSources(kind, version)}
        isFirst={!isNew}
        below={draft.source === "same" && <TrainingQuery query={given.query} />}
      />
      {draft.source === "table" && (
        <Field
          form={form}
          name="table"
          label={l10n.t("Table")}
          description={l10n.t("All its rows and columns are used.")}
        >
          {() => (
            <div class="row">
              <span class="chosen code">{draft.table || l10n.t("No table yet.")}</span>
              <Button label={l10n.t("Select Table…")} press={pickTable} />
            </div>
          )}
        </Field>
      )}
      {draft.source === "select" && (
        <LongTextField
          form={form}
          name="select"
          label={l10n.t("SELECT")}
          description={l10n.t(
            "Include the data source in table names: SELECT * FROM files.sales WHERE year > 2020",
          )}
        />
      )}
      {rows && <RowsPreview rows={rows} target={draft.target} load={host.loadRows} />}
      {kind !== "finetune" && (
        <SelectField
          form={form}
          name="target"
          label={l10n.t("Target")}
          description={l10n.t("The column the model predicts.")}
          choices={[
            ...(draft.target === "" ? [["", l10n.t("Select a column")] as Choice] : []),
            ...nameChoices(columns, draft.target),
          ]}
        />
      )}
      {isNew && (
        <SelectField
          form={form}
          name="engine"
          label={l10n.t("Engine")}
          description={l10n.t(
            "The engine that trains the model. Only this server's engines are listed.",
          )}
          value={complete(draft).engine}
          choices={nameChoices(choices?.engines, draft.engine)}
        />
      )}
      <LongTextField
        form={form}
        name="options"
        label={l10n.t("Options")}
        description={describeOptions(given)}
      />
      {kind === "retrain" && (
        <SelectField
          form={form}
          name="activates"
          label={l10n.t("Active Version")}
          description={l10n.t("Predictions without a version use the active one.")}
          value={draft.activates ? "yes" : "no"}
          set={(value) => form.change({ activates: value === "yes" })}
          choices={[
            ["yes", l10n.t("Use the new version when it is trained")],
            ["no", l10n.t("Keep using the current version")],
          ]}
        />
      )}
    </FormFrame>
  );
}

function describeTraining(kind: TrainForm["kind"]): string {
  switch (kind) {
    case "create":
      return l10n.t("A model learns from rows to predict one of the columns.");
    case "retrain":
      return l10n.t("Trains a new version. Existing versions stay.");
    case "finetune":
      return l10n.t("Trains a new version that starts from this one and learns from more rows.");
  }
}

function listSources(kind: TrainForm["kind"], version: number): Choice[] {
  return [
    ...(kind === "retrain"
      ? [["same", l10n.t("The query of version {0}", version)] as Choice]
      : []),
    ["table", l10n.t("A table")],
    ["select", l10n.t("A SELECT")],
  ];
}

function describeOptions({ kind, hasHidden = false }: TrainForm): string {
  const syntax = l10n.t("One option per line, as in a USING clause. Example: window = 10");
  if (kind !== "retrain" || !hasHidden) return syntax;
  return l10n.t(
    "{0}. Options with keys are hidden and stay unchanged unless you edit a line.",
    syntax,
  );
}

/** Focusable, so that it can be scrolled by keyboard. */
function TrainingQuery({ query = "" }: { query?: string | undefined }) {
  return (
    <pre class="query code" role="region" aria-label={l10n.t("Training query")} tabIndex={0}>
      {query}
    </pre>
  );
}

interface RowsPreviewProps {
  rows: NonNullable<TrainContent["rows"]>;
  target: string;
  load: () => unknown;
}

/** The first training rows: what the model will learn from. */
function RowsPreview({ rows, target, load }: RowsPreviewProps) {
  const { isReading = false, mayCost = false, read } = rows;
  const name = l10n.t("First training rows");
  if (!isReading && !mayCost && !read) return null;
  let status = l10n.t("The first rows and the columns used for training.");
  if (isReading) status = l10n.t("Reading the first rows…");
  else if (mayCost) {
    status = l10n.t("Reading these rows may cost money, so they were not read.");
  } else if (read?.rows.length === 0) status = explainNoRows(read);
  return (
    <section class="preview">
      <h2>{name}</h2>
      <p class="description" role="status">
        {status}
      </p>
      {mayCost && <Button label={l10n.t("Load Preview…")} press={load} />}
      {read && read.columns.length > 0 && <RowsTable rows={read} name={name} marked={target} />}
    </section>
  );
}

startPage(TrainView);
