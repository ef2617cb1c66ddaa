// Building blocks of document pages: notices, sections, collapsible parts, facts, code, tables.
import type { Notice } from "../itemPage.ts";
import { columnHeader, element, icon, textButton, type Child } from "./dom.ts";
import { setMessage } from "./messageLines.ts";

/** Returns a name that may break after each `_`. */
export function breakable(name: string): (Node | string)[] {
  return name
    .split(/(?<=_)/)
    .flatMap((part, index) => (index === 0 ? [part] : [element("wbr"), part]));
}

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

/** Returns a collapsible section; `opened` is called when the user opens or closes it. */
export function foldedPart(
  title: string,
  isOpen: boolean,
  opened: (isOpen: boolean) => void,
  ...children: Child[]
): HTMLDetailsElement {
  const heading = element("h2", { text: title });
  const body = element("div", { class: "folded-body" }, ...children);
  return collapsible("folded", heading, body, isOpen, opened);
}

/** Returns details whose summary has a mark that turns; `opened` is called when the user opens or closes them. */
export function collapsible(
  className: string,
  summary: Child,
  body: HTMLElement,
  isOpen: boolean,
  opened: (isOpen: boolean) => void,
): HTMLDetailsElement {
  const fold = icon("chevron-right");
  fold.classList.add("fold");
  const made = element(
    "details",
    { class: className },
    element("summary", {}, fold, summary),
    body,
  );
  made.open = isOpen;
  made.addEventListener("toggle", () => opened(made.open));
  return made;
}

export function factList(facts: [name: string, value: string | Node][]): HTMLDListElement {
  const rows = facts.map(([name, value]) =>
    element("div", {}, element("dt", { text: name }), element("dd", {}, value)),
  );
  return element("dl", { class: "facts" }, ...rows);
}

export function codeBlock(title: string, text: string, ...tools: HTMLElement[]): HTMLElement {
  const head = element(
    "div",
    { class: "code-head" },
    element("h3", { text: title }),
    element("div", { class: "tools" }, ...tools),
  );
  const code = element("div", { class: "code block", text, label: title, role: "region" });
  // Focusable, so that it can be scrolled by keyboard.
  code.tabIndex = 0;
  return element("div", { class: "code-block" }, head, code);
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
