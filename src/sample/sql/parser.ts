// Parser for the SQL of the sample server: SELECT with at most one JOIN, and a few other statements.
import type {
  Call,
  Column,
  Condition,
  CreateTable,
  Delete,
  Item,
  JobStatement,
  ModelStatement,
  Select,
  Source,
  Statement,
  TrainingQuery,
  Value,
} from "./statements.ts";
import { SqlSyntaxError, tokenize, type Token } from "./tokens.ts";

/** The words with which statements about models and jobs begin. */
const statementKinds: Record<string, ModelStatement["kind"] | JobStatement["kind"]> = {
  "create model": "createModel",
  "create predictor": "createModel",
  "drop model": "dropModel",
  "drop predictor": "dropModel",
  "set active": "activateModel",
  retrain: "retrain",
  "create job": "createJob",
  "drop job": "dropJob",
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

  function parseColumn(): Column {
    return { kind: "column", path: parsePath() };
  }

  function parseAlias(): string | undefined {
    const isNamed =
      take("as") || (["word", "name"].includes(peek().kind) && !keywords.test(peek().text));
    return isNamed ? parseName() : undefined;
  }

  function parseItem(): Item {
    if (take("*")) return { star: true };
    const value = isLiteral()
      ? ({ kind: "literal", value: parseLiteral() } as const)
      : parseColumnOrCall();
    return { star: false, value, alias: parseAlias() };
  }

  function parseColumnOrCall(): Column | Call {
    const column = parseColumn();
    if (!take("(")) return column;
    const isDistinct = take("distinct");
    const argument = take("*") ? "*" : parseColumn();
    expect(")");
    return { kind: "call", name: (column.path[0] ?? "").toLowerCase(), argument, isDistinct };
  }

  function parseList<T>(read: () => T): T[] {
    const values = [read()];
    while (take(",")) values.push(read());
    return values;
  }

  function parseSource(): Source {
    const select = take("(") ? parseInnerSelect() : undefined;
    const path = select ? [] : parsePath();
    return { path, alias: parseAlias() ?? path.at(-1) ?? "", select };
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
    const column = parseColumn();
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
    return {
      kind: "select",
      isDistinct: take("distinct"),
      items: parseList(parseItem),
      from: take("from") ? parseSource() : undefined,
      join: take("join") ? parseSource() : undefined,
      where: take("where") ? parseOr() : undefined,
      groupBy: takeBy("group") ? parseList(parseColumn) : [],
      orderBy: takeBy("order") ? parseList(parseOrder) : [],
      limit: take("limit") ? Number(parseLiteral()) : undefined,
      offset: take("offset") ? Number(parseLiteral()) : 0,
    };
  }

  function takeBy(word: string): boolean {
    const found = take(word);
    if (found) expect("by");
    return found;
  }

  function parseOrder(): Select["orderBy"][number] {
    const column = parseColumn();
    const descending = take("desc");
    if (!descending) take("asc");
    return { column, descending };
  }

  function parseInnerSelect(): Select {
    expect("select");
    const select = parseSelect();
    expect(")");
    return select;
  }

  function parseDelete(): Delete {
    expect("from");
    return { kind: "delete", from: parseSource(), where: take("where") ? parseOr() : undefined };
  }

  /** The kind of a statement about a model or a job, which begins with one or two words. */
  function takeKind(): ModelStatement["kind"] | JobStatement["kind"] | undefined {
    const [first = "", second = ""] = tokens.map(({ text }) => text.toLowerCase());
    const kind = statementKinds[`${first} ${second}`] ?? statementKinds[first];
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

  /** `CREATE [OR REPLACE] TABLE name (SELECT …)`; undefined for another statement. */
  function takeCreateTable(): CreateTable | undefined {
    const start = position;
    const replaces = take("create") && take("or");
    if (replaces) expect("replace");
    if (position === start || !take("table")) {
      position = start;
      return undefined;
    }
    const path = parsePath();
    expect("(");
    return { kind: "createTable", path, replaces, select: parseInnerSelect() };
  }

  function parseJobStatement(kind: JobStatement["kind"]): JobStatement {
    const isTolerant = take("if");
    if (isTolerant) {
      if (kind === "createJob") expect("not");
      expect("exists");
    }
    const path = parsePath();
    if (kind === "dropJob") return { kind, path, isTolerant };
    take("as");
    return {
      kind,
      path,
      isTolerant,
      query: parseBlock(),
      start: take("start") ? parseText() : undefined,
      end: take("end") ? parseText() : undefined,
      schedule: take("every") ? parseSchedule() : undefined,
      condition: take("if") ? parseBlock() : undefined,
    };
  }

  /** The text of a pair of parentheses. */
  function parseBlock(): string {
    expect("(");
    const start = peek().at;
    for (let depth = 1; ; position++) {
      const { kind, text, at } = peek();
      if (kind === "end") throw fail();
      if (text === "(") depth++;
      if (text === ")") depth--;
      if (depth > 0) continue;
      position++;
      return sql.slice(start, at).trim();
    }
  }

  function parseText(): string {
    const { kind, text } = peek();
    if (kind !== "text") throw fail();
    position++;
    return unquote(text);
  }

  /** `every 2 hours`, up to the condition of the job. */
  function parseSchedule(): string {
    const words = ["every"];
    while (["word", "number"].includes(peek().kind) && !isWord("if")) words.push(parseName());
    return words.join(" ");
  }

  function parseWords(): Statement {
    const found: string[] = [];
    while (peek().kind === "word" && tokens[position + 1]?.text !== ".") found.push(parseName());
    const parts = peek().kind === "end" || peek().text === ";" ? [] : parsePath();
    return { kind: "words", words: found, path: parts };
  }

  function parseStatement(): Statement {
    const created = takeCreateTable();
    if (created) return created;
    const kind = takeKind();
    if (kind === "createJob" || kind === "dropJob") return parseJobStatement(kind);
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
