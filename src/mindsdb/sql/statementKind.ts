// Classifies SQL statements without asking the server: read-only, may change something, or may cost money.
import { asksByJsonKey, isQuestionColumn } from "./questionColumns.ts";
import { keepsQuotes } from "./quotedText.ts";
import {
  isMark,
  isName,
  isWord,
  tokenizeSql,
  unquoted,
  type SqlStatement,
  type SqlToken,
} from "./sqlTokens.ts";
import { isFreeTable, mayCrawl, readTableName, type TableName } from "./tableName.ts";

/** Anything not known to be read-only is a "write", even if it also costs money. */
export type StatementKind = "read" | "costsMoney" | "write";

/**
 * The strongest kind among the statements of a text: "write" before "costsMoney" before "read". Text that the server
 * may read in another way is a "write". No statement at all is a "read": the server refuses it. A condition on `question`
 * may ask an agent, one on `content` may search with a hosted model. Views and agents without such a condition are taken
 * for tables: the kind of object behind a name is not known here (see asksAgent.ts). Never throws; takes linear time.
 */
export function kindOfSql(sql: string): StatementKind {
  const { statements, isSure } = tokenizeSql(sql);
  if (!isSure) return "write";
  let kind: StatementKind = "read";
  for (const statement of statements) {
    const one = kindOfStatement(statement);
    if (one === "write") return one;
    if (one === "costsMoney") kind = one;
  }
  return kind;
}

/** The tables that a text names. */
export interface NamedTables {
  tables: TableName[];
  /** Those that run a query in parentheses: names without a schema in it are of theirs. */
  natives: TableName[];
  /** Whether the server surely reads from no other tables. */
  isSure: boolean;
}

/** The tables that the statements of a text read from, in every place where the server's parser knows one. */
export function findTables(sql: string): NamedTables {
  const { statements, isSure } = tokenizeSql(sql);
  const found = statements.map(({ tokens }) => tablesOf(tokens));
  return {
    tables: found.flatMap(({ tables }) => tables),
    natives: found.flatMap(({ natives }) => natives),
    isSure: isSure && found.every((one) => one.isSure),
  };
}

/** Like `findTables`, for one statement. */
export function tablesOf(tokens: readonly SqlToken[]): NamedTables {
  const reader = new QueryReader(tokens);
  reader.read();
  return { tables: reader.tables, natives: reader.natives, isSure: reader.areTablesSure };
}

function kindOfStatement({ tokens }: SqlStatement): StatementKind {
  const [first] = tokens;
  if (!first) return "read";
  if (isWord(first, "describe", "explain")) {
    return tokens.every(isPartOfName) && keepsQuotes(tokens, [], true) ? "read" : "write";
  }
  // The server forgets it at once.
  if (isWord(first, "use")) return tokens.length === 2 && isName(tokens[1]) ? "read" : "write";
  const isShow = isWord(first, "show");
  if (!isShow && !startsQuery(first)) return "write";
  const reader = new QueryReader(tokens);
  if (!reader.read()) return "write";
  if (!keepsQuotes(tokens, reader.tables, reader.areTablesSure)) return "write";
  const mayCost =
    reader.hasPaidFunction ||
    (reader.hasQuestion && !(reader.areTablesSure && reader.tables.every(isFreeTable)));
  return mayCost ? "costsMoney" : "read";
}

/** Whether a token can be part of the name that follows DESCRIBE or EXPLAIN. */
function isPartOfName({ kind, text }: SqlToken): boolean {
  const word = text.toLowerCase();
  if (kind === "word") return !changingWords.has(word) && !changingVerbs.has(word);
  return kind === "name" || kind === "doubleQuoted" || (kind === "mark" && text === ".");
}

export function startsQuery(token: SqlToken | undefined): boolean {
  return isMark(token, "(") || isWord(token, "select", "with", "table");
}

/** Where in a query a token is. In "strict" places no function may stand, only names and sub-queries. */
type Clause = "strict" | "from" | "list" | "condition";

/** The state of the reader in the query, or in a pair of parentheses. */
interface Level {
  clause: Clause;
  /** Whether the condition that is being read is a join's. */
  isJoinCondition: boolean;
  /** Whether these are a function's arguments, or in them. */
  isArguments: boolean;
  /** Whether a FROM names no table: `extract(year FROM d)`. In further parentheses it does: `f(((SELECT a) FROM t))`. */
  hasOtherFrom: boolean;
}

/**
 * Goes through the tokens of a query once and trusts only what it knows: functions by their names, and parentheses by
 * what stands before them. Names followed by parentheses after FROM are native queries, which may do anything.
 */
class QueryReader {
  /** Names after FROM, JOIN, LATERAL and TABLE. */
  readonly tables: TableName[] = [];
  /** Those with a query in parentheses. */
  readonly natives: TableName[] = [];
  /** Whether these are surely all tables that the query reads from. */
  areTablesSure = true;
  /** Whether a condition names what agents and searches are asked by. */
  hasQuestion = false;
  /** Whether a function asks a language model, or a function or a table asks another web server. */
  hasPaidFunction = false;
  readonly #tokens: readonly SqlToken[];
  #level: Level = {
    clause: "strict",
    isJoinCondition: false,
    isArguments: false,
    hasOtherFrom: false,
  };
  /** The levels around it. */
  readonly #outer: Level[] = [];

  constructor(tokens: readonly SqlToken[]) {
    this.#tokens = tokens;
  }

  /** Whether the query surely only reads. The tables are complete in any case. */
  read(): boolean {
    let isSure = true;
    // The server runs a view to describe it.
    if (isWord(this.#tokens[0], "explain")) this.#addTable(1);
    for (const [at, token] of this.#tokens.entries()) {
      if (!this.#take(token, at)) isSure = false;
      if (this.#isGlued(at)) this.areTablesSure = false;
    }
    if (this.#describesMore()) this.areTablesSure = false;
    return isSure;
  }

  /** Whether a parameter goes on with a word: in a query of a data source, the server takes `age:nts` for `agents`. */
  #isGlued(at: number): boolean {
    const [before, colon, after] = this.#tokens.slice(Math.max(0, at - 1), at + 2);
    return (
      colon?.text === ":" &&
      before?.kind === "word" &&
      before.end === colon.start &&
      after?.kind === "word" &&
      after.start === colon.end
    );
  }

  /** Whether the server may describe other tables than those after FROM: it joins two FROMs, and reads conditions. */
  #describesMore(): boolean {
    const [show] = this.#tokens;
    if (!isWord(show, "show")) return false;
    const isOfColumns = this.#tokens
      .slice(1, 4)
      .some((token) => isWord(token, "columns", "fields"));
    return (
      isOfColumns &&
      (this.tables.length > 1 || this.#tokens.some((token) => isWord(token, "where", "like")))
    );
  }

  #take(token: SqlToken, at: number): boolean {
    const before = this.#tokens[at - 1];
    const level = this.#level;
    if (isMark(token, "(")) return this.#open(at);
    if (isMark(token, ")")) {
      this.#level = this.#outer.pop() ?? level;
      return true;
    }
    if (isMark(token, ",")) {
      // After a join's condition, the next table follows.
      if (level.clause === "condition" && level.isJoinCondition) level.clause = "from";
      if (level.clause === "from") this.#addTable(at + 1);
      return true;
    }
    if (level.clause === "condition" && asksByJsonKey(token, before)) this.hasQuestion = true;
    if (!isName(token)) return true;
    if (isVariable(token, before)) {
      this.areTablesSure = false;
      return false;
    }
    const name = unquoted(token).toLowerCase();
    // The server takes quotes and backslashes out of such a name in its own way.
    if (token.kind === "doubleQuoted" && (name.includes('"') || name.includes("\\"))) return false;
    if (level.clause === "condition" && isQuestionColumn(token)) this.hasQuestion = true;
    // LAST is a keyword after > and >= and, even in quotes, as an argument; elsewhere it is a column.
    if (name === "last" && !isMark(before, ".")) {
      return !level.isArguments && !isMark(before, ">") && !isMark(before, "=");
    }
    if (token.kind !== "word") return true;
    this.#follow(name, at);
    if (changingWords.has(name)) return this.#isShowCategory(at);
    return !changingVerbs.has(name) || !this.#mayStartStatement(at) || this.#isShowCategory(at);
  }

  /** Whether a statement may start at a token, as after WITH. */
  #mayStartStatement(at: number): boolean {
    return this.#level.clause === "strict" || isMark(this.#tokens[at - 1], ")");
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

  /** Keeps track of the clause. Only words that cannot be names in MindsDB's grammar end a FROM. */
  #follow(word: string, at: number): void {
    const level = this.#level;
    if (setOperations.includes(word)) level.clause = "strict";
    switch (word) {
      case "select":
        level.clause = "list";
        level.isArguments = false;
        level.hasOtherFrom = false;
        break;
      case "from":
      case "join":
        if (level.hasOtherFrom) break;
        level.clause = "from";
        this.#addTable(at + 1);
        break;
      case "lateral":
      case "table": {
        // They may also be names with an alias.
        const isJoin = isWord(this.#tokens[at - 1], "join");
        if (isJoin || isName(this.#tokens[at + 1])) this.#addTable(at + 1);
        break;
      }
      case "where":
      case "having":
        level.clause = "condition";
        level.isJoinCondition = false;
        break;
      case "on":
        if (level.clause !== "from") break;
        level.clause = "condition";
        level.isJoinCondition = true;
        break;
      case "by":
        if (this.#isAfter(at, "group", "order", "partition")) level.clause = "list";
        break;
      case "limit":
        level.clause = "list";
    }
  }

  #open(at: number): boolean {
    const before = this.#tokens[at - 1];
    const next = this.#tokens[at + 1];
    const outer = this.#level;
    const isTablePlace = outer.clause === "from" || outer.clause === "strict";
    const level: Level = {
      clause: isTablePlace ? "strict" : outer.clause,
      isJoinCondition: false,
      isArguments: outer.isArguments,
      hasOtherFrom: false,
    };
    this.#outer.push(outer);
    this.#level = level;
    if (!before || before.kind === "mark") {
      // Other statements than queries may stand in parentheses after FROM. After `a.*` they are a native query.
      return !isTablePlace || ("(,".includes(before?.text ?? "") && startsQuery(next));
    }
    if (before.kind !== "word") return false;
    const word = before.text.toLowerCase();
    if (wordsBeforeParenthesis.has(word)) {
      // There, these words may be names of data sources.
      const isName = namesToo.has(word) && !isWord(this.#tokens[at - 2], ...setOperations);
      // Elsewhere they may be functions.
      if (isName) level.isArguments = true;
      return !isTablePlace || (!isName && startsQuery(next));
    }
    if (word === "by") return this.#isAfter(at - 1, "group", "order", "partition");
    if (outer.clause === "strict" && this.#isColumnList(at)) return true;
    // A function with a namespace is user-defined.
    if (isTablePlace || isMark(this.#tokens[at - 2], ".")) return false;
    level.isArguments = true;
    level.hasOtherFrom = functionsWithFrom.has(word);
    if (paidFunctions.has(word)) this.hasPaidFunction = true;
    return paidFunctions.has(word) || pureFunctions.has(word);
  }

  /** Whether a parenthesis starts the names of a sub-query's columns: WITH x (a, b) AS. */
  #isColumnList(start: number): boolean {
    const before = this.#tokens[start - 2];
    if (!isWord(before, "with") && !isMark(before, ",")) return false;
    let at = start + 1;
    while (isName(this.#tokens[at]) && isMark(this.#tokens[at + 1], ",")) at += 2;
    const [last, end, as] = this.#tokens.slice(at, at + 3);
    return isName(last) && isMark(end, ")") && isWord(as, "as");
  }

  /** Adds the name that starts at a token. Anything else but a query may stand for a table too. */
  #addTable(at: number): void {
    const name = readTableName(this.#tokens, at);
    if (name) {
      this.tables.push(name);
      if (mayCrawl(name)) this.hasPaidFunction = true;
      if (isMark(this.#tokens[name.end], "(")) this.natives.push(name);
    }
    const isQuery = isMark(this.#tokens[at], "(") && startsQuery(this.#tokens[at + 1]);
    if (!isQuery && !name?.isSure) this.areTablesSure = false;
  }
}

/** Whether a keyword is a name: that of a parameter as `:limit`, or in that of a variable as `@@limit` and `@@a.limit`. */
function isVariable(token: SqlToken, before: SqlToken | undefined): boolean {
  return isWord(token, ...clauseWords) && before?.kind === "mark" && ":@.".includes(before.text);
}

/** The words of `#follow` that are no names in MindsDB's grammar. */
const clauseWords = "except from having intersect join limit on select union where".split(" ");

/**
 * Words that no plain reading has, wherever they stand. USING gives options to the server or to an engine, some of which
 * write (`batch_size`); INTO and UPDATE (`FOR UPDATE`) are here for data sources that know them.
 */
const changingWords = new Set("alter delete drop insert into set update using".split(" "));

/** Verbs that start a statement that is no query; elsewhere they are names in MindsDB's grammar. */
const changingVerbs = new Set(
  (
    "attach begin call commit copy create detach evaluate exec execute finetune grant install merge pragma retrain " +
    "revoke rollback truncate vacuum"
  ).split(" "),
);

/** Keywords that parentheses may follow. Those in `namesToo` may also be names in MindsDB's grammar. */
const wordsBeforeParenthesis = new Set(
  (
    "all and any as between case distinct else except exists from having in intersect is join like not on or over " +
    "select some then union when where"
  ).split(" "),
);

/** Functions in whose arguments a FROM is none of a query. */
const functionsWithFrom = new Set("extract overlay position substr substring trim".split(" "));

const setOperations = ["union", "intersect", "except"];
const namesToo = new Set(["all", "any", "exists", "some"]);

/** Functions of MindsDB that change nothing: `llm` asks the default model, `to_markdown` fetches a web page. */
const paidFunctions = new Set(["llm", "to_markdown"]);

/** Functions that only compute, in DuckDB and in every data source that statements are handed on to. */
const pureFunctions = new Set(
  (
    "abs acos adddate addtime age any_value approx_count_distinct approx_quantile arg_max arg_min array_agg " +
    "array_append array_length array_position array_remove array_to_json array_to_string ascii asin atan atan2 avg " +
    "bit_and bit_length bit_or bit_xor bool_and bool_or btrim cardinality cast cbrt ceil ceiling char char_length " +
    "character_length charindex chr coalesce concat concat_ws connection_id contains convert corr cos cosh cot " +
    "count covar_pop covar_samp crc32 cume_dist curdate current_date current_schema current_time current_timestamp " +
    "current_user curtime database date date_add date_bin date_diff date_format date_part date_sub date_trunc " +
    "dateadd datediff datename datepart day dayname dayofmonth dayofweek dayofyear decimal decode degrees " +
    "dense_rank elt encode ends_with eomonth epoch exp extract field find_in_set first first_value floor format " +
    "from_base64 from_days from_unixtime generate_series getdate greatest group_concat grouping hash hex hour if " +
    "iff ifnull iif initcap instr isdate isnull json_agg json_array json_array_elements json_array_length " +
    "json_build_array json_build_object json_contains json_each json_extract json_extract_path_text " +
    "json_extract_string json_keys json_length json_object json_object_agg json_type json_unquote json_valid " +
    "json_value jsonb_agg jsonb_array_elements jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each " +
    "jsonb_extract_path_text jsonb_object_agg jsonb_object_keys jsonb_path_query jsonb_pretty jsonb_typeof " +
    "kurtosis lag last last_day last_value lcase lead least left len length levenshtein list list_value listagg ln " +
    "localtime locate log log10 log2 lower lpad ltrim make_date make_interval make_timestamp max max_by md5 median " +
    "microsecond min min_by minute mod mode month monthname now nth_value ntile nullif numeric nvl nvl2 " +
    "octet_length overlay parse_json percent_rank percentile_cont percentile_disc pg_typeof pi plainto_tsquery " +
    "position pow power product quantile quantile_cont quantile_disc quarter radians rand random rank regexp_count " +
    "regexp_extract regexp_like regexp_matches regexp_replace regexp_split_to_array regexp_substr regr_intercept " +
    "regr_r2 regr_slope repeat replace reverse right round row row_number row_to_json rpad rtrim schema " +
    "sec_to_time second session_user sha1 sha2 sha256 sign similarity sin sinh skewness soundex space split_part " +
    "sqrt starts_with stddev stddev_pop stddev_samp str_to_date strftime string_agg string_split string_to_array " +
    "string_to_table strip_accents strlen strpos strptime struct_extract subdate substr substring substring_index " +
    "subtime sum tan tanh time time_format time_to_sec timestamp timestampadd timestampdiff to_base64 to_char " +
    "to_date to_days to_json to_jsonb to_number to_timestamp to_tsquery to_tsvector translate trim trunc truncate " +
    "ts_rank typeof ucase unhex unix_timestamp unnest upper user utc_date utc_timestamp uuid var_pop " +
    "var_samp varchar variance version week weekday weekofyear year yearweek"
  ).split(" "),
);
