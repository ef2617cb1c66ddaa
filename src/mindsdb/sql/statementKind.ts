// What a SQL statement does to a server, judged without asking it: reads, may change something, or may cost money.
import { tokenizeSql, type SqlStatement, type SqlToken } from "./sqlTokens.ts";

/** "write" is everything that does not surely only read; what may both change something and cost money is one too. */
export type StatementKind = "read" | "costsMoney" | "write";

/** "freeTable" is everything that answers without a paid language or embedding model. */
export type TableKind = "agent" | "knowledgeBase" | "freeTable";

interface KnownTables {
  /**
   * What a name after FROM or JOIN stands for; its parts as written, without quotes (servers ignore case). With undefined,
   * a condition on `question` or `content` may be a question to an agent or a search with a hosted model.
   */
  kindOf?: (name: readonly string[]) => TableKind | undefined;
}

/**
 * The strongest kind among the statements of a text: "write" before "costsMoney" before "read". Text that the server
 * may read in another way is a "write". No statement at all is a "read": the server refuses it. Views are taken for
 * tables: what is behind them is not known here. Never throws; takes linear time.
 */
export function kindOfSql(sql: string, known: KnownTables = {}): StatementKind {
  const { statements, isSure } = tokenizeSql(sql);
  if (!isSure) return "write";
  let kind: StatementKind = "read";
  for (const statement of statements) {
    const one = kindOfStatement(statement, known);
    if (one === "write") return one;
    if (one === "costsMoney") kind = one;
  }
  return kind;
}

/**
 * Whether rows of the answer may describe the server's own objects, whose parameters may hold credentials: SHOW,
 * DESCRIBE, information_schema, a project's listings such as `mindsdb.agents`, and everything that is no query (CREATE
 * MODEL answers with its options). Also true for text that the server may read in another way.
 */
export function isAboutServerObjects(sql: string): boolean {
  const { statements, isSure } = tokenizeSql(sql);
  if (!isSure) return true;
  return statements.some((statement) => {
    const [first] = statement.tokens;
    if (!first || !startsQuery(first)) return true;
    const reader = new QueryReader(statement.tokens);
    reader.read();
    return reader.tables.some(isListing);
  });
}

/** Where no table is an agent or a knowledge base. */
const freeSchemas = new Set(["information_schema", "log", "files"]);
/** Tables that every project has, for what is in it. */
const listings = new Set(
  (
    "agents chatbots databases handlers jobs jobs_history knowledge_bases ml_engines models models_versions " +
    "predictors queries skills triggers views"
  ).split(" "),
);

function isListing(name: readonly string[]): boolean {
  const parts = name.map((part) => part.toLowerCase());
  const [schema = ""] = parts;
  if (freeSchemas.has(schema)) return schema !== "files";
  return parts.length <= 2 && listings.has(parts.at(-1) ?? "");
}

function kindOfStatement({ tokens }: SqlStatement, { kindOf }: KnownTables): StatementKind {
  const [first] = tokens;
  if (!first) return "read";
  if (isWord(first, "describe", "explain")) return tokens.every(isPartOfName) ? "read" : "write";
  const isShow = isWord(first, "show");
  if (!isShow && !startsQuery(first)) return "write";
  const reader = new QueryReader(tokens);
  if (!reader.read()) return "write";
  const kinds = reader.tables.map((name) =>
    freeSchemas.has(name[0]?.toLowerCase() ?? "") ? "freeTable" : kindOf?.(name),
  );
  const mayCost =
    reader.hasPaidFunction ||
    kinds.includes("agent") ||
    (reader.hasQuestion && kinds.some((kind) => kind !== "freeTable"));
  return mayCost ? "costsMoney" : "read";
}

/** What DESCRIBE and EXPLAIN take. */
function isPartOfName({ kind, text }: SqlToken): boolean {
  if (kind === "word") return !changingWords.has(text.toLowerCase());
  return kind === "name" || kind === "doubleQuoted" || (kind === "mark" && text === ".");
}

function isWord(token: SqlToken | undefined, ...words: string[]): boolean {
  return token?.kind === "word" && words.includes(token.text.toLowerCase());
}

function isMark(token: SqlToken | undefined, mark: string): boolean {
  return token?.kind === "mark" && token.text === mark;
}

function startsQuery(token: SqlToken | undefined): boolean {
  return isMark(token, "(") || isWord(token, "select", "with", "table");
}

/** Where in a query a token is. In "strict" places no function may stand, only names and sub-queries. */
type Clause = "strict" | "from" | "list" | "condition";

/**
 * Goes through the tokens of a query once and trusts only what it knows: functions by their names, and parentheses by
 * what stands before them. Names followed by parentheses after FROM are native queries, which may do anything.
 */
class QueryReader {
  /** Names after FROM and JOIN, without quotes. */
  readonly tables: string[][] = [];
  /** Whether a condition names what agents and searches are asked by. */
  hasQuestion = false;
  /** Whether a function asks a language model or another web server. */
  hasPaidFunction = false;
  readonly #tokens: readonly SqlToken[];
  /** One for each open parenthesis, and the query itself. */
  readonly #clauses: Clause[] = ["strict"];
  /** Depths at which the condition that is being read is a join's. */
  readonly #joinConditions = new Set<number>();

  constructor(tokens: readonly SqlToken[]) {
    this.#tokens = tokens;
  }

  /** Whether the query surely only reads. The tables are complete in any case. */
  read(): boolean {
    let isSure = true;
    for (const [at, token] of this.#tokens.entries()) {
      if (!this.#take(token, at)) isSure = false;
    }
    return isSure;
  }

  get #clause(): Clause {
    return this.#clauses.at(-1) ?? "strict";
  }

  set #clause(clause: Clause) {
    this.#clauses[this.#clauses.length - 1] = clause;
  }

  #take(token: SqlToken, at: number): boolean {
    const before = this.#tokens[at - 1];
    if (isMark(token, "(")) return this.#open(at);
    if (isMark(token, ")")) {
      if (this.#clauses.length > 1) this.#clauses.pop();
      return true;
    }
    if (isMark(token, ",")) {
      // After a join's condition, the next table follows.
      if (this.#clause === "condition" && this.#isInFrom()) this.#clause = "from";
      if (this.#clause === "from") this.#addTable(at + 1);
      return true;
    }
    if (token.kind === "mark" || token.kind === "text") return true;
    const name = unquoted(token).toLowerCase();
    // The server takes quotes and backslashes out of such a name in its own way.
    if (token.kind === "doubleQuoted" && (name.includes('"') || name.includes("\\"))) return false;
    if (this.#clause === "condition" && (name === "question" || name === "content")) {
      this.hasQuestion = true;
    }
    // The server takes a name for the keyword LAST even in quotes, but not as a column of a table.
    if (name === "last") return isMark(before, ".") || this.#isAfter(at, "nulls");
    if (token.kind !== "word") return true;
    this.#follow(name, at);
    return !changingWords.has(name) || this.#isShowCategory(at);
  }

  /** Whether a word and the one before it are one keyword. */
  #isAfter(at: number, ...words: string[]): boolean {
    return isWord(this.#tokens[at - 1], ...words) && !this.#tokens[at]?.isAfterComment;
  }

  /** SHOW CREATE TABLE, SHOW CHARACTER SET. */
  #isShowCategory(at: number): boolean {
    const [show] = this.#tokens;
    if (!isWord(show, "show")) return false;
    return at === 1 || (at === 2 && isWord(this.#tokens[1], "character"));
  }

  /** Whether the condition that is being read belongs to a join. */
  #isInFrom(): boolean {
    return this.#joinConditions.has(this.#clauses.length);
  }

  /** Keeps track of the clause. Only words that cannot be names in MindsDB's grammar end a FROM. */
  #follow(word: string, at: number): void {
    if (setOperations.includes(word)) this.#clause = "strict";
    switch (word) {
      case "select":
        this.#clause = "list";
        break;
      case "from":
      case "join":
        this.#clause = "from";
        this.#addTable(at + 1);
        break;
      case "table":
        if (at === 0 || isMark(this.#tokens[at - 1], "(")) this.#addTable(at + 1);
        break;
      case "where":
      case "having":
        this.#clause = "condition";
        this.#joinConditions.delete(this.#clauses.length);
        break;
      case "on":
        if (this.#clause !== "from") break;
        this.#clause = "condition";
        this.#joinConditions.add(this.#clauses.length);
        break;
      case "by":
        if (this.#isAfter(at, "group", "order", "partition")) this.#clause = "list";
        break;
      case "limit":
        this.#clause = "list";
    }
  }

  #open(at: number): boolean {
    const before = this.#tokens[at - 1];
    const next = this.#tokens[at + 1];
    const outer = this.#clause;
    const isTablePlace = outer === "from" || outer === "strict";
    this.#clauses.push(isTablePlace ? "strict" : outer);
    this.#joinConditions.delete(this.#clauses.length);
    if (!before || before.kind === "mark") {
      // Other statements than queries may stand in parentheses after FROM.
      return !isTablePlace || (before?.text !== ")" && startsQuery(next));
    }
    if (before.kind !== "word") return false;
    const word = before.text.toLowerCase();
    if (wordsBeforeParenthesis.has(word)) {
      // There, these words may be names of data sources.
      const isName = namesToo.has(word) && !isWord(this.#tokens[at - 2], ...setOperations);
      return !isTablePlace || (!isName && startsQuery(next));
    }
    if (word === "by") return this.#isAfter(at - 1, "group", "order", "partition");
    // A function with a namespace is user-defined.
    if (isTablePlace || isMark(this.#tokens[at - 2], ".")) return false;
    if (paidFunctions.has(word)) this.hasPaidFunction = true;
    return paidFunctions.has(word) || pureFunctions.has(word);
  }

  /** Adds the name that starts at a token, if one does. */
  #addTable(from: number): void {
    const parts: string[] = [];
    for (let at = from; at < this.#tokens.length; at += 2) {
      const token = this.#tokens[at]!;
      if (token.kind === "mark" || token.kind === "text") break;
      parts.push(unquoted(token));
      if (!isMark(this.#tokens[at + 1], ".")) break;
    }
    if (parts.length > 0) this.tables.push(parts);
  }
}

function unquoted({ kind, text }: SqlToken): string {
  return kind === "word" ? text : text.slice(1, -1);
}

/**
 * Words that no plain reading has, wherever they stand. USING gives options to the server or to an engine, some of which
 * write (`batch_size`); INTO and UPDATE (`FOR UPDATE`) are here for data sources that know them.
 */
const changingWords = new Set(
  (
    "alter attach begin call commit copy create delete detach drop evaluate exec execute finetune grant insert install " +
    "into merge pragma retrain revoke rollback set truncate update using vacuum"
  ).split(" "),
);

/** Keywords that parentheses may follow. Those in `namesToo` may also be names in MindsDB's grammar. */
const wordsBeforeParenthesis = new Set(
  (
    "all and any as between case distinct else except exists from having in intersect is join like not on or over " +
    "select some then union when where"
  ).split(" "),
);

const setOperations = ["union", "intersect", "except"];
const namesToo = new Set(["all", "any", "exists", "some"]);

/** Functions of MindsDB that change nothing: `llm` asks the default model, `to_markdown` fetches a web page. */
const paidFunctions = new Set(["llm", "to_markdown"]);

/** Functions that only compute, in DuckDB and in every data source that statements are handed on to. */
const pureFunctions = new Set(
  (
    "abs acos ascii asin atan atan2 avg bool_and bool_or cast cbrt ceil ceiling char char_length character_length chr " +
    "coalesce concat concat_ws contains convert corr cos cot count covar_pop covar_samp cume_dist current_date current_time " +
    "current_timestamp current_user curdate curtime database date date_add date_diff date_format date_part date_sub " +
    "date_trunc datediff day dayname dayofmonth dayofweek dayofyear decimal degrees dense_rank ends_with exp extract first " +
    "first_value floor format from_unixtime greatest group_concat hash hour if ifnull initcap instr isnull json_array_length " +
    "json_extract json_extract_string json_keys json_object json_value lag last_day last_value lcase lead least left length " +
    "list listagg ln locate log log10 log2 lower lpad ltrim max md5 median microsecond min minute mod mode month monthname " +
    "now nth_value ntile nullif numeric octet_length percent_rank percentile_cont percentile_disc pi position pow power " +
    "quantile quantile_cont quantile_disc quarter radians rank regexp_extract regexp_matches regexp_replace repeat replace " +
    "reverse right round row_number rpad rtrim second sha1 sha256 sign sin split_part sqrt starts_with stddev stddev_pop " +
    "stddev_samp str_to_date strftime string_agg strlen strpos strptime struct_extract substr substring sum tan time " +
    "timestamp to_char to_date to_number to_timestamp translate trim trunc truncate ucase unix_timestamp upper user " +
    "var_pop var_samp varchar variance version week weekday weekofyear year"
  ).split(" "),
);
