// One result: what became of the run, its warnings and metrics, and the grid of its rows.
import { formatMessage } from "../../shared/formatMessage.ts";
import { element, textButton } from "../../shared/page/dom.ts";
import { Grid, type GridColumn } from "../../shared/page/grid/grid.ts";
import { windowRows } from "../../shared/page/grid/gridRows.ts";
import { setMessage } from "../../shared/page/messageLines.ts";
import type {
  CopyFormat,
  Metrics,
  ResultColumn,
  ResultHeader,
  ResultRow,
  ResultTexts,
  ResultView,
  RunProgress,
  ToHost,
  ToPage,
} from "../messages.ts";
import { parseStringLiteral } from "../rows/jsonLiteral.ts";
import { drawCell, IntervalScale, maxCellText } from "./drawCell.ts";
import { confusionTable, metricsText, progressText, rowsText } from "./formatTexts.ts";

interface ResultOptions {
  instance: string;
  /** Tells the results of a page apart. */
  number: number;
  /** Absent where there is no host to talk to. */
  post?: (message: ToHost) => void;
}

interface StateButton {
  title: string;
  message: ToHost;
  /** Its class. */
  look: string;
}

/** A sorted or filtered view of a running result is asked for again so often, in ms. */
const renewEvery = 3_000;

/** In pixels: enough for the beginning of a sentence. */
const reasonWidth = 320;

/** A column that is sized to its content, in pixels. */
const minContentWidth = 64;
const maxContentWidth = 400;

const formats: readonly [CopyFormat, string][] = [
  ["tsv", "TSV"],
  ["json", "JSON"],
  ["markdown", "Markdown"],
];

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
  readonly #shown = element("span", { class: "quiet", role: "status" });
  readonly #message = element("div", { class: "message" });
  /** When and with what a result was made, and what has changed since. */
  readonly #origin = element("span", { class: "origin" });
  readonly #notes = element("details");
  readonly #metrics = element("div", { class: "metrics" });
  readonly #measures = element("div");
  readonly #confusion = element("details");
  readonly #confusionTable = element("div");
  /** The whole text of the current cell, or why its row was refused, where the cell has no room for it. */
  readonly #cell = element("div", { class: "cell-text" });
  readonly #refusedOnly: HTMLButtonElement;
  #columns: readonly ResultColumn[] = [];
  #progress: RunProgress;
  #view: ResultView = {};
  /** How many rows there were, and when, as a view of some of them or in another order was asked for. */
  #ordered = { count: 0, at: 0 };
  #request = 0;
  #first: readonly ResultRow[];
  #isLive = false;
  /** Whether the columns have been sized to their content. */
  #isSized = false;
  #isGone = false;

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
    this.#cell.tabIndex = 0;
    this.#cell.hidden = true;
    this.#cell.setAttribute("role", "group");
    this.#refusedOnly = textButton(texts.refusedOnly, "", () => this.#toggleRefused());
    this.#tools.append(...this.#makeTools());
    this.#confusion.append(element("summary", { text: texts.confusion }), this.#confusionTable);
    this.#metrics.append(this.#measures, this.#confusion);
    this.#bar.append(
      this.#status,
      this.#origin,
      element("span", { class: "space" }),
      this.#buttons,
    );
    this.element.append(
      this.#bar,
      this.#message,
      this.#notes,
      this.#metrics,
      this.#tools,
      this.#grid.element,
      this.#cell,
    );
    this.update(header, header.columns);
    this.sayHello();
  }

  /** The host answers with what it has of the run, or that it has nothing. */
  sayHello(): void {
    this.#options.post?.({ type: "hello", runId: this.runId });
  }

  receive(message: Exclude<ToPage, { type: "began" | "stored" }>): void {
    switch (message.type) {
      case "progress":
        this.#isLive = true;
        this.update(message.progress, message.columns);
        break;
      case "gone":
        this.#isGone = true;
        this.#isLive = false;
        this.update(this.#progress, this.#columns);
        break;
      case "window":
        // An answer to an earlier view is none to this one.
        if (message.request < this.#request) return;
        this.#scale.take(this.#columns, message.rows);
        this.#sizeColumns(message.rows);
        this.#grid.setTotal(message.total);
        this.#grid.setRows(message.from, message.rows);
        this.#sayShown(message.total);
    }
  }

  update(progress: RunProgress, columns: readonly ResultColumn[]): void {
    this.#progress = progress;
    this.#setColumns(columns);
    const { state, count, refused, notes } = progress;
    if (!this.#isOrdered) this.#grid.setTotal(this.#isLive ? count : this.#first.length);
    else if (count !== this.#ordered.count) this.#renew();
    if (!this.#isLive && this.#first.length > 0) this.#grid.setRows(0, this.#first);
    this.#sizeColumns(this.#first);
    this.#status.textContent = progressText(progress, this.#texts, this.#locale);
    const message = this.#isGone
      ? this.#texts.notKept
      : "message" in state
        ? (state.message ?? "")
        : "";
    setMessage(this.#message, message);
    this.#message.hidden = message === "";
    this.#message.classList.toggle("failed", state.kind === "failed" || state.kind === "blocked");
    this.#showOrigin(progress);
    this.#showButtons();
    this.#showNotes(notes);
    this.#showMetrics(progress.metrics);
    this.#refusedOnly.hidden = refused === 0;
    this.#tools.hidden = count === 0 || !this.#isLive;
    this.#grid.element.hidden = columns.length === 0 || count === 0;
  }

  #setColumns(columns: readonly ResultColumn[]): void {
    // How wide they begin depends on what the first rows are like.
    if (this.#progress.count === 0) return;
    if (JSON.stringify(columns) === JSON.stringify(this.#columns)) return;
    const isSame = ({ name, part }: ResultColumn, at: number): boolean =>
      columns[at]?.name === name && columns[at].part === part;
    // New columns come behind those there are; only the first predictions put themselves in front of the inputs.
    const hasMoved = !this.#columns.every(isSame);
    this.#columns = columns;
    this.#scale.take(columns, this.#first);
    this.#grid.setColumns(columns.map((column) => this.#toGridColumn(column)));
    if (!hasMoved || !this.#isLive) return;
    this.#grid.setSorted(undefined);
    this.#show({ ...this.#view, sort: undefined });
  }

  /** Whether the view shows some rows only, or in an order of its own. */
  get #isOrdered(): boolean {
    const { sort, find, refusedOnly } = this.#view;
    return Boolean(sort) || Boolean(find) || refusedOnly === true;
  }

  /** A view of a result that grows is looked at again now and then, and at the end. */
  #renew(): void {
    const { count, state } = this.#progress;
    const isOver = !["running", "waiting"].includes(state.kind);
    if (!isOver && Date.now() - this.#ordered.at < renewEvery) return;
    this.#ordered = { count, at: Date.now() };
    this.#grid.renew();
  }

  dispose(): void {
    this.#grid.dispose();
  }

  #toGridColumn({ name, part, kind }: ResultColumn): GridColumn {
    const { predicted, actual, errorColumn } = this.#texts;
    const hint = { predicted, actual, error: errorColumn, input: "" }[part];
    const width = this.#hasReasonsOnly(part) ? reasonWidth : undefined;
    const isPinned = part === "predicted";
    return { title: name, hint, class: `${part} ${kind}s`, isPinned, ...(width && { width }) };
  }

  /** Sizes a statement's columns to its first rows, once. Predictions come row by row: their columns stay as they are. */
  #sizeColumns(rows: readonly ResultRow[]): void {
    if (this.#isSized || rows.length === 0 || this.#columns.length === 0) return;
    this.#isSized = true;
    if (this.#columns.some(({ part }) => part !== "input")) return;
    const widths = this.#columns.map(({ name }, index) => {
      const lengths = rows
        .slice(0, 50)
        .map(({ values }) => parseStringLiteral(values[index] ?? "").length);
      const longest = Math.max(name.length, ...lengths);
      return Math.min(maxContentWidth, Math.max(minContentWidth, 8 * longest + 24));
    });
    this.#grid.setWidths(widths);
  }

  /** Whether a column has nothing but the reasons of refused rows, up to now. */
  #hasReasonsOnly(part: ResultColumn["part"]): boolean {
    const { count, refused } = this.#progress;
    return part === "predicted" && refused > 0 && refused === count;
  }

  /** The reason of a refused row stands where the prediction would, and has all of its place. */
  #spanOf({ refused }: ResultRow, column: number): number {
    if (refused === undefined || column > 0) return 1;
    return Math.max(1, this.#columns.filter(({ part }) => part === "predicted").length);
  }

  #makeTools(): HTMLElement[] {
    const find = element("input", { label: this.#texts.find });
    find.placeholder = this.#texts.find;
    find.type = "search";
    let timer: ReturnType<typeof setTimeout> | undefined;
    find.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#show({ ...this.#view, find: find.value || undefined }), 150);
    });
    // Typing is not for the notebook's own keys.
    find.addEventListener("keydown", (event) => event.stopPropagation());
    const copies = element("span", { class: "copies", text: this.#texts.copy });
    for (const [format, name] of formats) {
      const button = textButton(name, "quiet-button", () => this.#copy(format));
      button.setAttribute("aria-label", formatMessage(this.#texts.copyAs, name));
      copies.append(button);
    }
    const exportButton = textButton(this.#texts.export, "", () =>
      this.#options.post?.({ type: "export", runId: this.runId }),
    );
    this.#refusedOnly.setAttribute("aria-pressed", "false");
    const space = element("span", { class: "space" });
    return [find, this.#refusedOnly, this.#shown, space, copies, exportButton];
  }

  #showOrigin({ origin, changes = [] }: RunProgress): void {
    this.#origin.hidden = origin === undefined;
    if (origin === undefined) return;
    const stale = element("span", { class: "stale", text: changes.join(" ") });
    this.#origin.replaceChildren(origin, ...(changes.length > 0 ? [". ", stale] : []));
  }

  /** Made anew only when they are others: a button that is replaced while it is pressed hears no click. */
  #showButtons(): void {
    const { post } = this.#options;
    const buttons = post ? this.#stateButtons() : [];
    const key = JSON.stringify(buttons);
    if (this.#buttons.dataset["buttons"] === key) return;
    this.#buttons.dataset["buttons"] = key;
    this.#buttons.replaceChildren(
      ...buttons.map(({ title, message, look }) => textButton(title, look, () => post?.(message))),
    );
  }

  #stateButtons(): StateButton[] {
    const { runId } = this;
    const { run, runAgain, runAnyway, resume, stop } = this.#texts;
    const button = (title: string, message: ToHost, look = "primary"): StateButton => ({
      title,
      message,
      look,
    });
    const { state, origin, changes = [] } = this.#progress;
    if (!this.#isGone && origin !== undefined) {
      const look = changes.length > 0 ? "primary" : "";
      return [button(runAgain, { type: "run", runId, anyway: false }, look)];
    }
    if (this.#isGone) return [button(run, { type: "run", runId, anyway: false })];
    switch (state.kind) {
      case "running":
      case "waiting":
        return [button(stop, { type: "stop", runId }, "")];
      case "paused":
        if (state.lacksInputs) {
          return [
            button(runAnyway, { type: "resume", runId }),
            button(stop, { type: "stop", runId }, ""),
          ];
        }
        return [
          ...(state.action ? [button(state.action, { type: "accept", runId })] : []),
          button(resume, { type: "resume", runId }, state.action ? "" : "primary"),
          button(stop, { type: "stop", runId }, ""),
        ];
      case "blocked":
        return [button(runAnyway, { type: "run", runId, anyway: true })];
      case "stopped":
        return [button(run, { type: "run", runId, anyway: false }, "")];
      case "failed":
        return [
          ...(state.action ? [button(state.action, { type: "accept", runId })] : []),
          button(run, { type: "run", runId, anyway: false }, ""),
        ];
      case "done":
        return [];
    }
  }

  #showNotes(notes: readonly string[]): void {
    this.#notes.hidden = notes.length === 0;
    if (this.#notes.dataset["notes"] === JSON.stringify(notes)) return;
    this.#notes.dataset["notes"] = JSON.stringify(notes);
    const isFew = notes.length <= 3;
    this.#notes.open ||= isFew;
    this.#notes.replaceChildren(
      element("summary", {
        text:
          notes.length === 1
            ? this.#texts.note
            : formatMessage(this.#texts.notes, notes.length.toLocaleString(this.#locale)),
      }),
      element("ul", { class: "notes" }, ...notes.map((text) => element("li", { text }))),
    );
  }

  /** What folds the confusion table stays the same: as open as its reader has it, and it hears a click. */
  #showMetrics(metrics: Metrics | undefined): void {
    this.#metrics.hidden = !metrics;
    if (!metrics) return;
    this.#measures.textContent = metricsText(metrics, this.#texts, this.#locale);
    const isTabled = metrics.kind === "classes" && metrics.classes.length > 1;
    this.#confusion.hidden = !isTabled;
    if (isTabled) this.#confusionTable.replaceChildren(confusionTable(metrics, this.#locale));
  }

  #sort(column: number): void {
    if (!this.#isLive) return;
    const { sort } = this.#view;
    const isThis = sort?.column === column;
    const next = !isThis
      ? { column, descending: false }
      : sort.descending
        ? undefined
        : { column, descending: true };
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
    this.#ordered = { count: this.#progress.count, at: Date.now() };
    this.#request++;
    const { sorting, searching } = this.#texts;
    this.#shown.textContent = view.find ? searching : this.#isOrdered ? sorting : "";
    this.#grid.clear();
    this.#cell.hidden = true;
    this.#fetch(0, windowRows);
  }

  #fetch(from: number, count: number): void {
    if (!this.#isLive) return;
    const { instance, post } = this.#options;
    const { runId } = this;
    const { sort, find, refusedOnly } = this.#view;
    const view = {
      ...(sort && { sort }),
      ...(find && { find }),
      ...(refusedOnly && { refusedOnly }),
    };
    post?.({ type: "window", runId, instance, request: this.#request, view, from, count });
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
    const count = rowsText(rows.to - rows.from, this.#texts, this.#locale);
    this.#shown.textContent = formatMessage(this.#texts.copied, count);
  }

  #showCell(row: number, column: number): void {
    const shown = this.#grid.rowAt(row);
    const written = shown?.values[column] ?? null;
    const text = shown?.refused ?? (written === null ? "" : parseStringLiteral(written));
    const isShort = shown?.refused === undefined && text.length <= maxCellText;
    this.#cell.hidden = isShort && !text.includes("\n");
    this.#cell.textContent = text;
    const title = this.#columns[column]?.name ?? "";
    const number = (shown?.number ?? row + 1).toLocaleString(this.#locale);
    this.#cell.setAttribute("aria-label", formatMessage(this.#texts.cell, title, number));
  }

  #sayShown(total: number): void {
    const { count } = this.#progress;
    const isFiltered = Boolean(this.#view.find) || this.#view.refusedOnly === true;
    const [shown, all] = [total, count].map((number) => number.toLocaleString(this.#locale));
    this.#shown.textContent = isFiltered ? formatMessage(this.#texts.found, shown!, all!) : "";
  }
}
