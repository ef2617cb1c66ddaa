// The parts of a step's body, with their buttons.
import type { StepPart } from "../../mindsdb/stream/stepEvents.ts";
import { formatMessage } from "../../shared/formatMessage.ts";
import { element, iconButton, textButton } from "../../shared/page/dom.ts";
import type { TextTableGrid } from "../../shared/page/grid/textTableGrid.ts";
import { appendText } from "../../shared/page/markdownElement.ts";
import type { TextRef } from "../messages.ts";
import { mayHaveMoreRows } from "../serverRowLimit.ts";
import { createGrid, formatRowCount, partTable } from "./observationTable.ts";
import type { PageContext } from "./pageContext.ts";

/** Longer texts scroll in a box, in characters. */
const maxOpenTextLength = 1_000;

interface PartView {
  element: HTMLElement;
  /** For a result that is a table. */
  grid?: TextTableGrid;
}

interface PartOptions {
  /** Instead of the name of its kind. */
  name?: string;
  /** Whether the part is the result of a query that the server limited. */
  isLimited?: boolean;
}

/** Returns a part with its title and buttons; `ref` identifies its whole text on the host. */
export function partView(
  part: StepPart,
  ref: TextRef,
  context: PageContext,
  { name = context.formatter.texts.part[part.kind], isLimited = false }: PartOptions = {},
): PartView {
  const { formatter, post } = context;
  const { texts } = formatter;
  const title = element("span", { text: name });
  const tools = element("div", { class: "tools" });
  tools.append(iconButton("copy", texts.copy, () => post({ type: "copy", text: ref })));
  const open = (): void => post({ type: "open", text: ref });
  if (part.kind === "sql") tools.append(iconButton("go-to-file", texts.openInEditor, open));
  const view = element("section", { class: `part ${part.kind}` });
  view.append(element("div", { class: "part-head" }, title, tools));

  const found = partTable(part);
  const table = found && createGrid(found.table, context);
  if (table) {
    const hasMore = isLimited && mayHaveMoreRows(found.table.rows.length, found.isWhole);
    title.textContent = `${name} · ${formatRowCount(found, context, hasMore || !found.isWhole)}`;
    const text = textView(part, name, context);
    text.hidden = true;
    tools.prepend(switchButton(table.element, text, context));
    tools.append(iconButton("export", texts.export, () => post({ type: "export", text: ref })));
    view.append(table.element, text);
    if (hasMore) view.append(limitNote(ref, context));
  } else {
    view.append(textView(part, name, context));
  }
  const isCut = part.length !== undefined;
  if (isCut || found?.isWhole === false) {
    view.append(wholeTextButton(part.length ?? part.text.length, ref, context));
  }
  return { element: view, grid: table?.grid };
}

/** Says that the server limited a query, and offers to run it without the limit. */
function limitNote(ref: TextRef, { formatter, post }: PageContext): HTMLElement {
  const { texts } = formatter;
  const run = textButton(texts.runWithoutLimit, "link-button", () =>
    post({ type: "runWithoutLimit", text: ref }),
  );
  return element("p", { class: "row-limit" }, texts.rowLimit, " ", run);
}

/** Switches between the table and its source text. */
function switchButton(
  table: HTMLElement,
  text: HTMLElement,
  { formatter }: PageContext,
): HTMLElement {
  const button = iconButton("symbol-string", formatter.texts.showAsText, () => {
    text.hidden = !text.hidden;
    table.hidden = !text.hidden;
    button.setAttribute("aria-pressed", String(table.hidden));
  });
  button.setAttribute("aria-pressed", "false");
  return button;
}

/** Returns the button for a text that is cut; `length` is the whole text's. */
export function wholeTextButton(
  length: number,
  ref: TextRef,
  { formatter, post }: PageContext,
): HTMLElement {
  const label = formatMessage(formatter.texts.openWholeText, formatter.count(length));
  return textButton(label, "link-button", () => post({ type: "open", text: ref }));
}

function textView({ kind, text }: StepPart, name: string, { formatter }: PageContext): HTMLElement {
  if (text.trim() === "") return element("p", { class: "empty", text: formatter.texts.emptyPart });
  const isProse = kind === "thought" || kind === "text";
  const view = element("div", { class: isProse ? "prose" : "code" });
  appendText(view, text.trimEnd());
  if (text.length > maxOpenTextLength) {
    view.classList.add("scrolls");
    view.tabIndex = 0;
    view.setAttribute("role", "group");
    view.setAttribute("aria-label", name);
  }
  return view;
}
