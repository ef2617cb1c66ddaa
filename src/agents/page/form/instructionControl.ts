// The instruction, with a draft made from the chosen data, which can be undone.
import { element, textButton } from "../../../shared/page/dom.ts";
import { focusControl, longTextControl, type Control } from "../../../shared/page/form/controls.ts";
import type { FormTexts } from "../../formTexts.ts";

export class InstructionControl implements Control {
  readonly element = element("div", { class: "stack" });
  readonly #texts: FormTexts;
  readonly #text;
  readonly #draft: HTMLButtonElement;
  readonly #undo = element("span");
  readonly #changed: (text: string) => void;

  /** `ask` requests a draft. */
  constructor(texts: FormTexts, changed: (text: string) => void, ask: () => void) {
    this.#texts = texts;
    this.#changed = changed;
    this.#text = longTextControl({
      label: texts.fields.instruction.label,
      onChange: (text) => {
        this.#undo.replaceChildren();
        changed(text);
      },
    });
    this.#draft = textButton(texts.describe, "secondary-button", () => {
      this.#setBusy(true);
      ask();
    });
    this.element.append(
      this.#text.element,
      element("div", { class: "row" }, this.#draft, this.#undo),
    );
  }

  focusable = (): Promise<HTMLElement | null> => this.#text.focusable();

  set value(text: string) {
    this.#text.value = text;
  }

  /** False without any data to draft from. */
  set canDraft(possible: boolean) {
    this.#draft.hidden = !possible;
  }

  /** Shows the draft; empty if there is none. */
  setDraft(draft: string): void {
    this.#setBusy(false);
    const before = this.#text.value;
    if (draft === "" || draft === before) return;
    this.#set(draft);
    if (before.trim() === "") return;
    const { undo, replaced } = this.#texts;
    const button = textButton(undo, "link-button", () => this.#set(before));
    this.#undo.replaceChildren(element("span", { text: replaced }), " ", button);
  }

  #set(text: string): void {
    this.#text.value = text;
    this.#undo.replaceChildren();
    this.#changed(text);
    focusControl(this.#text);
  }

  #setBusy(isBusy: boolean): void {
    const { describe, describing } = this.#texts;
    this.#draft.disabled = isBusy;
    this.#draft.textContent = isBusy ? describing : describe;
  }
}
