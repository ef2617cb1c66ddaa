// The part of promptfoo's templates (nunjucks without autoescape) that is supported: {{name}}.
import type { YamlScalar } from "./yamlTree.ts";

export type TemplateVars = Readonly<Record<string, YamlScalar>>;

/**
 * Words that are no variables in nunjucks, the environment, which promptfoo gives to templates, and what nunjucks finds
 * in every object.
 */
const reserved = new Set([
  ..."true false none null undefined not and or in is if else env loop range cycler joiner".split(
    " ",
  ),
  ...Object.getOwnPropertyNames(Object.prototype),
]);

const plainVariable = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;

/** The first thing in a text that templates would treat in another way than here; undefined if there is none. */
export function findUnsupportedTemplate(text: string): string | undefined {
  const rest = text.replace(plainVariable, (whole, name: string) =>
    reserved.has(name) ? whole : "",
  );
  const start = rest.search(/\{[{%#]/);
  if (start < 0) return undefined;
  const found = rest.slice(start, start + 30);
  return /^.*?[%#}]\}/s.exec(found)?.[0] ?? found;
}

/** Whether promptfoo loads a file instead of a text, or runs what is in it. */
export function namesFile(text: string): boolean {
  return /^(file|package):/.test(text);
}

/** Whether a text of a test file stands for itself. */
export function isLiteral(text: string): boolean {
  return !/\{[{%#]/.test(text) && !namesFile(text);
}

/** Longer texts are not made of templates: a short file can ask for gigabytes. */
const maxRenderedLength = 5_000_000;

/** A template would become too long. */
export class TemplateTooLongError extends Error {}

/**
 * The text with `{{name}}` replaced; nothing for a variable that is missing or null. Throws TemplateTooLongError.
 */
export function renderTemplate(text: string, vars: TemplateVars): string {
  let { length } = text;
  return text.replace(plainVariable, (_, name: string) => {
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
    const shown = value === undefined || value === null ? "" : String(value);
    if ((length += shown.length) > maxRenderedLength) throw new TemplateTooLongError();
    return shown;
  });
}

/** promptfoo resolves variables in variables in so many rounds, one of each variable at a time. */
const maxRounds = 5;

/**
 * Resolves `{{name}}` inside of variables as promptfoo 0.123 does: what is unknown stays as it is, and one line break at
 * the end is removed. Throws TemplateTooLongError.
 */
export function resolveVars(given: TemplateVars): Record<string, YamlScalar> {
  const vars: Record<string, YamlScalar> = { ...given };
  for (const [key, value] of Object.entries(vars)) {
    if (typeof value === "string") vars[key] = value.replace(/\n$/, "");
  }
  for (let round = 0; round < maxRounds; round++) {
    let isResolved = true;
    for (const [key, value] of Object.entries(vars)) {
      if (typeof value !== "string") continue;
      const [placeholder, name] = /\{\{\s*(\w+)\s*\}\}/.exec(value) ?? [];
      if (placeholder === undefined || name === undefined || !Object.hasOwn(vars, name)) continue;
      // Like promptfoo, which also takes `$&` in a value for a pattern, and "$`" for all that stands before.
      const replacement = String(vars[name]);
      const patterns = replacement.split("$").length - 1;
      if (value.length * (1 + patterns) + replacement.length > maxRenderedLength) {
        throw new TemplateTooLongError();
      }
      vars[key] = value.replace(placeholder, replacement);
      isResolved = false;
    }
    if (isResolved) break;
  }
  return vars;
}

/**
 * The question that promptfoo 0.123 makes of resolved variables: what `resolveVars` has left is replaced all at once,
 * unless a variable is unknown. Throws TemplateTooLongError.
 */
export function renderQuestion(vars: TemplateVars): string {
  const { question } = vars;
  if (typeof question !== "string") return renderTemplate("{{question}}", vars);
  const names = Array.from(question.matchAll(plainVariable), ([, name = ""]) => name);
  const isKnown = names.every((name) => Object.hasOwn(vars, name));
  return isKnown ? renderTemplate(question, vars) : question;
}
