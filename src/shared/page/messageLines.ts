// Multi-line messages: SQL errors mark their position with carets.
import { element } from "./dom.ts";

/** Sets an element's text. Lines after the first are in the editor's font. */
export function setMessage(target: HTMLElement, message: string): void {
  const end = message.indexOf("\n");
  if (end < 0) {
    target.textContent = message;
    return;
  }
  const lines = message.slice(end + 1).replace(/^\n/, "");
  target.replaceChildren(message.slice(0, end), element("pre", { class: "lines", text: lines }));
}
