// The search form: question, limit, minimum relevance, and filters on metadata columns.
import { element, textButton } from "../../shared/page/dom.ts";
import type { ColumnValues, SearchDraft } from "../messages.ts";
import type { KnowledgeBaseTexts } from "../knowledgeBaseTexts.ts";
import { FilterList } from "./filterList.ts";

interface SearchActions {
  search: (search: SearchDraft) => void;
  cancel: () => void;
  changed: (draft: SearchDraft) => void;
  copyStatement: (search: SearchDraft, as: "sql" | "json") => void;
  askAgent: (question: string) => void;
  readValues: (column: string) => void;
  cancelValues: () => void;
}

const emptyDraft: SearchDraft = { question: "", limit: "10", relevance: "", filters: [] };

export class SearchForm {
  readonly element = element("form", { class: "search" });
  readonly question = element("textarea", { class: "input" });
  readonly #texts: KnowledgeBaseTexts;
  readonly #actions: SearchActions;
  readonly #limit = element("input", { class: "input" });
  readonly #relevance = element("input", { class: "input" });
  readonly #problem = element("p", { class: "problem" });
  readonly #filters: FilterList;
  readonly #add: HTMLButtonElement;
  readonly #noFilters: HTMLElement;
  readonly #hint: HTMLElement;
  readonly #go: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #ask: HTMLButtonElement;
  #canFilter = false;
  #draft: SearchDraft;

  constructor(texts: KnowledgeBaseTexts, draft: SearchDraft | undefined, actions: SearchActions) {
    this.#texts = texts;
    this.#actions = actions;
    this.#draft = { ...emptyDraft, ...draft };
    this.question.rows = 1;
    this.question.value = this.#draft.question;
    this.question.placeholder = texts.questionPlaceholder;
    this.question.setAttribute("aria-label", texts.question);
    setUpNumberInput(this.#limit, { min: "1", max: "100", step: "1" }, this.#draft.limit);
    setUpNumberInput(this.#relevance, { min: "0", max: "1", step: "0.01" }, this.#draft.relevance);
    this.#relevance.placeholder = texts.relevanceAny;
    this.#limit.placeholder = emptyDraft.limit;
    this.#problem.id = "number-problem";
    this.#problem.setAttribute("aria-live", "polite");
    this.#filters = new FilterList({
      texts,
      filters: this.#draft.filters,
      changed: (filters) => this.#setFilters(filters),
      readValues: actions.readValues,
      cancelValues: actions.cancelValues,
      removed: () => this.#add.focus(),
    });

    this.#go = textButton(texts.searchNow, "primary-button", () => this.#search());
    this.#stop = textButton(texts.cancel, "secondary-button", actions.cancel);
    this.#ask = textButton(texts.askAgent, "link-button", () =>
      actions.askAgent(this.#draft.question.trim()),
    );
    this.#add = textButton(texts.addFilter, "link-button", () => this.#filters.add());
    this.#noFilters = element("p", { class: "hint", text: texts.noFilters });
    this.#hint = element("p", { class: "hint", text: texts.filterHint });
    // Hidden until the columns are known.
    for (const part of [this.#add, this.#noFilters, this.#hint]) part.hidden = true;
    this.element.append(
      element("div", { class: "ask-line" }, this.question, this.#go, this.#stop),
      element(
        "div",
        { class: "options" },
        this.#createOption(this.#limit, texts.limit, texts.limitHint),
        this.#createOption(this.#relevance, texts.relevance, texts.relevanceHint),
      ),
      this.#problem,
      this.#filters.element,
      this.#hint,
      this.#add,
      this.#noFilters,
      element(
        "div",
        { class: "after" },
        this.#ask,
        this.#createCopyButton(texts.copyStatement, "sql"),
        this.#createCopyButton(texts.copyRequest, "json"),
      ),
    );
    this.#listen();
    this.searching = false;
  }

  setColumns(columns: string[]): void {
    this.#canFilter = columns.length > 0;
    this.#filters.setColumns(columns);
    this.#showFilterHelp();
  }

  /** Suggests a column's values; undefined if they could not be read. */
  showValues(column: string, values: ColumnValues | undefined): void {
    this.#filters.showValues(column, values);
  }

  set searching(searching: boolean) {
    const hadFocus = [this.#go, this.#stop].some((button) => button === document.activeElement);
    this.#go.hidden = searching;
    this.#stop.hidden = !searching;
    // The focused button is hidden now.
    if (hadFocus) (searching ? this.#stop : this.#go).focus({ preventScroll: true });
  }

  #listen(): void {
    this.element.addEventListener("submit", (event) => event.preventDefault());
    this.element.addEventListener("input", () => this.#changed());
    this.element.addEventListener("keydown", (event) => {
      // Shift+Enter breaks the line; while an input method composes, Enter chooses a candidate.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      // Enter may have chosen a suggestion.
      if (event.target instanceof HTMLButtonElement || event.defaultPrevented) return;
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

  /** Starts a search, which replaces one that is still running. */
  #search(): void {
    if (this.#checkNumbers()) this.#actions.search(this.#draft);
  }

  /** Focuses the first invalid number; true if there is none. */
  #checkNumbers(): boolean {
    const invalid = this.element.querySelector<HTMLElement>("input[aria-invalid=true]");
    invalid?.focus();
    return invalid === null;
  }

  #setFilters(filters: SearchDraft["filters"]): void {
    this.#draft = { ...this.#draft, filters };
    this.#showFilterHelp();
    this.#actions.changed(this.#draft);
  }

  #showFilterHelp(): void {
    this.#add.hidden = !this.#canFilter;
    this.#noFilters.hidden = this.#canFilter;
    this.#hint.hidden = !this.#filters.hasUnknownTypes;
  }

  /** A number's field, with a hint that is linked to it for screen readers. */
  #createOption(input: HTMLInputElement, name: string, hintText: string): HTMLElement {
    const hint = element("p", { class: "hint", text: hintText });
    hint.id = `hint-${input === this.#limit ? "limit" : "relevance"}`;
    input.setAttribute("aria-describedby", `${this.#problem.id} ${hint.id}`);
    const label = element("label", {}, element("span", { text: name }), input);
    return element("div", { class: "option" }, label, hint);
  }

  #createCopyButton(text: string, as: "sql" | "json"): HTMLElement {
    return textButton(text, "link-button", () => {
      if (this.#checkNumbers()) this.#actions.copyStatement(this.#draft, as);
    });
  }
}

function setUpNumberInput(
  input: HTMLInputElement,
  range: { min: string; max: string; step: string },
  value: string,
): void {
  Object.assign(input, { type: "number", ...range, value });
}

/** True if the field is empty or has a number within its range. */
function isInRange({ validity }: HTMLInputElement): boolean {
  return !validity.badInput && !validity.rangeOverflow && !validity.rangeUnderflow;
}
