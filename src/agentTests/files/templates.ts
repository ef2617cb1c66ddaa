// The part of promptfoo's templates (nunjucks without autoescape) that is supported: {{name}}.
import type { WorkBudget } from "../checks/workBudget.ts";
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

/** The names of the variables in a text. */
export function findVariables(text: string): string[] {
  return Array.from(text.matchAll(plainVariable), ([, name = ""]) => name);
}

/**
 * The text with `{{name}}` replaced; nothing for a variable that is missing or null. Throws TooMuchWorkError.
 */
export function renderTemplate(text: string, vars: TemplateVars, budget: WorkBudget): string {
  budget.spend(text.length);
  return text.replace(plainVariable, (_, name: string) => {
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
    const shown = value === undefined || value === null ? "" : String(value);
    budget.spend(shown.length);
    return shown;
  });
}

/** promptfoo resolves variables in variables in so many rounds, one of each variable at a time. */
const maxRounds = 5;

/**
 * Resolves variables in variables as promptfoo 0.123 does: what is unknown stays as it is, and one line break at the end
 * is removed. It goes through all variables in each round; only those values are computed that one of them needs that is
 * asked for.
 */
export class VarResolver {
  readonly #given: TemplateVars;
  readonly #budget: WorkBudget;
  readonly #order: ReadonlyMap<string, number>;
  /** By variable, its values after each round so far. */
  readonly #values = new Map<string, YamlScalar[]>();

  constructor(given: TemplateVars, budget: WorkBudget) {
    this.#given = given;
    this.#budget = budget;
    this.#order = new Map(Object.keys(given).map((name, index) => [name, index]));
  }

  has(name: string): boolean {
    return this.#order.has(name);
  }

  /** The value of a variable that is there. Throws TooMuchWorkError. */
  resolve(name: string): YamlScalar {
    return this.#valueAfter(name, maxRounds);
  }

  #valueAfter(name: string, round: number): YamlScalar {
    const known = this.#values.get(name) ?? [removeLineBreak(this.#given[name] ?? null)];
    this.#values.set(name, known);
    while (known.length <= round) known.push(this.#replaceFirst(name, known.at(-1)!, known.length));
    return known[round]!;
  }

  #replaceFirst(name: string, value: YamlScalar, round: number): YamlScalar {
    if (typeof value !== "string") return value;
    this.#budget.spend(value.length);
    const [placeholder, other] = /\{\{\s*(\w+)\s*\}\}/.exec(value) ?? [];
    if (placeholder === undefined || other === undefined || !this.has(other)) return value;
    // Earlier variables are already replaced in this round.
    const isEarlier = this.#order.get(other)! < this.#order.get(name)!;
    const replacement = String(this.#valueAfter(other, isEarlier ? round : round - 1));
    this.#budget.spend(replacement.length);
    // Like promptfoo, which also takes `$&` in a value for a pattern, and "$`" for all that stands before.
    const patterns = replacement.split("$").length - 1;
    this.#budget.spend(value.length * (1 + patterns));
    return value.replace(placeholder, replacement);
  }
}

function removeLineBreak(value: YamlScalar): YamlScalar {
  return typeof value === "string" && value.endsWith("\n") ? value.slice(0, -1) : value;
}

/**
 * The question that promptfoo 0.123 makes of resolved variables: what resolving has left is replaced all at once, unless
 * a variable is unknown. Throws TooMuchWorkError.
 */
export function renderQuestion(vars: VarResolver, budget: WorkBudget): string {
  const question = vars.has("question") ? vars.resolve("question") : "";
  if (typeof question !== "string") return question === null ? "" : String(question);
  const names = findVariables(question);
  if (!names.every((name) => vars.has(name))) return question;
  const named = Object.fromEntries(names.map((name) => [name, vars.resolve(name)]));
  return renderTemplate(question, named, budget);
}
