// The page with the documents of a knowledge base: a filter, a grid, and the document of the active row.
import { formatMessage } from "../../../shared/formatMessage.ts";
import { errorNotice } from "../../../shared/page/documentParts.ts";
import { element, replaceChildren, textButton } from "../../../shared/page/dom.ts";
import { Grid } from "../../../shared/page/grid/grid.ts";
import type { GridSelection } from "../../../shared/page/grid/gridSelection.ts";
import { LoadedItemFrame } from "../../../shared/page/loadedItemFrame.ts";
import type { Host, PageView } from "../../../shared/page/vscodeApi.ts";
import { tsvLine } from "../../../shared/spreadsheetText.ts";
import type {
  DocumentRow,
  DocumentSort,
  PageState,
  ToHost,
  ToPage,
} from "../../documentsMessages.ts";
import { createDocumentDetail } from "./documentDetail.ts";

type Begin = Extract<ToPage, { type: "begin" }>;
type Listed = Extract<ToPage, { type: "listed" }>;

const columns = ["id", "content", "metadata", "chunks"] as const;
const widths = { id: 180, metadata: 180, chunks: 80 };
/** Of the content's column, which takes what the others leave of the page. */
const minContentWidth = 280;
const maxContentWidth = 800;
/** The user types or moves on, in ms. */
const pause = 150;

export class DocumentsView implements PageView<ToPage> {
  readonly element: HTMLElement;
  readonly #begin: Begin;
  readonly #host: Host<ToHost, PageState>;
  readonly #frame: LoadedItemFrame;
  readonly #filter = element("input", { class: "input" });
  readonly #count = element("p", { class: "count", role: "status" });
  readonly #problem = element("div");
  readonly #detail = element("div");
  readonly #grid: Grid<DocumentRow>;
  readonly #list = element("div");
  #listed: Listed | undefined;
  /** The row whose document is to be opened as soon as the row is there. */
  #wantedRow: number | undefined;
  #timer = 0;
  #opened: string | undefined;

  constructor(begin: Begin, host: Host<ToHost, PageState>) {
    const { knowledgeBase, connection, texts } = begin;
    this.#begin = begin;
    this.#host = host;
    host.save({ knowledgeBase });
    this.#filter.type = "search";
    this.#filter.placeholder = texts.filterHint;
    this.#filter.value = host.state.filter ?? "";
    this.#filter.addEventListener("input", () => {
      host.save({ filter: this.#filter.value });
      this.#later(() => this.#setView({}));
    });
    this.#grid = new Grid<DocumentRow>({
      label: texts.grid,
      help: texts.gridHelp,
      isFitted: true,
      fetch: (from, count) => queueMicrotask(() => this.#readRows(from, count)),
      draw: (cell, row, column) => this.#drawCell(cell, row, column),
      sort: (column) => this.#sort(column),
      copy: (selection) => this.#copy(selection),
      moved: (row) => {
        this.#wantedRow = row;
        this.#later(() => this.#openWanted());
      },
    });
    const left = window.innerWidth - widths.id - widths.metadata - widths.chunks - 80;
    const content = Math.min(maxContentWidth, Math.max(minContentWidth, left));
    this.#grid.setColumns(
      columns.map((name) => ({
        title: texts[name],
        width: name === "content" ? content : widths[name],
        class: name === "chunks" ? "numbers" : "texts",
      })),
    );
    this.#grid.element.addEventListener("keydown", ({ key }) => {
      if (key === "Delete" && this.#opened !== undefined) this.#delete(this.#opened);
    });
    this.#list.append(
      element("label", { class: "filter" }, texts.filter, this.#filter),
      this.#count,
      this.#grid.element,
    );
    this.#list.hidden = true;
    this.#frame = new LoadedItemFrame(host, {
      name: texts.title,
      place: formatMessage(texts.place, knowledgeBase.name, knowledgeBase.project, connection),
      texts,
      tools: [
        textButton(texts.search, "secondary-button", () =>
          host.post({ type: "showKnowledgeBase" }),
        ),
        textButton(texts.addContent, "secondary-button", () => host.post({ type: "addContent" })),
      ],
      body: [this.#problem, this.#list, this.#detail],
    });
    this.element = this.#frame.element;
  }

  start(): void {
    this.#frame.start();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#grid.dispose();
    this.#frame.dispose();
  }

  show(message: ToPage): void {
    const { texts } = this.#begin;
    switch (message.type) {
      case "begin":
        break;
      case "asking":
      case "failed":
        this.#frame.show(message);
        break;
      case "listed":
        this.#frame.showRead();
        this.#problem.replaceChildren();
        this.#showList(message);
        break;
      case "rows":
        if (message.view !== this.#listed?.view) break;
        this.#grid.setRows(message.from, message.rows);
        if (this.#timer === 0) this.#openWanted();
        break;
      case "problem":
        this.#problem.replaceChildren(errorNotice({ text: message.reason }));
        break;
      case "opening":
        this.#frame.status = formatMessage(texts.opening, message.id);
        break;
      case "opened": {
        const { document: opened } = message;
        this.#setOpened(opened.id);
        this.#detail.replaceChildren(
          createDocumentDetail(opened, texts, {
            openAsText: () => this.#host.post({ type: "openAsText" }),
            delete: (id) => this.#delete(id),
          }),
        );
        this.#frame.status = opened.id;
        break;
      }
      case "closed":
        this.#close(message.reason);
        break;
    }
  }

  shown(): void {
    if (this.#listed) this.#frame.restoreScroll();
  }

  #showList(listed: Listed): void {
    const before = this.#listed;
    this.#listed = listed;
    this.#list.hidden = false;
    // After a reload the host knows neither filter nor document.
    if (!before) this.#restore(listed);
    const { shown, filter, sort } = listed;
    const isSameView = before?.filter === filter && isSameSort(before.sort, sort);
    if (isSameView) this.#grid.renew();
    else this.#grid.clear();
    this.#grid.setSorted({ column: columns.indexOf(sort.column), descending: sort.descending });
    this.#grid.setTotal(shown);
    this.#count.textContent = this.#formatCount(listed);
    this.#grid.element.hidden = shown === 0;
  }

  #formatCount({ documents, chunks, shown }: Listed): string {
    const { texts, locale } = this.#begin;
    const format = (number: number): string => number.toLocaleString(locale);
    if (documents === 0) return texts.empty;
    if (shown === 0) return texts.none;
    if (shown === documents) return formatMessage(texts.count, format(documents), format(chunks));
    return formatMessage(texts.filtered, format(shown), format(documents));
  }

  #restore({ filter, sort }: Listed): void {
    const { state } = this.#host;
    const wanted = { filter: state.filter ?? "", sort: state.sort ?? sort };
    this.#filter.value = wanted.filter;
    if (wanted.filter !== filter || !isSameSort(wanted.sort, sort)) this.#setView(wanted);
    if (state.opened !== undefined && this.#opened === undefined) {
      this.#host.post({ type: "open", id: state.opened });
    }
  }

  #setView(change: { filter?: string; sort?: DocumentSort }): void {
    if (!this.#listed) return;
    const { filter = this.#filter.value, sort = this.#listed.sort } = change;
    this.#host.save({ filter, sort });
    this.#host.post({ type: "setView", filter, sort });
  }

  #sort(at: number): void {
    const column = columns[at];
    const sort = this.#listed?.sort;
    // The others are not known before they are read.
    if (!sort || (column !== "id" && column !== "chunks")) return;
    const descending = sort.column === column ? !sort.descending : column === "chunks";
    this.#setView({ sort: { column, descending } });
  }

  #readRows(from: number, count: number): void {
    if (!this.#listed) return;
    this.#host.post({ type: "readRows", view: this.#listed.view, from, count });
  }

  #later(work: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.#timer = 0;
      work();
    }, pause);
  }

  #openWanted(): void {
    if (this.#wantedRow === undefined) return;
    const row = this.#grid.rowAt(this.#wantedRow);
    if (!row) return;
    this.#wantedRow = undefined;
    if (row.id !== this.#opened) this.#host.post({ type: "open", id: row.id });
  }

  #delete(id: string): void {
    this.#host.post({ type: "delete", id });
  }

  #setOpened(id: string | undefined): void {
    this.#opened = id;
    this.#host.save({ opened: id });
  }

  #close(reason: string | undefined): void {
    const hadFocus = this.#detail.contains(document.activeElement);
    this.#setOpened(undefined);
    replaceChildren(this.#detail, reason !== undefined && errorNotice({ text: reason }));
    if (hadFocus) (this.#grid.element.hidden ? this.#frame.refresh : this.#grid.element).focus();
  }

  #drawCell(cell: HTMLElement, row: DocumentRow, column: number): void {
    const { texts, locale } = this.#begin;
    const name = columns[column] ?? "id";
    const text = name === "chunks" ? row.chunks.toLocaleString(locale) : row[name];
    cell.textContent = text ?? texts.notRead;
    cell.classList.toggle("unread", text === undefined);
    if (name !== "chunks" && text) cell.title = text;
  }

  #copy({ rows, columns: range }: GridSelection): void {
    const lines: string[] = [];
    for (let at = rows.from; at < rows.to; at++) {
      const row = this.#grid.rowAt(at);
      if (!row) continue;
      const cells = columns.slice(range.from, range.to).map((name) => String(row[name] ?? ""));
      lines.push(tsvLine(cells));
    }
    if (lines.length > 0) this.#host.post({ type: "copyText", text: lines.join("\n") });
  }
}

function isSameSort(a: DocumentSort, b: DocumentSort): boolean {
  return a.column === b.column && a.descending === b.descending;
}
