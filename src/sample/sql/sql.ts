// Parser for the SQL of the sample server: SELECT with at most one JOIN, and a few other statements.
import type {
  Call,
  Column,
  Condition,
  Delete,
  Item,
  ModelStatement,
  Select,
  Source,
  Statement,
  TrainingQuery,
  Value,
} from "./statements.ts";

/** A statement that cannot be parsed or run. Real servers send its message with HTTP status 200. */
export class SqlError extends Error {}

/** The statement cannot be parsed. `wrong` is what is unexpected, or undefined if the statement ends too early. */
export class SqlSyntaxError extends SqlError {
  readonly tokens: readonly PlacedText[];
  readonly wrong: PlacedText | undefined;
  override readonly cause: "token" | "character" | "secondStatement";
  constructor(
    tokens: readonly PlacedText[],
    wrong: PlacedText | undefined,
    cause: SqlSyntaxError["cause"],
  ) {
    super(`Syntax error: unexpected ${wrong ? `"${wrong.text}"` : "end of the statement"}.`);
    this.tokens = tokens;
    this.wrong = wrong;
    this.cause = cause;
  }
}

/** The text of a token and its offset. */
export interface PlacedText {
  text: string;
  at: number;
}

interface Token extends PlacedText {
  kind: "word" | "name" | "text" | "number" | "parameter" | "symbol" | "end";
}

// Strings follow the real parser: a quote inside is doubled or escaped with a backslash. A backslash can be the last
// character only if the string would otherwise not end.
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

/** The tokens of a statement, the last one of kind "end". Throws SqlSyntaxError. */
export function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < sql.length) {
    const at = tokenPattern.lastIndex;
    const match = tokenPattern.exec(sql);
    if (!match) throw new SqlSyntaxError([], { text: sql[at] ?? "", at }, "character");
    const found = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined);
    if (found) tokens.push({ kind: found[0] as Token["kind"], text: found[1] ?? "", at });
  }
  return [...tokens, { kind: "end", text: "", at: sql.length }];
}

/** The words with which statements about models begin. */
const modelStatements: Record<string, ModelStatement["kind"]> = {
  "create model": "createModel",
  "create predictor": "createModel",
  "drop model": "dropModel",
  "drop predictor": "dropModel",
  "set active": "activateModel",
  retrain: "retrain",
};

const keywords = /^(from|join|where|group|order|limit|offset|as|on|and|or|not|union|having)$/i;

/** Parses one statement. `params` are the values for `:name`. Throws SqlError. */
export function parse(sql: string, params: Record<string, unknown> = {}): Statement {
  const tokens = tokenize(sql);
  let position = 0;
  const peek = (): Token => tokens[position] ?? { kind: "end", text: "", at: sql.length };
  const fail = (wrong = peek(), cause: SqlSyntaxError["cause"] = "token") =>
    new SqlSyntaxError(tokens.slice(0, -1), wrong.kind === "end" ? undefined : wrong, cause);
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

  function parseName(): string {
    const token = peek();
    if (token.kind === "name") {
      position++;
      return token.text.slice(1, -1);
    }
    if (token.kind !== "word" && token.kind !== "number") throw fail();
    position++;
    return token.text;
  }

  function parsePath(): string[] {
    const parts = [parseName()];
    while (take(".")) parts.push(parseName());
    return parts;
  }

  function isLiteral(): boolean {
    return (
      ["text", "number", "parameter"].includes(peek().kind) ||
      peek().text === "-" ||
      isWord("null", "true", "false")
    );
  }

  function parseLiteral(): Value {
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

  function parseItem(): Item {
    if (take("*")) return { star: true };
    const value = isLiteral()
      ? ({ kind: "literal", value: parseLiteral() } as const)
      : parseColumnOrCall();
    const named =
      take("as") || (["word", "name"].includes(peek().kind) && !keywords.test(peek().text));
    return named ? { star: false, value, alias: parseName() } : { star: false, value };
  }

  function parseColumnOrCall(): Column | Call {
    const parts = parsePath();
    if (!take("(")) return { kind: "column", path: parts };
    const isDistinct = take("distinct");
    const argument = take("*") ? "*" : ({ kind: "column", path: parsePath() } as const);
    expect(")");
    return { kind: "call", name: (parts[0] ?? "").toLowerCase(), argument, isDistinct };
  }

  function parseList<T>(read: () => T): T[] {
    const values = [read()];
    while (take(",")) values.push(read());
    return values;
  }

  function parseSource(): Source {
    const select = take("(") ? parseInnerSelect() : undefined;
    const parts = select ? [] : parsePath();
    const named =
      take("as") || (["word", "name"].includes(peek().kind) && !keywords.test(peek().text));
    if (select) return { path: parts, alias: named ? parseName() : "", select };
    return { path: parts, alias: named ? parseName() : (parts.at(-1) ?? "") };
  }

  function parseOr(): Condition {
    let left = parseAnd();
    while (take("or")) left = { kind: "or", left, right: parseAnd() };
    return left;
  }

  function parseAnd(): Condition {
    let left = parseCondition();
    while (take("and")) left = { kind: "and", left, right: parseCondition() };
    return left;
  }

  function parseCondition(): Condition {
    if (take("not")) return { kind: "not", inner: parseCondition() };
    if (take("(")) {
      const inner = parseOr();
      expect(")");
      return inner;
    }
    const column: Column = { kind: "column", path: parsePath() };
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
        const low = parseLiteral();
        expect("and");
        return comparison("between", [low, parseLiteral()]);
      }
      if (take("in")) {
        expect("(");
        const values = parseList(parseLiteral);
        expect(")");
        return comparison("in", values);
      }
      const operator = peek().text.toLowerCase();
      expect("=", "!=", "<>", "<", "<=", ">", ">=", "like");
      return comparison(operator === "<>" ? "!=" : operator, [parseLiteral()]);
    };
    return negated ? { kind: "not", inner: positive() } : positive();
  }

  function parseSelect(): Select {
    const statement: Select = {
      kind: "select",
      isDistinct: take("distinct"),
      items: parseList(parseItem),
      groupBy: [],
      orderBy: [],
      offset: 0,
    };
    if (take("from")) statement.from = parseSource();
    if (take("join")) statement.join = parseSource();
    if (take("where")) statement.where = parseOr();
    if (take("group")) {
      expect("by");
      statement.groupBy = parseList(() => ({ kind: "column", path: parsePath() }));
    }
    if (take("order")) {
      expect("by");
      statement.orderBy = parseList(() => {
        const column: Column = { kind: "column", path: parsePath() };
        const descending = take("desc");
        if (!descending) take("asc");
        return { column, descending };
      });
    }
    if (take("limit")) statement.limit = Number(parseLiteral());
    if (take("offset")) statement.offset = Number(parseLiteral());
    return statement;
  }

  function parseInnerSelect(): Select {
    expect("select");
    const select = parseSelect();
    expect(")");
    return select;
  }

  function parseDelete(): Delete {
    expect("from");
    const from = parseSource();
    return take("where") ? { kind: "delete", from, where: parseOr() } : { kind: "delete", from };
  }

  /** The kind of a statement about a model, which begins with one or two words. */
  function takeModelWords(): ModelStatement["kind"] | undefined {
    const word = (at: number) => tokens[at]?.text.toLowerCase() ?? "";
    const kind = modelStatements[`${word(0)} ${word(1)}`] ?? modelStatements[word(0)];
    if (kind !== undefined) position = kind === "retrain" ? 1 : 2;
    return kind;
  }

  function parseModelStatement(kind: ModelStatement["kind"]): ModelStatement {
    const path = parsePath();
    if (kind === "activateModel" || kind === "dropModel") return { kind, path };
    const query = take("from") ? parseTrainingQuery() : undefined;
    const target = take("predict") ? parseName() : undefined;
    const options = take("using") ? parseList(parseOption) : [];
    return { kind, path, query, target, using: Object.fromEntries(options) };
  }

  function parseTrainingQuery(): TrainingQuery {
    const source = parseName().toLowerCase();
    expect("(");
    const start = peek().at;
    parseInnerSelect();
    return { source, select: sql.slice(start, tokens[position - 1]?.at).trim() };
  }

  function parseOption(): [string, Value] {
    const name = parsePath().join(".");
    expect("=");
    return [name, parseLiteral()];
  }

  function parseWords(): Statement {
    const found: string[] = [];
    while (peek().kind === "word" && tokens[position + 1]?.text !== ".") found.push(parseName());
    const parts = peek().kind === "end" || peek().text === ";" ? [] : parsePath();
    return { kind: "words", words: found, path: parts };
  }

  function parseStatement(): Statement {
    const kind = takeModelWords();
    if (kind) return parseModelStatement(kind);
    if (take("select")) return parseSelect();
    if (take("delete")) return parseDelete();
    if (isWord("show", "describe", "use", "create", "drop")) return parseWords();
    throw fail();
  }

  const statement = parseStatement();
  const wrong = peek();
  const isClosed = take(";");
  if (peek().kind === "end") return statement;
  throw fail(wrong, isClosed ? "secondStatement" : "token");
}

/** Returns the text of a quoted string. */
function unquote(quoted: string): string {
  const mark = quoted.charAt(0);
  const text = quoted.slice(1, -1).replaceAll('\\"', '"').replaceAll("\\'", "'");
  return text.replaceAll(mark + mark, mark);
}

/** Returns the conditions of a WHERE clause that are joined by AND. */
export function conjuncts(condition: Condition | undefined): Condition[] {
  if (condition === undefined) return [];
  return condition.kind === "and"
    ? [...conjuncts(condition.left), ...conjuncts(condition.right)]
    : [condition];
}
