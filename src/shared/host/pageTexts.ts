// The translations that a page needs. It has the English texts itself.
import fs from "node:fs";
import * as vscode from "vscode";

/** The texts of each page, as the build has found them in its sources. */
let textsOfPages: Record<string, string[]> | undefined;

/** A page's texts in the user's language, by the English ones. */
export function readPageTexts(extensionUri: vscode.Uri, page: string): Record<string, string> {
  const bundle = vscode.l10n.bundle;
  if (!bundle) return {};
  const file = vscode.Uri.joinPath(extensionUri, "dist", "pageTexts.json").fsPath;
  textsOfPages ??= JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, string[]>;
  const texts = (textsOfPages[page] ?? []).filter((text) => Object.hasOwn(bundle, text));
  return Object.fromEntries(texts.map((text) => [text, bundle[text]!]));
}
