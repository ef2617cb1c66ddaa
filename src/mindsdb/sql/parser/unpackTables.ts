import { packedTables } from "./tables.ts";

/** The parser's actions in each state. */
export interface ParserTables {
  tokens: readonly string[];
  rules: readonly string[];
  tokenIds: ReadonlyMap<string, number>;
  /** The rule and the length of each production. */
  leftOf: readonly number[];
  lengthOf: readonly number[];
  checkOf: readonly (string | undefined)[];
  /**
   * The action in a state before a token: 0 is an error, above it is 1 + the state to go to, below it is the production
   * to reduce: -1 is the first one, which accepts.
   */
  actions: Int16Array;
  /** The reduction of states in which nothing else is possible, so that the next token is not looked at; else 0. */
  defaults: Int16Array;
  goto: (state: number, rule: number) => number;
}

export const accepting = -1;

let unpacked: ParserTables | undefined;

export function parserTables(): ParserTables {
  return (unpacked ??= unpack());
}

function unpack(): ParserTables {
  const { tokens, rules, productions, checks, shifts, sets, rows, rowOfState, gotos } =
    packedTables;
  const width = tokens.length;
  const actions = new Int16Array(rowOfState.length * width);
  const defaults = new Int16Array(rowOfState.length);
  const tokenSets = sets.map((gaps) => {
    let token = 0;
    return gaps.map((gap) => (token += gap));
  });
  rowOfState.forEach((rowIndex, state) => {
    const row = rows[rowIndex]!;
    const others = row.at(-1);
    const pairs = Array.isArray(others) ? row.slice(0, -1) : row;
    let count = 0;
    for (let at = 0; at < pairs.length; at += 2) {
      const key = pairs[at] as number;
      for (const token of tokenSets[pairs[at + 1] as number]!) {
        actions[state * width + token] = key === 0 ? 1 + shifts[token]! : -key;
        count++;
      }
    }
    if (Array.isArray(others)) {
      for (let at = 0; at < others.length; at += 2) {
        actions[state * width + others[at]!] = 1 + others[at + 1]!;
        count++;
      }
    }
    const only = count === 1 ? -((pairs[0] as number | undefined) ?? 0) : 0;
    if (only < accepting) defaults[state] = only;
  });
  const exceptions = gotos.map((list) => {
    const states = new Map<number, number>();
    for (let at = 1; at < list.length; at += 2) states.set(list[at]!, list[at + 1]!);
    return states;
  });
  return {
    tokens,
    rules,
    tokenIds: new Map(tokens.map((token, index) => [token, index])),
    leftOf: productions.filter((_, index) => index % 2 === 0),
    lengthOf: productions.filter((_, index) => index % 2 === 1),
    checkOf:
      rows.length > 0 ? productions.filter((_, i) => i % 2 === 0).map((_, i) => checks[i]) : [],
    actions,
    defaults,
    goto: (state, rule) => exceptions[rule]!.get(state) ?? gotos[rule]![0]!,
  };
}
