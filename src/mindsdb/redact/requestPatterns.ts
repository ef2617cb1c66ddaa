// Finds credentials in the parts of HTTP requests: headers and addresses.
import { isRandom, type Span } from "./tokenPatterns.ts";

/** Schemes of the header `Authorization` whose value is a secret as a whole. */
const scheme =
  /[:=][ \t]*(?:basic|bearer|token|negotiate|ntlm|api-?key|key|sso-key|splunk)[ \t]+/iy;
/** A value that no sentence has: `Authorization: Basic information` has none. */
const credentials = /(?=[^\s&,;'"()[\]{}]{8})(?=[^\s'"]{0,63}?(?:\d|[a-z][A-Z]|=))[^\s'"\\]+/y;
const base64 = /[\w+/-]{4,}={0,2}/y;
/** No question mark: it ends no key, and an address that is written into another one may begin with it. */
const valueInUrl = /=[^\s&,;?'")\\]{16,512}/y;
const keyInUrl = /^(?:[?&;]|\\u0026)key$/i;
/** Bytes of Base64 that are decoded to recognize a user name. */
const maxDecoded = 384;

/** The value in `Authorization: Basic …` and other schemes; `from` is the place of the sign. */
export function schemeValueAt(text: string, from: number): Span | undefined {
  scheme.lastIndex = from;
  if (!scheme.test(text)) return undefined;
  return spanAt(text, scheme.lastIndex, credentials);
}

/** The Base64 of a user name and a password: `Basic dXNlcjpwYXNz`. */
export function basicAt(text: string, from: number): Span | undefined {
  const span = spanAt(text, from, base64);
  if (!span) return undefined;
  const encoded = text.slice(...span);
  return /[\d=]|[a-z][A-Z]/.test(encoded) && isUserAndPassword(encoded) ? span : undefined;
}

/** The value in `?sig=…`, in an address that is signed. */
export function signatureAt(text: string, sign: number): Span | undefined {
  const span = spanAt(text, sign, valueInUrl);
  return span && [sign + 1, span[1]];
}

/** The value in `?key=…`, if it looks like one; names of files and objects are passed so too. */
export function urlKeyAt(text: string, start: number, end: number): Span | undefined {
  if (!keyInUrl.test(text.slice(Math.max(0, start - 1), end))) return undefined;
  const span = spanAt(text, end, valueInUrl);
  return span && isRandom(text.slice(end + 1, span[1])) ? [end + 1, span[1]] : undefined;
}

function isUserAndPassword(encoded: string): boolean {
  const part = encoded.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", "");
  const whole = part.slice(0, (maxDecoded * 4) / 3);
  if (whole.length % 4 === 1) return false;
  const bytes = Uint8Array.from(atob(whole), (unit) => unit.charCodeAt(0));
  // A character at the end may be cut.
  const decoded = new TextDecoder().decode(bytes, { stream: true });
  return decoded.includes(":") && !/[\p{Cc}\uFFFD]/u.test(decoded);
}

function spanAt(text: string, from: number, pattern: RegExp): Span | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? [from, pattern.lastIndex] : undefined;
}
