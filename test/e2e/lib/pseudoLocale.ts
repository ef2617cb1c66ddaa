// A pseudo language: every text is marked and 1.4 times as long, which reveals untranslated and clipped texts.
import fs from "node:fs";
import path from "node:path";
import type { Frame, Page } from "playwright-core";
import type { WorkbenchOptions } from "./workbench.ts";

const root = path.resolve(import.meta.dirname, "..", "..", "..");
const vowels: Record<string, string> = {
  a: "áá",
  e: "éé",
  i: "íí",
  o: "óó",
  u: "úú",
  y: "ýý",
};
/** What a translator does not translate: placeholders, icons, links, code, names of products and formats. */
const kept =
  /\{\w+\}|\$\([^)]*\)|\]\([^)]*\)|`[^`]*`|"[^"]*"|\w+:\/\/\S+|MindsDB|JSON Lines|[\w.]+\.\w+/g;

/** Translates a text of the extension to the pseudo language. */
export function pseudo(text: string): string {
  const changed = (part: string) =>
    part.replace(/[aeiouy]/gi, (letter) => {
      const double = vowels[letter.toLowerCase()] ?? letter;
      return letter === letter.toLowerCase() ? double : double.toUpperCase();
    });
  let result = "";
  let end = 0;
  for (const { 0: part, index } of text.matchAll(kept)) {
    result += changed(text.slice(end, index)) + part;
    end = index + part.length;
  }
  result += changed(text.slice(end));
  const missing = Math.ceil(text.length * 1.4) - result.length;
  return missing > 0 && text.length > 3 ? result + "·".repeat(missing) : result;
}

/** The language for `openWorkbench`. */
export function pseudoLanguage(): WorkbenchOptions["language"] {
  const translated = (file: string) => {
    const texts = JSON.parse(fs.readFileSync(path.join(root, file), "utf8")) as Record<
      string,
      string
    >;
    return JSON.stringify(
      Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudo(text)])),
    );
  };
  return {
    id: "qps-ploc",
    files: {
      "package.nls.qps-ploc.json": translated("package.nls.json"),
      "l10n/bundle.l10n.qps-ploc.json": translated("l10n/bundle.l10n.json"),
    },
  };
}

/**
 * The texts with two or more untranslated words in a row, labels and placeholders included. `data` selects the elements
 * whose texts come from a server or a file.
 */
export async function untranslated(
  frame: Frame | Page,
  selector: string,
  data = "",
): Promise<string[]> {
  const texts = await frame.locator(selector).evaluateAll((parts, dataSelector) => {
    const found: string[] = [];
    const visit = (node: Node): void => {
      if (node instanceof Element) {
        if (node.matches("style, script") || !node.checkVisibility()) return;
        if (dataSelector !== "" && node.matches(dataSelector)) return;
        for (const name of ["aria-label", "title", "placeholder", "alt", "aria-description"]) {
          found.push(node.getAttribute(name) ?? "");
        }
        if (node.shadowRoot) visit(node.shadowRoot);
      }
      if (node instanceof Text) found.push(node.data);
      for (const child of node.childNodes) visit(child);
    };
    for (const part of parts) visit(part);
    return found;
  }, data);
  return [...new Set(texts.map((text) => text.trim()))].filter((text) => {
    // VS Code's own additions to row labels, and what a user typed.
    const own = text.replace(/, has actions$|^Actions for |“[^”]*”/g, "");
    return /(?<![-.\w])[a-z]{3,} [a-z]{3,}(?!\w)/i.test(own);
  });
}
