// Finds secrets in statements that are kept, where only a reader of SQL sees them. Better a mask too many: a statement with
// one cannot run again from the history, and is still shown there.
import { isMark, isWord, tokenizeSql, unquoted, type SqlToken } from "../sql/sqlTokens.ts";
import { isSecretKeyInSql, mask } from "./secretNames.ts";
import { redactPatterns } from "./secretPatterns.ts";

/** Names that can be the user's columns: `WHERE token = 'a'`. */
const plainNoun = /^(?:token|secret|cookie|credentials?)$/i;
/** Words between a name and its value: those of conditions, of SQL's passwords, and before a text's quotes. */
const connectors =
  "array as b between by case e encrypted ilike in is like n not password similar then to unencrypted when with x".split(
    " ",
  );

/** The most tokens between a name and its value. */
const maxBetween = 8;
/** The most tokens of an expression with values. */
const maxExpression = 32;

/** Names of keys of every kind. */
const keyName = /(?:^|_)key$/i;
/** A text that can be a secret key, and not the key of a row. */
const keyText = /^(?=[^a-z]*[a-z])(?=\D*\d)\S{8,512}$/i;

/** Words before parentheses that are around no arguments. */
const noFunctions =
  "all and any as by columns exists from in into join not on or over some table using where".split(
    " ",
  );

/** The end of a text between dollar signs is what it begins with, as in PostgreSQL: `$a$text$a$`. */
const dollarSign = /\$(?=(\w{0,63})\$)/g;
/** The text before a secret between dollar signs; a name is looked for at its beginning. */
const beforeDollars =
  /\b(\w+)["`\]]?(?:[\s=:(]|\b(?:as|by|encrypted|is|like|to|unencrypted|with)\b){1,8}$/i;

/** The statement with masks for the values of secret names, and for texts with such values in them. Takes linear time. */
export function redactStatement(statement: string): string {
  const sql = hideDollarTexts(statement);
  const hidden = new Set<SqlToken>();
  for (const { tokens } of tokenizeSql(sql).statements) {
    let inserted = 0;
    // After USING are the options of what is created, and after SET what is written, not what is compared.
    let isSet = false;
    hideArguments(tokens, hidden);
    for (const [at, token] of tokens.entries()) {
      if (isWord(token, "using")) isSet = isWord(tokens[0], "create", "alter");
      else if (isWord(token, "set", "where")) isSet = isWord(token, "set");
      if (isSecretName(token)) hideValues(tokens, at, hidden, isSet);
      else if (isKeyName(token)) hideKey(tokens, at, hidden);
      if (isWord(token, "identified")) hideIdentification(tokens, at + 1, hidden);
      const isInsert =
        isWord(token, "insert") || (isWord(token, "replace") && isWord(tokens[at + 1], "into"));
      if (at >= inserted && isInsert) inserted = hideInserted(tokens, at, hidden);
      if (token.kind === "text" && holdsSecret(token)) hidden.add(token);
    }
  }
  let shown = "";
  let end = 0;
  for (const token of [...hidden].sort((a, b) => a.start - b.start)) {
    const quote = token.kind === "word" ? "" : token.text[0]!;
    shown += `${sql.slice(end, token.start)}${quote}${mask}${quote}`;
    ({ end } = token);
  }
  return shown + sql.slice(end);
}

function isSecretName(token: SqlToken): boolean {
  return (
    (token.kind === "word" || token.kind === "name" || token.kind === "doubleQuoted") &&
    isSecretKeyInSql(unquoted(token))
  );
}

function isKeyName(token: SqlToken): boolean {
  return token.kind !== "mark" && token.kind !== "text" && keyName.test(unquoted(token).slice(-64));
}

/** Hides what a key is set to or compared with, if it looks like a secret. */
function hideKey(tokens: readonly SqlToken[], name: number, hidden: Set<SqlToken>): void {
  const [sign, value] = [tokens[name + 1], tokens[name + 2]];
  const isSet = isMark(sign, "=") || isMark(sign, ":");
  if (isSet && isLiteral(value) && keyText.test(unquoted(value))) hidden.add(value);
}

/**
 * Hides the argument after one that is a secret's name: `json_object('password', 'a')`, `JSON_SET(a, '$.password', 'b')`,
 * and so in rows of VALUES.
 */
function hideArguments(tokens: readonly SqlToken[], hidden: Set<SqlToken>): void {
  /** For each open parenthesis, whether its arguments are looked at, and whether a secret's name precedes this one. */
  const open: { hasArguments: boolean; isSecret: boolean; isName: boolean }[] = [];
  for (const [at, token] of tokens.entries()) {
    const call = open.at(-1);
    if (isMark(token, "(")) {
      const before = tokens[at - 1];
      const isRow = isMark(before, ",") || isMark(before, "(");
      const isCall =
        before !== undefined && before.kind !== "mark" && !isWord(before, ...noFunctions);
      // `lower('a')` after a name is its value.
      open.push({
        hasArguments: isCall || isRow,
        isSecret: call?.isSecret ?? false,
        isName: false,
      });
    } else if (isMark(token, ")")) {
      open.pop();
    } else if (call?.hasArguments) {
      if (isMark(token, ",") || isMark(token, ":") || isWord(token, "value")) {
        [call.isSecret, call.isName] = [call.isName, false];
      } else if (isLiteral(token)) {
        if (call.isSecret) hidden.add(token);
        call.isName = !call.isSecret && isSecretKeyInSql(unquoted(token).slice(-64));
      }
    }
  }
}

/** Masks for texts between dollar signs after secret names. */
function hideDollarTexts(sql: string): string {
  const signs = Array.from(sql.matchAll(dollarSign), ({ index, 1: tag = "" }) => ({ index, tag }));
  const places = new Map<string, number[]>();
  for (const { index, tag } of signs.toReversed()) {
    const known = places.get(tag);
    if (known) known.push(index);
    else places.set(tag, [index]);
  }
  let shown = "";
  let end = 0;
  for (const { index, tag } of signs) {
    if (index < end) continue;
    const start = index + tag.length + 2;
    const name = beforeDollars.exec(sql.slice(Math.max(end, index - 100), index))?.[1];
    const ends = places.get(tag)!;
    while (ends.length > 0 && ends.at(-1)! < start) ends.pop();
    if (name === undefined || !isSecretKeyInSql(name)) continue;
    shown += sql.slice(end, start) + mask;
    end = ends.at(-1) ?? sql.length;
  }
  return shown + sql.slice(end);
}

function isLiteral(token: SqlToken | undefined): token is SqlToken {
  return token?.kind === "text" || token?.kind === "doubleQuoted";
}

function isNumber({ kind, text }: SqlToken): boolean {
  return kind === "word" && /^\d+$/.test(text);
}

/** Hides the texts that a name is set to or compared with, on both sides. */
function hideValues(
  tokens: readonly SqlToken[],
  name: number,
  hidden: Set<SqlToken>,
  isSet: boolean,
): void {
  const next = tokens[name + 1];
  if (!isSet && plainNoun.test(unquoted(tokens[name]!))) {
    if (isLiteral(next)) hidden.add(next);
    return;
  }
  let isList = false;
  hideUnquoted(tokens, name, hidden);
  for (let at = skipRest(tokens, name + 1), left = maxBetween; left > 0; at++) {
    const token = tokens[at];
    if (isLiteral(token)) {
      hidden.add(token);
      // 'a' || 'b'
      if (!isList && isMark(tokens[at + 1], "|") && isMark(tokens[at + 2], "|")) at += 2;
      else if (!isList) break;
    } else if (isWord(token, "case") && !isList) {
      hideUpTo(tokens, at, hidden);
      break;
    } else if (token && isNumber(token) && tokens[at - 1]?.kind === "mark" && !isList) {
      hidden.add(token);
      break;
    } else if (!isList || !isMark(token, ",")) {
      left--;
      if (isMark(token, "(") || isMark(token, "[")) isList = true;
      // `lower(password) = 'a'`, and `password = lower('a')`.
      else if (!isList && isMark(token, ")")) continue;
      else if (!isConnector(token, isList) && !isCall(tokens, at)) break;
    }
  }
  let before = startOfName(tokens, name) - 1;
  if (isAlias(tokens, before, next)) hideBefore(tokens, before, hidden);
  const isCompared = isMark(tokens[before], "=") || isMark(tokens[before], ">");
  if (isCompared && tokens[before - 1]?.kind === "mark") before--;
  const value = tokens[before - 1];
  const isLike = isWord(tokens[before], "like", "ilike");
  if ((isCompared || isLike) && isLiteral(value)) hidden.add(value);
}

/** The place after `::text`, and after the other arguments of a function whose result is compared. */
function skipRest(tokens: readonly SqlToken[], start: number): number {
  let at = start;
  while (isMark(tokens[at], ":") && isMark(tokens[at + 1], ":")) at += 3;
  if (!isWord(tokens[at], "as") && !isMark(tokens[at], ",")) return at;
  for (let end = at; end < at + maxBetween; end++) {
    if (isMark(tokens[end], "(")) return at;
    if (isMark(tokens[end], ")")) return isMark(tokens[end + 1], "=") ? end + 1 : at;
  }
  return at;
}

/** Whether a name is an alias: after AS, or at the end of an item after a value. `before` is the token before it. */
function isAlias(tokens: readonly SqlToken[], before: number, next: SqlToken | undefined): boolean {
  const token = tokens[before];
  if (isWord(token, "as")) return true;
  const isAfterValue = isLiteral(token) || isMark(token, ")") || isWord(token, "end");
  const isLast = !next || isMark(next, ",") || isMark(next, ")") || isWord(next, "from");
  return isAfterValue && isLast;
}

/** Hides the texts of a SELECT's item that ends at a token. */
function hideBefore(tokens: readonly SqlToken[], end: number, hidden: Set<SqlToken>): void {
  let depth = 0;
  for (let at = end; at > end - maxExpression; at--) {
    const token = tokens[at];
    if (isMark(token, ")")) depth++;
    if (isMark(token, "(")) depth--;
    if (!token || depth < 0 || (depth === 0 && (isMark(token, ",") || isWord(token, "select")))) {
      return;
    }
    if (isLiteral(token)) hidden.add(token);
  }
}

/** Hides the texts of a CASE. */
function hideUpTo(tokens: readonly SqlToken[], start: number, hidden: Set<SqlToken>): void {
  for (const token of tokens.slice(start, start + maxExpression)) {
    if (isWord(token, "end")) return;
    if (isLiteral(token)) hidden.add(token);
  }
}

/** Whether a function that computes a value starts at a token: after a sign. */
function isCall(tokens: readonly SqlToken[], at: number): boolean {
  const before = tokens[at - 1];
  const isAfterSign = before?.kind === "mark" && before.text !== ")";
  return isAfterSign && tokens[at]?.kind === "word" && isMark(tokens[at + 1], "(");
}

/** Hides a value in JSON whose quotes were forgotten: `{"password": hunter-2}`. */
function hideUnquoted(tokens: readonly SqlToken[], name: number, hidden: Set<SqlToken>): void {
  if (tokens[name]?.kind !== "doubleQuoted" || !isMark(tokens[name + 1], ":")) return;
  const value = tokens.slice(name + 2, name + 2 + maxBetween);
  if (isWord(value[0], "false", "null", "true")) return;
  for (const token of value[0]?.kind === "word" ? value : []) {
    if (isMark(token, ",") || isMark(token, "}")) return;
    if (token.kind === "word") hidden.add(token);
  }
}

function isConnector(token: SqlToken | undefined, isList: boolean): boolean {
  if (token?.kind === "mark") return !isList && "=:<>!~".includes(token.text);
  // Before a text, the name of its encoding: _utf8'a'.
  return isWord(token, ...connectors) || /^_\w{1,20}$/.test(token?.text ?? "");
}

/** Where the dotted name starts whose last part is at `end`. */
function startOfName(tokens: readonly SqlToken[], end: number): number {
  // Names of tables have few parts.
  let start = end;
  while (start > end - 8 && isMark(tokens[start - 1], ".")) start -= 2;
  return Math.max(0, start);
}

/** Hides the password of `IDENTIFIED [WITH plugin] BY password`, which some databases take without quotes. */
function hideIdentification(
  tokens: readonly SqlToken[],
  start: number,
  hidden: Set<SqlToken>,
): void {
  let at = isWord(tokens[start], "with") ? start + 2 : start;
  if (!isWord(tokens[at], "by", "as")) return;
  at++;
  if (isWord(tokens[at], "password", "values")) at++;
  const password = tokens[at];
  if (password && password.kind !== "mark") hidden.add(password);
  const old = tokens[at + 2];
  if (isWord(tokens[at + 1], "replace") && old && old.kind !== "mark") hidden.add(old);
}

/**
 * Hides the texts that INSERT writes into columns with secret names, in VALUES or by a SELECT. Returns the index of the
 * token after them.
 */
function hideInserted(tokens: readonly SqlToken[], insert: number, hidden: Set<SqlToken>): number {
  let at = isWord(tokens[insert + 1], "into") ? insert + 3 : insert + 2;
  while (isMark(tokens[at], ".")) at += 2;
  const secret = new Set<number>();
  for (let column = 0; isMark(tokens[at], column === 0 ? "(" : ","); column++, at += 2) {
    const name = tokens[at + 1];
    if (name && isSecretName(name)) secret.add(column);
  }
  if (secret.size === 0 || !isMark(tokens[at], ")")) return insert;
  if (isMark(tokens[at + 1], "(")) at++;
  const isSelect = isWord(tokens[at + 1], "select");
  if (!isSelect && !isWord(tokens[at + 1], "values", "value")) return insert;
  let depth = isSelect ? 1 : 0;
  let column = 0;
  for (at += 2; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (isSelect && depth === 1 && isWord(token, "from")) return at;
    if (isMark(token, "(")) {
      if (depth++ === 0) column = 0;
    } else if (isMark(token, ")")) {
      depth--;
    } else if (isMark(token, ",")) {
      if (depth === 1) column++;
    } else if (depth <= 0) {
      return at;
    } else if (isLiteral(token) && secret.has(column)) {
      hidden.add(token);
    }
  }
  return at;
}

/** Whether a text has a secret in it, as a statement or an address in it has: its own quotes are doubled there. */
function holdsSecret(token: SqlToken): boolean {
  const text = unquoted(token);
  if (!text.includes("''")) return false;
  const inner = text.replaceAll("''", "'");
  return redactPatterns(inner) !== inner;
}
