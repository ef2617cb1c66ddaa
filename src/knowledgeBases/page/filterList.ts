// The filters of a search: for each a metadata column, a comparison, and a value that the stored ones are suggested for.
import { formatMessage } from "../../shared/formatMessage.ts";
import { element, iconButton } from "../../shared/page/dom.ts";
import { isWrongType } from "../filterValues.ts";
import type { ColumnValues, KnowledgeBaseTexts, Operator, SearchDraft } from "../messages.ts";
import { ValueField } from "./valueField.ts";

type FilterDraft = SearchDraft["filters"][number];

interface FilterListOptions {
  texts: KnowledgeBaseTexts;
  filters: FilterDraft[];
  changed: (filters: FilterDraft[]) => void;
  readValues: (column: string) => void;
  cancelValues: () => void;
  /** The last filter was removed, or one whose place nothing takes. */
  removed: () => void;
}

interface Row {
  element: HTMLElement;
  filter: FilterDraft;
  field: ValueField;
  problem: HTMLElement;
  /** What is said of the column's values, beside a problem. */
  hint: HTMLElement;
}

let made = 0;

export class FilterList {
  readonly element = element("div", { class: "filters" });
  readonly #options: FilterListOptions;
  #columns: string[] = [];
  #rows: Row[] = [];
  /** By column; undefined is for a column whose values could not be read. */
  readonly #values = new Map<string, ColumnValues | undefined>();

  constructor(options: FilterListOptions) {
    this.#options = options;
    this.#draw(options.filters);
  }

  get length(): number {
    return this.#rows.length;
  }

  /** Whether some filter's column is not known to hold only numbers or only texts. */
  get hasUnknownTypes(): boolean {
    return this.#rows.some(({ filter }) => filter.type === undefined);
  }

  /** The columns there are now; what was known of their values is old. */
  setColumns(columns: string[]): void {
    this.#columns = columns;
    this.#values.clear();
    this.#draw(this.#rows.map(({ filter }) => filter));
  }

  /** Undefined: the values could not be read. */
  showValues(column: string, values: ColumnValues | undefined): void {
    this.#values.set(column, values);
    for (const row of this.#rows) {
      if (row.filter.column === column) this.#suggest(row);
    }
    this.#tell();
  }

  add(): void {
    const [column = ""] = this.#columns;
    const filter: FilterDraft = { column, operator: "=", value: "" };
    this.#draw([...this.#rows.map((row) => row.filter), filter]);
    this.#tell();
    this.element.querySelector<HTMLElement>(".filter:last-child select")?.focus();
  }

  #draw(filters: FilterDraft[]): void {
    this.#rows = filters.map((filter) => this.#row(filter));
    this.element.replaceChildren(...this.#rows.map((row) => row.element));
    for (const row of this.#rows) this.#suggest(row);
  }

  #row(given: FilterDraft): Row {
    const { texts, readValues, cancelValues } = this.#options;
    const problem = element("p", { class: "problem" });
    const hint = element("p", { class: "hint" });
    problem.id = `filter-problem-${String(made)}`;
    hint.id = `filter-hint-${String(made++)}`;
    problem.setAttribute("aria-live", "polite");
    // A column of an earlier search may be gone: it stays to be seen.
    const names = [...new Set([...this.#columns, given.column])];
    const column = picker(
      texts.filterColumn,
      names.map((name) => [name, name]),
      given.column,
    );
    const operator = picker(texts.filterOperator, Object.entries(texts.operators), given.operator);
    const field = new ValueField({
      label: texts.filterValue,
      value: given.value,
      describedBy: `${problem.id} ${hint.id}`,
      changed: (value) => {
        row.filter.value = value;
        this.#check(row);
        this.#tell();
      },
      focused: () => {
        // What could not be read is tried again.
        if (this.#values.get(row.filter.column)) return;
        hint.textContent = texts.readingValues;
        readValues(row.filter.column);
      },
      blurred: () => {
        if (this.#values.has(row.filter.column)) return;
        hint.textContent = "";
        cancelValues();
      },
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
      this.#tell();
    });
    operator.addEventListener("change", () => {
      row.filter.operator = operator.value as Operator;
      this.#check(row);
      this.#tell();
    });
    return row;
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
    this.#tell();
    this.#options.removed();
  }

  #tell(): void {
    this.#options.changed(this.#rows.map(({ filter }) => ({ ...filter })));
  }
}

function picker(label: string, choices: [value: string, text: string][], chosen: string) {
  const select = element("select", { class: "picker", label });
  select.append(
    ...choices.map(([value, text]) => {
      const option = element("option", { text });
      option.value = value;
      option.selected = value === chosen;
      return option;
    }),
  );
  return select;
}
