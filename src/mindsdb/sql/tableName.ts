// Names of tables as MindsDB's parser and planner read them.
import { isName, unquoted, type SqlToken } from "./sqlTokens.ts";

/** The name of a table in a statement. */
export interface TableName {
  /**
   * All ways in which the server may split the name, each as parts without quotes. The first is the parser's: it splits
   * a name in double quotes at its dots if the name begins with it. Others are there because later steps split again.
   */
  readings: string[][];
  /** Whether the server surely reads the name in one of these ways. */
  isSure: boolean;
  /** The index of the token after the name. */
  end: number;
}

/** Schemas of the server's own. */
const ownSchemas = new Set(["information_schema", "log", "files"]);
/** Tables that every project has, for what is in it, and those of `log`, which USE may have named. */
export const listings: ReadonlySet<string> = new Set(
  (
    "agents chatbots databases handlers jobs jobs_history knowledge_bases llm_log mdb_triggers ml_engines models " +
    "models_versions predictors queries skills triggers views"
  ).split(" "),
);

/** Tables of information_schema that hold names and types only, of every data source's tables. */
const tablesWithoutSecrets = new Set(
  "character_sets collations columns engines key_column_usage plugins schemata statistics tables".split(
    " ",
  ),
);

/**
 * Where no table is an agent or a knowledge base, unless it has another name: 26.1.0 lets a project be called `log` or
 * `information_schema`, and asks its agents.
 */
const freeTables: Record<string, ReadonlySet<string>> = {
  log: new Set(["jobs_history", "llm_log"]),
  information_schema: new Set([...listings, ...tablesWithoutSecrets, "events", "routines"]),
};

/** The name that starts at a token; undefined if none does. */
export function readTableName(tokens: readonly SqlToken[], start: number): TableName | undefined {
  const parts: SqlToken[] = [];
  let at = start;
  for (; ; at += 2) {
    const token = tokens[at];
    if (!isName(token)) break;
    parts.push(token);
    if (!isDot(tokens[at + 1])) break;
  }
  const [first, ...rest] = parts;
  if (!first) return undefined;
  const asWritten = parts.map(unquoted);
  const parsed =
    first.kind === "doubleQuoted" ? [...split(unquoted(first)), ...rest.map(unquoted)] : asWritten;
  const readings = [parsed, asWritten, asWritten.flatMap(split)].map(withoutVersion);
  const isComplete = !isDot(tokens[at - 1]) || isName(tokens[at]);
  return {
    readings: distinct(readings.filter(({ length }) => length > 0)),
    isSure: isComplete && parsed.length > 0 && !mayGoOn(tokens, at) && parts.every(isPlain),
    end: at + 1,
  };
}

/** Whether a name is surely that of a table that is neither an agent nor a knowledge base. */
export function isFreeTable({ readings, isSure }: TableName): boolean {
  return isSure && readings.every(isFreePath);
}

function isFreePath(path: readonly string[]): boolean {
  const [schema = "", table = "", ...others] = path.map((part) => part.toLowerCase());
  if (schema === "files") return true;
  if (!ownSchemas.has(schema) || others.length > 0) return false;
  return freeTables[schema]?.has(table) ?? false;
}

/**
 * Whether a name may be that of the table of a data source `web`, which requests any address: what a sub-query reads can be
 * sent there in it (26.1.0 and 25.14.1).
 */
export function mayCrawl(table: TableName): boolean {
  const isCrawler = table.readings.some((path) => path.at(-1)?.toLowerCase() === "crawler");
  return isCrawler && !isFreeTable(table);
}

/** Whether a name may be that of the table in which the server describes the columns of others. */
export function isColumnList({ readings }: TableName): boolean {
  return readings.some((path) => /^(information_schema\.)?columns$/i.test(path.join(".")));
}

/**
 * Whether a name may be that of a table in which the server lists its own objects. `isSource` says which names are surely
 * those of data sources.
 */
export function isListing(
  { readings, isSure }: TableName,
  isSource: (schema: string) => boolean,
): boolean {
  return !isSure || readings.some((path) => isListingPath(path, isSource));
}

/** Whether a name is surely that of a log of the server. */
export function isLog({ readings, isSure }: TableName): boolean {
  return isSure && readings.every(([schema = ""]) => schema.toLowerCase() === "log");
}

function isListingPath(path: readonly string[], isSource: (schema: string) => boolean): boolean {
  const parts = path.map((part) => part.toLowerCase());
  const [schema = "", table = ""] = parts;
  if (schema === "information_schema") {
    return parts.length !== 2 || !tablesWithoutSecrets.has(table);
  }
  if (ownSchemas.has(schema)) return schema !== "files";
  if (parts.length > 2 || !listings.has(parts.at(-1) ?? "")) return false;
  return parts.length < 2 || !isSource(schema);
}

function isDot(token: SqlToken | undefined): boolean {
  return token?.kind === "mark" && token.text === ".";
}

/** The server leaves empty parts out. */
function split(name: string): string[] {
  return name.split(".").filter((part) => part !== "");
}

/** A number at the end is the version of a model. The server ignores it after other names. */
function withoutVersion(parts: string[]): string[] {
  return parts.length > 1 && /^\p{N}+$/u.test(parts.at(-1)!) ? parts.slice(0, -1) : parts;
}

/** The server takes quotes and backslashes out of a name in double quotes, and keeps names in backticks in it whole. */
function isPlain({ kind, text }: SqlToken): boolean {
  return kind !== "doubleQuoted" || !/["\\`]/.test(text.slice(1, -1));
}

/**
 * Whether a name may go on after its last part, at `at`. KNOWLEDGE BASE is one word for the server, and may be a name. `(+)`
 * and WITH ROLLUP belong to a name, and more parts may follow: `a WITH ROLLUP.b` is `a.b`.
 */
function mayGoOn(tokens: readonly SqlToken[], at: number): boolean {
  const [last = "", next = "", second = ""] = tokens.slice(at, at + 3).map(({ text }) => text);
  return (
    /^knowledge bases?$/i.test(`${last} ${next}`) ||
    /^(with rollup|\( \+)$/i.test(`${next} ${second}`)
  );
}

function distinct(readings: string[][]): string[][] {
  return [...new Map(readings.map((parts) => [JSON.stringify(parts), parts])).values()];
}
