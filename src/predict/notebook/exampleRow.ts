import type { ModelColumn } from "../../mindsdb/predict.ts";
import { isNumberType } from "../run/rowChecker.ts";

/** The maximum length of a text, in UTF-16 units. */
const maxText = 200;

/** Longer rows are written on several lines. */
const maxLineLength = 72;

/**
 * A list of one example row for a recipe: values from the training data, or placeholders. Not written with JSON.stringify,
 * because a column may be called `__proto__`.
 */
export function formatExampleRows(
  inputs: readonly ModelColumn[],
  values: ReadonlyMap<string, unknown> = new Map(),
): string {
  const members = inputs.map(({ name, type }) => {
    const value = values.has(name) ? formatExample(values.get(name)) : createPlaceholder(type);
    return `${JSON.stringify(name)}: ${value}`;
  });
  const line = `{ ${members.join(", ")} }`;
  if (line.length <= maxLineLength) return `[\n    ${line}\n  ]`;
  return `[\n    {\n      ${members.join(",\n      ")}\n    }\n  ]`;
}

function formatExample(value: unknown): string {
  return JSON.stringify(typeof value === "string" ? value.slice(0, maxText) : value) ?? "null";
}

function createPlaceholder(type: string | undefined): string {
  if (type === undefined) return "null";
  return isNumberType(type) ? "0" : '""';
}

/** Escapes a name for Markdown, so that it cannot contain markup or images. */
export function escapeMarkdownName(name: string): string {
  return name.replace(/\s+/g, " ").replace(/[\\`*[\]<>#!|~&$]/g, "\\$&");
}
