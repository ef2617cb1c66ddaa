// Runs SQL, and turns errors inside a 200 into AppErrors.
import { setTimeout as sleep } from "node:timers/promises";
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import type { CallOptions, Client } from "../http/client.ts";
import { notJson } from "../http/httpResponse.ts";
import { statementPath } from "../http/readOnlyRequest.ts";
import { readChunks, responseLimits } from "../http/responseBody.ts";
import { RowText } from "../http/rowText.ts";
import type { HttpResponse } from "../http/transport.ts";
import { decodeOne } from "../decode.ts";
import { AppError } from "../errors.ts";
import { isAboutEmptySource, isEmptyLikeItsSource } from "./emptySource.ts";
import { emptySourceError, sqlStatementError } from "./sqlError.ts";
import { changesOfSql } from "../changes/changesOfStatement.ts";

export { quoteName, quotePath, quoteTable } from "./quoteName.ts";

/** A result: `rows` are arrays in the order of `columns`; column names may repeat. */
export interface SqlResult {
  columns: string[];
  rows: unknown[][];
}

/** A result whose rows are unparsed: lists of values in the order of `columns`. */
export interface SqlResultText {
  columns: string[];
  rows: RowText;
}

/** The schema of a statement's response; `rows` is the schema of a table's rows. */
function sqlAnswerWith<Rows extends v.GenericSchema>(rows: Rows) {
  return v.variant("type", [
    v.looseObject({ type: v.literal("table"), column_names: v.array(v.string()), data: rows }),
    v.looseObject({ type: v.literal("ok") }),
    v.looseObject({ type: v.literal("error"), error_message: v.fallback(v.string(), "") }),
  ]);
}

/** Rows have all columns: readers make a value for each, and a million empty rows cost a server nothing. */
const sqlAnswer = v.pipe(
  sqlAnswerWith(v.array(v.array(v.unknown()))),
  v.check((answer) => {
    if (answer.type !== "table") return true;
    return answer.data.every((row) => row.length >= answer.column_names.length);
  }),
);
const sqlTextAnswer = sqlAnswerWith(v.instance(RowText));
/** An answer whose rows are read elsewhere. */
const sqlHead = sqlAnswerWith(v.optional(v.undefined()));

type SqlAnswer<Rows> =
  | { type: "table"; column_names: string[]; data?: Rows | undefined }
  | { type: "ok" }
  | { type: "error"; error_message: string };

/** Characters of the columns' names for all rows: pages and documents get rows as objects, which repeat them. */
const maxNamesLength = 64 * 1024 ** 2;

export interface SqlOptions extends CallOptions {
  params?: Record<string, string | number>;
  /** The project or data source of names without one; without it, the server's default project. */
  database?: string | undefined;
}

/** Waits before retrying a busy knowledge base, in ms. */
const waits = [100, 200, 400, 800, 1_600];

/**
 * Retries while a knowledge base is busy: MindsDB 26.1.0 rejects a second statement on it, and 25.14.1 at times one that
 * opens its store while another does (seen on a busy machine). Neither runs it.
 */
async function untilFree<Rows>(
  signal: AbortSignal | undefined,
  run: () => Promise<SqlAnswer<Rows>>,
): Promise<SqlAnswer<Rows>> {
  for (const wait of waits) {
    const answer = await run();
    if (answer.type !== "error" || !isAboutBusyIndex(answer.error_message)) return answer;
    await sleep(wait, undefined, { signal });
  }
  return run();
}

/** Whether a statement failed because another one was reading the knowledge base. */
export function isAboutBusyIndex(message: string): boolean {
  return /Index is already used|Error connecting to ChromaDB client/.test(message);
}

/**
 * Runs one statement. Throws AppError "sql" for an error inside the 200.
 *
 * Texts go along as `params` and stand in the statement as `:name`: they cannot be quoted safely. MindsDB's parser takes
 * a backslash before a quote for an escape, knows no escape for the backslash itself, and drops quotes at a text's ends.
 * They work in every condition, a knowledge base's too (but see searchKnowledgeBase.ts), and not in LIMIT.
 */
export async function runSql(
  client: Client,
  query: string,
  options: SqlOptions = {},
): Promise<SqlResult> {
  const { columns, rows = [] } = await run(client, query, options, sqlAnswer);
  const length = columns.reduce((sum, name) => sum + name.length, 0);
  if (length * rows.length > maxNamesLength) {
    throw new AppError("tooLarge", l10n.t("The response is larger than {0}.", "64 MB"));
  }
  return { columns, rows };
}

/** Like `runSql`; the rows are not parsed, so that their values keep their exact form. */
export async function runSqlForText(
  client: Client,
  query: string,
  options: SqlOptions = {},
): Promise<SqlResultText> {
  const textOptions = { ...options, hasRowText: true };
  const { columns, rows } = await run(client, query, textOptions, sqlTextAnswer);
  return { columns, rows: rows ?? new RowText(Buffer.from("[]"), 0) };
}

/** Reads an answer while it arrives. Returns it without its rows, or throws UnreadableAnswer. */
export type ReadAnswer = (chunks: AsyncIterable<Uint8Array>) => Promise<unknown>;

/** The answer is not JSON, or not that of a statement; `beginning` is its beginning. */
export class UnreadableAnswer extends Error {
  readonly beginning: string;

  constructor(beginning: string, options?: ErrorOptions) {
    super("The answer cannot be read.", options);
    this.name = "UnreadableAnswer";
    this.beginning = beginning;
  }
}

/**
 * Runs one statement and has its answer read as it arrives. 26.x sends JSON Lines: `{"type", "column_names"}`, then lists
 * of up to 10,000 rows as they come from the data source; earlier versions send plain JSON, with the names after the rows
 * (seen on 26.1.0 and 25.14.1). If rows cannot be fetched from the source, 26.x closes the connection.
 *
 * `timeoutMs` is also how long the server may send nothing. Returns the names of the columns, none for a statement without
 * a table.
 */
export async function streamSql(
  client: Client,
  query: string,
  read: ReadAnswer,
  options: SqlOptions = {},
): Promise<string[]> {
  const body = { ...requestBody(query, options), response_format: "jsonlines" };
  const { timeoutMs = 0 } = options;
  const readResponse = async (response: HttpResponse): Promise<unknown> => {
    try {
      return await read(readChunks(response, timeoutMs));
    } catch (error) {
      if (!(error instanceof UnreadableAnswer)) throw error;
      throw notJson(response, error.beginning, error.cause);
    }
  };
  const { columns } = await runRequest(client, query, options, sqlHead, () =>
    client.postAndRead(statementPath, body, readResponse, options),
  );
  return columns;
}

function requestBody(query: string, { params, database }: SqlOptions): object {
  return { query, params, ...(database === undefined ? {} : { context: { db: database } }) };
}

function run<Rows>(
  client: Client,
  query: string,
  options: SqlOptions,
  schema: v.GenericSchema<unknown, SqlAnswer<Rows>>,
): Promise<{ columns: string[]; rows?: Rows | undefined }> {
  const body = requestBody(query, options);
  return runRequest(client, query, options, schema, () =>
    client.post(statementPath, body, { limits: responseLimits.listing, ...options }),
  );
}

/** Without rows and columns for a statement that answers with no table. */
async function runRequest<Rows>(
  client: Client,
  query: string,
  { signal }: SqlOptions,
  schema: v.GenericSchema<unknown, SqlAnswer<Rows>>,
  request: () => Promise<unknown>,
): Promise<{ columns: string[]; rows?: Rows | undefined }> {
  const answer = await untilFree(signal, async () => {
    const answer = decodeOne(schema, await request(), client.secrets);
    if (answer.type !== "error" || !isAboutEmptySource(answer.error_message)) return answer;
    if (!isEmptyLikeItsSource(query)) throw emptySourceError(answer.error_message);
    return { type: "ok" } as const;
  });
  if (answer.type !== "error") {
    for (const change of changesOfSql(query)) client.observe(change);
  }
  switch (answer.type) {
    case "error":
      throw sqlStatementError(query, answer.error_message, client.secrets);
    case "ok":
      return { columns: [] };
    case "table":
      return { columns: answer.column_names, rows: answer.data };
  }
}
