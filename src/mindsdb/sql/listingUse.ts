// Whether a statement reads the server's own objects, whose parameters may hold credentials, and in which way.
import { isMark, isName, isWord, tokenizeSql, unquoted, type SqlToken } from "./sqlTokens.ts";
import { startsQuery, tablesOf } from "./statementKind.ts";
import { isSecretKey } from "../redact/secretNames.ts";
import { isListing, isLog, type TableName } from "./tableName.ts";

/**
 * "plain": the answer has the columns of a listing of server objects under their own names, so that secrets in it are
 * known by these, or numbers of rows. "derived": a value may be taken out of a listing, changed or renamed.
 */
export type ListingUse = "none" | "plain" | "derived";

/**
 * How a text's statements use SHOW, DESCRIBE, information_schema, a project's listings such as `mindsdb.agents`, and
 * what answers with the server's objects as CREATE MODEL does. "derived" for text that the server may read in another
 * way. `isSource` says which names are surely those of data sources, whose tables may have the names of listings. Never
 * throws; takes linear time.
 */
export function listingUse(sql: string, isSource: IsSource = () => false): ListingUse {
  const { statements, isSure } = tokenizeSql(sql);
  if (!isSure) return "derived";
  const uses = new Set(statements.map(({ tokens }) => useOfStatement(tokens, isSource)));
  if (uses.has("derived")) return "derived";
  return uses.has("plain") ? "plain" : "none";
}

type IsSource = (schema: string) => boolean;

function useOfStatement(tokens: readonly SqlToken[], isSource: IsSource): ListingUse {
  const [first] = tokens;
  // Functions and sub-queries have parentheses.
  if (isWord(first, "show", "describe", "explain")) {
    return tokens.some((token) => isMark(token, "(")) ? "derived" : "plain";
  }
  const { tables, isSure } = tablesOf(tokens);
  if (!isSure) return "derived";
  if (tables.some((table) => isListing(table, isSource))) {
    return new PlainSelectReader(tokens, tables).read() ? "plain" : "derived";
  }
  return startsQuery(first) ? "none" : "plain";
}

/** Functions whose results show no secret of a log's other columns; `count` shows none of any. */
const logFunctions = ["sum", "avg", "min", "max"];

/**
 * Reads `SELECT columns FROM table`, with conditions on columns, groups of and an order by columns, and a limit. Numbers
 * of rows may be selected too, and of a log also sums and ends.
 */
class PlainSelectReader {
  readonly #tokens: readonly SqlToken[];
  readonly #isLog: boolean;
  #at = 0;

  constructor(tokens: readonly SqlToken[], tables: readonly TableName[]) {
    this.#tokens = tokens;
    this.#isLog = tables.every(isLog);
  }

  /** Whether the tokens are such a SELECT and nothing else. */
  read(): boolean {
    return (
      this.#takeSelect() &&
      (this.#takeMark("*") || this.#takeList(() => this.#takeItem())) &&
      this.#takeWord("from") &&
      this.#takeTable() &&
      (!this.#takeWord("where") || this.#takeCondition()) &&
      (!this.#takeWord("group") || (this.#takeWord("by") && this.#takeGroups())) &&
      (!this.#takeWord("order") || (this.#takeWord("by") && this.#takeOrder())) &&
      (!this.#takeWord("limit") || this.#takeLimit()) &&
      this.#at === this.#tokens.length
    );
  }

  #takeSelect(): boolean {
    const isSelect = this.#takeWord("select");
    this.#takeWord("distinct");
    return isSelect;
  }

  #takeToken(isWanted: (token: SqlToken) => boolean): boolean {
    const token = this.#tokens[this.#at];
    if (!token || !isWanted(token)) return false;
    this.#at++;
    return true;
  }

  #takeWord(...words: string[]): boolean {
    return this.#takeToken((token) => isWord(token, ...words));
  }

  #takeMark(...marks: string[]): boolean {
    return this.#takeToken(({ kind, text }) => kind === "mark" && marks.includes(text));
  }

  #takeList(takeItem: () => boolean): boolean {
    do {
      if (!takeItem()) return false;
    } while (this.#takeMark(","));
    return true;
  }

  /** A column, or a function of one, which may be renamed. */
  #takeItem(): boolean {
    if (!isMark(this.#tokens[this.#at + 1], "(")) return this.#takeColumn();
    const isCount = this.#takeWord("count");
    if (!isCount && !(this.#isLog && this.#takeWord(...logFunctions))) return false;
    this.#takeMark("(");
    this.#takeWord("distinct");
    const argument = this.#tokens[this.#at];
    const mayShow = !isCount && isName(argument) && isSecretKey(unquoted(argument));
    if (mayShow || !((isCount && this.#takeMark("*")) || this.#takeColumn())) return false;
    if (!this.#takeMark(")")) return false;
    return !this.#takeWord("as") || this.#takeColumn();
  }

  #takeGroups(): boolean {
    return this.#takeList(() => this.#takeColumn());
  }

  /** A name without dots: `model.api_key` may be a field of a column's value. */
  #takeColumn(): boolean {
    return this.#takeToken((token) => isName(token) && /^\w+$/.test(unquoted(token)));
  }

  #takeTable(): boolean {
    do {
      if (!this.#takeToken(isName)) return false;
    } while (this.#takeMark("."));
    return true;
  }

  #takeCondition(): boolean {
    do {
      while (this.#takeWord("not") || this.#takeMark("("));
      if (!this.#takeColumn() || !this.#takeComparison()) return false;
      while (this.#takeMark(")"));
    } while (this.#takeWord("and", "or"));
    return true;
  }

  #takeComparison(): boolean {
    if (this.#takeWord("is")) {
      this.#takeWord("not");
      return this.#takeWord("null");
    }
    this.#takeWord("not");
    if (this.#takeWord("like")) return this.#takeValue();
    if (this.#takeWord("between")) {
      return this.#takeValue() && this.#takeWord("and") && this.#takeValue();
    }
    if (this.#takeWord("in")) {
      return this.#takeMark("(") && this.#takeList(() => this.#takeValue()) && this.#takeMark(")");
    }
    let isCompared = false;
    while (this.#takeMark("=", "<", ">", "!")) isCompared = true;
    return isCompared && this.#takeValue();
  }

  /** A text, a number, or another column. */
  #takeValue(): boolean {
    if (this.#takeToken(({ kind }) => kind === "text" || kind === "doubleQuoted")) return true;
    // :name is a value that is sent beside the statement.
    this.#takeMark("-", ":");
    if (!this.#takeColumn()) return false;
    return !this.#takeMark(".") || this.#takeColumn();
  }

  #takeOrder(): boolean {
    return this.#takeList(() => {
      if (!this.#takeColumn()) return false;
      this.#takeWord("asc", "desc");
      return !this.#takeWord("nulls") || this.#takeWord("first", "last");
    });
  }

  #takeLimit(): boolean {
    if (!this.#takeColumn()) return false;
    return !(this.#takeMark(",") || this.#takeWord("offset")) || this.#takeColumn();
  }
}
