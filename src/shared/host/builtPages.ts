// What the build tells about the pages: the texts that each shows, and the files that it imports.
import fs from "node:fs";
import * as vscode from "vscode";

interface BuiltPages {
  /** How many texts there are. */
  count: number;
  pages: Record<string, BuiltPage>;
}

interface BuiltPage {
  /** The numbers of its texts among all of them, sorted. */
  texts: number[];
  /** The names of the scripts that it imports, also through others. */
  imports: string[];
  /** The names of its style sheets, those that others build on first. */
  styles: string[];
}

let builtPages: BuiltPages | undefined;

/** A page's texts in the user's language, by the English ones. It has those itself. */
export function readPageTexts(extensionUri: vscode.Uri, page: string): Record<string, string> {
  const bundle = vscode.l10n.bundle;
  if (!bundle) return {};
  const { count, pages } = read(extensionUri);
  const texts = Object.keys(bundle).sort();
  // Another number of texts is another build's.
  if (texts.length !== count) return {};
  const own = (pages[page]?.texts ?? []).map((number) => texts[number]!);
  return Object.fromEntries(own.map((text) => [text, bundle[text]!]));
}

/** The files that a page needs beside its script. */
export function readPageFiles(
  extensionUri: vscode.Uri,
  page: string,
): Pick<BuiltPage, "imports" | "styles"> {
  return read(extensionUri).pages[page] ?? { imports: [], styles: [] };
}

function read(extensionUri: vscode.Uri): BuiltPages {
  const file = vscode.Uri.joinPath(extensionUri, "dist", "pages.json").fsPath;
  return (builtPages ??= JSON.parse(fs.readFileSync(file, "utf8")) as BuiltPages);
}
