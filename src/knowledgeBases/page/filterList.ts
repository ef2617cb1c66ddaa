// The filters of a search: a metadata column, a comparison, and a value with suggestions.
import { formatMessage } from "../../shared/formatMessage.ts";
import { element, iconButton } from "../../shared/page/dom.ts";
import { isWrongType } from "../parseFilterValue.ts";
import type { ColumnValues, Operator, SearchDraft } from "../messages.ts";
import type { KnowledgeBaseTexts } from "../knowledgeBaseTexts.ts";
import { ValueField } from "./valueField.ts";

type FilterDraft = SearchDraft["filters"][number];

interface FilterListOptions {
  texts: KnowledgeBaseTexts;
  filters: FilterDraft[];
  changed: (filters: FilterDraft[]) => void;
  readValues: (column: string) => void;
  cancelValues: () => void;
  removed: () => void;
}

interface Row {
  element: HTMLElement;
  filter: FilterDraft;
  field: ValueField;
  problem: HTMLElement;
  /** The state of the suggestions. */
  hint: HTMLElement;
}

/** Makes the ids of hints unique. */
let rowCount = 0;

export class FilterList {
  readonly element = element("div", { class: "filters" });
  readonly #options: FilterListOptions;
  #columns: string[] = [];
  #rows: Row[] = [];
  /** By column; undefined if the values could not be read. */
  readonly #values = new Map<string, ColumnValues | undefined>();

  constructor(options: FilterListOptions) {
    this.#options = options;
    this.#draw(options.filters);
  }

  /** True if the type of some filter's column is unknown or mixed. */
  get hasUnknownTypes(): boolean {
    return this.#rows.some(({ filter }) => filter.type === undefined);
  }

  /** Sets the columns and clears their values. */
  setColumns(columns: string[]): void {
    this.#columns = columns;
    this.#values.clear();
    this.#draw(this.#rows.map(({ filter }) => filter));
  }

  /** Suggests a column's values; undefined if they could not be read. */
  showValues(column: string, values: ColumnValues | undefined): void {
    this.#values.set(column, values);
    for (const row of this.#rows) {
      if (row.filter.column === column) this.#suggest(row);
    }
    this.#emitChange();
  }

  add(): void {
    const [column = ""] = this.#columns;
    const filter: FilterDraft = { column, operator: "=", value: "" };
    this.#draw([...this.#rows.map((row) => row.filter), filter]);
    this.#emitChange();
    this.element.querySelector<HTMLElement>(".filter:last-child select")?.focus();
  }

  #draw(filters: FilterDraft[]): void {
    this.#rows = filters.map((filter) => this.#createRow(filter));
    this.element.replaceChildren(...this.#rows.map((row) => row.element));
    for (const row of this.#rows) this.#suggest(row);
  }

  #createRow(given: FilterDraft): Row {
    const { texts } = this.#options;
    const problem = element("p", { class: "problem" });
    const hint = element("p", { class: "hint" });
    rowCount++;
    problem.id = `filter-problem-${String(rowCount)}`;
    hint.id = `filter-hint-${String(rowCount)}`;
    problem.setAttribute("aria-live", "polite");
    // Keeps a column that no longer exists visible.
    const names = [...new Set([...this.#columns, given.column])];
    const column = createPicker(
      texts.filterColumn,
      names.map((name) => [name, name]),
      given.column,
    );
    const operator = createPicker(
      texts.filterOperator,
      Object.entries(texts.operators),
      given.operator,
    );
    const field = new ValueField({
      label: texts.filterValue,
      value: given.value,
      describedBy: `${problem.id} ${hint.id}`,
      changed: (value) => {
        row.filter.value = value;
        this.#check(row);
        this.#emitChange();
      },
      focused: () => this.#readValues(row),
      blurred: () => this.#cancelValues(row),
    });
    const remove = iconButton("close", texts.removeFilter, () => this.#remove(row));
    const value = element("div", { class: "filter-value" }, field.element, remove);
    const line = element("div", { class: "filter" }, column, operator, value);
    const row: Row = {
      element: element("div", { class: "filter-row" }, line, problem, hint),
      filter: { ...given },
      field,
      problem,
      hint,
    };
    column.addEventListener("change", () => {
      row.filter.column = column.value;
      row.filter.type = undefined;
      this.#suggest(row);
      this.#emitChange();
    });
    operator.addEventListener("change", () => {
      row.filter.operator = operator.value as Operator;
      this.#check(row);
      this.#emitChange();
    });
    return row;
  }

  #readValues({ filter: { column }, hint }: Row): void {
    const { texts, readValues } = this.#options;
    // Failed reads are tried again.
    if (this.#values.get(column)) return;
    hint.textContent = texts.readingValues;
    readValues(column);
  }

  #cancelValues({ filter: { column }, hint }: Row): void {
    if (this.#values.has(column)) return;
    hint.textContent = "";
    this.#options.cancelValues();
  }

  #suggest(row: Row): void {
    const { texts } = this.#options;
    const { column } = row.filter;
    const known = this.#values.get(column);
    row.field.suggest(known?.values ?? []);
    if (known) row.filter.type = known.type;
    if (known?.values.length === 0) row.hint.textContent = texts.noValues;
    else row.hint.textContent = !known && this.#values.has(column) ? texts.valuesNotRead : "";
    this.#check(row);
  }

  #check({ filter, field, problem }: Row): void {
    const { column, operator, value, type } = filter;
    const isWrong = operator !== "contains" && isWrongType(value, type);
    problem.textContent = isWrong ? formatMessage(this.#options.texts.numberWanted, column) : "";
    field.input.setAttribute("aria-invalid", String(isWrong));
  }

  #remove(row: Row): void {
    this.#draw(this.#rows.filter((other) => other !== row).map(({ filter }) => filter));
    this.#emitChange();
    this.#options.removed();
  }

  #emitChange(): void {
    this.#options.changed(this.#rows.map(({ filter }) => ({ ...filter })));
  }
}

function createPicker(label: string, choices: [value: string, text: string][], chosen: string) {
  const select = element("select", { class: "picker", label });
  select.append(
    ...choices.map(([value, text]) => new Option(text, value, false, value === chosen)),
  );
  return select;
}
