// Where a search is written: the question, how many and how near, and filters on metadata columns.
import { element, iconButton, textButton } from "../../shared/page/dom.ts";
import type { KnowledgeBaseTexts, Operator, SearchDraft } from "../messages.ts";

interface SearchActions {
  search: (search: SearchDraft) => void;
  cancel: () => void;
  changed: (draft: SearchDraft) => void;
  copyStatement: (search: SearchDraft, as: "sql" | "json") => void;
  askAgent: (question: string) => void;
}

type FilterDraft = SearchDraft["filters"][number];

const emptyDraft: SearchDraft = { question: "", limit: "10", relevance: "", filters: [] };

export class SearchForm {
  readonly element = element("form", { class: "search" });
  readonly question = element("textarea", { class: "input" });
  readonly #texts: KnowledgeBaseTexts;
  readonly #actions: SearchActions;
  readonly #limit = element("input", { class: "input" });
  readonly #relevance = element("input", { class: "input" });
  /** What is wrong with the numbers. */
  readonly #problem = element("p", { class: "problem" });
  readonly #filters = element("div", { class: "filters" });
  readonly #add: HTMLButtonElement;
  readonly #noFilters: HTMLElement;
  readonly #hint: HTMLElement;
  readonly #go: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #ask: HTMLButtonElement;
  #columns: string[] = [];
  #draft: SearchDraft;

  constructor(texts: KnowledgeBaseTexts, draft: SearchDraft | undefined, actions: SearchActions) {
    this.#texts = texts;
    this.#actions = actions;
    this.#draft = { ...emptyDraft, ...draft };
    this.question.rows = 1;
    this.question.value = this.#draft.question;
    this.question.placeholder = texts.questionPlaceholder;
    this.question.setAttribute("aria-label", texts.question);
    numberInput(this.#limit, { min: "1", max: "100", step: "1" }, this.#draft.limit);
    numberInput(this.#relevance, { min: "0", max: "1", step: "0.01" }, this.#draft.relevance);
    this.#relevance.placeholder = texts.relevanceAny;
    this.#limit.placeholder = emptyDraft.limit;
    this.#problem.id = "number-problem";
    this.#problem.setAttribute("aria-live", "polite");
    for (const input of [this.#limit, this.#relevance]) {
      input.setAttribute("aria-describedby", this.#problem.id);
    }

    this.#go = textButton(texts.searchNow, "primary-button", () => this.#search());
    this.#stop = textButton(texts.cancel, "secondary-button", actions.cancel);
    this.#ask = textButton(texts.askAgent, "link-button", () =>
      actions.askAgent(this.#draft.question.trim()),
    );
    const copy = (text: string, as: "sql" | "json"): HTMLElement =>
      textButton(text, "link-button", () => {
        if (this.#isRight()) actions.copyStatement(this.#draft, as);
      });
    this.#add = textButton(texts.addFilter, "link-button", () => this.#addFilter());
    this.#noFilters = element("p", { class: "hint", text: texts.noFilters });
    this.#hint = element("p", { class: "hint", text: texts.filterHint });
    this.element.append(
      element("div", { class: "ask-line" }, this.question, this.#go, this.#stop),
      element(
        "div",
        { class: "options" },
        labelled(texts.limit, this.#limit),
        labelled(texts.relevance, this.#relevance),
        this.#add,
      ),
      this.#problem,
      this.#filters,
      this.#hint,
      this.#noFilters,
      element("p", { class: "hint", text: texts.relevanceHint }),
      element(
        "div",
        { class: "after" },
        this.#ask,
        copy(texts.copyStatement, "sql"),
        copy(texts.copyRequest, "json"),
      ),
    );
    this.#listen();
    this.searching = false;
  }

  /** The columns that can be filtered by. */
  setColumns(columns: string[]): void {
    this.#columns = columns;
    this.#drawFilters();
  }

  set searching(searching: boolean) {
    const hadFocus = [this.#go, this.#stop].some((button) => button === document.activeElement);
    this.#go.hidden = searching;
    this.#stop.hidden = !searching;
    // The button that had the focus has left.
    if (hadFocus) (searching ? this.#stop : this.#go).focus({ preventScroll: true });
  }

  #listen(): void {
    this.element.addEventListener("submit", (event) => event.preventDefault());
    this.element.addEventListener("input", () => this.#changed());
    this.element.addEventListener("keydown", (event) => {
      // Shift+Enter breaks the line; while an input method composes, Enter chooses a candidate.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      if (event.target instanceof HTMLButtonElement) return;
      event.preventDefault();
      this.#search();
    });
    this.#changed();
  }

  #changed(): void {
    this.#draft = {
      ...this.#draft,
      question: this.question.value,
      limit: this.#limit.value,
      relevance: this.#relevance.value,
    };
    const isLimit = isInRange(this.#limit) && !this.#limit.validity.stepMismatch;
    const isRelevance = isInRange(this.#relevance);
    this.#limit.setAttribute("aria-invalid", String(!isLimit));
    this.#relevance.setAttribute("aria-invalid", String(!isRelevance));
    const { limitWrong, relevanceWrong } = this.#texts;
    this.#problem.textContent = [isLimit ? [] : limitWrong, isRelevance ? [] : relevanceWrong]
      .flat()
      .join(" ");
    this.#ask.disabled = this.question.value.trim() === "";
    this.#actions.changed(this.#draft);
  }

  #search(): void {
    if (this.#stop.hidden && this.#isRight()) this.#actions.search(this.#draft);
  }

  /** Leads to what is wrong. */
  #isRight(): boolean {
    const wrong = this.element.querySelector<HTMLElement>("input[aria-invalid=true]");
    wrong?.focus();
    return wrong === null;
  }

  #addFilter(): void {
    const [column = ""] = this.#columns;
    this.#setFilters([...this.#draft.filters, { column, operator: "=", value: "" }]);
    this.#filters.querySelector<HTMLElement>(".filter:last-child select")?.focus();
  }

  #setFilters(filters: FilterDraft[]): void {
    this.#draft = { ...this.#draft, filters };
    this.#drawFilters();
    this.#actions.changed(this.#draft);
  }

  #drawFilters(): void {
    const { filters } = this.#draft;
    const canFilter = this.#columns.length > 0;
    this.#add.hidden = !canFilter;
    this.#noFilters.hidden = canFilter;
    this.#hint.hidden = filters.length === 0;
    this.#filters.replaceChildren(...filters.map((filter, index) => this.#row(filter, index)));
  }

  #row(filter: FilterDraft, index: number): HTMLElement {
    const texts = this.#texts;
    const change = (part: Partial<FilterDraft>): void => {
      const filters = this.#draft.filters.map((other, at) =>
        at === index ? { ...other, ...part } : other,
      );
      this.#draft = { ...this.#draft, filters };
      this.#actions.changed(this.#draft);
    };
    // A column of an earlier search may be gone: it stays to be seen.
    const columns = [...new Set([...this.#columns, filter.column])];
    const column = picker(
      texts.filterColumn,
      columns.map((name) => [name, name]),
      filter.column,
    );
    column.addEventListener("change", () => change({ column: column.value }));
    const operator = picker(texts.filterOperator, Object.entries(texts.operators), filter.operator);
    operator.addEventListener("change", () => change({ operator: operator.value as Operator }));
    const value = element("input", { class: "input", label: texts.filterValue });
    value.type = "text";
    value.value = filter.value;
    value.addEventListener("input", () => change({ value: value.value }));
    const remove = iconButton("close", texts.removeFilter, () => {
      this.#setFilters(this.#draft.filters.filter((_, at) => at !== index));
      this.#add.focus();
    });
    return element("div", { class: "filter" }, column, operator, value, remove);
  }
}

function labelled(text: string, control: HTMLElement): HTMLElement {
  return element("label", {}, element("span", { text }), control);
}

function numberInput(
  input: HTMLInputElement,
  range: { min: string; max: string; step: string },
  value: string,
): void {
  Object.assign(input, { type: "number", ...range, value });
}

/** Whether nothing is typed, or a number that can be. */
function isInRange({ validity }: HTMLInputElement): boolean {
  return !validity.badInput && !validity.rangeOverflow && !validity.rangeUnderflow;
}

function picker(label: string, choices: [value: string, text: string][], chosen: string) {
  const made = element("select", { class: "picker", label });
  made.append(
    ...choices.map(([value, text]) => {
      const option = element("option", { text });
      option.value = value;
      option.selected = value === chosen;
      return option;
    }),
  );
  return made;
}
