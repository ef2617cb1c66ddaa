// Finds secrets in the notations of SQL and of commands, which have no sign between a name and its value.
import { endOf, isRandom, type Span } from "./tokenPatterns.ts";

/** Up to a password in SQL: `PASSWORD 'a'`, `PASSWORD('a')`, `PASSWORD FOR bob = PASSWORD('a')`. Not `password's`. */
const beforePassword =
  /(?=[\s(=])\s{0,20}(?:(?:for\s{1,20}\S{1,200}\s{0,20})?=\s{0,20}(?:password\s{0,20})?)?\(?\s{0,20}(?=')/iy;
const passwordName = /^(?:password|passwd|passphrase|pwd|secret)$/i;
const beforeIdentification =
  /\s{1,20}(?:with\s{1,20}\S{1,64}\s{1,20})?(?:by|as)\s{1,20}(?:password\s{1,20})?(?=')/iy;
/** A text in SQL that has an end. */
const sqlText = /'((?:[^'\\\n]|\\[^\n]|''){1,500})'/y;
const beforeArgument = /[ \t]{1,20}(["']?)/y;
/** A key or password; not the next option. */
const argument = /(?=[^\s\d]{0,63}\d)(?!-)[^\s"'`;|&<>]{6,512}/y;

/** The password after a name in SQL; secrets of other names only if they look like keys. */
export function passwordInSql(text: string, from: number, name: string): Span | undefined {
  if (!passwordName.test(name)) return undefined;
  const span = sqlTextAt(text, endOf(text, from, beforePassword));
  const isKey = !/^secret$/i.test(name) || (span && isRandom(text.slice(...span)));
  return isKey ? span : undefined;
}

/** The password in `IDENTIFIED BY 'a'`. */
export function identificationAt(text: string, from: number): Span | undefined {
  return sqlTextAt(text, endOf(text, from, beforeIdentification));
}

/** The value of an option of a command: `--api-key abc123`. */
export function argumentAt(text: string, from: number, name: string): Span | undefined {
  const start = name.startsWith("--") ? endOf(text, from, beforeArgument) : undefined;
  const end = start === undefined ? undefined : endOf(text, start, argument);
  return start === undefined || end === undefined ? undefined : [start, end];
}

function sqlTextAt(text: string, from: number | undefined): Span | undefined {
  const end = from === undefined ? undefined : endOf(text, from, sqlText);
  return from === undefined || end === undefined ? undefined : [from + 1, end - 1];
}
