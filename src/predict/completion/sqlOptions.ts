// The options of USING, the keys of objects in them, and what SHOW lists (seen on 26.1.0 and 25.14.1).
import { sqlLiteral } from "../../mindsdb/sql/sqlWithValues.ts";
import { readName, type SqlToken } from "./sqlScope.ts";
import type { SqlNames } from "./queryColumns.ts";
import type { SqlSuggestion } from "./suggestion.ts";
import { named } from "./tableNames.ts";

const modelKeys = ["provider", "model_name", "api_key", "base_url", "api_version", "method"];
const optionsOfStatement: Record<string, string> = {
  AGENT: "model data prompt_template timeout mode",
  KNOWLEDGE_BASE:
    "embedding_model reranking_model content_columns metadata_columns id_column storage preprocessing " +
    "is_sparse vector_size kb_no_upsert kb_skip_existing",
  CHATBOT: "database agent is_running",
  SKILL: "type",
  trainModel:
    "engine model_name prompt_template question_column context_column api_base mode max_tokens temperature " +
    "json_struct ollama_serve_url predict_params",
};
const keysOfOption: Record<string, readonly string[]> = {
  model: modelKeys,
  embedding_model: modelKeys,
  reranking_model: modelKeys,
  data: ["tables", "knowledge_bases"],
  preprocessing: ["type", "text_chunking_config", "contextual_config", "json_chunking_config"],
  text_chunking_config: ["chunk_size", "chunk_overlap", "separators"],
};
/** Until the server has told them. */
const keysOfEngine: Record<string, string> = {
  postgres: "host port database user password schema sslmode connection_parameters",
  timescaledb: "host port database user password schema sslmode connection_parameters",
  mysql: "host port database user password url ssl ssl_ca ssl_cert ssl_key",
  mariadb: "host port database user password url ssl ssl_ca ssl_cert ssl_key",
  mssql: "host port database user password schema server",
  snowflake:
    "account user password database schema warehouse role auth_type private_key_path private_key " +
    "private_key_passphrase",
  bigquery:
    "project_id dataset service_account_keys service_account_json billing_project dataset_project",
  mongodb: "host port database username password",
  s3: "bucket aws_access_key_id aws_secret_access_key region_name aws_session_token",
  sqlite: "db_file",
  duckdb: "database read_only motherduck_token",
};

export const showCategories: SqlSuggestion[] = (
  "AGENTS CHATBOTS COLUMNS DATABASES HANDLERS INDEX JOBS KNOWLEDGE_BASES ML_ENGINES MODELS PROJECTS SKILLS TABLES " +
  "TRIGGERS VARIABLES VIEWS"
)
  .split(" ")
  .map((label) => ({ kind: "keyword", label }));

/** Units of a job's schedule. The server has no seconds and years there. */
export function listUnits(isPlural: boolean): SqlSuggestion[] {
  return ["minute", "hour", "day", "week", "month"].map((unit) => ({
    kind: "option",
    label: isPlural ? `${unit}s` : unit,
  }));
}

/** The options that a statement has after USING, without those that it has already. */
export function optionsOf(
  tokens: readonly SqlToken[],
  statement: readonly string[],
  names: SqlNames,
): SqlSuggestion[] {
  if (tokens.some(({ kind }) => kind === "ML_ENGINE")) {
    const handler = readName(tokenAfter(tokens, "FROM"));
    const keys = names.handlers("ml").find(({ name }) => name === handler)?.keys ?? [];
    return toOptions(keys, tokens);
  }
  const found = statement.find((symbol) => Object.hasOwn(optionsOfStatement, symbol));
  const isEvaluation = statement.includes("EVALUATE");
  if (found === undefined || isEvaluation) return [];
  return toOptions(optionsOfStatement[found]!.split(" "), tokens);
}

function toOptions(options: readonly string[], tokens: readonly SqlToken[]): SqlSuggestion[] {
  return without(options.filter(isPlainKey), writtenBefore(tokens, "=")).map((label) => {
    return { kind: "option", label, text: `${label} = ` };
  });
}

/** Whether a key that a server declares is one in SQL without quotes. All of real servers are. */
function isPlainKey(key: string): boolean {
  return /^\w{1,100}$/.test(key);
}

/**
 * The engines that the server has, after the last token of a statement that names one; undefined at other places. `isText`:
 * in quotes, where a text is replaced.
 */
export function listEngines(
  tokens: readonly SqlToken[],
  isText: boolean,
  names: SqlNames,
): SqlSuggestion[] | undefined {
  const last = tokens.at(-1);
  const key = last?.kind === "=" ? tokens.at(-2) : last;
  const has = (kind: string): boolean => tokens.some((token) => token.kind === kind);
  const asText = (name: string): SqlSuggestion[] => {
    const text = sqlLiteral(name);
    return text === `'${name}'` ? [{ kind: "object", label: name, text }] : [];
  };
  if (last?.kind === "FROM") {
    if (isText || !has("ML_ENGINE")) return undefined;
    return names.handlers("ml").flatMap(({ name }) => named("object", [name]));
  }
  if (!/^engine$/i.test(key?.text ?? "") || has("ML_ENGINE")) return undefined;
  if (has("USING")) return last === key ? undefined : names.mlEngines().flatMap(asText);
  if (tokens[0]?.kind !== "CREATE") return undefined;
  return names.handlers("data").flatMap(({ name }) => asText(name));
}

/** The keys of the object that the last token is in, without those that it has already. */
export function listKeys(
  tokens: readonly SqlToken[],
  isQuoted: boolean,
  names: SqlNames,
): SqlSuggestion[] {
  const start = findObject(tokens);
  const name = tokens[start - 2];
  const isOption = tokens[start - 1]?.kind === "=" && name !== undefined;
  const isMember = tokens[start - 1]?.kind === ":" && name !== undefined;
  if (start < 0 || !(isOption || isMember || name?.kind === "PARAMETERS")) {
    if (tokens[start - 1]?.kind !== "PARAMETERS") return [];
  }
  const isSource = [tokens[start - 1], name].some((token) => token?.kind === "PARAMETERS");
  const key = isMember ? name.text.slice(1, -1) : (readName(name) ?? "");
  const keys = isSource
    ? listParameters(findEngine(tokens), names)
    : (own(keysOfOption, key.toLowerCase()) ?? []);
  const written = writtenBefore(tokens.slice(start + 1), ":");
  return without(keys.filter(isPlainKey), written).map((label) => {
    const text = isQuoted ? `"${label}"` : `"${label}": `;
    return { kind: "option", label, text };
  });
}

function listParameters(engine: string, names: SqlNames): readonly string[] {
  const declared = names.handlers("data").find(({ name }) => name === engine)?.keys ?? [];
  if (declared.length > 0) return declared;
  return (own(keysOfEngine, engine) ?? keysOfEngine["postgres"]!).split(" ");
}

/** The last "{" that is open; -1 if none is. */
function findObject(tokens: readonly SqlToken[]): number {
  let depth = 0;
  return tokens.findLastIndex(({ kind }) => {
    if (kind === "}") depth++;
    return kind === "{" && depth-- === 0;
  });
}

function findEngine(tokens: readonly SqlToken[]): string {
  const at = tokens.findIndex(({ kind }) => kind === "ENGINE");
  const [, ...after] = tokens.slice(at, at + 3);
  const text = after.find(({ kind }) => kind.endsWith("_QUOTED"))?.text ?? "";
  return text.slice(1, -1).toLowerCase();
}

function tokenAfter(tokens: readonly SqlToken[], kind: string): SqlToken | undefined {
  const at = tokens.findIndex((token) => token.kind === kind);
  return at < 0 ? undefined : tokens[at + 1];
}

/** The names and texts before a mark. */
function writtenBefore(tokens: readonly SqlToken[], mark: string): Set<string> {
  return new Set(
    tokens.flatMap((token, index) => {
      if (tokens[index + 1]?.kind !== mark) return [];
      return (readName(token) ?? token.text.slice(1, -1)).toLowerCase();
    }),
  );
}

function without(names: readonly string[], written: ReadonlySet<string>): string[] {
  return names.filter((name) => !written.has(name));
}

function own<Value>(values: Record<string, Value>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
