import { findClosingQuote } from "../hasMoreValues.ts";

const quote = 0x22;
const zero = 0x30;
const nine = 0x39;

/** Safe integers have at most as many digits. */
const safeDigits = 16;

/**
 * Puts quotes around the integers of a JSON text that JavaScript cannot hold exactly. JSON.parse with a function for each
 * value takes twenty times as long.
 */
export function quoteLargeIntegers(json: string): string {
  let quoted = "";
  let copied = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) at = findClosingQuote(json, at);
    if (!isDigit(code)) continue;
    const digits = at;
    while (isDigit(json.charCodeAt(at + 1))) at++;
    if (at + 1 - digits < safeDigits) continue;
    const start = json[digits - 1] === "-" ? digits - 1 : digits;
    // The digits may be those of a fraction or an exponent, or be followed by one.
    if (/[.eE+]/.test(json.charAt(start - 1)) || /[.eE]/.test(json.charAt(at + 1))) continue;
    const literal = json.slice(start, at + 1);
    if (Number.isSafeInteger(Number(literal))) continue;
    quoted += `${json.slice(copied, start)}"${literal}"`;
    copied = at + 1;
  }
  return quoted + json.slice(copied);
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}
