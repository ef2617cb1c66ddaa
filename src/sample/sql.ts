// The SQL that the sample server understands: one SELECT over a relation, and a few other statements.
import { describeIllegalCharacter, describeSyntaxError } from "./syntaxError.ts";

/** A statement that cannot be read or run; real servers send its message with HTTP status 200. */
export class SqlError extends Error {}

/** A literal, or what a column holds. */
export type Value = string | number | boolean | null;

/** A column by its path: `["price"]`, or `["t", "price"]` with the table's alias. */
export interface Column {
  kind: "column";
  path: string[];
}

interface Literal {
  kind: "literal";
  value: Value;
}

interface Call {
  kind: "call";
  name: string;
  argument: Column | "*";
  /** Equal values count once. */
  isDistinct: boolean;
}

type Item = { star: true } | { star: false; value: Column | Literal | Call; alias?: string };

/** A column on the left, an operator in small letters, literals on the right. */
export interface Comparison {
  kind: "comparison";
  column: Column;
  operator: string;
  values: Value[];
}

/** What a WHERE clause says. */
export type Condition =
  | Comparison
  | { kind: "and" | "or"; left: Condition; right: Condition }
  | { kind: "not"; inner: Condition };

/** A name in FROM, with its alias. */
export interface Source {
  path: string[];
  alias: string;
}

/** A SELECT statement. */
export interface Select {
  kind: "select";
  /** Equal rows come once. */
  isDistinct: boolean;
  items: Item[];
  from?: Source;
  join?: Source;
  where?: Condition;
  groupBy: Column[];
  orderBy: { column: Column; descending: boolean }[];
  limit?: number;
  offset: number;
}

/** Any statement: a SELECT, or the words of another one with its dotted name. */
export type Statement = Select | { kind: "words"; words: string[]; path: string[] };

interface Token {
  kind: "word" | "name" | "text" | "number" | "parameter" | "symbol" | "end";
  text: string;
  at: number;
}

// Strings are as the real parser reads them: a quote inside is doubled or has a backslash before it,
// and only where that leaves the string open a backslash may be its last character.
const token = {
  space: /\s+|--[^\n]*|\/\*[^]*?(?:\*\/|$)/,
  text: /(?<text>'(?:\\.|''|[^'\\])*\\?'|"(?:\\.|""|[^"\\])*\\?")/,
  parameter: /:(?<parameter>[a-z_]\w*)/,
  name: /(?<name>`[^`]+`)/,
  number: /(?<number>\d+(?:\.\d+)?)/,
  word: /(?<word>[\p{L}_$][\p{L}\p{N}_$]*)/u,
  symbol: /(?<symbol><=|>=|<>|!=|[-=<>(),.*;])/,
};
const tokenPattern = new RegExp(
  Object.values(token)
    .map(({ source }) => source)
    .join("|"),
  "isuy",
);

function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < sql.length) {
    const at = tokenPattern.lastIndex;
    const match = tokenPattern.exec(sql);
    if (!match) throw new SqlError(describeIllegalCharacter(sql, at));
    const found = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined);
    if (found) tokens.push({ kind: found[0] as Token["kind"], text: found[1] ?? "", at });
  }
  return [...tokens, { kind: "end", text: "", at: sql.length }];
}

const keywords = /^(from|join|where|group|order|limit|offset|as|on|and|or|not|union|having)$/i;

/** Reads one statement; `params` are the values for `:name`. */
export function parse(sql: string, params: Record<string, unknown> = {}): Statement {
  const tokens = tokenize(sql);
  let position = 0;
  const peek = (): Token => tokens[position] ?? { kind: "end", text: "", at: sql.length };
  const fail = () => {
    const wrong = peek();
    const written = tokens.filter(({ kind }) => kind !== "end");
    return new SqlError(
      describeSyntaxError(sql, written, wrong.kind === "end" ? undefined : wrong),
    );
  };
  const isWord = (...words: string[]) =>
    peek().kind === "word" && words.includes(peek().text.toLowerCase());
  const take = (...words: string[]): boolean => {
    const token = peek();
    const found = isWord(...words) || (token.kind === "symbol" && words.includes(token.text));
    if (found) position++;
    return found;
  };
  const expect = (...words: string[]) => {
    if (!take(...words)) throw fail();
  };

  function name(): string {
    const token = peek();
    if (token.kind === "name") {
      position++;
      return token.text.slice(1, -1);
    }
    if (token.kind !== "word" && token.kind !== "number") throw fail();
    position++;
    return token.text;
  }

  function path(): string[] {
    const parts = [name()];
    while (take(".")) parts.push(name());
    return parts;
  }

  function isLiteral(): boolean {
    return (
      ["text", "number", "parameter"].includes(peek().kind) ||
      peek().text === "-" ||
      isWord("null", "true", "false")
    );
  }

  function literal(): Value {
    const sign = take("-") ? -1 : 1;
    const token = peek();
    position++;
    if (token.kind === "number") return sign * Number(token.text);
    if (token.kind === "text") return unquote(token.text);
    if (token.kind === "parameter" && Object.hasOwn(params, token.text)) {
      return params[token.text] as Value;
    }
    const word = token.text.toLowerCase();
    if (word === "null") return null;
    if (word === "true" || word === "false") return word === "true";
    position--;
    throw fail();
  }

  function item(): Item {
    if (take("*")) return { star: true };
    const value = isLiteral() ? ({ kind: "literal", value: literal() } as const) : columnOrCall();
    const named =
      take("as") || (["word", "name"].includes(peek().kind) && !keywords.test(peek().text));
    return named ? { star: false, value, alias: name() } : { star: false, value };
  }

  function columnOrCall(): Column | Call {
    const parts = path();
    if (!take("(")) return { kind: "column", path: parts };
    const isDistinct = take("distinct");
    const argument = take("*") ? "*" : ({ kind: "column", path: path() } as const);
    expect(")");
    return { kind: "call", name: (parts[0] ?? "").toLowerCase(), argument, isDistinct };
  }

  function list<T>(read: () => T): T[] {
    const values = [read()];
    while (take(",")) values.push(read());
    return values;
  }

  function source(): Source {
    const parts = path();
    const named =
      take("as") || (["word", "name"].includes(peek().kind) && !keywords.test(peek().text));
    return { path: parts, alias: named ? name() : (parts.at(-1) ?? "") };
  }

  function either(): Condition {
    let left = both();
    while (take("or")) left = { kind: "or", left, right: both() };
    return left;
  }

  function both(): Condition {
    let left = single();
    while (take("and")) left = { kind: "and", left, right: single() };
    return left;
  }

  function single(): Condition {
    if (take("not")) return { kind: "not", inner: single() };
    if (take("(")) {
      const inner = either();
      expect(")");
      return inner;
    }
    const column: Column = { kind: "column", path: path() };
    const comparison = (operator: string, values: Value[]): Condition => {
      return { kind: "comparison", column, operator, values };
    };
    if (take("is")) {
      const negated = take("not");
      expect("null");
      return comparison(negated ? "is not null" : "is null", []);
    }
    const negated = take("not");
    const positive = (): Condition => {
      if (take("between")) {
        const low = literal();
        expect("and");
        return comparison("between", [low, literal()]);
      }
      if (take("in")) {
        expect("(");
        const values = list(literal);
        expect(")");
        return comparison("in", values);
      }
      const operator = peek().text.toLowerCase();
      expect("=", "!=", "<>", "<", "<=", ">", ">=", "like");
      return comparison(operator === "<>" ? "!=" : operator, [literal()]);
    };
    return negated ? { kind: "not", inner: positive() } : positive();
  }

  function select(): Select {
    const statement: Select = {
      kind: "select",
      isDistinct: take("distinct"),
      items: list(item),
      groupBy: [],
      orderBy: [],
      offset: 0,
    };
    if (take("from")) statement.from = source();
    if (take("join")) statement.join = source();
    if (take("where")) statement.where = either();
    if (take("group")) {
      expect("by");
      statement.groupBy = list(() => ({ kind: "column", path: path() }));
    }
    if (take("order")) {
      expect("by");
      statement.orderBy = list(() => {
        const column: Column = { kind: "column", path: path() };
        const descending = take("desc");
        if (!descending) take("asc");
        return { column, descending };
      });
    }
    if (take("limit")) statement.limit = Number(literal());
    if (take("offset")) statement.offset = Number(literal());
    return statement;
  }

  function words(): Statement {
    const found: string[] = [];
    while (peek().kind === "word" && tokens[position + 1]?.text !== ".") found.push(name());
    const parts = peek().kind === "end" || peek().text === ";" ? [] : path();
    return { kind: "words", words: found, path: parts };
  }

  const known = isWord("select", "show", "describe", "use", "create", "drop");
  if (!known) throw fail();
  const statement = take("select") ? select() : words();
  const error = fail();
  const isClosed = take(";");
  if (peek().kind === "end") return statement;
  if (isClosed) error.message += "\nOnly a single sql statement is expected. Got multiple instead";
  throw error;
}

/** The text in a quoted string, by the real parser's rules (it even drops quotes at both ends). */
function unquote(quoted: string): string {
  const mark = quoted.charAt(0);
  const text = quoted
    .replaceAll('\\"', '"')
    .replaceAll("\\'", "'")
    .replaceAll(mark + mark, mark);
  return text.replace(mark === "'" ? /^'+|(?<!')'+$/g : /^"+|(?<!")"+$/g, "");
}

/** The comparisons of a WHERE clause that hold in any case: those joined by AND. */
export function conjuncts(condition: Condition | undefined): Condition[] {
  if (condition === undefined) return [];
  return condition.kind === "and"
    ? [...conjuncts(condition.left), ...conjuncts(condition.right)]
    : [condition];
}
