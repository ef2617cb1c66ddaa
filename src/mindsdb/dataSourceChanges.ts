// Connecting, changing and disconnecting data sources. By HTTP: the JSON in SQL is not JSON, and errors of SQL repeat the
// statement with its passwords. Seen on 26.1.0 and 25.14.1.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import { decodeOne } from "./decode.ts";
import { deleteItem } from "./deleteItem.ts";
import { listDatabases } from "./dataSources.ts";
import { AppError, isAppError } from "./errors.ts";
import { cutOff } from "./cutText.ts";
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import { isObject, type JsonObject } from "./json.ts";
import { recordOf } from "./recordOf.ts";

/** The result of the server's attempt to connect to a data source. */
export type ConnectionCheck =
  | { status: "connected" }
  | { status: "failed"; reason: string }
  /** The user has to sign in at this address first. */
  | { status: "redirected"; address: string };

export interface StoredDataSource {
  name: string;
  engine: string;
  parameters: JsonObject;
}

/** How long a server may take to try a connection, in ms: some drivers wait a minute for a silent host. */
const maxCheckMs = 90_000;

/** Has the server try a connection, and stores nothing. Throws AppError. */
export async function testDataSource(
  client: Client,
  { engine, parameters }: Pick<StoredDataSource, "engine" | "parameters">,
  options: CallOptions = {},
): Promise<ConnectionCheck> {
  // Flat: nested parameters are ignored.
  const body = { ...parameters, engine };
  const answer = await client.post("/api/databases/status", body, {
    timeoutMs: maxCheckMs,
    ...options,
  });
  return readCheck(client, answer);
}

/** Creates a data source if the server can connect to it. Throws AppError "conflict" if the name is taken. */
export async function createDataSource(
  client: Client,
  database: StoredDataSource,
  options: CallOptions = {},
): Promise<ConnectionCheck> {
  const body = { database, check_connection: true };
  const answer = await client.post("/api/databases/", body, { timeoutMs: maxCheckMs, ...options });
  return readCheck(client, answer);
}

function readCheck(client: Client, answer: unknown): ConnectionCheck {
  const { status, detail, redirect_url: address } = isObject(answer) ? answer : {};
  if (typeof address === "string") return { status: "redirected", address };
  if (status === "connection_error") {
    return { status: "failed", reason: client.secrets.redact(readReason(detail)) };
  }
  return { status: "connected" };
}

/** Characters of a reason, which may have a traceback. */
const maxReason = 20_000;

function readReason(detail: unknown): string {
  return typeof detail === "string" ? cutOff(detail.trim(), maxReason) : "";
}

/**
 * Has the server connect to a data source anew: a connection that its database dropped stays dead. Changes nothing. Throws
 * AppError "refused" with the reason if it cannot connect.
 */
export async function reconnectDataSource(
  client: Client,
  name: string,
  options: CallOptions = {},
): Promise<void> {
  client.checkWritable();
  // A PUT to an unknown name creates it.
  await checkIsDataSource(client, name);
  const body = { database: { parameters: {} }, check_connection: true };
  // The answer has the passwords in clear.
  const path = apiPath`/api/databases/${name}`;
  const answer = await client.put(path, body, { timeoutMs: maxCheckMs, ...options });
  client.secrets.learn(answer);
}

const databaseDetails = v.looseObject({
  name: v.string(),
  engine: v.string(),
  connection_data: v.fallback(recordOf(v.unknown()), {}),
});

/**
 * One data source with its parameters. Servers send its passwords in clear; they are remembered for redaction where their
 * names tell. Throws AppError "notFound" if there is none.
 */
export async function getDataSource(
  client: Client,
  name: string,
  options: CallOptions = {},
): Promise<StoredDataSource> {
  const path = apiPath`/api/databases/${name}`;
  const answer = await client.get(path, options);
  client.secrets.learn(answer);
  const row = decodeOne(databaseDetails, answer, client.secrets);
  return { name: row.name, engine: row.engine, parameters: row.connection_data };
}

/**
 * Changes these parameters of a data source if the server can connect with them; the others stay. None can be removed:
 * `null` stands for one without a value. A mask would be stored as it is, and its password lost.
 */
export async function updateDataSource(
  client: Client,
  { name, parameters }: Pick<StoredDataSource, "name" | "parameters">,
  options: CallOptions = {},
): Promise<ConnectionCheck> {
  client.checkWritable();
  // A PUT to an unknown name creates it.
  await checkIsDataSource(client, name);
  const body = { database: { parameters }, check_connection: true };
  const path = apiPath`/api/databases/${name}`;
  try {
    const answer = await client.put(path, body, { timeoutMs: maxCheckMs, ...options });
    // It has the passwords in clear.
    client.secrets.learn(answer);
  } catch (error) {
    if (!isAppError(error, "refused") || error.status !== 400) throw error;
    return { status: "failed", reason: error.message };
  }
  return { status: "connected" };
}

/** Removes a data source from the server; what is in it stays. Throws AppError "notFound" if there is none. */
export async function disconnectDataSource(client: Client, name: string): Promise<void> {
  client.checkWritable();
  // The same request deletes projects.
  await checkIsDataSource(client, name);
  await deleteItem(client, apiPath`/api/databases/${name}`, "DATABASE", name);
}

async function checkIsDataSource(client: Client, name: string): Promise<void> {
  const found = (await listDatabases(client)).filter((one) => one.name === name);
  if (found.length === 1 && found[0]?.kind === "data") return;
  client.observe({ kind: "changed", list: "projects" });
  throw new AppError("notFound", l10n.t("The data source {0} no longer exists.", name));
}
