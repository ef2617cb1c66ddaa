// The page that adds the rows of a source to a knowledge base: columns, preview, progress, outcome.
import * as l10n from "@vscode/l10n";
import { useEffect, useRef } from "preact/hooks";
import { useFocus } from "../../../shared/page/itemFrame.tsx";
import { Button, Icon, NoticeBox, Picker, Section, Table } from "../../../shared/page/parts.tsx";
import { startPage, type PageProps } from "../../../shared/page/startPage.tsx";
import { save } from "../../../shared/page/webview.ts";
import type { fillCalls, FillForm, FillState, RunOutcome } from "../../fillPage.ts";
import "./fill.css";

type Props = PageProps<FillState, typeof fillCalls>;

function FillView({ state, host }: Props) {
  const { item, connection, source, notice, form, progress, outcome } = state;
  const main = useRef<HTMLElement>(null);
  useFocus(main);
  useEffect(() => save({ knowledgeBase: item, source }), [source]);
  useEffect(() => {
    if (form) save({ mapping: Object.entries(form.mapping), existing: form.existing });
  }, [form]);
  const ended = useRef<HTMLDivElement>(null);
  const restored = useRef(outcome);
  useEffect(() => {
    if (!outcome || outcome === restored.current) return;
    // The page can be longer than the window, and what the button led to is at its end.
    ended.current?.scrollIntoView({ block: "nearest" });
    // A run that ends before its progress was drawn leaves the focus on the button that would start another run.
    if (main.current?.querySelector("footer")?.contains(document.activeElement)) {
      ended.current?.querySelector<HTMLElement>("[data-first]")?.focus({ preventScroll: true });
    }
  }, [outcome]);
  const counts = state.counts ?? [l10n.t("Counting documents…")];
  return (
    <main class="form" ref={main}>
      <div class="scroller">
        <div class="page">
          <header>
            <h1>{l10n.t("Add Content")}</h1>
            <p class="place">
              {l10n.t(
                "To the knowledge base {0} in {1} on {2}",
                item.name,
                item.project,
                connection,
              )}
            </p>
          </header>
          <Section title={l10n.t("Source")}>
            <p class="code source">{form?.source ?? l10n.t("Reading the source…")}</p>
            <ul class="counts">{form && counts.map((text) => <li key={text}>{text}</li>)}</ul>
            <Button
              kind="link"
              label={l10n.t("Select Another Source…")}
              isDisabled={progress !== undefined}
              isFirst={notice !== undefined && !form}
              press={host.chooseSource}
            />
          </Section>
          {notice && <NoticeBox notice={notice} press={host.runNoticeAction} />}
          {form && <Form {...{ form, progress, outcome, host }} />}
          <div class="outcome" role="status" ref={ended}>
            {outcome && !progress && <Outcome outcome={outcome} host={host} />}
          </div>
        </div>
      </div>
      <footer class="actions">
        <RunControls state={state} host={host} />
      </footer>
    </main>
  );
}

interface FormProps extends Pick<FillState, "progress" | "outcome"> {
  form: FillForm;
  host: Props["host"];
}

function Form({ form, progress, outcome, host }: FormProps) {
  const { columns, mapping, preview, problems, warnings, idNote, existing } = form;
  const isRunning = progress !== undefined;
  return (
    <>
      <Section title={l10n.t("Columns")}>
        <Table
          name={l10n.t("Columns")}
          head={[l10n.t("Column"), l10n.t("First value"), l10n.t("Used as")]}
          rows={columns.map(({ name, sample, roles }, at) => [
            name,
            sample,
            <Picker
              label={l10n.t("How {0} is used", name)}
              choices={roles.map(({ role, label }) => [role, label])}
              value={mapping[name] ?? "none"}
              isDisabled={isRunning}
              isFirst={at === 0 && !isRunning && !outcome}
              change={(role) => void host.map(name, role)}
            />,
          ])}
        />
      </Section>
      <Section title={l10n.t("First documents")}>
        {problems.map((text) => (
          <p key={text} class="problem" role="alert">
            <Icon name="error" /> {text}
          </p>
        ))}
        {warnings.map((text) => (
          <p key={text} class="problem warning">
            <Icon name="warning" /> {text}
          </p>
        ))}
        {preview.length > 0 && (
          <Table
            name={l10n.t("First documents")}
            head={[l10n.t("ID"), l10n.t("Content"), l10n.t("Metadata")]}
            rows={preview.map(({ id, content, metadata }) => [
              id,
              <div class="cell">{content}</div>,
              <div class="cell">{metadata}</div>,
            ])}
          />
        )}
        {preview.length === 0 && problems.length === 0 && (
          <p class="hint">{l10n.t("None of the first rows produces a document.")}</p>
        )}
        <p class="hint">{idNote}</p>
      </Section>
      <div class="section">
        <label class="existing">
          {l10n.t("If a document ID already exists")}
          <Picker
            choices={[
              ["skip", l10n.t("Skip (keep the stored document)")],
              ["replace", l10n.t("Replace it")],
            ]}
            value={existing}
            isDisabled={isRunning}
            change={(chosen) => void host.setExisting(chosen === "replace" ? chosen : "skip")}
          />
        </label>
      </div>
    </>
  );
}

/** Starts, resumes, cancels, and shows how far the run is. */
function RunControls({ state, host }: Props) {
  const { documents, progress, isCanceling, outcome } = state;
  const resume = progress ? undefined : outcome?.resume;
  const text = isCanceling ? l10n.t("Canceling after this batch…") : progress?.text;
  return (
    <>
      <div class="row">
        {resume !== undefined && (
          <Button key="resume" kind="primary" label={resume} isFirst press={host.start} />
        )}
        {!progress && resume === undefined && (
          <Button
            // A button of its own: a press that comes too late to cancel must not start another run.
            key="start"
            kind="primary"
            label={l10n.t("Add Content")}
            isDisabled={documents === 0}
            press={host.start}
          />
        )}
        {progress && (
          <Button
            key="cancel"
            label={l10n.t("Cancel")}
            isDisabled={isCanceling}
            isFirst
            press={host.cancel}
          />
        )}
        <div class="status" role="status">
          {progress && text}
        </div>
      </div>
      {progress && (
        <progress class="progress" max={Math.max(1, progress.total)} value={progress.done} />
      )}
    </>
  );
}

function Outcome({ outcome, host }: { outcome: RunOutcome; host: Props["host"] }) {
  const { isGood, headline, reasons, missing, more, resume } = outcome;
  const hasMissing = missing.length > 0;
  return (
    <>
      <p class={`headline ${isGood ? "good" : "bad"}`}>
        <Icon name={isGood ? "pass-filled" : "warning"} />
        <strong>{headline}</strong>
      </p>
      {reasons.map((text) => (
        <p key={text} class="reason">
          {text}
        </p>
      ))}
      {hasMissing && <h3>{l10n.t("Missing")}</h3>}
      {hasMissing && (
        <ul class="missing code">
          {[...missing, more].filter(Boolean).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <div class="row">
        {hasMissing && <Button label={l10n.t("Show All Missing IDs")} press={host.showMissing} />}
        <Button
          isFirst={resume === undefined}
          label={l10n.t("Show Knowledge Base")}
          press={host.showKnowledgeBase}
        />
      </div>
    </>
  );
}

startPage(FillView);
