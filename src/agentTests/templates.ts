// The part of promptfoo's templates (nunjucks without autoescape) that is supported: {{name}}.
import type { YamlScalar } from "./yamlTree.ts";

export type TemplateVars = Readonly<Record<string, YamlScalar>>;

/** Words that are no variables in nunjucks, and the environment, which promptfoo gives to templates. */
const reserved = new Set(
  "true false none null undefined not and or in is if else env loop range cycler joiner".split(" "),
);

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

/** The text with `{{name}}` replaced; nothing for a variable that is missing or null. */
export function renderTemplate(text: string, vars: TemplateVars): string {
  return text.replace(plainVariable, (_, name: string) => {
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
    return value === undefined || value === null ? "" : String(value);
  });
}

/** promptfoo resolves variables in variables in so many rounds, one of each variable at a time. */
const maxRounds = 5;

/** Resolves `{{name}}` inside of variables as promptfoo 0.123 does: what is unknown stays as it is. */
export function resolveVars(given: TemplateVars): Record<string, YamlScalar> {
  const vars: Record<string, YamlScalar> = { ...given };
  for (let round = 0; round < maxRounds; round++) {
    let isResolved = true;
    for (const [key, value] of Object.entries(vars)) {
      if (typeof value !== "string") continue;
      const [placeholder, name] = /\{\{\s*(\w+)\s*\}\}/.exec(value) ?? [];
      if (placeholder === undefined || name === undefined || !Object.hasOwn(vars, name)) continue;
      // Like promptfoo, which also takes `$&` in a value for a pattern.
      vars[key] = value.replace(placeholder, String(vars[name]));
      isResolved = false;
    }
    if (isResolved) break;
  }
  return vars;
}
