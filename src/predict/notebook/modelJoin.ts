// Finds what a SELECT from a model gets wrong: inputs that the server ignores, and a join, which it answers from a cache
// whose key leaves out the version and most of the rows (seen on 26.1.0 and 25.14.1). A recipe with the same rows asks the
// model itself.
import {
  dottedName,
  isName,
  tokenizeSql,
  unquoted,
  type SqlToken,
} from "../../mindsdb/sql/sqlTokens.ts";
import { parseSql } from "../../mindsdb/sql/parser/parseSql.ts";
import type { SqlNode } from "../../mindsdb/sql/parser/sqlNode.ts";
import { isPlainInput, readInputs, withoutModel } from "./ignoredInputs.ts";
import { formatName, parseModelName, type ModelName } from "./modelName.ts";
import { readNamePath } from "./namePath.ts";
import { formatRecipe, type Span } from "./recipe.ts";

export interface ModelJoin {
  model: ModelName;
  /** Where the model's name, or the first ignored input, is. */
  span: Span;
  /** Inputs that the server ignores, of a SELECT from the model alone. */
  ignored?: string[];
  /** A recipe for the same rows; absent if the statement does more than a recipe can say. */
  recipe?: string;
}

/** A dotted name after FROM, JOIN or a comma. */
interface NamedTable {
  parts: string[];
  /** The index of the first token, and of the one after the name and its alias. */
  from: number;
  to: number;
  alias: string;
  /** Where the name ends in the text. */
  end: number;
}

/** Of a statement with more, no table is looked for among the models of a server. */
const maxTables = 100;

/** The target of a model; undefined if the name is not one of a model. */
type FindTarget = (model: ModelName) => { target: string | undefined } | undefined;

/** The join of a statement with a model, or what a SELECT from it ignores; undefined if there is none. Never throws. */
export function findModelJoin(sql: string, findTarget: FindTarget): ModelJoin | undefined {
  const { statements, isSure } = tokenizeSql(sql);
  const [statement, ...others] = statements;
  if (!isSure || !statement || others.length > 0) return undefined;
  const { tokens } = statement;
  const tables = findTables(tokens);
  if (tables.length > maxTables) return undefined;
  if (tables.length === 1) return findIgnored(sql, tokens, tables[0]!, findTarget);
  for (const table of tables) {
    const model = parseModelName(formatName(table.parts));
    const found = model && findTarget(model);
    if (!model || !found) continue;
    const span = { start: tokens[table.from]!.start, end: table.end };
    const rows = writeRows(sql, tokens, tables, table, found.target);
    if (rows === undefined) return { model, span };
    return { model, span, recipe: formatRecipe(model, rows) };
  }
  return undefined;
}

function findIgnored(
  sql: string,
  tokens: readonly SqlToken[],
  table: NamedTable,
  findTarget: FindTarget,
): ModelJoin | undefined {
  const model = parseModelName(formatName(table.parts));
  if (!model || wordOf(tokens[table.to]) !== "where" || !findTarget(model)) return undefined;
  const statement = parseSql(sql).tree?.children[0];
  const select = statement && findConditional(statement, tokens[table.to]!.start);
  const condition = select?.children.at(-1);
  const inputs = condition ? readInputs(condition) : [];
  const values: [name: string, json: string | undefined][] = [];
  const ignored: string[] = [];
  let span: Span | undefined;
  for (const { name, value } of inputs) {
    const path = readNamePath(sql, name);
    if (!path) return undefined;
    const written = path.map(({ text }) => text);
    const parts = withoutModel(written, table.alias);
    const input = parts.join(".");
    values.push([input, readValue(sql.slice(value.start, value.end))]);
    if (parts.every(isPlainInput)) continue;
    ignored.push(input);
    span ??= { start: name.start, end: name.end };
  }
  if (!span) return undefined;
  // Nothing follows the condition, and all values can be taken over.
  const isWhole = select === statement && values.every(([, json]) => json !== undefined);
  if (!isWhole) return { model, span, ignored };
  const row = values.map(([name, json]) => `${JSON.stringify(name)}: ${json}`).join(", ");
  return { model, span, ignored, recipe: formatRecipe(model, `[{ ${row} }]`) };
}

/** The part of a statement whose condition begins there: a SELECT is nested in the clauses that follow it. */
function findConditional(statement: SqlNode, start: number): SqlNode | undefined {
  let node: SqlNode | undefined = statement;
  while (node?.kind === "select") {
    // few: the parts of one clause.
    if (node.children.some((child) => child.kind === "WHERE" && child.start === start)) return node;
    node = node.children[0];
  }
  return undefined;
}

/** A number or a text without escapes, as JSON. */
function readValue(written: string): string | undefined {
  const text = /^(['"])([^'"\\]*)\1$/.exec(written)?.[2];
  if (text !== undefined) return JSON.stringify(text);
  return /^(-?(0|[1-9]\d*)(\.\d+)?|null|true|false)$/i.test(written)
    ? written.toLowerCase()
    : undefined;
}

function findTables(tokens: readonly SqlToken[]): NamedTable[] {
  const tables: NamedTable[] = [];
  let isInFrom = false;
  for (const [at, token] of tokens.entries()) {
    const word = wordOf(token);
    if (word === "from" || word === "join") isInFrom = true;
    else if (word !== undefined && clauseEnds.has(word)) isInFrom = false;
    else if (!(isInFrom && token.text === ",")) continue;
    const table = isInFrom ? readTable(tokens, at + 1) : undefined;
    if (table) tables.push(table);
  }
  return tables;
}

const clauseEnds = new Set(["select", "where", "group", "order", "limit", "having", "on", "union"]);

function readTable(tokens: readonly SqlToken[], from: number): NamedTable | undefined {
  const parts = dottedName(tokens, from);
  let at = from + 2 * parts.length - 1;
  // After a dot, the name is not complete.
  if (parts.length === 0 || tokens[at]?.text === ".") return undefined;
  const { end } = tokens[at - 1]!;
  if (wordOf(tokens[at]) === "as") at++;
  const next = tokens[at];
  const isAlias = next && next.kind !== "mark" && !afterTable.has(wordOf(next) ?? "");
  const alias = isAlias ? unquoted(next) : (parts.at(-1) ?? "");
  return { parts, from, to: isAlias ? at + 1 : at, alias, end };
}

/** Words that may follow a table without an alias. */
const afterTable = new Set([
  ...clauseEnds,
  ..."join left right inner outer full cross using offset from".split(" "),
]);

/**
 * The rows of a statement `SELECT … FROM table JOIN model …` as a recipe has them; undefined if a part of the statement
 * cannot be taken over.
 */
function writeRows(
  sql: string,
  tokens: readonly SqlToken[],
  tables: readonly NamedTable[],
  model: NamedTable,
  target: string | undefined,
): string | undefined {
  const [data, joined, ...more] = tables;
  const words = tokens.map((token) => wordOf(token));
  const has = (word: string): boolean => words.includes(word);
  if (!data || joined !== model || more.length > 0 || words[0] !== "select") return undefined;
  if (["on", "using", "group", "union", "having", "distinct"].some(has)) return undefined;
  if (words.filter((word) => word === "select").length > 1) return undefined;
  const rest = tokens.slice(model.to);
  const modelNames = [model.alias, target].map((name) => name?.toLowerCase());
  // few: two names.
  if (rest.some((token) => isName(token) && modelNames.includes(unquoted(token).toLowerCase()))) {
    return undefined;
  }
  if (data.parts.length < 2) return undefined;
  if (rest.length === 0) return `{ "table": ${JSON.stringify(formatName(data.parts))} }`;
  const source = sql.slice(tokens[data.from]!.start, tokens[data.to - 1]!.end);
  const end = sql.slice(rest[0]!.start, rest.at(-1)!.end);
  return `{ "sql": ${JSON.stringify(`SELECT * FROM ${source} ${end}`)} }`;
}

function wordOf(token: SqlToken | undefined): string | undefined {
  return token?.kind === "word" ? token.text.toLowerCase() : undefined;
}
