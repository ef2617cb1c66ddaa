// MindsDB's SQL for sql-formatter, which knows no such dialect.
import { expandPhrases, formatDialect, type DialectOptions } from "sql-formatter";

type Token = Parameters<NonNullable<DialectOptions["tokenizerOptions"]["postProcess"]>>[0][number];

/** Clauses whose content starts on a new line. */
const clauses = [
  "WITH",
  "FROM",
  "WHERE",
  "GROUP BY",
  "HAVING",
  "PARTITION BY",
  "ORDER BY",
  "USING",
  "VALUES",
  "SET",
  "INSERT INTO",
  "PREDICT",
];

/** Clauses whose content stays on their line. */
const shortClauses = [
  // In lower case: with the other spelling, the library puts the number on a new line.
  "limit",
  "OFFSET",
  "FETCH {FIRST | NEXT}",
  "FOR UPDATE",
  "WINDOW",
  "HORIZON",
  "UPDATE [AGENT | CHATBOT | SKILL]",
  "DELETE FROM",
  "CREATE [OR REPLACE] {TABLE | MODEL | PREDICTOR | DATABASE | PROJECT} [IF NOT EXISTS]",
  "CREATE {VIEW | JOB | AGENT | SKILL | ML_ENGINE} [IF NOT EXISTS]",
  "CREATE {KNOWLEDGE_BASE | KNOWLEDGE BASE} [IF NOT EXISTS]",
  "CREATE {TRIGGER | CHATBOT | ANOMALY DETECTION MODEL | INDEX}",
  "ALTER {TABLE | VIEW | AGENT | DATABASE | KNOWLEDGE_BASE | KNOWLEDGE BASE}",
  "RETRAIN [MODEL]",
  "FINETUNE [MODEL]",
  "EVALUATE [KNOWLEDGE_BASE | KNOWLEDGE BASE]",
];

/** Statements of one line. */
const oneLineStatements = /^(SHOW|DESCRIBE|EXPLAIN|USE|SET|DROP|CREATE ML_ENGINE\b.*)$/i;

const keywords =
  "AND AS ASC BETWEEN BY CASE DESC DISTINCT DROP ELSE END EXISTS FALSE FOR IN INTERVAL IS LIKE NOT NULL ON OR OVER " +
  "SHOW DESCRIBE EXPLAIN USE THEN TRUE WHEN";

/** A text in quotes: a backslash escapes the next character of its line, and two quotes are one. */
const quoted = (quote: string) => ({
  regex: String.raw`${quote}(?:[^${quote}\\]|\\.|\\(?=\n)|${quote}${quote})*${quote}`,
});

/** Where the words are that are names in the statement that is formatted, though keywords elsewhere. */
let names: ReadonlySet<number> = new Set();

/** Formats a statement of which the words at these offsets are names. Throws for what the library does not understand. */
export function formatWithNames(
  sql: string,
  nameOffsets: ReadonlySet<number>,
  style: { tabWidth: number; useTabs: boolean },
): string {
  names = nameOffsets;
  return formatDialect(sql, { dialect, ...style });
}

// The library keeps what it makes of a dialect for good, so there is one.
const dialect: DialectOptions = {
  name: "mindsdb",
  tokenizerOptions: {
    reservedSelect: expandPhrases(["SELECT [DISTINCT] [ON]"]),
    reservedClauses: expandPhrases([...clauses, ...shortClauses]),
    reservedSetOperations: expandPhrases(["{UNION | INTERSECT | EXCEPT} [ALL | DISTINCT]"]),
    reservedJoins: expandPhrases([
      "[ASOF] [INNER | CROSS | OUTER] JOIN [LATERAL]",
      "[ASOF] {LEFT | RIGHT | FULL} [OUTER] JOIN [LATERAL]",
      "LEFT ASOF JOIN",
    ]),
    reservedKeywordPhrases: expandPhrases([
      "IS NOT",
      "NOT {IN | LIKE | EXISTS}",
      "ROWS BETWEEN",
      "WITH ROLLUP",
    ]),
    reservedFunctionNames: [],
    reservedDataTypes: [],
    reservedKeywords: keywords.split(" "),
    stringTypes: [quoted("'"), quoted('"')],
    identTypes: ["``"],
    identChars: { first: "$", rest: "$", allowFirstCharNumber: true },
    paramChars: {},
    extraParens: ["[]", "{}"],
    variableTypes: [
      { regex: "@@?(?:'[^']*'|`[^`]*`|\"[^\"]*\")" },
      { regex: "@@?[A-Za-z0-9_.$]+" },
    ],
    paramTypes: { positional: true, named: [":"] },
    operators: "% := & | ^ ~ !~ << >> <=> <-> <+> <#> <~> <%> @> <@ -> ->> && || :: : (+)".split(
      " ",
    ),
    postProcess: readAgain,
  },
  formatOptions: {
    alwaysDenseOperators: ["::"],
    onelineClauses: expandPhrases(shortClauses).map((clause) => clause.toUpperCase()),
  },
};

/** Corrects what depends on the tokens around. */
function readAgain(tokens: Token[]): Token[] {
  const start = tokens[0]?.text ?? "";
  const isOneLine = oneLineStatements.test(start);
  const found: Token[] = [];
  for (const token of tokens.flatMap(divide)) {
    const [before, last] = [found.at(-2), found.at(-1)];
    const isClause = token.type === kind("RESERVED_CLAUSE");
    if (isOneLine && isClause) token.type = kind("RESERVED_KEYWORD");
    const isClose = last?.type === kind("IDENTIFIER") && !token.precedingWhitespace;
    // "E'x'" stays together: otherwise what it is read as would look intended.
    const isPrefixed = token.type === kind("STRING") && isClose;
    // "LIMIT 5, 10"
    const isShortList = isOneLine || start === "CREATE TRIGGER" || before?.text === "LIMIT";
    const isListed = token.type === kind("COMMA") && isShortList && last?.raw !== ")";
    if (last && (isPrefixed || isListed)) {
      last.text += token.raw;
      last.raw += token.raw;
      continue;
    }
    const isPath = before?.type === kind("PROPERTY_ACCESS_OPERATOR");
    if (token.raw === "(" && isClose && !isPath) last.type = kind("RESERVED_FUNCTION_NAME");
    found.push(token);
  }
  return found;
}

/** Words of keywords that are names here, and versions of models: ".1" is no number. */
function divide(token: Token): Token[] {
  const { type, raw, start } = token;
  if (type === kind("NUMBER") && raw.startsWith(".")) {
    const version = { raw: raw.slice(1), text: raw.slice(1), start: start + 1 };
    return [
      { ...token, type: kind("PROPERTY_ACCESS_OPERATOR"), raw: ".", text: "." },
      { ...version, type: kind("IDENTIFIER"), precedingWhitespace: "" },
    ];
  }
  if (type === kind("IDENTIFIER") || !/^[a-z]/i.test(raw) || !names.has(start)) return [token];
  return [...raw.matchAll(/\S+/g)].map(([word], index) => {
    const spaced = index > 0 && { precedingWhitespace: " " };
    return { ...token, ...spaced, type: kind("IDENTIFIER"), raw: word, text: word };
  });
}

function kind(name: `${Token["type"]}`): Token["type"] {
  return name as Token["type"];
}
