// Replaces a form when what it was for is done.
import { element, icon, textButton } from "../dom.ts";

export interface DoneViewOptions {
  title: string;
  note: string;
  /** What can be done next, the best first. */
  buttons: readonly { title: string; press: () => void }[];
}

/** Returns the view and a function that focuses its first button. */
export function createDoneView({ title, note, buttons }: DoneViewOptions): {
  element: HTMLElement;
  focus: () => void;
} {
  const drawn = buttons.map(({ title: name, press }, at) =>
    textButton(name, at === 0 ? "primary-button" : "secondary-button", press),
  );
  const page = element(
    "div",
    { class: "page" },
    element("h1", {}, icon("pass-filled"), title),
    element("p", { class: "intro", text: note }),
    element("div", { class: "row" }, ...drawn),
  );
  return {
    element: element("main", { class: "form created" }, page),
    focus: () => drawn[0]?.focus(),
  };
}
