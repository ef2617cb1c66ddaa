// The page that predicts one row with other values: an answer for each change, and curves over one input.
import * as l10n from "@vscode/l10n";
import { useEffect, useRef, useState } from "preact/hooks";
import { PageFrame } from "../../../shared/page/itemFrame.tsx";
import { formatNumber } from "../../../shared/page/l10n.ts";
import { Button } from "../../../shared/page/parts.tsx";
import { startPage, type PageProps } from "../../../shared/page/startPage.tsx";
import { save, savedState } from "../../../shared/page/webview.ts";
import { omitStoredSecrets } from "../../../shared/typedSecrets.ts";
import { isNullLiteral, parseNumberLiteral, parseStringLiteral } from "../../rows/jsonLiteral.ts";
import { formatInputText, isWrongNumber, readInputText } from "../../whatIf/inputValue.ts";
import type {
  Answer,
  Prediction,
  SavedPage,
  VariedInput,
  whatIfCalls,
  WhatIfInput,
  WhatIfState,
} from "../../whatIf/whatIfPage.ts";
import { InputRow } from "./inputRow.tsx";
import { proposeFields, readVaryValues, VaryPart } from "./varyPart.tsx";
import "./whatIf.css";

/** Milliseconds without a key before the values are predicted. */
const typingMs = 40;

/** Milliseconds without a change before the curve is predicted again: its many rows must not delay the answer. */
const redrawMs = 600;

/** The varied input, and how often the user has chosen one: none yet if it is from before a reload. */
interface Varied extends VariedInput {
  choice: number;
}

function WhatIfView({ state, host }: PageProps<WhatIfState, typeof whatIfCalls>) {
  const { row, model, connection, isAnswerOld } = state;
  const { inputs } = row;
  const [saved] = useState(() => readSaved(row.id));
  const [values, setValues] = useState(() =>
    inputs.map(({ own }, at) => saved.values?.[at] ?? row.values[at] ?? own),
  );
  /** Texts of the fields. Several texts can mean the same value, so they are kept apart from `values`. */
  const [texts, setTexts] = useState(() => values.map(formatInputText));
  const [varied, setVaried] = useState(() => restoreVaried(saved.varied, inputs.length));
  const [isRangeWrong, setRangeWrong] = useState(false);
  const wrong = inputs.map(({ own, isNumber }, at) => isWrongNumber(texts[at]!, own, isNumber));
  const hasWrong = wrong.includes(true);
  const answer = useLastAnswer(state.answer, values);
  const curve = state.varied && state.varied.input === varied?.input ? state.varied : undefined;
  /** A curve that comes back makes the page longer. */
  const isRead = useRef(!varied);
  isRead.current ||= curve !== undefined;

  const draw = (at = varied): void => {
    if (!at || hasWrong) return;
    const over = readVaryValues(inputs[at.input]!, at.fields);
    setRangeWrong(over.length === 0);
    if (over.length > 0) void host.vary({ values, input: at.input, over });
  };
  useEffect(() => save({ ...row, values: storedValues(inputs, values) }), [values]);
  useEffect(() => {
    if (!varied) return;
    const { input, fields } = varied;
    const { name } = inputs[input]!;
    const isSecret = Object.values<string>({ ...fields }).some((value) => holdsSecret(name, value));
    save({ varied: isSecret ? undefined : { input, fields } });
  }, [varied]);
  const predict = (): void => {
    if (!hasWrong) void host.predict(values);
  };
  usePause(values, typingMs, predict);
  usePause(values, redrawMs, () => draw());
  // A page that was only hidden has its predictions, which may cost money.
  useEffect(() => {
    if (!answer) predict();
    if (!curve?.values.every((value, at) => value === values[at])) draw();
  }, []);

  const change = (at: number, text: string): void => {
    const { own, isNumber } = inputs[at]!;
    const json = readInputText(text, own, isNumber);
    setTexts((before) => before.with(at, text));
    setValues((before) => (before[at] === json ? before : before.with(at, json)));
  };
  const resetAll = (): void => {
    setTexts(inputs.map(({ own }) => formatInputText(own)));
    setValues(inputs.map(({ own }) => own));
    document.getElementById("input-0")?.focus();
  };
  const vary = (input: number): void => {
    const fields = proposeFields(inputs[input]!.range);
    const chosen = { input, fields, choice: (varied?.choice ?? 0) + 1 };
    setVaried(chosen);
    draw(chosen);
  };
  const isOwnRow = inputs.every(({ own }, at) => values[at] === own);
  return (
    <PageFrame
      title={l10n.t("What If")}
      place={`${model} · ${row.place} · ${connection}`}
      state={state}
      host={host}
      loading={l10n.t("Predicting")}
      status={useStatus(answer, [curve, state.notice])}
      tools={<Button label={l10n.t("Reset All")} press={resetAll} isDisabled={isOwnRow} />}
      isRead={isRead.current}
    >
      <div class={`answer ${isAnswerOld || hasWrong ? "old" : ""}`}>
        {answer && <AnswerParts answer={answer} />}
      </div>
      <section class="section">
        <h2>{l10n.t("Inputs")}</h2>
        {inputs.map((input, at) => (
          <InputRow
            key={at}
            id={`input-${String(at)}`}
            input={input}
            text={texts[at]!}
            isChanged={values[at] !== input.own}
            isWrong={wrong[at]!}
            change={(text) => change(at, text)}
            vary={() => vary(at)}
          />
        ))}
      </section>
      {varied && (
        <VaryPart
          key={varied.choice}
          input={inputs[varied.input]!}
          present={values[varied.input]!}
          fields={varied.fields}
          isChosen={varied.choice > 0}
          isWrong={isRangeWrong}
          curve={curve}
          change={(fields) => setVaried({ ...varied, fields })}
          draw={() => draw()}
        />
      )}
    </PageFrame>
  );
}

/** The values without typed secrets: the row's own are in these places. */
function storedValues(inputs: readonly WhatIfInput[], values: readonly string[]): string[] {
  return inputs.map(({ name, own }, at) => (holdsSecret(name, values[at]!) ? own : values[at]!));
}

function holdsSecret(input: string, value: string): boolean {
  const typed = { name: input, value };
  return omitStoredSecrets(typed) !== typed;
}

/** The saved state of the page, unless it belongs to another row. */
function readSaved(id: string): Partial<SavedPage> {
  const saved: Partial<SavedPage> = savedState();
  return saved.id === id ? saved : {};
}

function restoreVaried(saved: VariedInput | undefined, inputs: number): Varied | undefined {
  return saved && saved.input < inputs ? { ...saved, choice: 0 } : undefined;
}

/** The last answer that has come for the page's values as they were then. */
function useLastAnswer(answer: Answer | undefined, values: string[]): Answer | undefined {
  const last = useRef<Answer>(undefined);
  if (answer?.values.every((value, at) => value === values[at])) last.current = answer;
  return last.current;
}

/** Runs `work` once a value has not changed for some milliseconds; not for the first value. */
function usePause(value: unknown, ms: number, work: () => void): void {
  const first = useRef(value);
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    if (value === first.current) return undefined;
    first.current = undefined;
    const timer = setTimeout(() => latest.current(), ms);
    return () => clearTimeout(timer);
  }, [value]);
}

/** The status for screen readers: an answer, until one of the `others` has come. */
function useStatus(answer: Answer | undefined, others: unknown[]): string {
  const [status, setStatus] = useState("");
  useEffect(() => setStatus(""), others);
  useEffect(() => {
    if (!answer) return;
    setStatus(`${answer.target} ${parseStringLiteral(answer.present.value)}. ${compare(answer)}`);
  }, [answer]);
  return status;
}

function AnswerParts({ answer }: { answer: Answer }) {
  const { confidence, lower, upper } = answer.present;
  const facts: string[] = [];
  if (confidence !== undefined) facts.push(l10n.t("Confidence {0}", format(confidence)));
  if (lower !== undefined && upper !== undefined) {
    facts.push(l10n.t("{0} to {1}", format(lower), format(upper)));
  }
  return (
    <>
      <div class="target">{answer.target}</div>
      {/* The digits of a prediction stay as the server writes them. */}
      <div class="value">{parseStringLiteral(answer.present.value)}</div>
      <div class="quiet">{compare(answer)}</div>
      <div class="quiet">{facts.join(" · ")}</div>
    </>
  );
}

function compare({ own, present }: Record<"own" | "present", Prediction>): string {
  const difference = parseNumberLiteral(present.value) - parseNumberLiteral(own.value);
  const before = parseStringLiteral(own.value);
  const isNumber = Number.isFinite(difference) && !isNullLiteral(own.value);
  if (!isNumber || difference === 0) return l10n.t("Original: {0}", before);
  const sign = difference > 0 ? "+" : "";
  return l10n.t("Original: {0} ({1})", before, `${sign}${format(difference)}`);
}

/** Without separators of thousands, like the predictions beside it. */
function format(value: number): string {
  return formatNumber(value, { maximumSignificantDigits: 6, useGrouping: false });
}

startPage(WhatIfView);
