import { element, textButton } from "../../../shared/page/dom.ts";
import {
  focusControl,
  longTextControl,
  textControl,
  type TextControl,
} from "../../../shared/page/form/controls.ts";
import { formatMessage } from "../../../shared/formatMessage.ts";
import {
  formatInputText,
  maxVariations,
  readInputText,
  spreadNumbers,
  type InputRange,
} from "../../whatIf/inputValue.ts";
import type { Prediction, VaryFields, WhatIfInput } from "../../whatIf/messages.ts";
import type { WhatIfTexts } from "../../whatIf/whatIfTexts.ts";
import { createCurve, createCurveTable } from "./curve.ts";

/** Values of a number that are predicted unless the user says otherwise. */
const defaultSteps = 21;

interface VaryOptions {
  input: WhatIfInput;
  /** What the fields hold instead of the values that are proposed. */
  fields: VaryFields | undefined;
  texts: WhatIfTexts;
  locale: string;
  /** Called when the fields are shown, and when the user has changed them. */
  onChange: (fields: VaryFields) => void;
  /** Asks for the predictions of these values, as JSON. */
  vary: (values: string[]) => void;
}

/** Chooses the values of one input, and draws what the model predicts for them. */
export class VaryPart {
  readonly element: HTMLElement;
  readonly #options: VaryOptions;
  readonly #from: TextControl;
  readonly #to: TextControl;
  readonly #steps: TextControl;
  readonly #list: TextControl;
  readonly #picture = element("div", { class: "picture" });
  readonly #problem = element("p", { class: "problem", role: "alert" });
  readonly #draw: HTMLButtonElement;

  constructor(options: VaryOptions) {
    this.#options = options;
    const { input, texts } = options;
    const fields = options.fields ?? proposeFields(input.range);
    const onChange = (): void => this.#save();
    const create = (
      createControl: typeof textControl,
      name: string,
      value: string,
    ): TextControl => {
      const control = createControl({ label: `${name} (${input.name})`, onChange });
      control.value = value;
      return control;
    };
    this.#from = create(textControl, texts.from, fields.from);
    this.#to = create(textControl, texts.to, fields.to);
    this.#steps = create(textControl, texts.steps, fields.steps);
    this.#list = create(longTextControl, texts.values, fields.list);
    this.#draw = textButton(texts.draw, "primary-button", () => this.#vary());
    this.element = element(
      "section",
      { class: "section vary" },
      element("h2", { text: formatMessage(texts.varied, input.name) }),
      element("div", { class: "range" }, ...this.#createFields(), this.#draw),
      this.#problem,
      this.#picture,
    );
    this.element.addEventListener("keydown", ({ key, target }) => {
      const isField = target instanceof HTMLElement && target.tagName !== "TEXTAREA";
      if (key === "Enter" && isField && target !== this.#draw) this.#draw.click();
    });
    this.#save();
  }

  /** Predicts the values, again if other inputs have changed. */
  redraw(): void {
    this.#draw.click();
  }

  focus(): void {
    const isRange = this.#options.input.range.kind === "numbers";
    focusControl(isRange ? this.#from : this.#list);
  }

  show(target: string, values: readonly string[], predictions: readonly Prediction[]): void {
    const { input, texts, locale } = this.#options;
    const label = formatMessage(texts.curve, target, input.name);
    const data = { values, predictions, own: input.own, label, locale };
    const details = element("details", {}, element("summary", { text: texts.table }));
    details.append(createCurveTable(data, [input.name, target]));
    details.open = this.#picture.querySelector("details")?.open ?? false;
    this.#picture.replaceChildren(createCurve(data), details);
  }

  #createFields(): HTMLElement[] {
    const { input, texts } = this.#options;
    if (input.range.kind === "values") {
      return [element("p", { class: "quiet", text: texts.valuesHelp }), this.#list.element];
    }
    const createField = (label: string, control: TextControl): HTMLElement =>
      element("div", { class: "short-field" }, element("span", { text: label }), control.element);
    return [
      createField(texts.from, this.#from),
      createField(texts.to, this.#to),
      createField(texts.steps, this.#steps),
    ];
  }

  #save(): void {
    this.#options.onChange({
      from: this.#from.value,
      to: this.#to.value,
      steps: this.#steps.value,
      list: this.#list.value,
    });
  }

  #vary(): void {
    const { texts, vary } = this.#options;
    const values = this.#readValues().slice(0, maxVariations);
    this.#problem.textContent = values.length === 0 ? texts.wrongRange : "";
    if (values.length > 0) vary(values);
  }

  /** The values of the fields, as JSON; empty if the range is not valid. */
  #readValues(): string[] {
    const { input } = this.#options;
    const { range, own, isNumber } = input;
    if (range.kind === "values") {
      const lines = this.#list.value.split("\n").filter((line) => line !== "");
      return [...new Set(lines.map((line) => readInputText(line, own, isNumber)))];
    }
    const from = readNumber(this.#from);
    const to = readNumber(this.#to);
    const steps = readNumber(this.#steps);
    const isValid = Number.isFinite(from) && Number.isFinite(to) && steps >= 2;
    if (!isValid || from === to) return [];
    const isWhole = range.isWhole && Number.isInteger(from) && Number.isInteger(to);
    const values = spreadNumbers(from, to, steps, isWhole);
    // A file of CSV has its numbers as texts.
    const isText = own.startsWith('"') && own !== '""';
    return isText ? values.map((value) => JSON.stringify(value)) : values;
  }
}

function proposeFields(range: InputRange): VaryFields {
  const steps = String(defaultSteps);
  return range.kind === "numbers"
    ? { from: String(range.from), to: String(range.to), steps, list: "" }
    : { from: "", to: "", steps, list: range.values.map(formatInputText).join("\n") };
}

function readNumber({ value }: TextControl): number {
  return value.trim() === "" ? NaN : Number(value);
}
