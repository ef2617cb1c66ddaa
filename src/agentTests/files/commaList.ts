// The comma-separated texts of contains-any and contains-all, as promptfoo 0.123 splits them.
import * as l10n from "@vscode/l10n";
import { AssertionError } from "./finding.ts";

/** The items, trimmed and without empty ones; in quotes, `""`, `\"` and `\\` stand for one character. */
export function parseCommaList(text: string): string[] {
  const items: string[] = [];
  let at = 0;
  const skip = (characters: RegExp): void => {
    while (at < text.length && characters.test(text[at]!)) at++;
  };
  for (;;) {
    skip(/[\s,]/);
    if (at >= text.length) return items;
    if (text[at] === '"') {
      const { item, end } = readQuoted(text, at);
      items.push(item);
      at = end;
      skip(/\s/);
      if (at < text.length && text[at] !== ",") {
        throw new AssertionError(l10n.t("A comma is missing after quoted text."));
      }
    } else {
      const comma = text.indexOf(",", at);
      const end = comma < 0 ? text.length : comma;
      items.push(text.slice(at, end).trim());
      at = end;
    }
  }
}

function readQuoted(text: string, start: number): { item: string; end: number } {
  let item = "";
  for (let at = start + 1; at < text.length; at++) {
    const [character, next] = [text[at]!, text[at + 1]];
    if (character === "\\" && (next === '"' || next === "\\")) {
      item += next;
      at++;
    } else if (character === '"' && next === '"') {
      item += '"';
      at++;
    } else if (character === '"') {
      return { item, end: at + 1 };
    } else {
      item += character;
    }
  }
  throw new AssertionError(l10n.t("A quotation mark is missing."));
}
