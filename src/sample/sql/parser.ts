// Parser for the SQL of the sample server: SELECT with at most one JOIN, and a few other statements.
import type {
  Call,
  Column,
  Condition,
  Item,
  NewJob,
  NewMlEngine,
  NewTrigger,
  Select,
  Source,
  Statement,
  Training,
  Value,
} from "./statements.ts";
import { SqlSyntaxError, tokenize, type Token } from "./tokens.ts";

const keywords =
  /^(from|join|where|group|order|limit|offset|as|on|and|or|not|union|having|left|inner)$/i;

/** Parses one statement. `params` are the values for `:name`. Throws SqlError. */
export function parse(sql: string, params: Record<string, unknown> = {}): Statement {
  const tokens = tokenize(sql);
  let position = 0;
  const peek = (): Token => tokens[position] ?? { kind: "end", text: "", at: sql.length };
  const fail = (wrong = peek()) => new SqlSyntaxError(wrong);
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
    const { kind, text } = peek();
    if (!["name", "word", "number"].includes(kind)) throw fail();
    position++;
    return kind === "name" ? text.slice(1, -1) : text;
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
    const { kind, text } = peek();
    const isUnknown = kind === "parameter" && !Object.hasOwn(params, text);
    if (!isLiteral() || isUnknown) throw fail();
    position++;
    if (kind === "number") return sign * Number(text);
    if (kind === "text") return unquote(text);
    if (kind === "parameter") return params[text] as Value;
    return text.toLowerCase() === "null" ? null : text.toLowerCase() === "true";
  }

  function parseColumn(): Column {
    return { kind: "column", path: parsePath() };
  }

  function parseAlias(): string | undefined {
    const isName = ["word", "name"].includes(peek().kind) && !keywords.test(peek().text);
    return take("as") || isName ? parseName() : undefined;
  }

  function parseItem(): Item {
    if (take("*")) return { star: true };
    if (tokens[position + 1]?.text === "." && tokens[position + 2]?.text === "*") {
      const table = parseName();
      position += 2;
      return { star: true, table };
    }
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
      // Each row has a prediction, so that all joins are alike.
      join: ["join", "left join", "inner join"].some(takePhrase) ? parseSource() : undefined,
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

  function parseTraining(kind: Training["kind"]): Training {
    const path = parsePath();
    const query = take("from")
      ? { source: parseName().toLowerCase(), select: parseBlock() }
      : undefined;
    const target = take("predict") ? parseName() : undefined;
    return { kind, path, query, target, using: parseUsing() };
  }

  function parseUsing(): Record<string, Value> {
    return Object.fromEntries(take("using") ? parseList(parseOption) : []);
  }

  function parseOption(): [string, Value] {
    const name = parsePath().join(".");
    expect("=");
    return [name, parseLiteral()];
  }

  /** `CREATE [OR REPLACE] TABLE name (SELECT …)`. */
  function parseCreateTable(replaces: boolean): Statement {
    const path = parsePath();
    expect("(");
    return { kind: "createTable", path, replaces, select: parseInnerSelect() };
  }

  function parseJob(): NewJob {
    const path = parsePath();
    take("as");
    return {
      kind: "createJob",
      path,
      query: parseBlock(),
      start: take("start") ? parseText() : undefined,
      end: take("end") ? parseText() : undefined,
      schedule: take("every") ? parseSchedule() : undefined,
      condition: take("if") ? parseBlock() : undefined,
    };
  }

  /** A name that cannot be in quotes. */
  function parseWord(): string {
    if (peek().kind !== "word") throw fail();
    return parseName();
  }

  function parseMlEngine(): NewMlEngine {
    const path = parsePath();
    expect("from");
    return { kind: "createMlEngine", path, handler: parseWord(), using: parseUsing() };
  }

  function parseTrigger(): NewTrigger {
    const path = parsePath();
    expect("on");
    const table = parsePath();
    if (take("columns")) parseList(parseName);
    return { kind: "createTrigger", path, table, query: parseBlock() };
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

  /** Skips these words if they come next. */
  function takePhrase(phrase: string): boolean {
    const words = phrase.split(" ");
    const isNext = words.every((word, i) => tokens[position + i]?.text.toLowerCase() === word);
    if (isNext) position += words.length;
    return isNext;
  }

  /** How statements begin, and what reads the rest. */
  const readers: [phrase: string, read: () => Statement][] = [
    ["select", parseSelect],
    [
      "delete from",
      () => ({ kind: "delete", from: parseSource(), where: take("where") ? parseOr() : undefined }),
    ],
    ["create table", () => parseCreateTable(false)],
    ["create or replace table", () => parseCreateTable(true)],
    ["drop table", () => ({ kind: "dropTable", path: parsePath() })],
    ["create model", () => parseTraining("createModel")],
    ["retrain", () => parseTraining("retrain")],
    ["set active", () => ({ kind: "activateModel", path: parsePath() })],
    ["drop model", () => ({ kind: "dropModel", path: parsePath() })],
    ["create job", parseJob],
    ["drop job", () => ({ kind: "dropJob", path: parsePath() })],
    ["create trigger", parseTrigger],
    ["drop trigger", () => ({ kind: "dropTrigger", path: parsePath() })],
    ["create ml_engine", parseMlEngine],
    ["drop ml_engine", () => ({ kind: "dropMlEngine", path: parsePath() })],
    ["create project", () => ({ kind: "createProject", path: parsePath() })],
    ["drop agent", () => ({ kind: "dropAgent", path: parsePath() })],
    ["drop knowledge_base", () => ({ kind: "dropKnowledgeBase", path: parsePath() })],
    ["use", () => ({ kind: "use", path: parsePath() })],
    ["show", parseShow],
    ["describe", parseDescribe],
  ];

  function parseShow(): Statement {
    const what = parseName().toLowerCase();
    return { kind: "show", what, path: take("from", "in") ? parsePath() : [] };
  }

  function parseDescribe(): Statement {
    const isKnowledgeBase = take("knowledge_base");
    take("model");
    return { kind: "describe", isKnowledgeBase, path: parsePath() };
  }

  const read = readers.find(([phrase]) => takePhrase(phrase))?.[1];
  if (!read) throw fail();
  const statement = read();
  const wrong = peek();
  take(";");
  if (peek().kind !== "end") throw fail(wrong);
  return statement;
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
