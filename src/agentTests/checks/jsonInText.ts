// Finds JSON objects in a text as promptfoo 0.123 does: from each brace, parsed leniently as YAML. It also takes `//` for
// comments; here a comment with quotation marks or braces in it may hide an object.
import * as l10n from "@vscode/l10n";
import { parseDocument } from "yaml";
import { AssertionError } from "../files/finding.ts";
import { hasUnprintable } from "../files/unprintable.ts";
import { isShallow } from "../files/yamlDepth.ts";
import { readYaml, toPlainValue } from "../files/yamlTree.ts";

/** promptfoo looks so far from each brace. */
const maxObjectLength = 100_000;
/** Braces from which an object is tried, and characters that are parsed in vain: parsing takes some µs for each. */
const maxAttempts = 200;
const maxCharactersInVain = 200_000;

/** The objects in braces that a text contains, the first one first; none of them is in another. */
export function* findJsonObjects(text: string): Generator<string> {
  let attempts = 0;
  let inVain = 0;
  let start = text.indexOf("{");
  while (start >= 0) {
    // promptfoo does not try a brace at the very end.
    if (start === text.length - 1) return;
    if (++attempts > maxAttempts || inVain > maxCharactersInVain) {
      throw new AssertionError(l10n.t("Not supported here: this many braces in an answer."));
    }
    const { at, open } = findEnd(text, start);
    const found = text.slice(start, at) + "}".repeat(open);
    const isObject = isObjectText(found);
    if (isObject) yield found;
    else inVain += found.length;
    start = text.indexOf("{", isObject ? at : start + 1);
  }
}

/** The value of such an object. */
export function parseJsonObject(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const { root, problems } = readYaml(text);
    if (root && problems.length === 0) return toPlainValue(root);
    throw new AssertionError(
      l10n.t("Not supported here: a JSON schema for JSON that is not strict."),
    );
  }
}

/** Where the braces that open at `start` are closed, or where the search ends with so many open ones. */
function findEnd(text: string, start: number): { at: number; open: number } {
  const last = Math.min(start + maxObjectLength, text.length);
  let open = 1;
  let at = start + 1;
  while (at < last && open > 0) {
    if (text[at] === "{") open++;
    if (text[at] === "}") open--;
    at++;
  }
  return { at, open };
}

function isObjectText(text: string): boolean {
  if (hasUnprintable(text)) return false;
  if (!isShallow(text)) {
    throw new AssertionError(l10n.t("Not supported here: JSON nested this deeply."));
  }
  try {
    const document = parseDocument(text, {
      uniqueKeys: false,
      prettyErrors: false,
      stringKeys: true,
      logLevel: "error",
    });
    // Warnings of this parser, as for an unknown tag, are errors of js-yaml.
    if (document.errors.length > 0 || document.warnings.length > 0) return false;
    const value: unknown = document.toJS();
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
