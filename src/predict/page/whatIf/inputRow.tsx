import * as l10n from "@vscode/l10n";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, NativeSelect } from "../../../shared/page/parts.tsx";
import { formatInputText } from "../../whatIf/inputValue.ts";
import type { WhatIfInput } from "../../whatIf/whatIfPage.ts";

interface InputRowProps {
  /** The field's. */
  id: string;
  input: WhatIfInput;
  text: string;
  /** The value is not the row's own. */
  isChanged: boolean;
  /** A text in place of a number. */
  isWrong: boolean;
  change: (text: string) => void;
  vary: () => void;
}

/** The choice that turns a list of values into a field. No value of the data is an array. */
const otherChoice = "[]";

/** One input of the model: its value, a way back to the row's own, and the button that varies it. */
export function InputRow(props: InputRowProps) {
  const { id, input, text, isChanged, isWrong, change, vary } = props;
  const { name, type, own } = input;
  const row = useRef<HTMLDivElement>(null);
  const choices = input.isNumber || input.range.kind !== "values" ? [] : input.range.values;
  const known = choices.map(formatInputText);
  const isInList = (one: string): boolean => one === "" || known.includes(one);
  const isKnown = isInList(text);
  const [isTyped, setTyped] = useState(!isKnown);
  const hasList = choices.length > 1 && !isTyped && isKnown;
  const focus = (): void => row.current?.querySelector<HTMLElement>("input, select")?.focus();
  const hadList = useRef(hasList);
  // Where the user has put the field in place of the list, or the list in place of the field. Not after paint, when the
  // next key may have come already.
  useLayoutEffect(() => {
    if (hadList.current === hasList) return;
    hadList.current = hasList;
    focus();
    row.current?.querySelector<HTMLInputElement>("input.input")?.select();
  }, [hasList]);
  const reset = (): void => {
    const ownText = formatInputText(own);
    setTyped(!isInList(ownText));
    change(ownText);
    focus();
  };
  const problem = isWrong
    ? l10n.t("Enter a number.")
    : choices.length > 1 &&
      !isKnown &&
      l10n.t("The data contains only these values: {0}", known.join(", "));
  const problemId = `${id}-problem`;
  const isFirst = id === "input-0" || undefined;
  return (
    <div class="input-row" ref={row}>
      <label class="label" for={id}>
        {name}
        {type !== undefined && <span class="quiet"> {type}</span>}
      </label>
      {hasList ? (
        <NativeSelect
          id={id}
          value={text}
          label={name}
          describedBy={problemId}
          isFirst={isFirst}
          change={(chosen) => {
            if (chosen === otherChoice) setTyped(true);
            else change(chosen);
          }}
        >
          <option value="">{l10n.t("no value")}</option>
          {known.map((value) => (
            <option key={value} value={value}>
              {value}
            </option>
          ))}
          <option value={otherChoice}>{l10n.t("Other value…")}</option>
        </NativeSelect>
      ) : (
        <input
          class="input"
          id={id}
          type="text"
          value={text}
          placeholder={l10n.t("no value")}
          autocomplete="off"
          spellcheck={false}
          aria-label={name}
          aria-describedby={problemId}
          data-first={isFirst}
          aria-invalid={isWrong}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
      <Button label={l10n.t("Vary…")} fullLabel={l10n.t("Vary {0}…", name)} press={vary} />
      <span class="change">
        {isChanged && (
          <>
            <span class="quiet">
              {l10n.t("was {0}", formatInputText(own) || l10n.t("no value"))}
            </span>{" "}
            <Button
              kind="link"
              label={l10n.t("Reset")}
              fullLabel={l10n.t("Reset {0}", name)}
              press={reset}
            />
          </>
        )}
      </span>
      <span class={`problem ${isWrong ? "" : "warning"}`} id={problemId} aria-live="polite">
        {problem}
      </span>
    </div>
  );
}
