// The first training rows: what the model will learn from.
import { element } from "../../../shared/page/dom.ts";
import type { PreviewRows } from "../../../tables/previewRows.ts";
import type { TrainTexts } from "../../trainTexts.ts";

interface ShownRows {
  isReading: boolean;
  rows?: PreviewRows;
  /** The rows are read only when the user asks for them. */
  mayCost?: boolean;
}

export class RowsPreview {
  readonly element: HTMLElement;
  readonly #texts: TrainTexts;
  readonly #body = element("div");
  readonly #status = element("p", { class: "description", role: "status" });
  #rows: PreviewRows | undefined;
  #target = "";

  readonly #load: HTMLButtonElement;

  constructor(texts: TrainTexts, onLoad: () => void) {
    this.#texts = texts;
    this.#load = element("button", { class: "secondary", text: texts.loadRows });
    this.#load.type = "button";
    this.#load.addEventListener("click", onLoad);
    this.element = element(
      "section",
      { class: "preview" },
      element("h2", { text: texts.rows }),
      this.#status,
      this.#load,
      this.#body,
    );
    this.show({ isReading: false });
  }

  show({ isReading, rows, mayCost = false }: ShownRows): void {
    const { readingRows, rowsMayCost, noRows, firstRows } = this.#texts;
    this.element.hidden = !isReading && !rows && !mayCost;
    this.#load.hidden = !mayCost;
    const isEmpty = rows?.rows.length === 0;
    const read = isEmpty ? noRows : firstRows;
    this.#status.textContent = isReading ? readingRows : mayCost ? rowsMayCost : read;
    this.#rows = rows;
    this.#draw();
  }

  setTarget(target: string): void {
    if (target === this.#target) return;
    this.#target = target;
    this.#draw();
  }

  #draw(): void {
    if (!this.#rows || this.#rows.columns.length === 0) {
      this.#body.replaceChildren();
      return;
    }
    const { columns, rows } = this.#rows;
    const at = columns.findIndex(({ name }) => name === this.#target);
    const mark = (cell: HTMLElement, column: number): HTMLElement => {
      if (column === at) cell.classList.add("target");
      return cell;
    };
    const table = element("table");
    table.setAttribute("aria-label", this.#texts.rows);
    const heads = columns.map(({ name, type = "" }, column) => {
      const head = element("th", {}, name, element("span", { class: "type", text: type }));
      head.scope = "col";
      return mark(head, column);
    });
    table.createTHead().append(element("tr", {}, ...heads));
    table.createTBody().append(
      ...rows.map((row) =>
        element(
          "tr",
          {},
          ...row.map((value, column) => {
            const cell = element("td", { text: value ?? "null" });
            if (value === null) cell.classList.add("null");
            return mark(cell, column);
          }),
        ),
      ),
    );
    // Focusable, so that it can be scrolled by keyboard.
    const view = element("div", { class: "rows", role: "region", label: this.#texts.rows }, table);
    view.tabIndex = 0;
    this.#body.replaceChildren(view);
  }
}
