// Makes the tables of an LALR(1) parser (DeRemer and Pennello, 1982). Runs when the extension is built.
import { groupBy, type Grammar, type Production } from "./readGrammar.ts";

/** The parser's actions in each state: the next state, or a negative number for a rule. */
export interface LalrTables {
  /** By state and token. Rule 0 is the end: `accept`. */
  actions: Map<string, number>[];
  /** By state and rule name. */
  gotos: Map<string, number>[];
  productions: Production[];
}

export const accept = 0;
export const endToken = "$end";
const start = "$start";

interface State {
  /** The items, each as production and dot, the closure included. */
  items: Item[];
  next: Map<string, number>;
}

interface Item {
  production: number;
  dot: number;
}

export function buildTables({ productions: given, precedenceOf }: Grammar): LalrTables {
  const productions: Production[] = [
    {
      left: start,
      right: ["statement"],
      check: undefined,
      order: -1,
      precedence: precedenceOf(""),
    },
    ...given,
  ];
  // The later forms first, which is the order of the server's items.
  const indexes = [...productions.keys()].reverse();
  const byName = groupBy(indexes, (index) => productions[index]!.left);
  const states = buildStates(productions, byName);
  const lookaheads = findLookaheads(states, productions, byName);
  const actions = states.map((state, index) => {
    const row = new Map<string, number | undefined>();
    for (const { production, dot } of state.items) {
      const { right, precedence, order } = productions[production]!;
      const token = right[dot];
      if (token !== undefined) {
        if (byName.has(token)) continue;
        const target = state.next.get(token)!;
        const rule = row.get(token);
        const shift = precedenceOf(token);
        if (rule === undefined) row.set(token, target);
        else if (rule <= 0) {
          const reduce = productions[-rule]!.precedence;
          const isEqual = shift.level === reduce.level;
          if (shift.level > reduce.level || (isEqual && reduce.associativity === "right")) {
            row.set(token, target);
          } else if (isEqual && reduce.associativity === "nonassoc") row.set(token, undefined);
        }
        continue;
      }
      if (production === 0) {
        row.set(endToken, accept);
        continue;
      }
      for (const ahead of lookaheads(index, production)) {
        const known = row.get(ahead);
        if (known === undefined) row.set(ahead, -production);
        else if (known > 0) {
          const shift = precedenceOf(ahead);
          const isEqual = shift.level === precedence.level;
          if (shift.level < precedence.level || (isEqual && precedence.associativity === "left")) {
            row.set(ahead, -production);
          } else if (isEqual && precedence.associativity === "nonassoc") row.set(ahead, undefined);
        } else if (productions[-known]!.order > order) row.set(ahead, -production);
      }
    }
    return new Map(
      [...row].flatMap(([token, action]) => (action === undefined ? [] : [[token, action]])),
    );
  });
  const gotos = states.map(
    ({ next }) => new Map([...next].filter(([symbol]) => byName.has(symbol))),
  );
  return { actions, gotos, productions };
}

function buildStates(
  productions: readonly Production[],
  byName: ReadonlyMap<string, number[]>,
): State[] {
  const states: State[] = [];
  const byKernel = new Map<string, number>();
  const addState = (kernel: Item[]): number => {
    // Like the server's, states with the same items in another order are not merged: their lookaheads differ.
    const key = kernel.map(({ production, dot }) => `${production}.${dot}`).join();
    const known = byKernel.get(key);
    if (known !== undefined) return known;
    const items = [...kernel];
    const added = new Set<string>();
    for (const { production, dot } of items) {
      const symbol = productions[production]!.right[dot];
      if (symbol === undefined || added.has(symbol)) continue;
      added.add(symbol);
      for (const index of byName.get(symbol) ?? []) items.push({ production: index, dot: 0 });
    }
    byKernel.set(key, states.length);
    return states.push({ items, next: new Map() }) - 1;
  };
  addState([{ production: 0, dot: 0 }]);
  for (const state of states) {
    const kernels = new Map<string, Item[]>();
    for (const { production, dot } of state.items) {
      const symbol = productions[production]!.right[dot];
      if (symbol === undefined) continue;
      const kernel = kernels.get(symbol) ?? [];
      kernel.push({ production, dot: dot + 1 });
      kernels.set(symbol, kernel);
    }
    for (const [symbol, kernel] of kernels) state.next.set(symbol, addState(kernel));
  }
  return states;
}

/** The tokens before which a production may be reduced in a state. */
function findLookaheads(
  states: readonly State[],
  productions: readonly Production[],
  byName: ReadonlyMap<string, number[]>,
): (state: number, production: number) => Iterable<string> {
  const nullable = findNullable(productions);
  interface Transition {
    tokens: Set<string>;
    reads: Transition[];
    includes: Transition[];
  }
  const transitions = states.map(
    ({ next }) =>
      new Map<string, Transition>(
        [...next.keys()]
          .filter((symbol) => byName.has(symbol))
          .map((symbol) => [symbol, { tokens: new Set(), reads: [], includes: [] }]),
      ),
  );
  const lookbacks = new Map<string, Transition[]>();
  states.forEach((state, from) => {
    for (const [name, transition] of transitions[from]!) {
      const target = state.next.get(name)!;
      for (const symbol of states[target]!.next.keys()) {
        if (!byName.has(symbol)) transition.tokens.add(symbol);
        else if (nullable.has(symbol)) transition.reads.push(transitions[target]!.get(symbol)!);
      }
      if (from === 0 && name === productions[0]!.right[0]) transition.tokens.add(endToken);
      for (const index of byName.get(name)!) {
        const { right } = productions[index]!;
        let at = from;
        right.forEach((symbol, dot) => {
          const rest = right.slice(dot + 1);
          if (byName.has(symbol) && rest.every((symbol) => nullable.has(symbol))) {
            transitions[at]!.get(symbol)!.includes.push(transition);
          }
          at = states[at]!.next.get(symbol)!;
        });
        const key = `${at} ${index}`;
        const known = lookbacks.get(key);
        if (known) known.push(transition);
        else lookbacks.set(key, [transition]);
      }
    }
  });
  const all = transitions.flatMap((row) => [...row.values()]);
  spread(all, ({ reads }) => reads);
  spread(all, ({ includes }) => includes);
  return (state, production) =>
    new Set((lookbacks.get(`${state} ${production}`) ?? []).flatMap(({ tokens }) => [...tokens]));
}

/** Adds to the tokens of each transition those of all that it depends on. */
function spread<Transition extends { tokens: Set<string> }>(
  all: readonly Transition[],
  dependencies: (transition: Transition) => readonly Transition[],
): void {
  const dependents = new Map<Transition, Transition[]>();
  for (const transition of all) {
    for (const other of dependencies(transition)) {
      const known = dependents.get(other);
      if (known) known.push(transition);
      else dependents.set(other, [transition]);
    }
  }
  const waiting = new Set(all);
  for (const transition of waiting) {
    waiting.delete(transition);
    for (const dependent of dependents.get(transition) ?? []) {
      const { size } = dependent.tokens;
      for (const token of transition.tokens) dependent.tokens.add(token);
      if (dependent.tokens.size > size) waiting.add(dependent);
    }
  }
}

function findNullable(productions: readonly Production[]): Set<string> {
  const nullable = new Set<string>();
  for (let size = -1; size < nullable.size;) {
    size = nullable.size;
    for (const { left, right } of productions) {
      if (right.every((symbol) => nullable.has(symbol))) nullable.add(left);
    }
  }
  return nullable;
}
