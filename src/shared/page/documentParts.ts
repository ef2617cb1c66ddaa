// Building blocks of document pages: notices, sections, tables.
import type { Notice } from "../itemPage.ts";
import { columnHeader, element, icon, textButton, type Child } from "./dom.ts";
import { setMessage } from "./messageLines.ts";

/** A problem, announced to screen readers at once; `accept` runs when its button is pressed. */
export function errorNotice({ text, action }: Notice, accept?: () => void): HTMLElement {
  const message = element("div", { class: "text" });
  setMessage(message, text);
  const notice = element("div", { class: "notice error", role: "alert" }, icon("error"), message);
  if (action !== undefined && accept) notice.append(textButton(action, "secondary-button", accept));
  return notice;
}

export function section(title: string, ...children: Child[]): HTMLElement {
  return element("section", { class: "section" }, element("h2", { text: title }), ...children);
}

export function textTable(name: string, head: string[], rows: (string | Node)[][]): HTMLElement {
  const table = element("table");
  table.setAttribute("aria-label", name);
  table.createTHead().append(element("tr", {}, ...head.map(columnHeader)));
  table
    .createTBody()
    .append(
      ...rows.map((cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, cell)))),
    );
  const view = element("div", { class: "table", role: "region", label: name }, table);
  view.tabIndex = 0;
  return view;
}
