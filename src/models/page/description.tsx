// The sections of a description, the most useful ones first.
import * as l10n from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { formatNumber } from "../../shared/page/l10n.ts";
import {
  Button,
  CodeBlock,
  Collapsible,
  Facts,
  Icon,
  IconButton,
  Section,
  Table,
} from "../../shared/page/parts.tsx";
import type { Host } from "../../shared/pageProtocol.ts";
import type { Column, Figure, ModelDescription, modelCalls } from "../modelPage.ts";
import { loadingText } from "./attributes.tsx";
import { ImportanceTable } from "./importanceTable.tsx";

interface DescriptionProps {
  description: ModelDescription;
  progress: string;
  host: Host<typeof modelCalls>;
  opened: Record<string, boolean>;
  setOpen: (part: string, isOpen: boolean) => void;
}

export function Description(props: DescriptionProps) {
  const { importances, inputs, outputs, stages, version, error, missingEngine } = props.description;
  return (
    <>
      <Headline {...props.description} showEngine={props.host.showEngine} />
      {error && <TrainingError {...props} error={error} />}
      <MissingNotice {...props.description} progress={props.progress} />
      {missingEngine !== undefined && (
        <div class="row">
          <Button label={l10n.t("Create ML Engine…")} press={props.host.createEngine} />
        </div>
      )}
      {importances.length > 0 && (
        <Section title={l10n.t("Column importance")}>
          <p class="hint">{l10n.t("How much each input column contributes to the prediction.")}</p>
          <ImportanceTable importances={importances} />
        </Section>
      )}
      {inputs.length > 0 && <ColumnTable title={l10n.t("Inputs")} columns={inputs} />}
      {outputs.length > 0 && <ColumnTable title={l10n.t("Outputs")} columns={outputs} />}
      {stages.length > 0 && (
        <Section title={l10n.t("Stages")}>
          <ol class="flow">
            {stages.map((stage, at) => (
              <li key={at}>
                {at > 0 && <Icon name="arrow-right" />}
                <span class="stage code">{stage}</span>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {version !== undefined && <Training {...props} />}
    </>
  );
}

/** Status, target, accuracy and engine. */
function Headline(props: ModelDescription & { showEngine: () => unknown }) {
  const { version, status, target, accuracies, engine, missingEngine, showEngine } = props;
  return (
    <dl class="headline">
      {version !== undefined && (
        <Tile name={l10n.t("Status")} status={status}>
          <span>
            <Icon name={statusIcon(status)} /> {status}
          </span>
        </Tile>
      )}
      {target !== undefined && (
        <Tile name={l10n.t("Predicts")}>
          <code>{target}</code>
        </Tile>
      )}
      {accuracies.map((accuracy, at) => (
        <Accuracy key={at} {...accuracy} />
      ))}
      {engine !== undefined && (
        <Tile name={l10n.t("Engine")}>
          {missingEngine === undefined ? (
            <Button kind="link" label={engine} press={showEngine} />
          ) : (
            <span>{engine}</span>
          )}
        </Tile>
      )}
    </dl>
  );
}

interface TileProps {
  name: string;
  status?: string;
  children: ComponentChildren;
}

function Tile({ name, status, children }: TileProps) {
  return (
    <div data-status={status}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Accuracy({ name, value }: Figure) {
  return (
    <Tile name={name || l10n.t("Accuracy")}>
      <span class="figure" title={String(value)}>
        {formatFigure(value)}
      </span>
    </Tile>
  );
}

function statusIcon(status: string): string {
  if (status === "complete") return "pass";
  return status === "error" ? "error" : "sync";
}

/** Formats with at most six digits; the tooltip has the whole number. */
function formatFigure(value: number): string {
  return formatNumber(value, { maximumSignificantDigits: 6 });
}

type TrainingErrorProps = DescriptionProps & { error: NonNullable<ModelDescription["error"]> };

function TrainingError({ error, host, opened, setOpen }: TrainingErrorProps) {
  return (
    <div class="notice error">
      <Icon name="error" />
      <div class="text">
        <strong>{l10n.t("Training failed")}</strong>
        <p class="sentence">{error.sentence}</p>
        {error.whole !== undefined && (
          <Collapsible
            kind="whole"
            part="error"
            summary={l10n.t("Show the whole error")}
            isOpen={opened["error"] ?? false}
            setOpen={(isOpen) => setOpen("error", isOpen)}
          >
            <div class="code">{error.whole}</div>
          </Collapsible>
        )}
      </div>
      <IconButton icon="copy" label={l10n.t("Copy Error")} press={() => host.copy("error")} />
    </div>
  );
}

function MissingNotice(props: ModelDescription & { progress: string }) {
  const { missing, isTraining, progress } = props;
  if (missing === "loading") return <p class="hint">{loadingText()}</p>;
  if (missing === undefined && !isTraining) return null;
  const name = isTraining ? "sync" : missing === "failed" ? "warning" : "info";
  const sentences = [
    ...(isTraining ? [l10n.t("Training in progress. This page updates when it finishes.")] : []),
    ...(missing === undefined ? [] : [explainMissing(missing, props.missingReason)]),
  ];
  return (
    <div class="notice">
      <Icon name={name} />
      <div class="text">
        {sentences.join(" ")}
        {isTraining && <div class="training-progress">{progress}</div>}
      </div>
    </div>
  );
}

function explainMissing(
  missing: Exclude<ModelDescription["missing"], "loading" | undefined>,
  reason = "",
): string {
  switch (missing) {
    case "training":
      return l10n.t("Metrics and columns are available once the model is trained.");
    case "trainingFailed":
      return l10n.t("A model that was not trained has no metrics or columns.");
    case "nothing":
      return l10n.t("The engine of this model provides no metrics or columns.");
    case "failed":
      return l10n.t("The engine could not describe the model: {0}", reason);
  }
}

/** Columns, with types and encoders if known. */
function ColumnTable({ title, columns }: { title: string; columns: Column[] }) {
  const hasTypes = columns.some(({ type }) => type !== undefined);
  const hasEncoders = columns.some(({ encoder }) => encoder !== undefined);
  const head = [l10n.t("Column")];
  if (hasTypes) head.push(l10n.t("Type"));
  if (hasEncoders) head.push(l10n.t("Encoder"));
  const rows = columns.map(({ name, type = "", encoder = "" }) => {
    return [name, ...(hasTypes ? [type] : []), ...(hasEncoders ? [encoder] : [])];
  });
  return (
    <Section title={title}>
      <Table name={title} head={head} rows={rows} />
    </Section>
  );
}

function Training({ description, host, opened, setOpen }: DescriptionProps) {
  const { query, options, createdAt, trainingTime, updateStatus, serverVersion } = description;
  const facts: [string, string | undefined][] = [
    [l10n.t("Created"), createdAt],
    [
      l10n.t("Training time"),
      trainingTime === undefined ? undefined : l10n.t("{0} s", formatFigure(trainingTime)),
    ],
    [l10n.t("Update"), updateStatus?.replaceAll("_", " ")],
    [l10n.t("Trained with MindsDB"), serverVersion],
  ];
  const copy = (label: string, text: "query" | "options") => (
    <IconButton icon="copy" label={label} press={() => host.copy(text)} />
  );
  return (
    <Collapsible
      kind="folded"
      part="training"
      summary={<h2>{l10n.t("Training")}</h2>}
      isOpen={opened["training"] ?? false}
      setOpen={(isOpen) => setOpen("training", isOpen)}
    >
      <div class="folded-body">
        <Facts kind="facts" facts={facts.filter(([, value]) => value !== undefined)} />
        {query !== undefined && (
          <CodeBlock
            title={l10n.t("Training query")}
            text={query}
            tools={
              <>
                {copy(l10n.t("Copy Query"), "query")}
                <IconButton
                  icon="go-to-file"
                  label={l10n.t("Open Query in Editor")}
                  press={() => host.open("query")}
                />
              </>
            }
          />
        )}
        {query !== undefined && (
          <p class="hint">{l10n.t("It runs on the data source the model was trained from.")}</p>
        )}
        {options !== undefined && (
          <CodeBlock
            title={l10n.t("Training options")}
            text={options}
            tools={copy(l10n.t("Copy Options"), "options")}
          />
        )}
      </div>
    </Collapsible>
  );
}
