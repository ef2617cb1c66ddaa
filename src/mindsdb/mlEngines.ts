// ML engines, which train and run models: listing, creating and deleting. By SQL: HTTP leaves an engine behind whose creation
// failed, has no way to delete one, and 25.14.1 makes a second one of a name that is taken. Seen on 26.1.0 and 25.14.1.
import * as l10n from "@vscode/l10n";
import { readText } from "./decode.ts";
import { AppError, isAppError } from "./errors.ts";
import type { CallOptions, Client } from "./http/client.ts";
import { responseLimits } from "./http/responseBody.ts";
import { isObject, tryParseJson, type JsonObject } from "./json.ts";
import type { MlEngine } from "./listItems.ts";
import { compareNames } from "./nameOrder.ts";
import { readInSlices } from "./readInSlices.ts";
import type { ItemPlace } from "./references.ts";
import { quoteName, runSql } from "./sql/runSql.ts";
import { optionLiteral, type TrainingOption } from "./trainingOptions.ts";

/** An engine with the parameters that it was created with. */
export interface StoredMlEngine extends MlEngine {
  parameters: JsonObject;
}

/** The first engine of a handler starts a process, and a key is checked with its provider: up to 33 s. */
const createMs = 180_000;

/** The engines that somebody has set up on a server, in the order of the server. One request. */
export async function listMlEngines(
  client: Client,
  options: CallOptions = {},
): Promise<MlEngine[]> {
  const engines = await listStoredEngines(client, options);
  return engines.map(({ name, handler }) => ({ name, handler }));
}

/** One engine with its parameters. Throws AppError "notFound" if there is none of exactly this name. */
export async function getMlEngine(
  client: Client,
  name: string,
  options: CallOptions = {},
): Promise<StoredMlEngine> {
  const engine = (await listStoredEngines(client, options)).find((one) => one.name === name);
  if (engine) return engine;
  client.observe({ kind: "changed", list: "mlEngines" });
  throw new AppError("notFound", l10n.t("The ML engine {0} no longer exists.", name));
}

/** Characters of an engine's parameters: parsing more takes seconds. */
const maxJson = 2_000_000;

/**
 * All engines with their parameters. Servers mask only the keys that a handler declares; the others are remembered for
 * redaction where their names tell.
 */
export async function listStoredEngines(
  client: Client,
  options: CallOptions = {},
): Promise<StoredMlEngine[]> {
  const { columns, rows } = await runSql(client, "SHOW ML_ENGINES", {
    limits: responseLimits.listing,
    ...options,
  });
  const at = (title: string): number => columns.findIndex((one) => one.toUpperCase() === title);
  const [nameAt, handlerAt, dataAt] = [at("NAME"), at("HANDLER"), at("CONNECTION_DATA")];
  const engines = await readInSlices(rows, (row): StoredMlEngine[] => {
    const name = readText(row[nameAt]) ?? "";
    const handler = readText(row[handlerAt]) ?? "";
    const json = readText(row[dataAt]) ?? "";
    const data = json === "" || json.length > maxJson ? undefined : tryParseJson(json);
    const parameters = isObject(data) ? data : {};
    client.secrets.learn(parameters);
    if (name === "") return [];
    return [{ name, handler: handler === "" ? name : handler, parameters }];
  });
  return engines.flat();
}

/** The statement that creates an engine. Throws AppError "sql" for a name or value that SQL cannot express. */
export function createMlEngineStatement({ name, handler, parameters }: StoredMlEngine): string {
  const lines = Object.entries(parameters).map(([parameter, value]) => {
    const literal = optionLiteral(value as TrainingOption);
    if (literal === undefined) {
      throw new AppError("sql", l10n.t("SQL can't express the value of {0}.", parameter));
    }
    return `${quoteName(parameter)} = ${literal}`;
  });
  // Servers take quotes for a part of this name.
  if (!/^\w+$/.test(handler)) {
    throw new AppError("sql", l10n.t("This server has no handler for {0}.", handler));
  }
  const head = `CREATE ML_ENGINE ${quoteName(name)} FROM ${handler}`;
  return lines.length === 0 ? head : `${head}\nUSING ${lines.join(",\n  ")}`;
}

/**
 * Creates an engine; the server tries a key with its provider. Throws AppError "sql" with the reason. The server removes
 * an engine that it could not create.
 */
export async function createMlEngine(
  client: Client,
  engine: StoredMlEngine,
  options: CallOptions = {},
): Promise<void> {
  // Before a name that SQL can't express is refused.
  client.checkWritable();
  await runSql(client, createMlEngineStatement(engine), { timeoutMs: createMs, ...options });
}

/**
 * Deletes an engine. Throws AppError "notFound" if there is none, and "refused" with the models that use it: servers keep an
 * engine as long as there are any.
 */
export async function deleteMlEngine(client: Client, name: string): Promise<void> {
  client.checkWritable();
  // The same statement deletes data sources.
  await getMlEngine(client, name);
  try {
    await runSql(client, `DROP ML_ENGINE ${quoteName(name)}`);
  } catch (error) {
    const models = isAppError(error, "sql")
      ? /ml engine with active models: \[(.*)\]/.exec(error.message)?.[1]
      : undefined;
    if (models === undefined) throw error;
    throw engineInUse(name, models.replaceAll("'", ""));
  }
}

export function engineInUse(name: string, models: string): AppError {
  return new AppError("refused", l10n.t("Models use {0}: {1}. Delete them first.", name, models));
}

/** The models of a handler's engines: servers do not say which of these engines a model uses. One request. */
export async function listModelsOfHandler(
  client: Client,
  handler: string,
  options: CallOptions = {},
): Promise<ItemPlace[]> {
  const sql = "SELECT PROJECT, NAME FROM information_schema.models WHERE ENGINE = :handler";
  const { rows } = await runSql(client, sql, {
    limits: responseLimits.listing,
    ...options,
    params: { handler },
  });
  const models = new Map<string, ItemPlace>();
  for (const [project, name] of rows) {
    if (typeof project !== "string" || typeof name !== "string") continue;
    models.set(`${project}.${name}`, { project, name });
  }
  return [...models.values()].sort(
    (a, b) => compareNames(a.project, b.project) || compareNames(a.name, b.name),
  );
}
