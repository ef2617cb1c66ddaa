// The parts of a result around its grid: the state of its run, warnings, metrics, and tools.
import * as l10n from "@vscode/l10n";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Message } from "../../shared/page/parts.tsx";
import type { CopyFormat, Metrics, RunProgress } from "../messages.ts";
import { formatMetrics, formatProgress, formatTime } from "./formatProgress.ts";
import { formatNumber } from "../../shared/page/l10n.ts";
import type { StateButton } from "./stateButtons.ts";

interface ResultFrameProps extends ToolsProps {
  /** Position among the results of the page, for accessible labels. */
  number: number;
  progress: RunProgress;
  isGone: boolean;
  buttons: StateButton[];
  press: (button: StateButton) => void;
  grid: HTMLElement;
  /** The text of the current cell, if it does not fit into the cell. */
  cell: { label: string; text: string } | undefined;
}

export function ResultFrame(props: ResultFrameProps) {
  const { number, progress, isGone, buttons, press, grid, cell } = props;
  const { state, origin, seconds, changes = [] } = progress;
  const stateMessage = "message" in state ? (state.message ?? "") : "";
  const message = isGone
    ? l10n.t("The full result of this run is no longer stored. These are its first rows.")
    : stateMessage;
  return (
    <section class="result" aria-label={`${l10n.t("Predictions")} ${String(number)}`}>
      <div class="result-bar">
        <span class="count">{formatProgress(progress)}</span>
        {seconds !== undefined && (
          <span
            class="seconds"
            title={l10n.t("The time from sending the statement until its last row arrived")}
          >
            {formatTime(seconds)}
          </span>
        )}
        {origin !== undefined && (
          <span class="origin">
            {origin}
            {changes.length > 0 && ". "}
            {changes.length > 0 && <span class="stale">{changes.join(" ")}</span>}
          </span>
        )}
        <span class="space" />
        <span class="buttons">
          {buttons.map((button) => (
            <button
              key={`${button.message.type} ${button.title}`}
              type="button"
              class={button.className}
              onClick={() => press(button)}
            >
              {button.title}
            </button>
          ))}
        </span>
      </div>
      {message !== "" && (
        <div class={`message ${isGone ? "" : state.kind}`}>
          <Message text={message} />
        </div>
      )}
      <Notes notes={progress.notes} hasRows={progress.count > 0} />
      <MetricsList {...progress} />
      <Tools {...props} />
      <Placed element={grid} />
      <div
        class="cell-text"
        role="group"
        tabIndex={0}
        aria-label={cell?.label}
        hidden={cell === undefined}
      >
        {cell?.text}
      </div>
    </section>
  );
}

function Placed({ element }: { element: HTMLElement }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.append(element), []);
  return <div ref={place} />;
}

/** Notes that are open at once. */
const maxOpenNotes = 3;
/** Pixels of a page in which open notes leave room for rows. The panel is often lower. */
const roomForNotes = 400;

function Notes({ notes, hasRows }: { notes: string[]; hasRows: boolean }) {
  const details = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    const hasRoom = !hasRows || innerHeight >= roomForNotes;
    if (details.current && hasRoom && notes.length <= maxOpenNotes) details.current.open = true;
  }, [notes.join("\n")]);
  return (
    <details ref={details} hidden={notes.length === 0}>
      <summary>
        {notes.length === 1
          ? l10n.t("1 warning")
          : l10n.t("{0} warnings", formatNumber(notes.length))}
      </summary>
      <ul class="notes">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}

/** How far off the predictions of one model are, or of two that are compared. */
function MetricsList({ metrics, comparedMetrics }: RunProgress) {
  const shown = comparedMetrics ?? (metrics ? [{ model: undefined, metrics }] : []);
  return (
    <div class="metrics" hidden={shown.length === 0}>
      {shown.map((one, at) => (
        <ModelMetrics key={at} {...one} />
      ))}
    </div>
  );
}

function ModelMetrics({ model, metrics }: { model: string | undefined; metrics: Metrics }) {
  const measures = formatMetrics(metrics);
  const classes = metrics.kind === "classes" && metrics.classes.length > 1 ? metrics : undefined;
  // There can be many cells, and the view is drawn with each move in the grid.
  const table = useMemo(() => classes && <ConfusionTable {...classes} />, [classes]);
  return (
    <div>
      <div>{model === undefined ? measures : `${model} · ${measures}`}</div>
      {/* Never replaced, so that it stays open and does not lose clicks while the numbers change. */}
      <details hidden={!classes}>
        <summary>{l10n.t("Confusion matrix: rows are actual, columns are predicted")}</summary>
        {table}
      </details>
    </div>
  );
}

/** A row for each actual class and a column for each predicted one. */
function ConfusionTable({ classes, confusion }: Extract<Metrics, { kind: "classes" }>) {
  return (
    <table>
      <thead>
        <tr>
          <td />
          {classes.map((name, at) => (
            <th key={at} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {confusion.map((counts, at) => (
          <tr key={at}>
            <th scope="row">{classes[at]}</th>
            {counts.map((count, column) => (
              <td key={column}>{formatNumber(count)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const formats: readonly [CopyFormat, string][] = [
  ["tsv", "TSV"],
  ["csv", "CSV"],
  ["json", "JSON"],
  ["markdown", "Markdown"],
  ["insert", "INSERT"],
  ["inList", "IN"],
];

/** Milliseconds without a key before rows are searched. */
const typingMs = 150;

interface ToolsProps {
  hasTools: boolean;
  hasRefused: boolean;
  isRefusedOnly: boolean;
  hasWhatIf: boolean;
  /** A description of the view, briefly replaced by an announcement. */
  viewStatus: string;
  find: (text: string) => void;
  toggleRefused: () => void;
  openWhatIf: () => void;
  copy: (format: CopyFormat) => void;
  exportRows: () => void;
}

function Tools(props: ToolsProps) {
  const { hasTools, hasRefused, isRefusedOnly, hasWhatIf, viewStatus } = props;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const search = (text: string): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => props.find(text), typingMs);
  };
  return (
    <div class="result-bar tools" hidden={!hasTools}>
      <input
        type="search"
        aria-label={l10n.t("Find in rows")}
        placeholder={l10n.t("Find in rows")}
        onInput={({ currentTarget }) => search(currentTarget.value)}
        onKeyDown={(event) => {
          // Otherwise the notebook would handle the keys, too. F1 is VS Code's.
          if (event.key !== "F1") event.stopPropagation();
        }}
      />
      <button
        type="button"
        hidden={!hasRefused}
        aria-pressed={isRefusedOnly}
        onClick={props.toggleRefused}
      >
        {l10n.t("Refused Only")}
      </button>
      <span class="quiet" role="status">
        {viewStatus}
      </span>
      <span class="space" />
      <button
        type="button"
        hidden={!hasWhatIf}
        title={l10n.t("Predict the current row with other values")}
        onClick={props.openWhatIf}
      >
        {l10n.t("What If…")}
      </button>
      <span class="copies">
        {l10n.t("Copy as")}
        {formats.map(([format, name]) => (
          <button
            key={format}
            type="button"
            class="quiet-button"
            aria-label={l10n.t("Copy as {0}", name)}
            onClick={() => props.copy(format)}
          >
            {name}
          </button>
        ))}
      </span>
      <button type="button" onClick={props.exportRows}>
        {l10n.t("Export…")}
      </button>
    </div>
  );
}
