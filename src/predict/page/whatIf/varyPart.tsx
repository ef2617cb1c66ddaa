import * as l10n from "@vscode/l10n";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../../shared/page/parts.tsx";
import {
  formatInputText,
  maxVariations,
  readInputText,
  spreadNumbers,
  type InputRange,
} from "../../whatIf/inputValue.ts";
import type { VariedRow, VaryFields, WhatIfInput } from "../../whatIf/whatIfPage.ts";
import { Curve, CurveTable } from "./curve.tsx";

/** Values of a number that are predicted unless the user says otherwise. */
const defaultSteps = 21;

interface VaryPartProps {
  input: WhatIfInput;
  /** Its value on the page, as JSON. */
  present: string;
  fields: VaryFields;
  /** The user has just chosen this input: the part takes the focus. */
  isChosen: boolean;
  /** The fields hold no range. */
  isWrong: boolean;
  curve: VariedRow | undefined;
  change: (fields: VaryFields) => void;
  draw: () => void;
}

/** Chooses the values of one input, and draws what the model predicts for them. */
export function VaryPart(props: VaryPartProps) {
  const { input, present, isChosen, isWrong, curve, draw } = props;
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!isChosen) return;
    section.current?.querySelector<HTMLElement>(".input")?.focus();
    section.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <section class="section vary" ref={section}>
      <h2>{l10n.t("Vary {0}", input.name)}</h2>
      <div class="range">
        {input.range.kind === "values" ? (
          <ListField {...props} />
        ) : (
          <>
            <ShortField {...props} name="from" label={l10n.t("From")} />
            <ShortField {...props} name="to" label={l10n.t("To")} />
            <ShortField {...props} name="steps" label={l10n.t("Values")} />
          </>
        )}
        <Button kind="primary" label={l10n.t("Draw")} press={draw} />
      </div>
      <p class="problem" role="alert">
        {isWrong &&
          (input.range.kind === "values"
            ? l10n.t("A value is missing.")
            : l10n.t("From and To must differ, and Values must be at least 2."))}
      </p>
      {curve && (
        <div class="picture">
          <Curve input={input} present={present} varied={curve} />
          <details>
            <summary>{l10n.t("Show as Table")}</summary>
            <CurveTable input={input} varied={curve} />
          </details>
        </div>
      )}
    </section>
  );
}

interface ShortFieldProps extends VaryPartProps {
  name: "from" | "to" | "steps";
  label: string;
}

function ShortField({ name, label, input, fields, change, draw }: ShortFieldProps) {
  return (
    <label class="short-field">
      {label}
      <input
        class="input"
        type="text"
        value={fields[name]}
        autocomplete="off"
        spellcheck={false}
        aria-label={`${label} (${input.name})`}
        onInput={({ currentTarget }) => change({ ...fields, [name]: currentTarget.value })}
        onKeyDown={({ key }) => {
          if (key === "Enter") draw();
        }}
      />
    </label>
  );
}

function ListField({ input, fields, change }: VaryPartProps) {
  return (
    <>
      <p class="quiet">{l10n.t("One value per line.")}</p>
      <textarea
        class="input"
        rows={Math.min(8, Math.max(3, fields.list.split("\n").length + 1))}
        value={fields.list}
        spellcheck={false}
        aria-label={`${l10n.t("Values")} (${input.name})`}
        onInput={({ currentTarget }) => change({ ...fields, list: currentTarget.value })}
      />
    </>
  );
}

export function proposeFields(range: InputRange): VaryFields {
  const steps = String(defaultSteps);
  return range.kind === "numbers"
    ? { from: String(range.from), to: String(range.to), steps, list: "" }
    : { from: "", to: "", steps, list: range.values.map(formatInputText).join("\n") };
}

/** The values of the fields, as JSON; empty if the range is not valid. */
export function readVaryValues(input: WhatIfInput, fields: VaryFields): string[] {
  return readAllValues(input, fields).slice(0, maxVariations);
}

function readAllValues({ range, own, isNumber }: WhatIfInput, fields: VaryFields): string[] {
  if (range.kind === "values") {
    const lines = fields.list.split("\n").filter((line) => line !== "");
    return [...new Set(lines.map((line) => readInputText(line, own, isNumber)))];
  }
  const from = readNumber(fields.from);
  const to = readNumber(fields.to);
  const steps = readNumber(fields.steps);
  const isValid = Number.isFinite(from) && Number.isFinite(to) && steps >= 2;
  if (!isValid || from === to) return [];
  const isWhole = range.isWhole && Number.isInteger(from) && Number.isInteger(to);
  const values = spreadNumbers(from, to, steps, isWhole);
  // A file of CSV has its numbers as texts.
  const isText = own.startsWith('"') && own !== '""';
  return isText ? values.map((value) => JSON.stringify(value)) : values;
}

function readNumber(text: string): number {
  return text.trim() === "" ? NaN : Number(text);
}
