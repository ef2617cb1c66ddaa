import { element, textButton } from "../../../shared/page/dom.ts";
import { longTextControl, textControl } from "../../../shared/page/form/controls.ts";
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
  readonly #picture = element("div", { class: "picture" });
  readonly #problem = element("p", { class: "problem", role: "alert" });
  readonly #draw: HTMLButtonElement;
  readonly #first: () => Promise<HTMLElement | null>;

  constructor(options: VaryOptions) {
    this.#options = options;
    const { input, texts } = options;
    const { range } = input;
    const isNumbers = range.kind === "numbers";
    const fields = options.fields ?? proposeFields(range);
    const save = (): void =>
      options.onChange({
        from: from.control.value,
        to: to.control.value,
        steps: steps.control.value,
        list: list.value,
      });
    const field = (label: string, value: string) => {
      const control = textControl({ label: `${label} (${input.name})`, onChange: save });
      control.value = value;
      const shown = element("div", { class: "short-field" }, element("span", { text: label }));
      shown.append(control.element);
      return { control, shown };
    };
    const from = field(texts.from, fields.from);
    const to = field(texts.to, fields.to);
    const steps = field(texts.steps, fields.steps);
    const list = longTextControl({ label: `${texts.values} (${input.name})`, onChange: save });
    list.value = fields.list;
    const readValues = (): string[] => {
      if (!isNumbers) {
        const lines = list.value.split("\n").filter((line) => line !== "");
        return [...new Set(lines.map((line) => readInputText(line, input.own, input.isNumber)))];
      }
      const [low, high, count] = [from, to, steps].map(({ control }) =>
        control.value.trim() === "" ? NaN : Number(control.value),
      );
      const isValid = Number.isFinite(low) && Number.isFinite(high) && count! >= 2;
      if (!isValid || low === high) return [];
      const isWhole = range.isWhole && Number.isInteger(low) && Number.isInteger(high);
      const values = spreadNumbers(low!, high!, count!, isWhole);
      // A file of CSV has its numbers as texts.
      const isText = input.own.startsWith('"') && input.own !== '""';
      return isText ? values.map((value) => JSON.stringify(value)) : values;
    };
    const draw = textButton(texts.draw, "primary-button", () => {
      const values = readValues().slice(0, maxVariations);
      this.#problem.textContent = values.length === 0 ? texts.wrongRange : "";
      if (values.length > 0) options.vary(values);
    });
    this.#first = isNumbers ? from.control.focusable : list.focusable;
    this.element = element(
      "section",
      { class: "section vary" },
      element("h2", { text: formatMessage(texts.varied, input.name) }),
      element(
        "div",
        { class: "range" },
        ...(isNumbers
          ? [from.shown, to.shown, steps.shown]
          : [element("p", { class: "quiet", text: texts.valuesHelp }), list.element]),
        draw,
      ),
      this.#problem,
      this.#picture,
    );
    this.element.addEventListener("keydown", (event) => {
      const isField = (event.target as HTMLElement).tagName !== "TEXTAREA";
      if (event.key === "Enter" && isField && event.target !== draw) draw.click();
    });
    this.#draw = draw;
    save();
  }

  /** Predicts the values, again if other inputs have changed. */
  redraw(): void {
    this.#draw.click();
  }

  async focus(): Promise<void> {
    (await this.#first())?.focus();
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
}

function proposeFields(range: InputRange): VaryFields {
  const steps = String(defaultSteps);
  return range.kind === "numbers"
    ? { from: String(range.from), to: String(range.to), steps, list: "" }
    : { from: "", to: "", steps, list: range.values.map(formatInputText).join("\n") };
}
