// The translations that a page needs. It has the English texts itself.
import fs from "node:fs";
import * as vscode from "vscode";

/** Which texts each page shows, as the build has found them in its sources. */
interface PageTexts {
  /** How many texts there are. */
  count: number;
  /** The numbers of each page's texts among all of them, sorted. */
  pages: Record<string, number[]>;
}

let pageTexts: PageTexts | undefined;

/** A page's texts in the user's language, by the English ones. */
export function readPageTexts(extensionUri: vscode.Uri, page: string): Record<string, string> {
  const bundle = vscode.l10n.bundle;
  if (!bundle) return {};
  const file = vscode.Uri.joinPath(extensionUri, "dist", "pageTexts.json").fsPath;
  pageTexts ??= JSON.parse(fs.readFileSync(file, "utf8")) as PageTexts;
  const texts = Object.keys(bundle).sort();
  // Another number of texts is another build's.
  if (texts.length !== pageTexts.count) return {};
  const own = (pageTexts.pages[page] ?? []).map((number) => texts[number]!);
  return Object.fromEntries(own.map((text) => [text, bundle[text]!]));
}
