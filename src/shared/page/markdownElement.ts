// Markdown from a server as DOM: markdown-it without HTML, then DOMPurify; nothing in it loads, runs or navigates.
import DOMPurify from "dompurify";
import { markdownToHtml } from "../markdownToHtml.ts";
import { textPieces } from "../textChunks.ts";

const allowedTags = [
  ...["p", "br", "hr", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "li"],
  ...["a", "em", "strong", "s", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"],
];

/**
 * Appends rendered Markdown in chunks; each `yield` is a place to pause. `label` names its scrollable tables for screen
 * readers.
 */
export function* appendMarkdown(
  target: HTMLElement,
  source: string,
  label: string,
): Generator<void> {
  for (const html of markdownToHtml(source)) {
    yield;
    if (html === "") continue;
    const piece = document.createElement("div");
    piece.className = "markdown";
    piece.append(
      DOMPurify.sanitize(html, {
        ALLOWED_TAGS: allowedTags,
        ALLOWED_ATTR: ["href", "title", "start", "class"],
        ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
        ALLOW_DATA_ATTR: false,
        ALLOW_ARIA_ATTR: false,
        RETURN_DOM_FRAGMENT: true,
      }),
    );
    for (const table of piece.querySelectorAll("table")) {
      const place = document.createComment("");
      table.replaceWith(place);
      place.replaceWith(scrollBox(table, label));
    }
    for (const link of piece.querySelectorAll("a")) link.title = link.href;
    for (const code of piece.querySelectorAll("pre > code")) {
      const text = code.textContent;
      code.replaceChildren();
      appendText(code, text.replace(/\n$/, ""));
    }
    piece.firstElementChild?.classList.add("first");
    piece.lastElementChild?.classList.add("last");
    target.append(piece);
  }
}

/** Wraps a table in a box that scrolls sideways, also by keyboard. */
function scrollBox(table: HTMLTableElement, label: string): HTMLElement {
  const box = document.createElement("div");
  box.className = "table";
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", label);
  box.append(table);
  return box;
}

/** Appends plain text, in blocks if it is long. */
export function appendText(target: Element, text: string): void {
  const pieces = [...textPieces(text)];
  if (pieces.length === 1) {
    target.append(text);
    return;
  }
  for (const piece of pieces) {
    const block = document.createElement("div");
    block.className = "piece";
    block.textContent = piece;
    target.append(block);
  }
}

/** Calls `open` instead of following links, because VS Code would open them without showing the whole address. */
export function handleLinks(open: (href: string) => void): void {
  const handle = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!link) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === "click" || event.button === 1) open((link as HTMLAnchorElement).href);
  };
  window.addEventListener("click", handle, true);
  window.addEventListener("auxclick", handle, true);
}
