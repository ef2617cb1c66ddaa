// Symbols allowed by the grammar at a caret. The text before it may be invalid, because the user is still typing.
import { followsClauses } from "./checks.ts";
import { keywordText, type LexedToken } from "./lexSql.ts";
import { accepting, parserTables, type ParserTables } from "./unpackTables.ts";

export { lexSql } from "./lexSql.ts";

export interface CaretPosition {
  /** The keywords that may come next, as they are written: "GROUP BY". Not those that would only be names. */
  keywords: string[];
  /** Tokens and rules read before a name that may come next, nearest first. Empty if no name may come next. */
  nameAfter: string[];
  /** The same for a text in double quotes. */
  textAfter: string[];
  isExpression: boolean;
  /** The index of the token that starts the native query, or the view's or job's statement, that the caret is in. */
  innerStart: number | undefined;
}

/** The parser's stack. It shares what is below, so that attempts cost nothing. */
interface Entry {
  state: number;
  symbol: string;
  /** How many tokens precede it. */
  at: number;
  below: Entry | undefined;
  /** The clauses of a SELECT. */
  clauses?: ReadonlySet<string>;
}

/** Symbols that `nameAfter` has at most. */
const maxSymbols = 6;
/** Reductions per token, beyond which nothing is known: an attempt that fails may have reduced the whole stack. */
const reductionsPerToken = 50;
/** Rules of a single token that are names, or a native query's text: there a keyword is no keyword. */
const wordRules = new Set(["word", "charset", "text"]);
/** A broken statement is read on from the nearest place at which one of these is allowed. */
const resumingTokens = new Set(
  "FROM WHERE GROUP_BY HAVING ORDER_BY LIMIT OFFSET UNION INTERSECT EXCEPT JOIN ON USING ) ,".split(
    " ",
  ),
);
const clauseTokens: Record<string, string> = {
  FROM: "from",
  WHERE: "where",
  GROUP_BY: "groupBy",
  HAVING: "having",
  ORDER_BY: "orderBy",
  LIMIT: "limit",
  FETCH_FIRST: "limit",
  OFFSET: "offset",
  FOR: "mode",
};

/** Reads the tokens of a statement before the caret. Never throws; takes linear time. */
export function readCaretPosition(tokens: readonly LexedToken[]): CaretPosition | undefined {
  return new CaretReader(tokens.length).read(tokens);
}

class CaretReader {
  readonly #tables: ParserTables = parserTables();
  #reductionsLeft: number;

  constructor(tokens: number) {
    this.#reductionsLeft = 10_000 + reductionsPerToken * tokens;
  }

  read(tokens: readonly LexedToken[]): CaretPosition | undefined {
    let stack: Entry = { state: 0, symbol: "", at: 0, below: undefined };
    tokens.forEach(({ kind }, index) => {
      const next = this.#shift(stack, kind, index) ?? this.#resume(stack, kind, index);
      // A token that fits nowhere is left out.
      if (next) stack = next;
    });
    const places = this.#placesOfTokens(stack);
    if (this.#reductionsLeft < 0) return undefined;
    const forName = places.get("ID");
    const forText = places.get("DOUBLE_QUOTED");
    const keywords = [...places].flatMap(([token, place]) => {
      const text = keywordText(token);
      if (text === undefined || this.#isOnlyName(place, token)) return [];
      if (!this.#fitsClauses(place, token)) return [];
      if (this.#leadsOnlyTo(place, token, "ROLLUP")) {
        return symbolsOf(place).includes("GROUP_BY") ? ["WITH ROLLUP"] : [];
      }
      // Part of CHARACTER SET, which is a name almost everywhere.
      return this.#leadsOnlyTo(place, token, "SET") ? [] : [text];
    });
    const forSelect = places.get("SELECT");
    const isText = forSelect !== undefined && this.#isOnlyName(forSelect, "SELECT");
    return {
      keywords,
      nameAfter: forName ? symbolsOf(forName) : [],
      textAfter: forText ? symbolsOf(forText) : [],
      isExpression: places.has("CASE") && !this.#isOnlyName(places.get("CASE")!, "CASE"),
      innerStart: isText ? innerStart(forName) : undefined,
    };
  }

  /** The stack after a token; undefined if it is not allowed. */
  #shift(stack: Entry, token: string, at: number): Entry | undefined {
    const { tokenIds, tokens, actions, defaults } = this.#tables;
    const id = tokenIds.get(token)!;
    for (let top = stack; ;) {
      const action = defaults[top.state]! || actions[top.state * tokens.length + id]!;
      if (action > 0) return { state: action - 1, symbol: token, at, below: top };
      if (action === 0 || action === accepting || this.#reductionsLeft-- < 0) return undefined;
      top = this.#reduce(top, -action - 1);
    }
  }

  /** Supplies a name that is missing before a token, or goes back to where the token is allowed. */
  #resume(stack: Entry, token: string, at: number): Entry | undefined {
    const mayGoBack = resumingTokens.has(token);
    for (let top: Entry | undefined = stack; top; top = mayGoBack ? top.below : undefined) {
      if (this.#reductionsLeft-- < 0) return undefined;
      const named = this.#shift(top, "ID", at);
      const next = top === stack ? undefined : this.#shift(top, token, at);
      const found = next ?? (named && this.#shift(named, token, at));
      if (found) return found;
    }
    return undefined;
  }

  #reduce(stack: Entry, production: number): Entry {
    const { leftOf, lengthOf, rules, checkOf, goto } = this.#tables;
    const left = leftOf[production]!;
    const symbol = rules[left]!;
    let below = stack;
    let clauses: ReadonlySet<string> | undefined;
    let { at } = stack;
    for (let count = lengthOf[production]!; count > 0; count--) {
      if (symbol === "select") clauses = below.clauses ?? clauses;
      ({ at } = below);
      below = below.below!;
    }
    const entry: Entry = { state: goto(below.state, left), symbol, at, below };
    if (symbol === "select") entry.clauses = new Set([...(clauses ?? []), checkOf[production]!]);
    return entry;
  }

  /** The tokens that are allowed, each with the stack on which it would be put. */
  #placesOfTokens(stack: Entry): Map<string, Entry> {
    const { tokens, actions } = this.#tables;
    const places = new Map<string, Entry>();
    const waiting = [{ top: stack, ids: [...tokens.keys()] }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { top, ids } = next;
      const reduced = new Map<number, number[]>();
      for (const id of ids) {
        const action = actions[top.state * tokens.length + id]!;
        if (action > 0) places.set(tokens[id]!, top);
        else if (action < 0 && action !== accepting) {
          const others = reduced.get(action);
          if (others) others.push(id);
          else reduced.set(action, [id]);
        }
      }
      for (const [action, ids] of reduced) {
        if (this.#reductionsLeft-- < 0) return places;
        waiting.push({ top: this.#reduce(top, -action - 1), ids });
      }
    }
    return places;
  }

  /** Whether a keyword would be read as a name, or as a part of a native query. */
  #isOnlyName({ state }: Entry, token: string): boolean {
    const { leftOf, rules } = this.#tables;
    const row = new Set(this.#actionsAfter(state, token));
    row.delete(0);
    const [only, ...others] = row;
    return (
      only !== undefined &&
      only < 0 &&
      others.length === 0 &&
      wordRules.has(rules[leftOf[-only - 1]!]!)
    );
  }

  #leadsOnlyTo({ state }: Entry, token: string, next: string): boolean {
    const id = this.#tables.tokenIds.get(next)!;
    return this.#actionsAfter(state, token).every((action, index) => (index === id) === action > 0);
  }

  #actionsAfter(state: number, token: string): Int16Array {
    const { tokens, tokenIds, actions } = this.#tables;
    const width = tokens.length;
    const next = actions[state * width + tokenIds.get(token)!]! - 1;
    return actions.subarray(next * width, (next + 1) * width);
  }

  /** The grammar allows clauses in any order, and the server then refuses all but one. */
  #fitsClauses({ clauses }: Entry, token: string): boolean {
    const clause = clauseTokens[token];
    return !clauses || clause === undefined || followsClauses(clauses, clause);
  }
}

function symbolsOf(top: Entry): string[] {
  const symbols: string[] = [];
  for (let entry: Entry | undefined = top; entry; entry = entry.below) {
    if (symbols.length >= maxSymbols) break;
    if (!["", "empty", "ifExists", "ifNotExists", "orReplace"].includes(entry.symbol)) {
      symbols.push(entry.symbol);
    }
  }
  return symbols;
}

/** Where the text starts that the parser does not read itself. */
function innerStart(top: Entry | undefined): number | undefined {
  let start: number | undefined;
  for (let entry = top; entry; entry = entry.below) {
    if (entry.symbol === "(") start = entry.at + 1;
    else if (entry.symbol !== "text") break;
  }
  return start;
}
