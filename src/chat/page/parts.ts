// The pieces of a step's body, with what can be done with each.
import type { StepPart } from "../../mindsdb/stream/steps.ts";
import { element, iconButton, textButton } from "../../shared/page/dom.ts";
import { appendText } from "../../shared/page/markdown.ts";
import type { TextRef } from "../messages.ts";
import type { PageContext } from "./steps.ts";
import { tableView } from "./tables.ts";
import { fill } from "./words.ts";

/** A longer text scrolls in a box of its own. */
const LONGEST_OPEN_TEXT = 1_000;

export function partView(part: StepPart, ref: TextRef, context: PageContext): HTMLElement {
  const { words, post } = context;
  const name = words.texts.part[part.kind];
  const tools = element("div", { class: "tools" });
  tools.append(iconButton("copy", words.texts.copy, () => post({ type: "copy", text: ref })));
  if (part.kind === "sql") {
    const open = (): void => post({ type: "open", text: ref });
    tools.append(iconButton("go-to-file", words.texts.openInEditor, open));
  }
  const head = element("div", { class: "part-head" }, element("span", { text: name }), tools);
  const view = element("section", { class: `part ${part.kind}` }, head);

  const cut = part.length !== undefined;
  const table =
    part.kind === "observation" ? tableView(part.text, cut, words.texts.table) : undefined;
  view.append(table?.view ?? textView(part, name, context));
  if (cut || table?.whole === false) {
    view.append(wholeTextButton(part.length ?? part.text.length, ref, context));
  }
  return view;
}

/** The button for a text of which the page shows only the beginning; `length` is the whole one's. */
export function wholeTextButton(
  length: number,
  ref: TextRef,
  { words, post }: PageContext,
): HTMLElement {
  const label = fill(words.texts.openWholeText, words.count(length));
  return textButton(label, "link-button", () => post({ type: "open", text: ref }));
}

function textView({ kind, text }: StepPart, name: string, { words }: PageContext): HTMLElement {
  if (text.trim() === "") return element("p", { class: "empty", text: words.texts.emptyPart });
  const isProse = kind === "thought" || kind === "text";
  const view = element("div", { class: isProse ? "prose" : "code" });
  appendText(view, text.replace(/\s+$/, ""));
  if (text.length > LONGEST_OPEN_TEXT) {
    view.classList.add("scrolls");
    view.tabIndex = 0;
    view.setAttribute("role", "group");
    view.setAttribute("aria-label", name);
  }
  return view;
}
