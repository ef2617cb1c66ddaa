// Writes the parser's tables in little space. Runs when the extension is built; unpackTables.ts reads them.
import { accept, endToken, type LalrTables } from "./lalr.ts";
import { groupBy, type Grammar } from "./readGrammar.ts";

/** All lists are of numbers: of tokens, rules, productions and states, each in the order of their list here. */
export interface PackedTables {
  tokens: string[];
  rules: string[];
  /** The rule and the number of symbols of each production, alternating. */
  productions: number[];
  checks: Record<number, string>;
  /** The state to which a token leads in most states. */
  shifts: number[];
  /** Sets of tokens. */
  sets: number[][];
  /**
   * Different rows of actions: [production, set]… for reductions, and [0, set] for the shifts above. The last element may
   * be a list of other shifts: [token, state]…
   */
  rows: (number | number[])[][];
  /** The row of each state. */
  rowOfState: number[];
  /** For each rule, the state to which it leads in most states, and then [from, to]… for the others. */
  gotos: number[][];
}

export function packTables(grammar: Grammar, tables: LalrTables): PackedTables {
  const tokens = [...grammar.terminals, endToken];
  const rules = [...new Set(tables.productions.map(({ left }) => left))];
  const tokenOf = new Map(tokens.map((token, index) => [token, index]));
  const ruleOf = new Map(rules.map((rule, index) => [rule, index]));
  const shifts = tokens.map((token) =>
    mostCommon(tables.actions.flatMap((row) => [row.get(token) ?? 0]).filter((to) => to > 0)),
  );
  const sets = new Interned();
  const rows = new Interned();
  const rowOfState = tables.actions.map((row) => {
    const setOf = new Map<number, number[]>();
    const others: number[] = [];
    for (const [name, action] of row) {
      const token = tokenOf.get(name)!;
      if (action > 0 && action !== shifts[token]) others.push(token, action);
      else {
        // Accepting is the reduction of the first production.
        const key = action > 0 ? 0 : action === accept ? 1 : 1 - action;
        const set = setOf.get(key);
        if (set) set.push(token);
        else setOf.set(key, [token]);
      }
    }
    const packed: unknown[] = [...setOf].flatMap(([key, set]) => [key, sets.add(gaps(set))]);
    return rows.add(others.length > 0 ? [...packed, others] : packed);
  });
  const gotos = rules.map((rule) => {
    const leads = tables.gotos.flatMap((row, from) => {
      const to = row.get(rule);
      return to === undefined ? [] : [{ from, to }];
    });
    const most = mostCommon(leads.map(({ to }) => to));
    return [most, ...leads.filter(({ to }) => to !== most).flatMap(({ from, to }) => [from, to])];
  });
  return {
    tokens,
    rules,
    productions: tables.productions.flatMap(({ left, right }) => [ruleOf.get(left)!, right.length]),
    checks: Object.fromEntries(
      tables.productions.flatMap(({ check }, index) => (check ? [[index, check]] : [])),
    ),
    shifts,
    sets: sets.values as number[][],
    rows: rows.values as PackedTables["rows"],
    rowOfState,
    gotos,
  };
}

/** Sorted numbers as the distances between them. */
function gaps(numbers: readonly number[]): number[] {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted.map((number, index) => number - (sorted[index - 1] ?? 0));
}

function mostCommon(numbers: readonly number[]): number {
  const counts = groupBy(numbers, (number) => number);
  let [most, count] = [0, 0];
  for (const [number, { length }] of counts) if (length > count) [most, count] = [number, length];
  return most;
}

/** Values, each once. */
class Interned {
  readonly values: unknown[] = [];
  readonly #indexes = new Map<string, number>();

  add(value: unknown): number {
    const key = JSON.stringify(value);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#indexes.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}
