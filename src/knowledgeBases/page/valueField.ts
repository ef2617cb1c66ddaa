// A text field with suggestions, by ARIA's combobox pattern. Any text may be typed.
import { element } from "../../shared/page/dom.ts";

interface ValueFieldOptions {
  label: string;
  value: string;
  /** Ids of the elements that describe the field. */
  describedBy: string;
  changed: (value: string) => void;
  /** The field got the focus and needs values. */
  focused: () => void;
  blurred: () => void;
}

/** The most suggestions shown at once; typing narrows them. */
const maxShown = 100;

let made = 0;

export class ValueField {
  readonly element = element("div", { class: "value-field" });
  readonly input = element("input", { class: "input" });
  readonly #list = element("ul", { class: "suggestions", role: "listbox" });
  readonly #changed: (value: string) => void;
  #values: readonly string[] = [];
  /** Typed text filters the list; the initial value does not. */
  #isTyped = false;
  #active = -1;

  constructor({ label, value, describedBy, changed, focused, blurred }: ValueFieldOptions) {
    this.#changed = changed;
    const { input } = this;
    this.#list.id = `suggestions-${String(made++)}`;
    this.#list.setAttribute("aria-label", label);
    input.type = "text";
    input.value = value;
    input.autocomplete = "off";
    input.spellcheck = false;
    const attributes = {
      role: "combobox",
      "aria-label": label,
      "aria-autocomplete": "list",
      "aria-controls": this.#list.id,
      "aria-describedby": describedBy,
    };
    for (const [name, text] of Object.entries(attributes)) input.setAttribute(name, text);
    input.addEventListener("focus", () => {
      focused();
      this.#open();
    });
    input.addEventListener("blur", () => {
      this.#close();
      blurred();
    });
    input.addEventListener("click", () => this.#open());
    input.addEventListener("input", () => {
      this.#isTyped = true;
      changed(input.value);
      this.#open();
    });
    input.addEventListener("keydown", (event) => this.#press(event));
    // The field keeps the focus while an option is clicked.
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => {
      const option = (event.target as Element).closest<HTMLElement>("[role=option]");
      if (option) this.#choose(option);
    });
    this.element.append(input, this.#list);
    this.#close();
  }

  suggest(values: readonly string[]): void {
    this.#values = values;
    if (document.activeElement === this.input) this.#open();
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const options = this.#options();
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        if (this.#list.hidden) this.#open();
        else {
          const step = event.key === "ArrowDown" ? 1 : -1;
          const from = this.#active < 0 && step < 0 ? 0 : this.#active;
          this.#activate((from + step + options.length) % options.length);
        }
        break;
      }
      case "Enter": {
        const option = options[this.#active];
        if (!option) return this.#close();
        this.#choose(option);
        break;
      }
      case "Escape":
        if (this.#list.hidden) return;
        this.#close();
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  #open(): void {
    const wanted = this.#isTyped ? this.input.value.trim().toLowerCase() : "";
    const found = this.#values.filter((value) => value.toLowerCase().includes(wanted));
    // Hides a suggestion that is already typed in full.
    const isDone = this.#isTyped && found.length === 1 && found[0] === this.input.value;
    if (found.length === 0 || isDone) return this.#close();
    this.#list.replaceChildren(
      ...found.slice(0, maxShown).map((value, index) => {
        const option = element("li", { role: "option", text: value, title: value });
        option.id = `${this.#list.id}-${String(index)}`;
        option.setAttribute("aria-selected", "false");
        return option;
      }),
    );
    this.#list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.#activate(-1);
  }

  #close(): void {
    this.#list.hidden = true;
    this.#list.replaceChildren();
    this.input.setAttribute("aria-expanded", "false");
    this.#activate(-1);
  }

  #activate(index: number): void {
    const options = this.#options();
    options[this.#active]?.setAttribute("aria-selected", "false");
    this.#active = index;
    const option = options[index];
    if (!option) return this.input.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", option.id);
  }

  #choose(option: HTMLElement): void {
    this.input.value = option.textContent ?? "";
    this.#isTyped = false;
    this.#changed(this.input.value);
    this.#close();
  }

  #options(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>("[role=option]")];
  }
}
