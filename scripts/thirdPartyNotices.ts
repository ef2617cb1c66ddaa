// The licenses of the packages that are bundled into dist/, which have to be passed on with it.
import fs from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");

/** esbuild's outputs, as far as they say what is in them. */
type Outputs = Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;

interface PackageJson {
  name: string;
  version: string;
  license?: string;
  author?: string | { name: string };
}

/** For packages that name this license and leave out its text. */
const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** CC BY 4.0 asks for its address or its text, and to say what was changed; its text is 15 kB. */
const ccBy = `Copyright (c) Microsoft Corporation and contributors

Licensed under the Creative Commons Attribution 4.0 International Public License, as is and without warranties:
https://creativecommons.org/licenses/by/4.0/legalcode

Changed: only the icons that Workbench for MindsDB uses are left in the font and its style sheet.`;

/** Copied into dist/ instead of bundled. */
const copied = ["node_modules/@vscode/codicons"];

/** The folders of the packages of which something is in the outputs, from the root on. */
export function bundledPackages(outputs: Outputs): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set([...folders, ...copied])].sort();
}

/** Paragraphs as lines: the texts of most packages are the same then, and are compressed to nothing. */
function unwrapLines(text: string): string {
  return text.replace(/(?<=\S)[ \t]*\r?\n(?!\r?\n)[ \t]*(?![-*•(\d])/g, " ");
}

/** Name, version and license (where there is a choice, the one in LICENSE) of each bundled package. Throws if a package names none that is known. */
export function formatNotices(outputs: Outputs): string {
  const notices = bundledPackages(outputs).map((folder) => {
    const { name, version, license, author } = JSON.parse(
      fs.readFileSync(path.join(root, folder, "package.json"), "utf8"),
    ) as PackageJson;
    const heading = `${name} ${version} (${license ?? "license below"})`;
    if (license === "CC-BY-4.0") return `${heading}\n\n${ccBy}`;
    const files = fs.readdirSync(path.join(root, folder));
    const texts = files
      .filter((file) => /^(licen[cs]e(-mit)?|notice|copying)(\.(md|txt))?$/i.test(file))
      .map((file) => fs.readFileSync(path.join(root, folder, file), "utf8").trim());
    if (texts.length === 0) {
      if (license !== "MIT") throw new Error(`${folder} has no license text`);
      const holder = typeof author === "object" ? author.name : author;
      texts.push(`Copyright (c) ${holder ?? `the authors of ${name}`}\n\n${mit}`);
    }
    return [heading, ...texts.map(unwrapLines)].join("\n\n");
  });
  const title = "Workbench for MindsDB contains parts of these packages.";
  return `${[title, ...notices].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
