// Makes statements of MindsDB's dialect from the server's grammar, and others by small mistakes in them.
import {
  changingStatements,
  costlyStatements,
  readingStatements,
  smugglingStatements,
} from "../sqlStatements.ts";
import type { ServerGrammar } from "./sqlOracle.ts";

/** What is written for kinds of values. */
const values = new Map<string, readonly string[]>(
  Object.entries({
    ID: ["a", "b1", "t", "price", "`my table`", "order", "$x", "1e3", "group", "key", "_", "names"],
    INTEGER: ["1", "0", "42"],
    FLOAT: ["1.5", "0.25"],
    QUOTE_STRING: ["'x'", "''", "'it''s'", String.raw`'a\'b'`, "'a;b'", "'\n'", "'''q'''"],
    DQUOTE_STRING: ['"x"', '""', '"a.b"', '"it\'s"'],
    PARAMETER: [":p", "?", ":a1"],
    VARIABLE: ["@ab", "@'a b'", '@"x.y"', "@`ab`"],
    SYSTEM_VARIABLE: ["@@version", "@@a.b"],
    FETCH_FIRST: ["FETCH FIRST", "fetch next"],
    KNOWLEDGE_BASE: ["KNOWLEDGE_BASE", "knowledge  base"],
    NEQUALS: ["!=", "<>"],
  }),
);
const spaces = [" ", " ", " ", "  ", "\n", "\t", " /* c */ ", " -- c\n", "/**/"];
/** Texts in which lexers differ. */
const hostile = [
  ...Array.from("'\"`\\;()[]{}:.,@$#!?-+*/<>=&|~^%\0\f\v\u00a0\u2028é漢😀ſKıİ߀٣"),
  ..."-- |/*|*/|''|\\'|@@|:=|::|(+)|<#>|1.|.5|1e3|NOT  IN|IS\u00a0NOT|ORDER\nBY|GROUP/**/BY|ſELECT|lıke".split(
    "|",
  ),
  ..."İS|liKe|ROWS ONLY|NULLS FIRST|PRIMARY KEY|LAST|LIMIT -1|LIMIT TRUE|CHARACTER SET".split("|"),
];

export class DialectMaker {
  #state: number;
  readonly #tokens: ServerGrammar["tokens"];
  readonly #names: string[];
  readonly #forms = new Map<string, string[][]>();
  /** The tokens that the shortest text of a rule has. */
  readonly #shortest = new Map<string, number>();

  constructor(seed: number, { rules, tokens }: ServerGrammar) {
    this.#state = seed;
    this.#tokens = tokens;
    this.#names = Object.keys(tokens);
    for (const [left, right] of rules) {
      const forms = this.#forms.get(left);
      if (forms) forms.push(right);
      else this.#forms.set(left, [right]);
    }
    for (let changes = true; changes;) {
      changes = false;
      for (const [left, right] of rules) {
        const cost = this.#costOf(right);
        if (cost >= (this.#shortest.get(left) ?? Infinity)) continue;
        this.#shortest.set(left, cost);
        changes = true;
      }
    }
  }

  make(): string {
    const tokens = this.#chance(0.15) ? this.#pick(listed).split(/\s+/) : this.#derive("query", 0);
    const sql = this.#write(this.#chance(0.5) ? this.#changed(tokens) : tokens);
    return this.#chance(0.2) ? this.#garbled(sql) : sql;
  }

  /** The tokens of a random form of a rule. */
  #derive(symbol: string, depth: number): string[] {
    const choices = this.#forms.get(symbol);
    if (!choices) return [symbol];
    // Deep inside, the forms with the fewest tokens come to an end.
    const isDeep = depth > 7 && !this.#chance(0.1);
    const fewest = this.#shortest.get(symbol);
    const allowed = isDeep ? choices.filter((right) => this.#costOf(right) === fewest) : choices;
    return this.#pick(allowed).flatMap((part) => this.#derive(part, depth + 1));
  }

  #costOf(symbols: readonly string[]): number {
    return symbols.reduce(
      (sum, symbol) =>
        sum + (this.#forms.has(symbol) ? (this.#shortest.get(symbol) ?? Infinity) : 1),
      0,
    );
  }

  #write(tokens: readonly string[]): string {
    return tokens
      .map((token) => {
        const written = this.#pick(values.get(token) ?? [this.#tokens[token] ?? token]);
        const cased = this.#chance(0.2) ? written.toLowerCase() : written;
        return this.#chance(0.03) ? cased : cased + this.#pick(spaces);
      })
      .join("");
  }

  #changed(tokens: readonly string[]): string[] {
    const changed = [...tokens];
    for (let count = 1 + this.#below(2); count > 0; count--) {
      const at = this.#below(changed.length + 1);
      const other = this.#pick(this.#chance(0.7) ? this.#names : tokens) ?? ";";
      const removed = this.#chance(0.6) ? 1 : 0;
      changed.splice(at, removed, ...(this.#chance(0.4) ? [] : [other]));
      if (this.#chance(0.1)) changed.length = at;
    }
    return changed;
  }

  #garbled(sql: string): string {
    const characters = Array.from(sql);
    for (let count = 1 + this.#below(3); count > 0; count--) {
      const at = this.#below(characters.length + 1);
      characters.splice(at, this.#below(3), this.#pick(hostile));
    }
    return characters.join("");
  }

  #pick<Value>(from: readonly Value[]): Value {
    return from[this.#below(from.length)]!;
  }

  #chance(share: number): boolean {
    return this.#below(1_000) < share * 1_000;
  }

  /** A number from a linear congruential generator, so that a seed always makes the same statements. */
  #below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }
}

const listed = [
  ...readingStatements,
  ...changingStatements,
  ...costlyStatements,
  ...smugglingStatements,
];
