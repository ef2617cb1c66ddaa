// Changes to a recipe's text: one property set or taken out, everything else left as it is written.
import { parseRecipe, type RecipeKey, type Span } from "./recipe.ts";

/** A stretch of the text and what takes its place. */
export interface TextChange extends Span {
  text: string;
}

/** Replaces a property's value, or puts the property first; undefined if the text is no recipe. `json` is the value. */
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
  // As far from the brace as the first one is now.
  const space = text.slice(start, first.key.start);
  return { start, end: start, text: `${space}"${key}": ${json},` };
}

/** Takes the property with this key out, and the comma that goes with it. */
export function removeProperty(text: string, key: Span): TextChange | undefined {
  const { members } = parseRecipe(text);
  const at = members.findIndex((member) => member.key.start === key.start);
  const [before, member, next] = [members[at - 1], members[at], members[at + 1]];
  if (!member) return undefined;
  if (next) return { start: member.key.start, end: next.key.start, text: "" };
  return { start: before?.value.end ?? member.key.start, end: member.value.end, text: "" };
}

/** The nearest value that is right, where one is surely meant: a number in quotes, or one over the limit. */
export function repairedCount(written: string, most: number): number | undefined {
  const value = Number(written.replace(/^"|"$/g, "").trim() || NaN);
  if (!Number.isFinite(value)) return undefined;
  return Math.min(most, Math.max(1, Math.round(value)));
}
