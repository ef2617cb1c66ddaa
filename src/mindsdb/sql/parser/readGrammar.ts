// Reads the notation of grammar.ts. Runs when the extension is built.
import { precedence, rules, words } from "./grammar.ts";

export interface Production {
  left: string;
  right: string[];
  /** The name of the check that the server makes. */
  check: string | undefined;
  /** Where it is among the rules: of two that fit, the server takes the earlier one. */
  order: number;
  precedence: Precedence;
}

export interface Precedence {
  associativity: "left" | "right" | "nonassoc";
  level: number;
}

export interface Grammar {
  productions: Production[];
  /** The names of the tokens. */
  terminals: string[];
  precedenceOf: (terminal: string) => Precedence;
}

/** A sequence of symbols, choices and optional parts. */
type Part = string | Part[][];

/** Tokens that no rule names, but that are allowed in a native query. */
const otherTokens = ";";

export function readGrammar(): Grammar {
  const forms: { left: string; text: string; check: string | undefined }[] = [];
  let left = "";
  for (const line of rules.split("\n")) {
    const [, name, , text = "", check] = /^((\w+) =|\|)? ?(.*?)(?: -> (\w+))?$/
      .exec(line)!
      .map((part) => part as string | undefined);
    if (line.trim() === "") continue;
    if (name?.endsWith("=")) left = name.slice(0, -2);
    for (const form of splitForms(text)) forms.push({ left, text: form, check });
  }
  const names = new Set(forms.map(({ left }) => left));
  const tokens = new Set([...words.trim().split(/\s+/), otherTokens]);
  for (const { text } of forms) {
    for (const symbol of text.replace(/%\w+ $/, "").match(/'[^']+'|\w+/g) ?? []) {
      if (!names.has(symbol) && symbol !== "WORDS" && symbol !== "TOKENS") tokens.add(bare(symbol));
    }
  }
  const terminals = [...tokens].sort();
  const lists: Record<string, string[]> = {
    WORDS: words.trim().split(/\s+/),
    TOKENS: terminals.filter((token) => token !== "(" && token !== ")"),
  };
  const levels = new Map<string, Precedence>();
  precedence.forEach(([associativity, listed], index) => {
    for (const token of listed.split(" ")) levels.set(token, { associativity, level: index + 1 });
  });
  const precedenceOf = (token: string | undefined): Precedence =>
    levels.get(token ?? "") ?? { associativity: "right", level: 0 };
  const productions: Production[] = [];
  for (const { left, text, check } of forms) {
    const [, body = "", operator] = /^(.*?)(?:%(\w+) )?$/.exec(text)!;
    for (const right of expand(readParts(body), lists)) {
      const lastToken = right.findLast((symbol) => tokens.has(symbol));
      productions.push({
        left,
        right,
        check,
        order: productions.length,
        precedence: precedenceOf(operator ?? lastToken),
      });
    }
  }
  return { productions, terminals, precedenceOf };
}

/** The forms of a line, divided at "|" outside of brackets and quotes. */
function splitForms(text: string): string[] {
  const forms = [""];
  let depth = 0;
  for (const symbol of text.match(/'[^']+'|%?\w+|[[\]{}|]/g) ?? []) {
    if (symbol === "[" || symbol === "{") depth++;
    if (symbol === "]" || symbol === "}") depth--;
    if (symbol === "|" && depth === 0) forms.push("");
    else forms[forms.length - 1] += `${symbol} `;
  }
  return forms;
}

function readParts(text: string): Part[] {
  const symbols = text.match(/'[^']+'|\w+|[[\]{}|]/g) ?? [];
  let at = 0;
  const readChoices = (): Part[][] => {
    const choices: Part[][] = [[]];
    for (; at < symbols.length; at++) {
      const symbol = symbols[at]!;
      if (symbol === "]" || symbol === "}") break;
      if (symbol === "|") choices.push([]);
      else if (symbol === "[" || symbol === "{") {
        at++;
        const inner = readChoices();
        choices.at(-1)!.push(symbol === "[" ? [...inner, []] : inner);
      } else choices.at(-1)!.push(symbol);
    }
    return choices;
  };
  return readChoices()[0]!;
}

function expand(parts: readonly Part[], lists: Record<string, string[]>): string[][] {
  let found: string[][] = [[]];
  for (const part of parts) {
    const choices =
      typeof part !== "string"
        ? part.flatMap((choice) => expand(choice, lists))
        : (lists[part]?.map((token) => [token]) ?? [[bare(part)]]);
    found = found.flatMap((before) => choices.map((choice) => [...before, ...choice]));
  }
  return found;
}

export function groupBy<Value, Key>(
  values: readonly Value[],
  keyOf: (value: Value) => Key,
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}

function bare(symbol: string): string {
  return symbol.startsWith("'") ? symbol.slice(1, -1) : symbol;
}
