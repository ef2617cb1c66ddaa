// The controls of forms, made of @vscode-elements.
import "@vscode-elements/elements/dist/vscode-single-select/index.js";
import "@vscode-elements/elements/dist/vscode-textfield/index.js";
import { element, icon, iconButton, textButton } from "../dom.ts";

export interface Control {
  element: HTMLElement;
  focusable: () => Promise<HTMLElement | null>;
}

/** Puts the focus into a control once its field exists. */
export function focusControl(control: Control | undefined): void {
  void control?.focusable().then((field) => field?.focus());
}

export interface TextControl extends Control {
  value: string;
}

interface TextOptions {
  label: string;
  placeholder?: string;
  onChange: (value: string) => void;
  /** The focus has left the field. */
  onLeave?: () => void;
}

let isPointerDown = false;
window.addEventListener("pointerdown", () => (isPointerDown = true), { capture: true });
window.addEventListener("pointerup", () => (isPointerDown = false), { capture: true });
window.addEventListener("pointercancel", () => (isPointerDown = false), { capture: true });

/** Runs `work` now, or after the click if a pointer button is down. */
function afterPointer(work: () => void): void {
  if (!isPointerDown) work();
  else window.addEventListener("pointerup", () => setTimeout(work, 0), { once: true });
}

export function textControl({ label, placeholder, onChange, onLeave }: TextOptions): TextControl {
  const field = document.createElement("vscode-textfield");
  field.label = label;
  field.placeholder = placeholder ?? "";
  field.autocomplete = "off";
  field.addEventListener("input", () => onChange(field.value));
  // A new message can move the page; wait until the click that took the focus has reached its target.
  field.addEventListener("focusout", () => afterPointer(() => onLeave?.()));
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

/** A password field with a button that shows its text. */
export function secretControl(
  options: TextOptions,
  labels: { show: string; hide: string },
): TextControl {
  const control = textControl(options);
  const field = control.element as HTMLElementTagNameMap["vscode-textfield"];
  field.type = "password";
  const show = iconButton("eye", labels.show, () => {
    const isShown = field.type === "text";
    field.type = isShown ? "password" : "text";
    const name = isShown ? labels.show : labels.hide;
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

/** Several lines of text. Not of @vscode-elements, whose textarea needs an image from a data: URL. */
export function longTextControl({ label, onChange }: TextOptions): TextControl {
  const field = element("textarea", { class: "long-text", label });
  field.rows = 8;
  field.addEventListener("input", () => onChange(field.value));
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

/** Returns names as choices; the chosen one is a choice even if it is not among them. */
export function nameChoices(names: readonly string[] | null | undefined, chosen: string): Choice[] {
  const all = new Set([...(names ?? []), ...(chosen === "" ? [] : [chosen])]);
  return [...all].map((name) => ({ value: name, label: name }));
}

interface ChoiceControl extends Control {
  value: string;
  choices: Choice[];
}

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

interface ListOptions {
  label: string;
  icon: string;
  choose: string;
  empty: string;
  remove: (entry: string) => string;
  /** The text beside an entry: how many items it matches. */
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
  readonly #choose: HTMLButtonElement;

  constructor(options: ListOptions) {
    this.#options = options;
    this.#empty = element("div", { class: "empty", text: options.empty });
    this.#choose = textButton(options.choose, "secondary-button", options.pick);
    this.element = element(
      "div",
      { role: "group", label: options.label },
      this.#list,
      this.#empty,
      this.#choose,
    );
  }

  focusable = (): Promise<HTMLElement> => Promise.resolve(this.#choose);

  setEntries(entries: readonly string[], invalid: ReadonlySet<string>): void {
    const { icon: name, note, remove, removed } = this.#options;
    this.#empty.hidden = entries.length > 0;
    this.#list.hidden = entries.length === 0;
    this.#list.replaceChildren(
      ...entries.map((entry, index) => {
        const button = iconButton("close", remove(entry), () => {
          removed(entry);
          this.#focusAfter(index);
        });
        const item = element(
          "li",
          {},
          icon(name),
          element("span", { class: "entry code", text: entry }),
          element("span", { class: "note", text: note(entry) }),
          button,
        );
        if (invalid.has(entry)) item.dataset["state"] = "wrong";
        return item;
      }),
    );
  }

  /** Focuses the entry after the removed one, the last one, or the button below. */
  #focusAfter(index: number): void {
    const buttons = [...this.#list.querySelectorAll("button")];
    (buttons[index] ?? buttons.at(-1) ?? this.#choose).focus();
  }
}
