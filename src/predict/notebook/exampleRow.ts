// The row that a new notebook begins with: values like those that the model was trained on, or placeholders.
import type { ModelColumn } from "../../mindsdb/predict.ts";
import { isNumberType } from "../run/rowChecker.ts";

/** A text is not longer than this, in UTF-16 units: the row is there to be changed. */
const maxText = 200;

/** A row stands on one line up to this length. */
const lineLength = 72;

/**
 * A list of one row, as it stands in a recipe. Written by hand: a column may be called `__proto__`. A column without a
 * value gets one of its kind.
 */
export function exampleRows(
  inputs: readonly ModelColumn[],
  values: ReadonlyMap<string, unknown> = new Map(),
): string {
  const members = inputs.map(({ name, type }) => {
    const value = values.has(name) ? writtenExample(values.get(name)) : placeholder(type);
    return `${JSON.stringify(name)}: ${value}`;
  });
  const line = `{ ${members.join(", ")} }`;
  if (line.length <= lineLength) return `[\n    ${line}\n  ]`;
  return `[\n    {\n      ${members.join(",\n      ")}\n    }\n  ]`;
}

function writtenExample(value: unknown): string {
  return JSON.stringify(typeof value === "string" ? value.slice(0, maxText) : value) ?? "null";
}

function placeholder(type: string | undefined): string {
  if (type === undefined) return "null";
  return isNumberType(type) ? "0" : '""';
}

/** A name in a line of Markdown that is shown as it is: no markup, no image that would be fetched. */
export function markdownName(name: string): string {
  return name.replace(/\s+/g, " ").replace(/[\\`*[\]<>#!|~&$]/g, "\\$&");
}
