// The form's controls: those of @vscode-elements, each with what the form needs of it.
import "@vscode-elements/elements/dist/vscode-single-select/index.js";
import "@vscode-elements/elements/dist/vscode-textfield/index.js";
import { element, iconButton } from "../../../shared/page/dom.ts";

/** A control and the element in it that takes the focus. */
export interface Control {
  element: HTMLElement;
  focusable: () => Promise<HTMLElement | null>;
}

export interface TextControl extends Control {
  value: string;
}

export interface TextOptions {
  label: string;
  placeholder?: string;
  changed: (value: string) => void;
  /** The user has gone on to the next field. */
  left?: () => void;
}

let isPointerDown = false;
window.addEventListener("pointerdown", () => (isPointerDown = true), { capture: true });
window.addEventListener("pointerup", () => (isPointerDown = false), { capture: true });
window.addEventListener("pointercancel", () => (isPointerDown = false), { capture: true });

/** Does it at once, or, while a button is pressed, when its click is over. */
function afterPointer(work: () => void): void {
  if (!isPointerDown) work();
  else window.addEventListener("pointerup", () => setTimeout(work, 0), { once: true });
}

/** One line of text. */
export function textControl({ label, placeholder, changed, left }: TextOptions): TextControl {
  const field = document.createElement("vscode-textfield");
  field.label = label;
  field.placeholder = placeholder ?? "";
  field.autocomplete = "off";
  field.addEventListener("input", () => changed(field.value));
  // What is said then may move the page: not before a click that took the focus has found its target.
  field.addEventListener("focusout", () => afterPointer(() => left?.()));
  return {
    element: field,
    focusable: async () => {
      await field.updateComplete;
      return field.wrappedElement;
    },
    get value() {
      return field.value;
    },
    set value(value) {
      field.value = value;
    },
  };
}

/** One line that is not shown, with a button that shows it. */
export function secretControl(
  options: TextOptions,
  words: { show: string; hide: string },
): TextControl {
  const control = textControl(options);
  const field = control.element as HTMLElementTagNameMap["vscode-textfield"];
  field.type = "password";
  const show = iconButton("eye", words.show, () => {
    const isShown = field.type === "text";
    field.type = isShown ? "password" : "text";
    const name = isShown ? words.show : words.hide;
    show.title = name;
    show.setAttribute("aria-label", name);
    show.firstElementChild?.classList.replace(
      isShown ? "codicon-eye-closed" : "codicon-eye",
      isShown ? "codicon-eye" : "codicon-eye-closed",
    );
  });
  show.slot = "content-after";
  field.append(show);
  return control;
}

/** Several lines of text; it grows with them. The one of @vscode-elements draws its corner with a picture from a data: URL. */
export function longTextControl({ label, changed }: TextOptions): TextControl {
  const field = element("textarea", { class: "long-text", label });
  field.rows = 8;
  field.addEventListener("input", () => changed(field.value));
  return {
    element: field,
    focusable: () => Promise.resolve(field),
    get value() {
      return field.value;
    },
    set value(value) {
      field.value = value;
    },
  };
}

export interface Choice {
  value: string;
  label: string;
  description?: string;
}

export interface ChoiceControl extends Control {
  value: string;
  choices: Choice[];
}

/** One of several. */
export function choiceControl(
  label: string,
  choices: Choice[],
  changed: (value: string) => void,
): ChoiceControl {
  const select = document.createElement("vscode-single-select");
  select.label = label;
  select.addEventListener("change", () => changed(select.value));
  const control: ChoiceControl = {
    element: select,
    focusable: async () => {
      await select.updateComplete;
      return select.shadowRoot?.querySelector<HTMLElement>("[role=combobox]") ?? null;
    },
    get value() {
      return select.value;
    },
    set value(value) {
      select.value = value;
    },
    get choices() {
      return choices;
    },
    set choices(next) {
      const { value } = select;
      choices = next;
      select.options = next;
      select.value = value;
    },
  };
  select.options = choices;
  return control;
}

export interface ListOptions {
  label: string;
  icon: string;
  choose: string;
  empty: string;
  /** `{0}` stands for the entry. */
  remove: (entry: string) => string;
  /** What stands beside an entry: how many it means. */
  note: (entry: string) => string;
  pick: () => void;
  removed: (entry: string) => void;
}

/** A list of entries, each with a button that removes it, and a button to choose others. */
export class ListControl implements Control {
  readonly element: HTMLElement;
  readonly #options: ListOptions;
  readonly #list = element("ul", { class: "entries" });
  readonly #empty: HTMLElement;
  readonly #choose = element("button", { class: "secondary-button" });

  constructor(options: ListOptions) {
    this.#options = options;
    this.#empty = element("div", { class: "empty", text: options.empty });
    this.#choose.type = "button";
    this.#choose.textContent = options.choose;
    this.#choose.addEventListener("click", options.pick);
    this.element = element(
      "div",
      { role: "group", label: options.label },
      this.#list,
      this.#empty,
      this.#choose,
    );
  }

  focusable = (): Promise<HTMLElement> => Promise.resolve(this.#choose);

  show(entries: readonly string[], wrong: ReadonlySet<string>): void {
    const { icon: name, note, remove, removed } = this.#options;
    this.#empty.hidden = entries.length > 0;
    this.#list.hidden = entries.length === 0;
    this.#list.replaceChildren(
      ...entries.map((entry, index) => {
        const mark = element("i", { class: `codicon codicon-${name}` });
        mark.setAttribute("aria-hidden", "true");
        const button = iconButton("close", remove(entry), () => {
          removed(entry);
          this.#focusAfter(index);
        });
        const item = element(
          "li",
          {},
          mark,
          element("span", { class: "entry code", text: entry }),
          element("span", { class: "note", text: note(entry) }),
          button,
        );
        if (wrong.has(entry)) item.dataset["state"] = "wrong";
        return item;
      }),
    );
  }

  /** The entry that came after the removed one, the last one, or the button below. */
  #focusAfter(index: number): void {
    const buttons = [...this.#list.querySelectorAll("button")];
    (buttons[index] ?? buttons.at(-1) ?? this.#choose).focus();
  }
}
