// Helpers for reading maps of a test file.
import * as l10n from "@vscode/l10n";
import { closestNames } from "../../shared/closestNames.ts";
import { oneLine, visibleLine } from "../../shared/oneLine.ts";
import { findUnsupportedTemplate, namesFile } from "./templates.ts";
import type { FileProblem } from "./testFile.ts";
import type { TextRange, YamlEntry, YamlNode } from "./yamlTree.ts";

/**
 * Reports what keeps the tests from running that are being read. `suggest` returns what the text in the range may have
 * been meant to be; it is called only for problems that are kept.
 */
export type Report = (
  message: string,
  range: TextRange,
  suggest?: () => string | undefined,
) => void;

/** Reports every key that is not among the known ones. promptfoo may do something with it, or ignores it. */
export function refuseOthers(
  entries: Iterable<YamlEntry>,
  known: readonly string[],
  report: Report,
): void {
  for (const { key, keyRange } of entries) {
    // few: the keys that a map can have.
    if (known.includes(key)) continue;
    report(l10n.t("Not supported here: {0}.", key), keyRange, () => suggestName(key, known));
  }
}

/** The most similar of the known names, for one that may have a typo. */
export function suggestName(written: string, known: readonly string[]): string | undefined {
  return closestNames(written, known, (name) => name, 1)[0];
}

/** Reports a text that has another template than `{{name}}`, or that stands for a file. */
export function checkText(text: string, range: TextRange, report: Report): void {
  const template = findUnsupportedTemplate(text);
  if (template !== undefined) {
    report(l10n.t("Not supported here: the template {0}.", template), range);
  } else if (namesFile(text)) {
    report(l10n.t("Not supported here: {0}.", oneLine(text, 100)), range);
  }
}

/** The fields of a map, by key; none for anything else. */
export function toFields(node: YamlNode | undefined): Map<string, YamlEntry> {
  return new Map(node?.kind === "map" ? node.entries.map((entry) => [entry.key, entry]) : []);
}

/** The items of a list, or the one value that stands in its place. */
export function listItems(node: YamlNode | undefined): YamlNode[] {
  if (node?.kind === "list") return node.items;
  return node ? [node] : [];
}

/** The text of a node; undefined if it is something else. */
export function readText(node: YamlNode): string | undefined {
  return node.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** The number of a node, which is at least `min`; undefined if it is something else. */
export function readNumber(node: YamlNode, min: number): number | undefined {
  const value = node.kind === "scalar" ? node.value : undefined;
  return typeof value === "number" && value >= min ? value : undefined;
}

/** The most problems that are kept of a file, and of a test. */
export const maxProblems = 200;
/** A message can quote a key or a template, which may be as long as the file. */
const maxMessageLength = 500;

/** Creates a `Report` that collects the first problems. */
export function collectProblems(problems: FileProblem[], most = maxProblems): Report {
  return (message, range, suggest) => {
    if (problems.length >= most) return;
    const suggestion = suggest?.();
    const shown = visibleLine(message, maxMessageLength);
    if (suggestion === undefined) problems.push({ message: shown, range });
    else {
      const meant = `${shown} ${l10n.t("Did you mean {0}?", suggestion)}`;
      problems.push({ message: meant, range, suggestion });
    }
  };
}
