import * as l10n from "@vscode/l10n";
import { render } from "preact";
import { Grid } from "../../shared/page/grid/grid.ts";
import { windowRows } from "../../shared/page/grid/gridRows.ts";
import type {
  CopyFormat,
  ResultColumn,
  ResultHeader,
  ResultRow,
  ResultView as View,
  RunProgress,
  ToHost,
  ToPage,
} from "../messages.ts";
import { parseStringLiteral } from "../rows/jsonLiteral.ts";
import { drawCell, IntervalScale, maxCellText } from "./drawCell.ts";
import { formatRowCount } from "./formatProgress.ts";
import { measureContentWidths, isOfOneModel, isPrediction, toGridColumns } from "./gridColumns.ts";
import { formatNumber } from "../../shared/page/l10n.ts";
import { ResultFrame } from "./resultFrame.tsx";
import { createStateButtons } from "./stateButtons.ts";

interface ResultOutputOptions {
  instance: string;
  /** Position among the results of the page, for accessible labels. */
  number: number;
  /** Absent while the host has not vouched for the result: only data is shown. */
  post: ((message: ToHost) => void) | undefined;
  /** Whether the layout of the page limits the height of the grid. */
  fills?: boolean;
}

/** Milliseconds between two requests for a sorted or filtered view of a running result. */
const renewIntervalMs = 3_000;

/** Width in pixels of a column that shows the reasons of refused rows. */
const reasonWidth = 320;

/** Milliseconds for which the view says what was copied. */
const announcementMs = 3_000;

/** One result in a cell's output: the grid, whose rows the host sends in windows, and what is around it. */
export class ResultOutput {
  readonly element = document.createElement("div");
  readonly runId: string;
  readonly #options: ResultOutputOptions;
  readonly #grid: Grid<ResultRow>;
  readonly #scale = new IntervalScale();
  #columns: readonly ResultColumn[] = [];
  #progress: RunProgress;
  #view: View = {};
  /** The number of rows and the time when the sorted or filtered view was last requested. */
  #lastViewRequest = { count: 0, at: 0 };
  #request = 0;
  #first: readonly ResultRow[];
  #isLive = false;
  /** Whether the columns have been sized to their content. */
  #isSized = false;
  /** The position of the current row in the view. */
  #row = 0;
  /** The current cell, or the reason of its row's refusal, if it does not fit into the cell. */
  #cell: { label: string; text: string } | undefined;
  #isGone = false;
  /** Whether the host can run the cell of a result that is gone. */
  #canRun = false;
  #isSortedByDifference = false;
  /** A description of the view, and the announcement that briefly replaces it. */
  #viewStatus = "";
  #announcement: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(header: ResultHeader, options: ResultOutputOptions) {
    this.runId = header.runId;
    this.#options = options;
    this.#progress = header;
    this.#first = header.first;
    this.#grid = new Grid<ResultRow>({
      label: l10n.t("Predictions"),
      help: l10n.t(
        "Arrow keys move, Shift selects, and Ctrl+C copies. In the header, Enter sorts, and Alt+Left and Alt+Right resize.",
      ),
      fills: options.fills ?? false,
      fetch: (from, count) => this.#fetch(from, count),
      draw: (cell, row, column) => drawCell(cell, row, column, this.#columns, this.#scale),
      spanOf: (row, column) => this.#spanOf(row, column),
      numbers: { label: l10n.t("Row"), of: ({ number }) => number },
      sort: (column) => this.#sort(column),
      copy: () => this.#copy("tsv"),
      moved: (row, column) => this.#showCell(row, column),
    });
    const { runId, columns } = header;
    this.update(header, columns);
    this.receive({ type: "progress", runId, progress: header, columns });
  }

  /** Whether the host has sent the header. */
  get isVouched(): boolean {
    return this.#options.post !== undefined;
  }

  receive(message: Exclude<ToPage, { type: "began" | "stored" | "result" }>): void {
    if (!this.isVouched) return;
    switch (message.type) {
      case "progress":
        this.#isLive = true;
        this.#isGone = false;
        this.update(message.progress, message.columns);
        break;
      case "gone":
        this.#isGone = true;
        this.#canRun = message.canRun;
        this.#isLive = false;
        this.update(this.#progress, this.#columns);
        break;
      case "copied":
        this.#announce(l10n.t("Copied {0}", formatRowCount(message.count)));
        break;
      case "window":
        // The rows of an earlier view.
        if (message.request < this.#request) return;
        this.#scale.include(this.#columns, message.rows);
        this.#sizeColumns(message.rows);
        this.#grid.setTotal(message.total);
        this.#grid.setRows(message.from, message.rows);
        this.#setViewStatus(this.#countFound(message.total));
    }
  }

  update(progress: RunProgress, columns: readonly ResultColumn[]): void {
    this.#progress = progress;
    this.#setColumns(columns);
    this.#sortByDifference();
    const { count } = progress;
    if (!this.#hasView) this.#grid.setTotal(this.#isLive ? count : this.#first.length);
    else if (count !== this.#lastViewRequest.count) this.#renewView();
    if (!this.#isLive && this.#first.length > 0) this.#grid.setRows(0, this.#first);
    if (!this.#isSized) this.#sizeColumns(this.#first);
    this.#grid.element.hidden = columns.length === 0 || !this.#hasGrid;
    this.#draw();
  }

  #draw(): void {
    const { runId } = this;
    const { number, post } = this.#options;
    const progress = this.#progress;
    const gone = { isGone: this.#isGone, canRun: this.#canRun };
    const view = this.#view;
    render(
      <ResultFrame
        number={number}
        progress={progress}
        isGone={this.#isGone}
        buttons={post ? createStateButtons(progress, { runId, ...gone }) : []}
        press={({ message }) => post?.(message)}
        grid={this.#grid.element}
        cell={this.#cell}
        hasTools={progress.count > 0 && this.#isLive}
        hasRefused={progress.refused > 0}
        isRefusedOnly={view.refusedOnly === true}
        hasWhatIf={isOfOneModel(this.#columns)}
        viewStatus={this.#announcement ?? this.#viewStatus}
        find={(text) => this.#show({ ...this.#view, find: text || undefined })}
        toggleRefused={() =>
          this.#show({ ...this.#view, refusedOnly: !this.#view.refusedOnly || undefined })
        }
        openWhatIf={() => post?.({ type: "whatIf", runId, view, row: this.#row })}
        copy={(format) => this.#copy(format)}
        exportRows={() => post?.({ type: "export", runId, view })}
      />,
      this.element,
    );
  }

  #setColumns(columns: readonly ResultColumn[]): void {
    // Their initial widths depend on the first rows.
    if (!this.#hasGrid) return;
    if (JSON.stringify(columns) === JSON.stringify(this.#columns)) return;
    const isSame = ({ name, part }: ResultColumn, at: number): boolean =>
      columns[at]?.name === name && columns[at].part === part;
    // New columns are added at the end; only the first predictions are inserted before the inputs.
    const hasMoved = !this.#columns.every(isSame);
    this.#columns = columns;
    this.#scale.include(columns, this.#first);
    const width = this.#hasReasonsOnly ? reasonWidth : undefined;
    this.#grid.setColumns(toGridColumns(columns, width));
    if (hasMoved && this.#isLive) {
      this.#grid.setSorted(undefined);
      this.#show({ ...this.#view, sort: undefined });
    }
  }

  /** Once, before the user sorts: rows on which two models differ most come first. */
  #sortByDifference(): void {
    const column = this.#columns.findIndex(({ part }) => part === "difference");
    if (this.#isSortedByDifference || !this.#isLive || column < 0) return;
    this.#isSortedByDifference = true;
    const sort = { column, descending: true };
    this.#grid.setSorted(sort);
    this.#show({ ...this.#view, sort });
  }

  /** A result that ended without rows shows the names of its columns. */
  get #hasGrid(): boolean {
    return this.#progress.count > 0 || this.#progress.state.kind === "done";
  }

  /** Whether the view is filtered or sorted. */
  get #hasView(): boolean {
    const { sort, find, refusedOnly } = this.#view;
    return Boolean(sort) || Boolean(find) || refusedOnly === true;
  }

  /** Requests the view of a growing result again, at intervals and at the end. */
  #renewView(): void {
    const { count, state } = this.#progress;
    const isOver = !["running", "waiting"].includes(state.kind);
    if (!isOver && Date.now() - this.#lastViewRequest.at < renewIntervalMs) return;
    this.#lastViewRequest = { count, at: Date.now() };
    this.#grid.renew();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#grid.dispose();
    render(null, this.element);
  }

  /** Sizes the columns of a statement's result to its first rows, and widens them for later ones. Those of predictions stay. */
  #sizeColumns(rows: readonly ResultRow[]): void {
    const isReady = rows.length > 0 || this.#progress.count === 0;
    const columns = this.#columns;
    if (!isReady || columns.length === 0 || columns.some(({ part }) => part !== "input")) return;
    const widths = measureContentWidths(columns, rows);
    if (this.#isSized) this.#grid.widen(widths);
    else this.#grid.setWidths(widths);
    this.#isSized = true;
  }

  /** Whether predictions show nothing but the reasons of refused rows so far. */
  get #hasReasonsOnly(): boolean {
    const { count, refused } = this.#progress;
    return refused > 0 && refused === count;
  }

  /** The reason of a refused row takes the place of all its predictions. */
  #spanOf({ refused }: ResultRow, column: number): number {
    if (refused === undefined || column > 0) return 1;
    return Math.max(1, this.#columns.filter(({ part }) => isPrediction(part)).length);
  }

  #sort(column: number): void {
    if (!this.#isLive) return;
    const { sort } = this.#view;
    // Ascending, then descending, then not at all.
    let next: View["sort"] = { column, descending: false };
    if (sort?.column === column) next = sort.descending ? undefined : { column, descending: true };
    this.#grid.setSorted(next);
    this.#show({ ...this.#view, sort: next });
  }

  #show(view: View): void {
    this.#view = view;
    this.#lastViewRequest = { count: this.#progress.count, at: Date.now() };
    this.#request++;
    const status = view.find ? l10n.t("Searching…") : l10n.t("Sorting…");
    this.#cell = undefined;
    this.#setViewStatus(this.#hasView ? status : "");
    this.#grid.clear();
    this.#fetch(0, windowRows);
  }

  #fetch(from: number, count: number): void {
    if (!this.#isLive) return;
    const { instance, post } = this.#options;
    const request = { instance, request: this.#request, view: this.#view, from, count };
    post?.({ type: "window", runId: this.runId, ...request });
  }

  #copy(format: CopyFormat): void {
    const { rows, columns } = this.#grid.copied;
    this.#announce(undefined);
    this.#options.post?.({
      type: "copy",
      runId: this.runId,
      view: this.#view,
      format,
      rows,
      columns,
    });
  }

  #showCell(row: number, column: number): void {
    this.#row = row;
    const shown = this.#grid.rowAt(row);
    const written = shown?.values[column] ?? null;
    const text = shown?.refused ?? (written === null ? "" : parseStringLiteral(written));
    const isShort = shown?.refused === undefined && text.length <= maxCellText;
    const title = this.#columns[column]?.name ?? "";
    const label = l10n.t("{0}, row {1}", title, formatNumber(shown?.number ?? row + 1));
    this.#cell = isShort && !text.includes("\n") ? undefined : { label, text };
    this.#draw();
  }

  #countFound(total: number): string {
    const isFiltered = Boolean(this.#view.find) || this.#view.refusedOnly === true;
    const all = formatNumber(this.#progress.count);
    return isFiltered ? l10n.t("{0} of {1} rows", formatNumber(total), all) : "";
  }

  #setViewStatus(text: string): void {
    this.#viewStatus = text;
    this.#announce(undefined);
  }

  /** Shows a message for a moment, then what the view shows again. */
  #announce(message: string | undefined): void {
    clearTimeout(this.#timer);
    this.#announcement = message;
    if (message !== undefined) {
      this.#timer = setTimeout(() => this.#announce(undefined), announcementMs);
    }
    this.#draw();
  }
}
