// The search form: question, limit, minimum relevance, and filters on metadata columns.
import * as l10n from "@vscode/l10n";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../shared/page/parts.tsx";
import type { Host } from "../../shared/pageProtocol.ts";
import type {
  ColumnValues,
  knowledgeBaseCalls,
  SearchDraft,
  SearchSwitches,
} from "../knowledgeBasePage.ts";
import { FilterRow } from "./filters.tsx";

interface SearchFormProps {
  draft: SearchDraft;
  setDraft: (change: (before: SearchDraft) => SearchDraft) => void;
  /** Undefined until they are known. */
  columns: string[] | undefined;
  values: ColumnValues[];
  switches: SearchSwitches | undefined;
  isSearching: boolean;
  search: (draft: SearchDraft) => void;
  host: Host<typeof knowledgeBaseCalls>;
}

export function SearchForm(props: SearchFormProps) {
  const { draft, setDraft, columns, values, isSearching, search, host } = props;
  const {
    question,
    limit,
    relevance,
    filters,
    isHybrid = false,
    alpha = "",
    isReranked = true,
  } = draft;
  const { hasHybrid = false, hasReranking = false } = props.switches ?? {};
  const form = useRef<HTMLFormElement>(null);
  const change = (changes: Partial<SearchDraft>): void =>
    setDraft((before) => ({ ...before, ...changes }));
  const known = new Map(values.map((one) => [one.column, one]));
  useEffect(() => {
    const setType = (filter: SearchDraft["filters"][number]): typeof filter => {
      const read = known.get(filter.column);
      return read?.values ? { ...filter, type: read.type } : filter;
    };
    // The user may have typed since this was drawn.
    setDraft((before) => ({ ...before, filters: before.filters.map(setType) }));
  }, [values]);
  useFilterFocus(form, filters.length);

  /** Focuses the first invalid field instead, if there is one. */
  const ifValid = (run: (draft: SearchDraft) => unknown) => (): void => {
    const invalid = form.current?.querySelector<HTMLElement>("input[aria-invalid=true]");
    if (invalid) invalid.focus();
    else run(draft);
  };
  const press = (event: KeyboardEvent): void => {
    // Shift+Enter breaks the line; while an input method composes, Enter chooses a candidate.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    // Enter may have chosen a suggestion.
    if (event.target instanceof HTMLButtonElement || event.defaultPrevented) return;
    event.preventDefault();
    ifValid(search)();
  };
  return (
    <form class="search" ref={form} onSubmit={(event) => event.preventDefault()} onKeyDown={press}>
      <div class="ask-line">
        <textarea
          class="input"
          rows={1}
          placeholder={l10n.t("What do you want to find?")}
          aria-label={l10n.t("Question")}
          data-first
          value={question}
          onInput={({ currentTarget }) => change({ question: currentTarget.value })}
        />
        {isSearching ? (
          <Button label={l10n.t("Cancel")} press={host.cancelSearch} />
        ) : (
          <Button kind="primary" label={l10n.t("Search")} press={ifValid(search)} />
        )}
      </div>
      <div class="options">
        <NumberField
          name={l10n.t("Limit")}
          hint={l10n.t("Default: 10. Maximum: 100.")}
          problem={l10n.t("Enter a number from 1 to 100.")}
          placeholder="10"
          range={{ min: 1, max: 100, step: 1 }}
          value={limit}
          change={(value) => change({ limit: value })}
        />
        <NumberField
          name={l10n.t("Minimum Relevance")}
          hint={l10n.t(
            "Leave empty for no minimum. 1 means the same meaning. Unrelated text scores about 0.5.",
          )}
          problem={l10n.t("Relevance must be between 0 and 1.")}
          placeholder={l10n.t("any")}
          range={{ min: 0, max: 1, step: 0.01 }}
          value={relevance}
          change={(value) => change({ relevance: value })}
        />
        {hasHybrid && (
          <Switch
            name={l10n.t("Hybrid Search")}
            hint={l10n.t("Also finds chunks that contain the words of the question.")}
            isOn={isHybrid}
            change={(isOn) => change({ isHybrid: isOn })}
          />
        )}
        {hasHybrid && isHybrid && (
          <NumberField
            name={l10n.t("Weight of Meaning")}
            hint={l10n.t("From 0 (words only) to 1 (meaning only). Default: 0.5.")}
            problem={l10n.t("The weight must be between 0 and 1.")}
            placeholder="0.5"
            range={{ min: 0, max: 1, step: 0.01 }}
            value={alpha}
            change={(value) => change({ alpha: value })}
          />
        )}
        {hasReranking && (
          <Switch
            name={l10n.t("Reranking")}
            hint={l10n.t("A model reorders the results, which adds time and cost.")}
            isOn={isReranked}
            change={(isOn) => change({ isReranked: isOn })}
          />
        )}
      </div>
      <div class="filters">
        {filters.map((filter, at) => (
          <FilterRow
            key={at}
            filter={filter}
            columns={columns ?? []}
            known={known.get(filter.column)}
            change={(changed) => change({ filters: filters.with(at, changed) })}
            remove={() => change({ filters: filters.toSpliced(at, 1) })}
            host={host}
          />
        ))}
      </div>
      {columns && filters.some(({ type }) => type === undefined) && (
        <p class="hint">
          {l10n.t('Numbers are compared as numbers. To match text, use quotes: "42".')}
        </p>
      )}
      {columns?.[0] !== undefined && (
        <Button
          kind="link"
          label={l10n.t("Add Filter")}
          press={() =>
            change({
              filters: [...filters, { column: columns[0] ?? "", operator: "=", value: "" }],
            })
          }
        />
      )}
      {columns?.length === 0 && (
        <p class="hint">{l10n.t("This knowledge base has no metadata columns to filter by.")}</p>
      )}
      <div class="after">
        <Button
          kind="link"
          label={l10n.t("Ask an Agent About This…")}
          isDisabled={question.trim() === ""}
          press={() => host.askAgent(question.trim())}
        />
        <Button
          kind="link"
          label={l10n.t("Copy SQL Request")}
          press={ifValid((search) => host.copyStatement(search, "sql"))}
        />
        <Button
          kind="link"
          label={l10n.t("Copy as JSON")}
          press={ifValid((search) => host.copyStatement(search, "json"))}
        />
      </div>
    </form>
  );
}

/** A new filter gets the focus; after one was removed, Add Filter gets it. */
function useFilterFocus(form: { current: HTMLFormElement | null }, count: number): void {
  const before = useRef(count);
  useLayoutEffect(() => {
    const added = count - before.current;
    before.current = count;
    const target = added > 0 ? ".filter-row:last-child select" : ":scope > .link-button";
    if (added !== 0) form.current?.querySelector<HTMLElement>(target)?.focus();
  }, [count]);
}

interface SwitchProps {
  name: string;
  hint: string;
  isOn: boolean;
  change: (isOn: boolean) => void;
}

function Switch({ name, hint, isOn, change }: SwitchProps) {
  const id = useId();
  return (
    <div class="option">
      <label class="switch">
        <input
          type="checkbox"
          checked={isOn}
          aria-describedby={id}
          onChange={({ currentTarget }) => change(currentTarget.checked)}
        />
        <span>{name}</span>
      </label>
      <p class="hint" id={id}>
        {hint}
      </p>
    </div>
  );
}

interface NumberFieldProps {
  name: string;
  hint: string;
  /** Shown while what is typed is not such a number. */
  problem: string;
  placeholder: string;
  range: { min: number; max: number; step: number };
  value: string;
  change: (value: string) => void;
}

function NumberField(props: NumberFieldProps) {
  const { name, hint, problem, placeholder, range, value, change } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isWrong, setWrong] = useState(false);
  const check = (): void => setWrong(input.current?.validity.valid === false);
  useLayoutEffect(check, []);
  return (
    <div class="option">
      <label>
        <span>{name}</span>
        <input
          class="input"
          type="number"
          ref={input}
          min={range.min}
          max={range.max}
          step={range.step}
          placeholder={placeholder}
          value={value}
          aria-invalid={isWrong}
          aria-describedby={`${id}-problem ${id}-hint`}
          onInput={({ currentTarget }) => {
            change(currentTarget.value);
            check();
          }}
        />
      </label>
      <p class="problem" id={`${id}-problem`} aria-live="polite">
        {isWrong && problem}
      </p>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}
