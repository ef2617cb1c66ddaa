// Corrections of forms of other dialects that MindsDB's parser refuses. Whoever offers one sees whether the parser accepts it.
import * as l10n from "@vscode/l10n";
import type { LexedToken } from "../../mindsdb/sql/parser/lexSql.ts";
import { changeFix, type SqlFix } from "./sqlMisreading.ts";

/** The corrections at the token that the parser refuses. */
export function* fixDialect(
  sql: string,
  tokens: readonly LexedToken[],
  at: number,
): Generator<SqlFix> {
  const text = new TokenText(sql, tokens);
  const end = tokens.findLast(({ kind }) => kind !== ";")!.end;
  const token = tokens[at]!;
  const value = tokens[at + 1];
  switch (text.at(at)) {
    case "TRUNCATE": {
      const last = text.at(at + 1) === "TABLE" ? value! : token;
      if (at === 0) yield changeFix({ start: token.start, end: last.end }, "DELETE FROM");
      return;
    }
    case "OUTER":
      // The parser takes LEFT OUTER JOIN and FULL OUTER JOIN.
      if (text.at(at - 1) === "RIGHT" && text.at(at + 1) === "JOIN") {
        yield changeFix({ start: tokens[at - 1]!.start, end: value!.end }, "RIGHT JOIN");
      }
      return;
    case "AS":
      if (text.at(0) === "CREATE" && value) yield* fixCreate(token, value, end);
      yield* fixChangeAlias(text, at);
      return;
    case "NOT":
      if (text.at(at + 1) === "ILIKE") yield* fixIlike(text, at + 1);
      if (text.at(at + 1) === "BETWEEN") yield* fixBetween(text, at);
      return;
    case "ILIKE":
      yield* fixIlike(text, at);
      return;
    case "(":
      if (text.at(at - 1) === "FILTER") yield* fixFilter(text, at);
      if (text.at(at - 1) === "USING") yield* fixUsing(text, at);
      if (text.at(at - 2) === "::") yield* fixSizedCast(text, at);
      return;
  }
  if (text.at(0) === "UPDATE" && text.at(at - 1) === "FROM") yield* fixUpdateFrom(text, at);
  yield* fixChangeAlias(text, at);
  const number = sql.slice(token.start, token.end);
  if (!/^\d+$/.test(number)) return;
  if (text.at(at - 1) === "TOP" && value) {
    const changes = [
      { start: tokens[at - 1]!.start, end: value.start, text: "" },
      { start: end, end, text: ` LIMIT ${number}` },
    ];
    yield { title: l10n.t("Change to {0}", `LIMIT ${number}`), changes };
  }
}

/** `OFFSET 5 LIMIT 10`: the LIMIT is refused. */
export function* fixLimit(
  sql: string,
  tokens: readonly LexedToken[],
  limitStart: number,
): Generator<SqlFix> {
  const text = new TokenText(sql, tokens);
  const at = tokens.findIndex(({ start }) => start === limitStart);
  if (at < 2 || text.at(at - 2) !== "OFFSET" || text.at(at) !== "LIMIT") return;
  const [offset, count] = [tokens[at - 2]!, tokens[at + 1]];
  if (!count) return;
  const first = sql.slice(offset.start, tokens[at - 1]!.end);
  const fixed = `${sql.slice(limitStart, count.end)} ${first}`;
  yield changeFix({ start: offset.start, end: count.end }, fixed);
}

/** `a ILIKE 'b'`, at ILIKE. */
function* fixIlike(text: TokenText, at: number): Generator<SqlFix> {
  const { sql, tokens } = text;
  const pattern = tokens[at + 1];
  const isNegated = text.at(at - 1) === "NOT";
  const last = isNegated ? at - 2 : at - 1;
  const start = text.startOfValue(last);
  if (start === undefined || pattern?.kind !== "SINGLE_QUOTED") return;
  const [value, like] = [sql.slice(start, tokens[last]!.end), isNegated ? "NOT LIKE" : "LIKE"];
  const fixed = `lower(${value}) ${like} lower(${sql.slice(pattern.start, pattern.end)})`;
  yield changeFix({ start, end: pattern.end }, fixed);
}

/** `a NOT BETWEEN 1 AND 2`, at NOT. Where the server joins tables itself, it applies the conditions of NOT too early. */
function* fixBetween(text: TokenText, at: number): Generator<SqlFix> {
  const { sql, tokens } = text;
  const start = text.startOfValue(at - 1);
  if (start === undefined) return;
  const [low, and, high] = tokens.slice(at + 2);
  const follows = text.at(at + 5);
  if (low && high && and?.kind === "AND" && !/^([.(*/%+-]|::?|\|\|)$/.test(follows)) {
    const value = sql.slice(start, tokens[at - 1]!.end);
    const [from, to] = [low, high].map((one) => sql.slice(one.start, one.end));
    yield changeFix({ start, end: high.end }, `(${value} < ${from} OR ${value} > ${to})`);
    return;
  }
  const changes = [
    { start, end: start, text: "NOT " },
    { start: tokens[at]!.start, end: tokens[at + 1]!.start, text: "" },
  ];
  yield { title: l10n.t("Change to {0}", "NOT … BETWEEN"), changes };
}

/** `CREATE TABLE t AS SELECT …` */
function* fixCreate(as: LexedToken, query: LexedToken, end: number): Generator<SqlFix> {
  const remove = { start: as.start, end: query.start, text: "" };
  const title = l10n.t("Remove {0}", "AS");
  yield { title, changes: [remove] };
  yield {
    title,
    changes: [
      { ...remove, text: "(" },
      { start: end, end, text: ")" },
    ],
  };
}

/** `UPDATE t SET … FROM u AS v`, at the name of `u`: the parser takes a query there. */
function* fixUpdateFrom(text: TokenText, at: number): Generator<SqlFix> {
  const { sql, tokens } = text;
  let last = at;
  while (text.at(last + 1) === ".") last += 2;
  const end = text.at(last + 1) === "AS" ? last + 2 : last + 1;
  const isAlias = tokens[end] !== undefined && text.wordAt(end) !== undefined;
  const hasAlias = isAlias && !/^(WHERE|JOIN|LEFT|RIGHT|FULL|INNER|CROSS)$/.test(text.at(end));
  const alias = text.wordAt(hasAlias ? end : last);
  const [first, lastOfName, lastOfTable] = [at, last, hasAlias ? end : last].map((i) => tokens[i]);
  if (!first || !lastOfName || !lastOfTable || alias === undefined) return;
  const name = sql.slice(first.start, lastOfName.end);
  const span = { start: first.start, end: lastOfTable.end };
  yield changeFix(span, `(SELECT * FROM ${name}) AS ${alias}`);
}

/** `DELETE FROM t AS u WHERE u.a = 1`, and UPDATE, at AS or the alias: the table has none there. */
function* fixChangeAlias(text: TokenText, at: number): Generator<SqlFix> {
  const { tokens } = text;
  const aliasAt = text.at(at) === "AS" ? at + 1 : at;
  const alias = text.wordAt(aliasAt);
  let first = at - 1;
  while (text.at(first - 1) === ".") first -= 2;
  const isUpdated = text.at(0) === "UPDATE" && first === 1;
  const isDeleted = text.at(0) === "DELETE" && text.at(1) === "FROM" && first === 2;
  if (alias === undefined || !(isUpdated || isDeleted)) return;
  const changes = [{ start: tokens[at - 1]!.end, end: tokens[aliasAt]!.end, text: "" }];
  for (const [index, { start }] of tokens.entries()) {
    const isUse = index > aliasAt && text.at(index) === alias.toUpperCase();
    if (!isUse || text.at(index + 1) !== "." || text.at(index - 1) === ".") continue;
    changes.push({ start, end: tokens[index + 2]?.start ?? start, text: "" });
  }
  yield { title: l10n.t("Remove {0}", alias), changes };
}

/** `count(a) FILTER (WHERE b)`, at the parenthesis after FILTER. */
function* fixFilter(text: TokenText, at: number): Generator<SqlFix> {
  const { sql, tokens } = text;
  const open = text.opening(at - 2);
  const close = text.closing(at);
  if (open === undefined || close === undefined || text.at(at + 1) !== "WHERE") return;
  const [first, last] = [tokens[open + 1]!, tokens[at - 2]!];
  const isDistinct = text.at(open + 1) === "DISTINCT";
  const start = isDistinct ? tokens[open + 2]!.start : first.start;
  const value = sql.slice(start, last.start).trim();
  const condition = sql.slice(tokens[at + 2]!.start, tokens[close]!.start).trim();
  const counted = value === "*" ? "1" : value;
  const changes = [
    { start, end: last.start, text: `CASE WHEN ${condition} THEN ${counted} END` },
    { start: last.end, end: tokens[close]!.end, text: "" },
  ];
  yield { title: l10n.t("Change to {0}", "CASE WHEN … END"), changes };
}

/** `a::numeric(4, 2)`, at the parenthesis. */
function* fixSizedCast(text: TokenText, at: number): Generator<SqlFix> {
  const { sql, tokens } = text;
  const start = text.startOfValue(at - 3);
  const close = text.closing(at);
  if (start === undefined || close === undefined) return;
  const value = sql.slice(start, tokens[at - 3]!.end);
  const size = sql.slice(tokens[at]!.end, tokens[close]!.start).trim();
  const isText = /^(VARCHAR|CHAR|CHARACTER)$/.test(text.at(at - 1));
  // The server cuts off nothing where it calculates itself.
  const fixed = isText
    ? `left(CAST(${value} AS text), ${size})`
    : `CAST(${value} AS ${sql.slice(tokens[at - 1]!.start, tokens[close]!.end)})`;
  yield changeFix({ start, end: tokens[close]!.end }, fixed);
}

/** `FROM t JOIN u USING (a, b)`, at the parenthesis: all joins of the query are changed, each with its first table. */
function* fixUsing(text: TokenText, at: number): Generator<SqlFix> {
  const { tokens } = text;
  const from = tokens.findLastIndex((_, index) => index < at && text.at(index) === "FROM");
  const first = from < 0 ? undefined : text.tableAfter(from);
  const changes = [];
  for (let index = at; index < tokens.length; index++) {
    if (text.at(index) !== "(" || text.at(index - 1) !== "USING") continue;
    const close = text.closing(index);
    const other = text.wordAt(index - 2);
    if (close === undefined || first === undefined || other === undefined) return;
    const columns = [];
    for (let column = index + 1; column < close; column += 2) columns.push(text.wordAt(column));
    const conditions = columns.map((column = "") => `${first}.${column} = ${other}.${column}`);
    const span = { start: tokens[index - 1]!.start, end: tokens[close]!.end };
    changes.push({ ...span, text: `ON ${conditions.join(" AND ")}` });
  }
  yield { title: l10n.t("Change to {0}", "ON …"), changes };
}

/** Words before a value in parentheses, which is no call then. */
const beforeValue =
  /^(SELECT|DISTINCT|WHERE|HAVING|ON|AND|OR|NOT|IN|LIKE|BETWEEN|BY|CASE|WHEN|THEN|ELSE|VALUES)$/;

class TokenText {
  readonly sql: string;
  readonly tokens: readonly LexedToken[];

  constructor(sql: string, tokens: readonly LexedToken[]) {
    this.sql = sql;
    this.tokens = tokens;
  }

  /** A token's text in upper case; empty if there is none. */
  at(index: number): string {
    const token = this.tokens[index];
    return token ? this.sql.slice(token.start, token.end).toUpperCase() : "";
  }

  /** A name as it is written; undefined for another token. */
  wordAt(index: number): string | undefined {
    const token = this.tokens[index];
    const text = token && this.sql.slice(token.start, token.end);
    return text !== undefined && /^[\w`]/.test(text) ? text : undefined;
  }

  /** How columns of the table are called that follows a token: by its alias, or else by the last part of its name. */
  tableAfter(index: number): string | undefined {
    let at = index + 1;
    while (this.at(at + 1) === ".") at += 2;
    const alias = this.at(at + 1) === "AS" ? at + 2 : at + 1;
    const isAlias = !/^(JOIN|LEFT|RIGHT|FULL|INNER|OUTER|CROSS)$/.test(this.at(alias));
    return this.wordAt(isAlias ? alias : at);
  }

  /** Where the column or the call that ends with a token starts. */
  startOfValue(last: number): number | undefined {
    let at = this.at(last) === ")" ? this.opening(last) : last;
    if (at === undefined) return undefined;
    const isWord = (index: number): boolean => /^[\w`]/.test(this.at(index));
    const isCall = isWord(at - 1) && !beforeValue.test(this.at(at - 1));
    if (this.at(at) === "(" && isCall) at--;
    while (this.at(at - 1) === "." && isWord(at - 2)) at -= 2;
    return this.tokens[at]?.start;
  }

  /** The index of the parenthesis that one closes. */
  opening(close: number): number | undefined {
    return this.#other(close, -1);
  }

  closing(open: number): number | undefined {
    return this.#other(open, 1);
  }

  #other(from: number, step: 1 | -1): number | undefined {
    let depth = 0;
    for (let at = from; at >= 0 && at < this.tokens.length; at += step) {
      const text = this.at(at);
      if (text === "(") depth += step;
      if (text === ")") depth -= step;
      if (depth === 0) return at === from ? undefined : at;
    }
    return undefined;
  }
}
