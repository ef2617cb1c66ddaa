import { formatMessage } from "../../shared/formatMessage.ts";
import { element, textButton } from "../../shared/page/dom.ts";
import { Grid } from "../../shared/page/grid/grid.ts";
import { windowRows } from "../../shared/page/grid/gridRows.ts";
import { setMessage } from "../../shared/page/messageLines.ts";
import type {
  CopyFormat,
  ResultColumn,
  ResultHeader,
  ResultRow,
  ResultView,
  RunProgress,
  ToHost,
  ToPage,
} from "../messages.ts";
import type { ResultTexts } from "../result/resultTexts.ts";
import { parseStringLiteral } from "../rows/jsonLiteral.ts";
import { drawCell, IntervalScale, maxCellText } from "./drawCell.ts";
import { formatProgress, formatRowCount } from "./formatTexts.ts";
import { measureContentWidths, isOfOneModel, isPrediction, toGridColumns } from "./gridColumns.ts";
import { MetricsList } from "./metricsElement.ts";
import { drawNotes } from "./runNotes.ts";
import { createStateButtons } from "./stateButtons.ts";
import { ViewStatus } from "./viewStatus.ts";

interface ResultOptions {
  instance: string;
  /** Position among the results of the page, for accessible labels. */
  number: number;
  /** Absent while the host has not vouched for the result: only data is shown. */
  post: ((message: ToHost) => void) | undefined;
}

/** Milliseconds between two requests for a sorted or filtered view of a running result. */
const renewIntervalMs = 3_000;

/** Width in pixels of a column that shows the reasons of refused rows. */
const reasonWidth = 320;

const formats: readonly [CopyFormat, string][] = [
  ["tsv", "TSV"],
  ["json", "JSON"],
  ["markdown", "Markdown"],
];

/** One result: the state of its run, warnings, metrics, and the grid of its rows. */
export class ResultElement {
  readonly element: HTMLElement;
  readonly runId: string;
  readonly #texts: ResultTexts;
  readonly #locale: string;
  readonly #options: ResultOptions;
  readonly #grid: Grid<ResultRow>;
  readonly #scale = new IntervalScale();
  readonly #bar = element("div", { class: "bar" });
  readonly #status = element("span", { class: "count" });
  readonly #buttons = element("span", { class: "buttons" });
  readonly #tools = element("div", { class: "bar tools" });
  readonly #viewStatus = new ViewStatus();
  readonly #message = element("div", { class: "message" });
  /** When and with which model the result was made, and what has changed since. */
  readonly #origin = element("span", { class: "origin" });
  readonly #notes = element("details");
  readonly #metrics: MetricsList;
  /** The text of the current cell, or the reason of its row's refusal, if it does not fit into the cell. */
  readonly #cellText = element("div", { class: "cell-text" });
  readonly #refusedOnly: HTMLButtonElement;
  readonly #whatIf: HTMLButtonElement;
  #columns: readonly ResultColumn[] = [];
  #progress: RunProgress;
  #view: ResultView = {};
  /** The number of rows and the time when the sorted or filtered view was last requested. */
  #lastViewRequest = { count: 0, at: 0 };
  #request = 0;
  #first: readonly ResultRow[];
  #isLive = false;
  /** Whether the columns have been sized to their content. */
  #isSized = false;
  /** The position of the current row in the view. */
  #row = 0;
  #isGone = false;
  /** Whether the host can run the cell of a result that is gone. */
  #canRun = false;
  #isSortedByDifference = false;

  constructor(header: ResultHeader, options: ResultOptions) {
    this.runId = header.runId;
    this.#texts = header.texts;
    this.#locale = header.locale;
    this.#options = options;
    this.#progress = header;
    this.#first = header.first;
    const { texts } = header;
    this.element = element("section", {
      class: "result",
      label: `${texts.grid} ${options.number}`,
    });
    this.#grid = new Grid<ResultRow>({
      label: texts.grid,
      help: texts.gridHelp,
      fetch: (from, count) => this.#fetch(from, count),
      draw: (cell, row, column) => drawCell(cell, row, column, this.#columns, this.#scale),
      spanOf: (row, column) => this.#spanOf(row, column),
      numbers: { label: texts.rowNumber, of: ({ number }) => number },
      sort: (column) => this.#sort(column),
      copy: () => this.#copy("tsv"),
      moved: (row, column) => this.#showCell(row, column),
    });
    this.#cellText.tabIndex = 0;
    this.#cellText.hidden = true;
    this.#cellText.setAttribute("role", "group");
    this.#refusedOnly = textButton(texts.refusedOnly, "", () => this.#toggleRefused());
    this.#whatIf = textButton(texts.whatIf, "", () =>
      options.post?.({ type: "whatIf", runId: this.runId, view: this.#view, row: this.#row }),
    );
    this.#whatIf.title = texts.whatIfHelp;
    this.#tools.append(...this.#createTools());
    this.#metrics = new MetricsList(texts, this.#locale);
    const space = element("span", { class: "space" });
    this.#bar.append(this.#status, this.#origin, space, this.#buttons);
    this.element.append(
      this.#bar,
      this.#message,
      this.#notes,
      this.#metrics.element,
      this.#tools,
      this.#grid.element,
      this.#cellText,
    );
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
      case "window":
        // The rows of an earlier view.
        if (message.request < this.#request) return;
        this.#scale.include(this.#columns, message.rows);
        this.#sizeColumns(message.rows);
        this.#grid.setTotal(message.total);
        this.#grid.setRows(message.from, message.rows);
        this.#showViewStatus(message.total);
    }
  }

  update(progress: RunProgress, columns: readonly ResultColumn[]): void {
    this.#progress = progress;
    this.#setColumns(columns);
    this.#sortByDifference();
    const { state, count, refused, notes } = progress;
    if (!this.#hasView) this.#grid.setTotal(this.#isLive ? count : this.#first.length);
    else if (count !== this.#lastViewRequest.count) this.#renewView();
    if (!this.#isLive && this.#first.length > 0) this.#grid.setRows(0, this.#first);
    this.#sizeColumns(this.#first);
    this.#status.textContent = formatProgress(progress, this.#texts, this.#locale);
    const stateMessage = "message" in state ? (state.message ?? "") : "";
    const message = this.#isGone ? this.#texts.notKept : stateMessage;
    setMessage(this.#message, message);
    this.#message.hidden = message === "";
    this.#message.className = `message ${this.#isGone ? "" : state.kind}`;
    this.#showOrigin(progress);
    this.#showButtons();
    drawNotes(this.#notes, notes, this.#texts, this.#locale);
    this.#metrics.update(progress);
    this.#refusedOnly.hidden = refused === 0;
    this.#whatIf.hidden = !isOfOneModel(columns);
    this.#tools.hidden = count === 0 || !this.#isLive;
    this.#grid.element.hidden = columns.length === 0 || !this.#hasGrid;
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
    this.#grid.setColumns(toGridColumns(columns, this.#texts, width));
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
    this.#viewStatus.dispose();
    this.#grid.dispose();
  }

  /** Sizes the columns of a statement's result to its first rows, once. Those of predictions keep their widths. */
  #sizeColumns(rows: readonly ResultRow[]): void {
    const isReady = rows.length > 0 || this.#progress.count === 0;
    if (this.#isSized || !isReady || this.#columns.length === 0) return;
    this.#isSized = true;
    if (this.#columns.some(({ part }) => part !== "input")) return;
    this.#grid.setWidths(measureContentWidths(this.#columns, rows));
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

  #createTools(): HTMLElement[] {
    const find = element("input", { label: this.#texts.find });
    find.placeholder = this.#texts.find;
    find.type = "search";
    let timer: ReturnType<typeof setTimeout> | undefined;
    find.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#show({ ...this.#view, find: find.value || undefined }), 150);
    });
    // Otherwise the notebook would handle the keys, too. F1 is VS Code's.
    find.addEventListener("keydown", (event) => {
      if (event.key !== "F1") event.stopPropagation();
    });
    const copies = element("span", { class: "copies", text: this.#texts.copy });
    for (const [format, name] of formats) {
      const button = textButton(name, "quiet-button", () => this.#copy(format));
      button.setAttribute("aria-label", formatMessage(this.#texts.copyAs, name));
      copies.append(button);
    }
    const exportButton = textButton(this.#texts.export, "", () =>
      this.#options.post?.({ type: "export", runId: this.runId, view: this.#view }),
    );
    this.#refusedOnly.setAttribute("aria-pressed", "false");
    const space = element("span", { class: "space" });
    const status = this.#viewStatus.element;
    return [find, this.#refusedOnly, status, space, this.#whatIf, copies, exportButton];
  }

  #showOrigin({ origin, changes = [] }: RunProgress): void {
    this.#origin.hidden = origin === undefined;
    if (origin === undefined) return;
    const stale = element("span", { class: "stale", text: changes.join(" ") });
    this.#origin.replaceChildren(origin, ...(changes.length > 0 ? [". ", stale] : []));
  }

  /** Replaces the buttons only if they change: a button that is replaced while it is pressed gets no click event. */
  #showButtons(): void {
    const { post } = this.#options;
    const { runId } = this;
    const buttons = post
      ? createStateButtons(this.#progress, {
          runId,
          isGone: this.#isGone,
          canRun: this.#canRun,
          texts: this.#texts,
        })
      : [];
    const key = JSON.stringify(buttons);
    if (this.#buttons.dataset["buttons"] === key) return;
    this.#buttons.dataset["buttons"] = key;
    this.#buttons.replaceChildren(
      ...buttons.map(({ title, message, className }) =>
        textButton(title, className, () => post?.(message)),
      ),
    );
  }

  #sort(column: number): void {
    if (!this.#isLive) return;
    const { sort } = this.#view;
    // Ascending, then descending, then not at all.
    let next: ResultView["sort"] = { column, descending: false };
    if (sort?.column === column) next = sort.descending ? undefined : { column, descending: true };
    this.#grid.setSorted(next);
    this.#show({ ...this.#view, sort: next });
  }

  #toggleRefused(): void {
    const refusedOnly = !this.#view.refusedOnly;
    this.#refusedOnly.setAttribute("aria-pressed", String(refusedOnly));
    this.#show({ ...this.#view, refusedOnly: refusedOnly || undefined });
  }

  #show(view: ResultView): void {
    this.#view = view;
    this.#lastViewRequest = { count: this.#progress.count, at: Date.now() };
    this.#request++;
    const { sorting, searching } = this.#texts;
    const status = view.find ? searching : sorting;
    this.#viewStatus.text = this.#hasView ? status : "";
    this.#grid.clear();
    this.#cellText.hidden = true;
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
    this.#options.post?.({
      type: "copy",
      runId: this.runId,
      view: this.#view,
      format,
      rows,
      columns,
    });
    const count = formatRowCount(rows.to - rows.from, this.#texts, this.#locale);
    this.#viewStatus.announce(formatMessage(this.#texts.copied, count));
  }

  #showCell(row: number, column: number): void {
    this.#row = row;
    const shown = this.#grid.rowAt(row);
    const written = shown?.values[column] ?? null;
    const text = shown?.refused ?? (written === null ? "" : parseStringLiteral(written));
    const isShort = shown?.refused === undefined && text.length <= maxCellText;
    this.#cellText.hidden = isShort && !text.includes("\n");
    this.#cellText.textContent = text;
    const title = this.#columns[column]?.name ?? "";
    const number = (shown?.number ?? row + 1).toLocaleString(this.#locale);
    this.#cellText.setAttribute("aria-label", formatMessage(this.#texts.cell, title, number));
  }

  #showViewStatus(total: number): void {
    const { count } = this.#progress;
    const isFiltered = Boolean(this.#view.find) || this.#view.refusedOnly === true;
    const format = (number: number): string => number.toLocaleString(this.#locale);
    const found = formatMessage(this.#texts.found, format(total), format(count));
    this.#viewStatus.text = isFiltered ? found : "";
  }
}
