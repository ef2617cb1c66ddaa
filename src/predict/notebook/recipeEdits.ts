// Edits of a recipe's text that change one property and keep the rest unchanged.
import { parseRecipe, type RecipeKey, type Span } from "./recipe.ts";

/** A range of the text and its replacement. */
export interface TextChange extends Span {
  text: string;
}

/** Replaces a property's value by `json`, or inserts the property at the start; undefined if the text is not a recipe. */
export function setProperty(text: string, key: RecipeKey, json: string): TextChange | undefined {
  const { values, members, problems } = parseRecipe(text);
  const span = values[key];
  if (span) return { ...span, text: json };
  const isEmpty = text.trim() === "";
  if (isEmpty) return { start: 0, end: text.length, text: `{ "${key}": ${json} }` };
  if (problems.some(({ kind }) => kind === "syntax")) return undefined;
  const start = text.indexOf("{") + 1;
  const [first] = members;
  if (!first) return { start, end: text.indexOf("}", start), text: ` "${key}": ${json} ` };
  // With the same white space as before the present first property.
  const space = text.slice(start, first.key.start);
  return { start, end: start, text: `${space}"${key}": ${json},` };
}

/** Removes the property with this key and its comma. */
export function removeProperty(text: string, key: Span): TextChange | undefined {
  const { members } = parseRecipe(text);
  const at = members.findIndex((member) => member.key.start === key.start);
  const [before, member, next] = [members[at - 1], members[at], members[at + 1]];
  if (!member) return undefined;
  if (next) return { start: member.key.start, end: next.key.start, text: "" };
  return { start: before?.value.end ?? member.key.start, end: member.value.end, text: "" };
}

/** The nearest valid count for a number in quotes or beyond the limit; undefined for other values. */
export function repairCount(json: string, max: number): number | undefined {
  const value = Number(json.replace(/^"|"$/g, "").trim() || NaN);
  if (!Number.isFinite(value)) return undefined;
  return Math.min(max, Math.max(1, Math.round(value)));
}
