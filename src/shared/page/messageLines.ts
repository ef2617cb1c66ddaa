// Messages of more than one line: an SQL error shows its place with carets below a line of the statement.
import { element } from "./dom.ts";

/** Sets an element's text. What follows the first line is in the editor's font, each line as it is. */
export function setMessage(target: HTMLElement, message: string): void {
  const end = message.indexOf("\n");
  if (end < 0) {
    target.textContent = message;
    return;
  }
  const lines = message.slice(end + 1).replace(/^\n/, "");
  target.replaceChildren(message.slice(0, end), element("pre", { class: "lines", text: lines }));
}
