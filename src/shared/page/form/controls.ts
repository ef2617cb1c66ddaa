// The controls of What If, made of @vscode-elements.
import "@vscode-elements/elements/dist/vscode-textfield/index.js";
import { element } from "../dom.ts";

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
