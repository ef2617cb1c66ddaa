// Finds unknown secrets in free text: values of secret names, and tokens. One pass,
// written by hand so that it takes linear time for any text.
import { argumentAt, identificationAt, passwordInSql } from "./codePatterns.ts";
import { basicAt, schemeValueAt, signatureAt, urlKeyAt } from "./requestPatterns.ts";
import { isSecretKey, mask } from "./secretNames.ts";
import { tokenAt, tokenHints, type Span } from "./tokenPatterns.ts";
import { endsInWord } from "./wordBoundaries.ts";

/** Fast path: text that is in or before every secret; most texts have none. */
const hints = new RegExp(
  `key|connection[_-]?string|token|secret|pass|pwd|authorization|cookie|credential|bearer|basic |identified|://|[?&;](?:x-[a-z]{3,4}-)?sig(?:nature)?=|${tokenHints}`,
  "gi",
);

const backslashes = /\\*/y;
/** White space, and the codes that color a terminal's text. */
const spaces = /\s*(?:(?:\p{Cc}\[|\u009b|\\(?:x1b|u001b|e|033)\[)[\d;:]{0,20}[A-Za-z]\s*){0,20}/uy;
const word = /[\w-]*/y;
/** The rest of `==` and `=>` operators. */
const comparison = /[=>]*/y;
const bearerToken = /[\w.~+/=-]*/y;
const account = /[^\s/?#"'<>]*/y;
/** An account whose password has a slash, as people write it, up to the last `@`. Not a port and a path. */
const slashedAccount =
  /[^\s:/?#@"'<>[]{0,100}:(?!\d{1,5}(?:[/?#,;]|$))[^\s"'<>]{1,100}(?=@[^\s"'<>])/y;
const authorizationHeader = /authorization$/i;
/** Names that can be the user's columns in SQL: `WHERE token = 'a'`. */
const plainNoun = /^-*(?:token|secret|cookie|credentials?)$/i;
/** The beginning of `name: value` where the value can be a key: headers and YAML have no quotes, and prose has colons. */
const keyBehindColon =
  /:[ \t]*(?:(?:\p{Cc}\[|\u009b)[\d;:]{0,20}[A-Za-z][ \t]*){0,20}(?!https?:)(?=[^\s\d]{0,63}\d)(?=[^\s&,;'"()[\]{}]{8})/uy;
/** Ends of an unquoted value. */
const endOfBareValue = /[\s&,;'")]|\\[nrt"']/g;
/** A value that can be a key, where names and words of other kinds are more usual: `name = value`, `| name | value |`. */
const keyApart = /(?=[^\s\d]{0,63}\d)[^\s&,;'"()[\]{}<>|`*]{8,512}(?=[\s,;|`*]|$)/y;
/** The equals sign and the ampersand in a part of an address, also where it is written into another one. */
const encodedEquals = /%3d/iy;
const endOfEncodedValue = /[\s&,;'")<>]|%26/gi;
/** Marks of code and bold text around names and values. */
const marks = /[`*]{0,3}/y;
const tableCell = /[ \t]{0,200}\|[ \t]{0,200}[`*]{0,3}/y;
/** Text between a quoted name and its value: the rest of an XML start tag, or an attribute. */
const valueAttribute = /\s{1,20}value\s{0,20}=\s{0,20}/iy;
const endOfStartTag = /(?:\s{1,20}[\w:-]{1,100}=(?:"[^"]{0,200}"|'[^']{0,200}')){0,5}\s{0,20}>/y;
/** Between a name and the value of `{"api_key": {"type": "plain", "value": "…"}}`. */
const valueOfObject = /\{[^{}]{0,200}?\\{0,8}["']value\\{0,8}["']\s{0,20}:\s{0,20}/iy;
/** Maximum characters of an element's content. */
const maxContent = 16_384;
/** Maximum distance from the first line break of a value to its end, in characters. */
const maxLines = 8_192;

/** A number that is no fraction below 1: those are column importances. */
const number = /-?(?!0(?:\.\d*)?(?![\w.]))\d[\w.+-]*/y;
const listSeparators = /[\s,]*/y;

export function redactPatterns(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  let next = 0;
  for (;;) {
    hints.lastIndex = next;
    const found = hints.exec(text);
    if (!found) break;
    const [hint] = found;
    const at = found.index;
    const span = secretAt(text, at, hint.toLowerCase(), next);
    if (span) {
      parts.push(text.slice(copied, span[0]), mask);
      copied = next = span[1];
    } else {
      next = hint === "://" ? at + hint.length : endOfWord(text, at + hint.length);
    }
  }
  if (copied === 0) return text;
  parts.push(text.slice(copied));
  return parts.join("");
}

/** The secret at a hint. Does not look before `floor`. */
function secretAt(text: string, at: number, hint: string, floor: number): Span | undefined {
  switch (hint) {
    case "://":
      return accountAt(text, at + hint.length);
    case "bearer":
      return bearerAt(text, at + hint.length) ?? namedAt(text, at, floor);
    case "identified":
      return identificationAt(text, at + hint.length);
    case "basic ":
      return basicAt(text, at + hint.length) ?? namedAt(text, at, floor);
    default:
      if (hint.endsWith("=")) return signatureAt(text, at + hint.length - 1);
      return tokenAt(text, at) ?? namedAt(text, at, floor);
  }
}

/** The account in `https://user:password@host`. */
function accountAt(text: string, from: number): Span | undefined {
  const found = text.slice(from, skip(text, from, account));
  const colon = found.indexOf(":");
  const end = found.lastIndexOf("@");
  if (end >= 0) return colon >= 0 && end > colon + 1 ? [from, from + end] : undefined;
  return spanOf(text, from, slashedAccount);
}

/** A bearer token: `Bearer eyJ…`. */
function bearerAt(text: string, from: number): Span | undefined {
  const start = skip(text, from, spaces);
  if (start === from) return undefined;
  const end = skip(text, start, bearerToken);
  const token = text.slice(start, end);
  const isToken = token.length >= 20 || (/\d/.test(token) && /[A-Za-z]/.test(token));
  return isToken ? [start, end] : undefined;
}

/** The value of `"api_key": "…"`, `api_key: "…"`, `api_key='…'`, `api_key=…` and `api_key: …`, quotes escaped or not. */
function namedAt(text: string, at: number, floor: number): Span | undefined {
  let start = at;
  while (start > floor && /[\w-]/.test(text[start - 1]!)) start--;
  const end = endOfWord(text, at);
  start = startBehindEscape(text, start, end);
  const name = text.slice(Math.max(start, end - 100), end);
  if (!isSecretKey(name)) return urlKeyAt(text, start, end);
  const quoteAt = skip(text, end, backslashes);
  return isQuote(text[quoteAt]) && isQuote(text[start - 1])
    ? quotedNameAt(text, quoteAt + 1)
    : bareNameAt(text, isDelimited(text, start, end) ? end + 1 : end, name);
}

/** Whether a name is in the quotes that SQL has for names: `name` or [name]. */
function isDelimited(text: string, start: number, end: number): boolean {
  return ["``", "[]"].includes(`${text[start - 1] ?? ""}${text[end] ?? ""}`);
}

/** The start of a name without the end of an escape before it: `\napi_key`, or `[33mapi_key` in a terminal's colors. */
function startBehindEscape(text: string, start: number, end: number): number {
  if (!/[\\[;:%\u009b]/.test(text[start - 1] ?? "") || isSecretKey(text.slice(start, end))) {
    return start;
  }
  for (let place = start + 1; place <= start + 6 && place < end; place++) {
    if (!endsInWord(text, place) && isSecretKey(text.slice(place, end))) return place;
  }
  return start;
}

function quotedNameAt(text: string, from: number): Span | undefined {
  // `os.environ["API_KEY"] = "…"` is code.
  const isIndex = text[from] === "]";
  const sign = skip(text, isIndex ? from + 1 : from, spaces);
  if (text[sign] !== "=" && (text[sign] !== ":" || isIndex)) return attributeAt(text, from);
  const start = skip(text, sign + 1, spaces);
  return (
    quotedValueAt(text, start) ??
    listAt(text, start) ??
    findSpan(start, skip(text, start, number)) ??
    quotedValueAt(text, skip(text, start, valueOfObject) || text.length)
  );
}

/** The value in `<add key="ApiKey" value="…"/>` and `<field name="api_key">…</field>`. */
function attributeAt(text: string, from: number): Span | undefined {
  const attribute = skip(text, from, valueAttribute);
  return attribute > 0 ? quotedValueAt(text, attribute) : contentAt(text, from);
}

/** The content of an element, up to the next tag. `from` is inside its start tag. */
function contentAt(text: string, from: number): Span | undefined {
  const start = skip(text, from, endOfStartTag);
  if (start === 0) return undefined;
  // Not in all of the text, for each name again: no key is longer.
  const end = start + text.slice(start, start + maxContent).indexOf("<");
  return end > start && text[end + 1] === "/" ? findSpan(start, end) : undefined;
}

/** The content of the list that starts at a position. */
function listAt(text: string, from: number): Span | undefined {
  if (text[from] !== "[") return undefined;
  let at = from + 1;
  for (;;) {
    at = skip(text, at, listSeparators);
    const item = quotedValueAt(text, at);
    if (!item) break;
    at = skip(text, item[1], backslashes) + 1;
  }
  const end = text.indexOf("]", at);
  return findSpan(from + 1, end < 0 ? text.length : end);
}

function bareNameAt(text: string, from: number, name: string): Span | undefined {
  const encoded = skip(text, from, encodedEquals);
  if (encoded > 0) return bareValueAt(text, encoded, endOfEncodedValue);
  if (text[from] === ">" || text[from] === " ") {
    const isTag = text[from - name.length - 1] === "<";
    const content = isTag ? contentAt(text, from) : undefined;
    if (content) return content;
  }
  const cell = skip(text, skip(text, from, marks), tableCell);
  if (cell > 0) return plainNoun.test(name) ? undefined : spanOf(text, cell, keyApart);
  const value = passwordInSql(text, from, name) ?? argumentAt(text, from, name);
  if (value) return value;
  const sign = skip(text, from, spaces);
  const isColon = text[sign] === ":";
  if (text[sign] !== "=" && !isColon) return undefined;
  const start = skip(text, skip(text, sign + 1, comparison), spaces);
  const isApart = /\s/.test(text.slice(from, sign)) || /[\s=>]/.test(text.slice(sign + 1, start));
  if ((isApart || isColon) && plainNoun.test(name)) return undefined;
  const quoted = quotedValueAt(text, start);
  if (quoted) return quoted;
  const credentials = authorizationHeader.test(name) ? schemeValueAt(text, sign) : undefined;
  if (credentials) return credentials;
  if (!isColon) return isApart ? spanOf(text, start, keyApart) : bareValueAt(text, start);
  const key = skip(text, sign, keyBehindColon);
  return key > 0 ? bareValueAt(text, key) : undefined;
}

function bareValueAt(text: string, start: number, ends = endOfBareValue): Span | undefined {
  ends.lastIndex = start;
  return findSpan(start, ends.exec(text)?.index ?? text.length);
}

/** The match of a sticky pattern at a position. */
function spanOf(text: string, start: number, pattern: RegExp): Span | undefined {
  return findSpan(start, skip(text, start, pattern));
}

/**
 * A quoted value; the quotes may be escaped. It ends at a quote with the same escaping, at one with less (where the
 * surrounding string ends), or, in truncated text, at the end of the line.
 */
function quotedValueAt(text: string, from: number): Span | undefined {
  const opening = skip(text, from, backslashes);
  const quote = text[opening];
  if (!isQuote(quote)) return undefined;
  const escapes = opening - from;
  const start = opening + 1;
  let limit = text.length;
  let lineEnd = -1;
  let at = start;
  for (; at < limit; at++) {
    const sign = text[at];
    if (sign === "\n" && lineEnd < 0) {
      lineEnd = at;
      limit = Math.min(limit, at + maxLines);
    } else if (sign === quote || sign === "\\") {
      const behind = skip(text, at, backslashes);
      const count = behind - at;
      if (text[behind] === quote) {
        const isEnd = count < escapes || count % (2 * escapes + 2) === escapes;
        if (isEnd) return findSpan(start, behind - Math.min(count, escapes));
        at = behind;
      } else if (count > 0) at = behind - 1;
    }
  }
  return findSpan(start, lineEnd < 0 ? text.length : lineEnd);
}

/** The span; undefined for an empty value. */
function findSpan(from: number, to: number): Span | undefined {
  return to > from ? [from, to] : undefined;
}

function isQuote(sign: string | undefined): boolean {
  return sign === '"' || sign === "'";
}

function endOfWord(text: string, from: number): number {
  return skip(text, from, word);
}

/** The position after a match of a sticky pattern. */
function skip(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  pattern.test(text);
  return pattern.lastIndex;
}
