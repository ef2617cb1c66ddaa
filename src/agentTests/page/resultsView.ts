// The page that compares agents, or shows what a search found.
import { formatMessage } from "../../shared/formatMessage.ts";
import { element, textButton } from "../../shared/page/dom.ts";
import { TextTableGrid } from "../../shared/page/grid/textTableGrid.ts";
import { ItemPageFrame } from "../../shared/page/itemPageFrame.ts";
import type { Host, PageView } from "../../shared/page/vscodeApi.ts";
import type { PageState, ToHost, ToPage } from "../messages.ts";

type Begin = Extract<ToPage, { type: "begin" }>;
type Rows = Extract<ToPage, { type: "rows" }>;

export class ResultsView implements PageView<ToPage> {
  readonly element: HTMLElement;
  readonly #host: Host<ToHost, PageState>;
  readonly #begin: Begin;
  readonly #frame: ItemPageFrame;
  readonly #status = element("p", { class: "count" });
  readonly #body = element("div");
  readonly #cancel: HTMLButtonElement;
  readonly #runOpen: HTMLButtonElement;
  readonly #runCell: HTMLButtonElement;
  readonly #export: HTMLButtonElement;
  #grid: TextTableGrid | undefined;

  constructor(begin: Begin, host: Host<ToHost, PageState>) {
    this.#host = host;
    this.#begin = begin;
    const { title, place, texts, comparison } = begin;
    if (comparison) host.save({ comparison });
    const button = (label: string, message: ToHost): HTMLButtonElement =>
      textButton(label, "secondary-button", () => host.post(message));
    this.#cancel = button(texts.cancel, { type: "cancel" });
    this.#runOpen = button(texts.runOpen, { type: "runOpen" });
    this.#runCell = textButton(texts.runCell, "secondary-button", () => {
      if (this.#grid) host.post({ type: "runCell", ...this.#grid.active });
    });
    this.#export = button(texts.export, { type: "export" });
    this.#cancel.hidden = true;
    this.#runOpen.hidden = true;
    this.#runCell.hidden = true;
    this.#frame = new ItemPageFrame(host, {
      name: title,
      place,
      tools: [this.#cancel, this.#runOpen, this.#runCell, this.#export],
      body: [this.#status, this.#body],
    });
    this.element = this.#frame.element;
  }

  start(): void {
    this.#frame.start(this.#export);
  }

  show(message: ToPage): void {
    if (message.type === "rows") this.#showRows(message);
  }

  shown(): void {
    this.#frame.restoreScroll();
  }

  dispose(): void {
    this.#frame.dispose();
  }

  #showRows({ table, status, isRunning, hasOpen, canRunCell }: Rows): void {
    this.#status.textContent = status;
    this.#frame.isBusy = isRunning;
    if (!isRunning) this.#frame.status = status;
    const losesFocus = [this.#cancel, this.#runOpen, this.#runCell].some(
      (button) => button === document.activeElement,
    );
    this.#cancel.hidden = !isRunning;
    this.#runOpen.hidden = isRunning || !hasOpen;
    this.#runCell.hidden = isRunning || !canRunCell;
    if (losesFocus) (isRunning ? this.#cancel : this.#export).focus();
    if (this.#grid) this.#grid.setTable(table);
    else this.#createGrid(table);
  }

  #createGrid(table: Rows["table"]): void {
    const { texts, locale } = this.#begin;
    this.#grid = new TextTableGrid({
      table,
      label: texts.grid,
      help: texts.gridHelp,
      isNull: () => false,
      maxCellLength: 40,
      maxWidth: 320,
      cellClass: "cell-text",
      formatCell: (title, row) => formatMessage(texts.cell, title, row.toLocaleString(locale)),
      copyText: (text) => this.#host.post({ type: "copyText", text }),
    });
    this.#body.replaceChildren(...this.#grid.elements);
  }
}
