// Finds JSON objects in a text as promptfoo 0.123 does: from each brace, parsed leniently as YAML. It also takes `//` for
// comments; here a comment with quotation marks or braces in it may hide an object.
import * as l10n from "@vscode/l10n";
import { parseDocument } from "yaml";
import { AssertionError } from "./assertionError.ts";
import { hasUnprintable } from "./unprintable.ts";

/** promptfoo looks so far from each brace. */
const maxObjectLength = 100_000;
/** Braces from which an object is tried, since each attempt may parse a long text. */
const maxAttempts = 200;

/** Whether a text contains an object in braces. */
export function containsJsonObject(text: string): boolean {
  let attempts = 0;
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    // promptfoo does not try a brace at the very end.
    if (start === text.length - 1) return false;
    if (++attempts > maxAttempts) {
      throw new AssertionError(l10n.t("Not supported here: so many braces in an answer."));
    }
    const end = findEnd(text, start);
    const missing = end.open;
    if (isObjectText(text.slice(start, end.at) + "}".repeat(missing))) return true;
  }
  return false;
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
  try {
    const document = parseDocument(text, {
      uniqueKeys: false,
      prettyErrors: false,
      stringKeys: true,
      logLevel: "error",
    });
    // What is only a warning here, like an unknown tag, is an error of js-yaml.
    if (document.errors.length > 0 || document.warnings.length > 0) return false;
    const value: unknown = document.toJS();
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
