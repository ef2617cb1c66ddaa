// Splits code into pieces with colors, to be read more easily. It knows little of each language, and never fails.

type CodeColor = "keyword" | "name" | "string" | "number" | "comment";

export interface CodePiece {
  text: string;
  color?: CodeColor;
}

/** Longer code stays plain, because each colored piece is an element. */
const maxColoredLength = 10_000;

interface Syntax {
  /** Its groups are colors; `word` matches keywords and all other words. */
  pattern: RegExp;
  keywords: ReadonlySet<string>;
}

const word = String.raw`(?<word>[\p{L}_][\p{L}\p{N}_]*)`;
const number = String.raw`(?<number>\d[\p{L}\p{N}_.]*)`;
/** A text in quotes that may lack its end. Each backslash can be read in one way only: others take exponential time. */
const quoted = (quote: string) => String.raw`${quote}(?:[^${quote}\\]|\\[^])*(?:${quote}|\\?$)`;
const blockComment = String.raw`\/\*[^]*?(?:\*\/|$)`;

function createSyntax(parts: string[], keywords: string): Syntax {
  const pattern = new RegExp([...parts, number, word].join("|"), "gu");
  return { pattern, keywords: new Set(keywords.split(" ")) };
}

const sql = createSyntax(
  [
    `(?<comment>--[^\\n]*|#[^\\n]*|${blockComment})`,
    `(?<string>${quoted("'")}|${quoted('"')})`,
    "`[^`]*`?",
  ],
  "add all alter and as asc between by case cast create cross current_date database delete desc describe distinct drop " +
    "else end except exists explain false from full group having if ilike in inner insert intersect interval into is " +
    "join last left like limit natural not null offset on or order outer over partition predict recursive replace right " +
    "select set show table then true truncate union unique update use using values view when where window with",
);
const json = createSyntax(
  [`(?<name>${quoted('"')}(?=\\s*:))`, `(?<string>${quoted('"')})`],
  "true false null",
);
const python = createSyntax(
  [
    "(?<comment>#[^\\n]*)",
    `(?<string>"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|${quoted('"')}|${quoted("'")})`,
  ],
  "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda match nonlocal not or pass raise return try while with yield",
);
const script = createSyntax(
  [
    `(?<comment>\\/\\/[^\\n]*|${blockComment})`,
    `(?<string>${quoted('"')}|${quoted("'")}|${quoted("`")})`,
  ],
  "as async await break case catch class const continue default delete do else enum export extends false finally for " +
    "from function if implements import in instanceof interface let new null of return static super switch this throw " +
    "true try type typeof undefined var void while yield",
);

const languages = { sql, json, python, script };
export type CodeLanguage = keyof typeof languages;

/** The names that are written after fences, and VS Code's ids. */
const names: Record<CodeLanguage, string> = {
  sql: "sql mindsdb-sql mysql pgsql plsql postgres postgresql snowflake sqlite tsql",
  json: "json jsonc jsonl",
  python: "py python python3",
  script: "javascript javascriptreact js jsx ts tsx typescript typescriptreact",
};

const languageOfName = new Map(
  (Object.keys(names) as CodeLanguage[]).flatMap((language) =>
    names[language].split(" ").map((name) => [name, language]),
  ),
);

/** Returns the language that a fence or VS Code names; undefined for those without colors. */
export function findLanguage(name: string): CodeLanguage | undefined {
  return languageOfName.get(name.toLowerCase());
}

/** Returns the pieces of a text, in order; undefined for long texts. */
export function colorCode(text: string, language: CodeLanguage): CodePiece[] | undefined {
  if (text.length > maxColoredLength) return undefined;
  const { pattern, keywords } = languages[language];
  const pieces: CodePiece[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const color = findColor(match.groups ?? {}, language === "sql", keywords);
    if (!color) continue;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) });
    pieces.push({ text: match[0], color });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

function findColor(
  groups: Record<string, string | undefined>,
  ignoresCase: boolean,
  keywords: ReadonlySet<string>,
): CodeColor | undefined {
  const { word, ...colors } = groups;
  if (word !== undefined) {
    return keywords.has(ignoresCase ? word.toLowerCase() : word) ? "keyword" : undefined;
  }
  return Object.keys(colors).find((color) => colors[color] !== undefined) as CodeColor | undefined;
}
