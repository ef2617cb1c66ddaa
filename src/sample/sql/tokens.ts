// The tokens of the sample server's SQL, and its errors.

/** A statement that cannot be parsed or run. Real servers send its message with HTTP status 200. */
export class SqlError extends Error {}

/** The statement cannot be parsed. `wrong` is what is unexpected; its text is empty if the statement ends too early. */
export class SqlSyntaxError extends SqlError {
  readonly wrong: PlacedText;
  constructor(wrong: PlacedText) {
    const what = wrong.text === "" ? "end of the statement" : `"${wrong.text}"`;
    super(`Syntax error: unexpected ${what}. The sample server runs only simple SQL.`);
    this.wrong = wrong;
  }
}

/** The text of a token and its offset. */
export interface PlacedText {
  text: string;
  at: number;
}

export interface Token extends PlacedText {
  kind: "word" | "name" | "text" | "number" | "parameter" | "symbol" | "end";
}

// Strings follow the real parser: a quote inside is doubled or escaped with a backslash. A backslash can be the last
// character only if the string would otherwise not end.
const token = {
  space: /\s+|--[^\n]*|\/\*[^]*?(?:\*\/|$)/,
  text: /(?<text>'(?:\\.|''|[^'\\])*\\?'|"(?:\\.|""|[^"\\])*\\?")/,
  parameter: /:(?<parameter>[a-z_]\w*)/,
  name: /(?<name>`[^`]+`)/,
  number: /(?<number>\d+(?:\.\d+)?)/,
  word: /(?<word>[\p{L}_$][\p{L}\p{N}_$]*)/u,
  symbol: /(?<symbol><=|>=|<>|!=|[-=<>(),.*;])/,
};
const tokenPattern = new RegExp(
  Object.values(token)
    .map(({ source }) => source)
    .join("|"),
  "isuy",
);

/** The tokens of a statement, the last one of kind "end". Throws SqlSyntaxError. */
export function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < sql.length) {
    const at = tokenPattern.lastIndex;
    const match = tokenPattern.exec(sql);
    if (!match) throw new SqlSyntaxError({ text: sql[at] ?? "", at });
    // few: the kinds of tokens.
    const found = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined);
    if (found) tokens.push({ kind: found[0] as Token["kind"], text: found[1] ?? "", at });
  }
  return [...tokens, { kind: "end", text: "", at: sql.length }];
}
