// The page that predicts one row with other values: an answer for each change, and curves over one input.
import { formatMessage } from "../../../shared/formatMessage.ts";
import { element, textButton } from "../../../shared/page/dom.ts";
import { focusControl, textControl, type TextControl } from "../../../shared/page/form/controls.ts";
import { ItemPageFrame } from "../../../shared/page/itemPageFrame.ts";
import type { Host, PageView } from "../../../shared/page/vscodeApi.ts";
import { isNullLiteral, parseNumberLiteral, parseStringLiteral } from "../../rows/jsonLiteral.ts";
import { formatInputText, readInputText } from "../../whatIf/inputValue.ts";
import type {
  PageState,
  Prediction,
  ToHost,
  ToPage,
  VaryFields,
  WhatIfInput,
} from "../../whatIf/messages.ts";
import { VaryPart } from "./varyPart.ts";

type Begin = Extract<ToPage, { type: "begin" }>;

/** Milliseconds without a key before the values are predicted. */
const typingMs = 40;

/** Milliseconds without a change before the curve is predicted again: its many rows must not delay the answer. */
const redrawMs = 600;

interface InputField {
  input: WhatIfInput;
  control: TextControl;
  was: HTMLElement;
  reset: HTMLButtonElement;
}

export class WhatIfView implements PageView<ToPage> {
  readonly element: HTMLElement;
  readonly #host: Host<ToHost, PageState>;
  readonly #begin: Begin;
  readonly #frame: ItemPageFrame;
  /** The page's state of this row before it was hidden or the window reloaded. */
  readonly #saved: Partial<PageState>;
  readonly #values: string[];
  readonly #fields: InputField[];
  readonly #resetAll: HTMLButtonElement;
  readonly #answer = element("div", { class: "answer" });
  readonly #varySection = element("div");
  #varyPart: VaryPart | undefined;
  #varyRequest = 0;
  #request = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #redrawTimer: ReturnType<typeof setTimeout> | undefined;
  #target = "";

  constructor(begin: Begin, host: Host<ToHost, PageState>) {
    const { row, texts, model, connection } = begin;
    this.#begin = begin;
    this.#host = host;
    this.#saved = host.state.id === row.id ? host.state : {};
    const { values } = this.#saved;
    this.#values = row.inputs.map(({ own }, at) => values?.[at] ?? row.values[at] ?? own);
    this.#fields = row.inputs.map((input, at) => this.#createField(input, at));
    this.#resetAll = textButton(texts.resetAll, "secondary-button", () => {
      for (const at of this.#fields.keys()) this.#set(at, this.#fields[at]!.input.own);
      focusControl(this.#fields[0]?.control);
    });
    const inputs = element(
      "section",
      { class: "section" },
      element("h2", { text: texts.inputs }),
      ...this.#fields.map((field, at) => this.#createRow(field, at)),
    );
    this.#frame = new ItemPageFrame(host, {
      name: texts.title,
      place: formatMessage(texts.place, model, row.place, connection),
      tools: [this.#resetAll],
      body: [this.#answer, inputs, this.#varySection],
    });
    this.element = this.#frame.element;
    for (const at of this.#fields.keys()) this.#showChange(at);
    host.save({ ...row, values: this.#values });
  }

  start(): void {
    this.#frame.start(this.#resetAll);
    focusControl(this.#fields[0]?.control);
    this.#predict();
    const { row } = this.#begin;
    const { varied } = this.#saved;
    if (varied && varied.input < row.inputs.length) this.#vary(varied.input, varied.fields);
  }

  show(message: ToPage): void {
    switch (message.type) {
      case "asking":
        this.#frame.setBusy(this.#begin.texts.predicting);
        break;
      case "failed":
        this.#frame.setBusy(undefined);
        this.#frame.notice = message.notice;
        this.#answer.classList.add("old");
        break;
      case "predicted":
        // An answer for values that have been changed since.
        if (message.request !== this.#request) break;
        this.#frame.isBusy = false;
        this.#frame.notice = undefined;
        this.#showAnswer(message);
        break;
      case "varied":
        if (message.request !== this.#varyRequest) break;
        this.#frame.setBusy(undefined);
        this.#frame.notice = undefined;
        this.#varyPart?.show(this.#target, message.values, message.predictions);
        break;
      case "begin":
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#redrawTimer);
    this.#frame.dispose();
  }

  #createField(input: WhatIfInput, at: number): InputField {
    const { texts } = this.#begin;
    const control = textControl({
      label: input.name,
      placeholder: texts.empty,
      onChange: (text) => this.#change(at, readInputText(text, input.own, input.isNumber)),
    });
    control.value = formatInputText(this.#values[at]!);
    const reset = textButton(texts.reset, "link-button", () => {
      this.#set(at, input.own);
      focusControl(control);
    });
    reset.setAttribute("aria-label", formatMessage(texts.resetInput, input.name));
    return { input, control, was: element("span", { class: "quiet" }), reset };
  }

  #createRow({ input, control, was, reset }: InputField, at: number): HTMLElement {
    const { texts } = this.#begin;
    const vary = textButton(texts.vary, "secondary-button", () => {
      const part = this.#vary(at);
      part.focus();
      part.element.scrollIntoView({ block: "nearest" });
    });
    vary.setAttribute("aria-label", formatMessage(texts.varyInput, input.name));
    const label = element("span", { class: "label", text: input.name });
    if (input.type !== undefined) {
      label.append(" ", element("span", { class: "quiet", text: input.type }));
    }
    label.addEventListener("click", () => focusControl(control));
    return element(
      "div",
      { class: "input-row" },
      label,
      control.element,
      vary,
      element("span", { class: "change" }, was, " ", reset),
    );
  }

  #set(at: number, json: string): void {
    this.#fields[at]!.control.value = formatInputText(json);
    this.#change(at, json);
  }

  #change(at: number, json: string): void {
    if (this.#values[at] === json) return;
    this.#values[at] = json;
    this.#showChange(at);
    this.#host.save({ values: this.#values });
    this.#request++;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#predict(), typingMs);
    clearTimeout(this.#redrawTimer);
    this.#redrawTimer = setTimeout(() => this.#varyPart?.redraw(), redrawMs);
  }

  #showChange(at: number): void {
    const { input, was, reset } = this.#fields[at]!;
    const isChanged = this.#values[at] !== input.own;
    reset.hidden = !isChanged;
    const { texts } = this.#begin;
    const own = formatInputText(input.own) || texts.empty;
    was.textContent = isChanged ? formatMessage(texts.was, own) : "";
    this.#resetAll.disabled = this.#fields.every(
      (field, index) => this.#values[index] === field.input.own,
    );
  }

  #predict(): void {
    this.#host.post({ type: "predict", request: this.#request, values: this.#values });
  }

  /** Shows the part that varies an input, and has it draw a curve; `fields` as they were before a reload. */
  #vary(at: number, fields?: VaryFields): VaryPart {
    const { texts, locale } = this.#begin;
    const part = new VaryPart({
      input: this.#fields[at]!.input,
      fields,
      texts,
      locale,
      onChange: (changed) => this.#host.save({ varied: { input: at, fields: changed } }),
      vary: (over) => {
        const request = ++this.#varyRequest;
        this.#host.post({ type: "vary", request, values: this.#values, input: at, over });
      },
    });
    this.#varyPart = part;
    this.#varySection.replaceChildren(part.element);
    part.redraw();
    return part;
  }

  #showAnswer({ target, own, present }: Extract<ToPage, { type: "predicted" }>): void {
    const { texts } = this.#begin;
    this.#target = target;
    this.#answer.classList.remove("old");
    // The digits of a prediction stay as the server writes them.
    const value = parseStringLiteral(present.value);
    const compared = this.#compare(own, present);
    const { confidence, lower, upper } = present;
    const facts: string[] = [];
    if (confidence !== undefined) {
      facts.push(formatMessage(texts.confidence, this.#format(confidence)));
    }
    if (lower !== undefined && upper !== undefined) {
      facts.push(formatMessage(texts.interval, this.#format(lower), this.#format(upper)));
    }
    this.#answer.replaceChildren(
      element("div", { class: "target", text: target }),
      element("div", { class: "value", text: value }),
      element("div", { class: "quiet", text: compared }),
      element("div", { class: "quiet", text: facts.join(" · ") }),
    );
    this.#frame.status = `${target} ${value}. ${compared}`;
  }

  #compare(own: Prediction, present: Prediction): string {
    const { texts } = this.#begin;
    const difference = parseNumberLiteral(present.value) - parseNumberLiteral(own.value);
    const before = parseStringLiteral(own.value);
    const isNumber = Number.isFinite(difference) && !isNullLiteral(own.value);
    if (!isNumber || difference === 0) return formatMessage(texts.own, before);
    const sign = difference > 0 ? "+" : "";
    return formatMessage(texts.ownDifference, before, `${sign}${this.#format(difference)}`);
  }

  /** Without separators of thousands, like the predictions beside it. */
  #format(value: number): string {
    const options = { maximumSignificantDigits: 6, useGrouping: false };
    return value.toLocaleString(this.#begin.locale, options);
  }
}
