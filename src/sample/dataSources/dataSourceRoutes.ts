// The handlers that connect, change and remove data sources, and install drivers.
import type { Call } from "../server/call.ts";
import { isObject, type Fields } from "../server/fields.ts";
import { hasDatabase } from "../server/listings.ts";
import { maskKeys } from "../server/maskKeys.ts";
import { json, problem, type Reply } from "../server/replies.ts";
import { createId } from "../server/state.ts";
import { findConnectionError, findDataSource, isRightPassword } from "./dataSources.ts";
import { findHandler, listHandlerRows } from "./handlers.ts";

/** `GET /api/handlers/`. */
export function listHandlers({ state }: Call): Reply {
  return json(listHandlerRows(state));
}

/** `POST /api/handlers/{handler}/install`. Nothing is downloaded. */
export function installDriver({ state, params }: Call): Reply {
  const name = params["handler"] ?? "";
  if (!findHandler(name)) throw problem(400, "Unkown handler", `Handler '${name}' not found`);
  state.installedDrivers = [...new Set([...state.installedDrivers, name])];
  return json("");
}

/** `POST /api/databases/status`: tries a connection. */
export function testConnection({ state, json: readBody }: Call): Reply {
  const body = readBody();
  const { engine, ...parameters } = isObject(body) ? body : {};
  const detail = findConnectionError(state, {
    engine: String(engine),
    parameters,
    hasRightPassword: isRightPassword(parameters),
  });
  return json(
    detail === undefined ? { status: "success" } : { status: "connection_error", detail },
  );
}

/** `POST /api/databases/`. */
export function createDataSource(call: Call): Reply {
  const { state } = call;
  const { fields, isChecked } = readDatabase(call);
  const { name, engine, parameters = {} } = fields;
  if (typeof name !== "string" || typeof engine !== "string" || !isObject(parameters)) {
    throw problem(400, "Wrong argument", 'Must provide "name" and "engine"');
  }
  if (hasDatabase(state, name.toLowerCase())) {
    throw problem(409, "Name conflict", `Database with name ${name} already exists.`);
  }
  const hasRightPassword = isRightPassword(parameters);
  const detail = findConnectionError(state, { engine, parameters, hasRightPassword });
  if (isChecked && detail !== undefined) return json({ status: "connection_error", detail });
  const id = createId(state.dataSources.map((source) => source.id));
  const masked = maskKeys(parameters) as Fields;
  state.dataSources = [
    ...state.dataSources,
    { id, name, engine, parameters: masked, hasRightPassword },
  ];
  return json({ name, type: "data", engine, id }, 201);
}

/** `GET /api/databases/{database}`. */
export function getDataSource({ state, params }: Call): Reply {
  const source = findDataSource(state, params["database"] ?? "");
  if (!source) throw notFound(params["database"] ?? "");
  const { id, name, engine, parameters } = source;
  return json({ id, name, type: "data", engine, permanent: false, connection_data: parameters });
}

/** `PUT /api/databases/{database}`: merges the parameters. */
export function updateDataSource(call: Call): Reply {
  const { state, params } = call;
  const source = findDataSource(state, params["database"] ?? "");
  if (!source) throw notFound(params["database"] ?? "");
  const { fields, isChecked } = readDatabase(call);
  const given = isObject(fields["parameters"]) ? fields["parameters"] : {};
  const changed = {
    ...source,
    parameters: { ...source.parameters, ...(maskKeys(given) as Fields) },
    hasRightPassword: "password" in given ? isRightPassword(given) : source.hasRightPassword,
  };
  const detail = findConnectionError(state, changed);
  if (isChecked && detail !== undefined) {
    throw problem(400, "Connection error", `Connection test failed: ${detail}`);
  }
  state.dataSources = state.dataSources.map((one) => (one === source ? changed : one));
  return getDataSource(call);
}

function notFound(name: string): Error {
  return problem(404, "Database not found", `Database with name ${name} does not exist.`);
}

function readDatabase(call: Call): { fields: Fields; isChecked: boolean } {
  const body = call.json();
  const { database, check_connection: isChecked } = isObject(body) ? body : {};
  if (!isObject(database)) {
    throw problem(400, "Wrong argument", 'Must provide "database" parameter in POST body');
  }
  return { fields: database, isChecked: isChecked === true };
}
