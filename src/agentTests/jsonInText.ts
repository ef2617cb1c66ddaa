// Finds JSON objects in a text as promptfoo 0.123 does: from each brace, parsed leniently as YAML.
import { parse } from "yaml";

/** promptfoo looks so far from each brace. */
const maxObjectLength = 100_000;
/** Braces from which an object is tried, since each attempt may parse a long text. */
const maxAttempts = 200;

/** Whether a text contains an object in braces. */
export function containsJsonObject(text: string): boolean {
  let attempts = 0;
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    if (++attempts > maxAttempts) return false;
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
  try {
    const value: unknown = parse(text, {
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "silent",
    });
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
