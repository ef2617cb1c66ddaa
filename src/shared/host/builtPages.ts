// What the build tells about the pages: the texts that each shows, and the files that it imports.
import fs from "node:fs";
import * as vscode from "vscode";

interface BuiltPages {
  /** How many texts there are. */
  count: number;
  /** The numbers of each script's texts among all of them, sorted. */
  texts: Record<string, number[]>;
  pages: Record<string, BuiltPage>;
}

interface BuiltPage {
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
  const { count, texts: numbers, pages } = read(extensionUri);
  const texts = Object.keys(bundle).sort();
  // Another number of texts is another build's.
  if (texts.length !== count) return {};
  const scripts = [`${page}.js`, ...(pages[page]?.imports ?? [])];
  const own = scripts.flatMap((script) => numbers[script] ?? []).map((number) => texts[number]!);
  return Object.fromEntries(own.map((text) => [text, bundle[text]!]));
}

/** What a page needs beside its script: the names of what that imports, and the texts of the style sheets. */
export function readPageFiles(
  extensionUri: vscode.Uri,
  page: string,
): { imports: string[]; styles: string[] } {
  const { imports, styles } = read(extensionUri).pages[page] ?? { imports: [], styles: [] };
  const texts = ["codicon.css", ...styles].map((name) => {
    return fs.readFileSync(vscode.Uri.joinPath(extensionUri, "dist", name).fsPath, "utf8");
  });
  return { imports, styles: texts };
}

function read(extensionUri: vscode.Uri): BuiltPages {
  const file = vscode.Uri.joinPath(extensionUri, "dist", "pages.json").fsPath;
  return (builtPages ??= JSON.parse(fs.readFileSync(file, "utf8")) as BuiltPages);
}
