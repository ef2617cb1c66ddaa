// The data sources of the sample server. Their database is made up: see sampleDatabase.
import { createRelation } from "../sql/select.ts";
import type { Cell, DataSource, Parameters, State, Table } from "../server/state.ts";
import { findHandler, isInstalled, sampleDatabase } from "./handlers.ts";

/** A table of a data source. */
export type SchemaTable = Table & { schema: string };

export function findDataSource(state: State, name: string): DataSource | undefined {
  return state.dataSources.find((source) => source.name.toLowerCase() === name.toLowerCase());
}

/** Why a data source cannot be connected to, in the words of real servers; undefined if it can. */
export function findConnectionError(
  state: State,
  { engine, parameters, hasRightPassword }: Omit<DataSource, "id" | "name">,
): string | undefined {
  const handler = findHandler(engine);
  if (!handler) return `Handler '${engine}' does not exist`;
  if (!isInstalled(state, handler)) {
    return `Handler '${engine}' cannot be imported: No module named '${handler.driver ?? ""}'`;
  }
  if (engine !== "postgres") return undefined;
  const [host, port] = [String(parameters["host"]), Number(parameters["port"])];
  if (host !== sampleDatabase.host) {
    return `connection failed: could not translate host name "${host}" to address: Name or service not known`;
  }
  const failed = `connection failed: connection to server at "${host}", port ${port} failed:`;
  if (port !== sampleDatabase.port) {
    return `${failed} Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?`;
  }
  const user = String(parameters["user"]);
  if (user !== sampleDatabase.user || !hasRightPassword) {
    return `${failed} FATAL:  password authentication failed for user "${user}"`;
  }
  const database = String(parameters["database"]);
  if (database !== sampleDatabase.database) {
    return `${failed} FATAL:  database "${database}" does not exist`;
  }
  return undefined;
}

export function isRightPassword(parameters: Parameters): boolean {
  return parameters["password"] === sampleDatabase.password;
}

/** The tables of a data source; none of one that is not a database. */
export function tablesOf({ engine }: DataSource): SchemaTable[] {
  return engine === "postgres" ? sampleTables : [];
}

const sampleTables: SchemaTable[] = [
  createTable("public", "tenants", [
    { id: 1, name: "Ada Moss", home: "12 Elm Row", since: 2021 },
    { id: 2, name: "Ben Okoye", home: "3 Quay Lane", since: 2019 },
    { id: 3, name: "Cleo Martin", home: "7 Mill Court", since: 2023 },
  ]),
  createTable("billing", "payments", [
    { id: 1, tenant_id: 1, month: "2026-10", amount: 1850 },
    { id: 2, tenant_id: 2, month: "2026-10", amount: 2100 },
    { id: 3, tenant_id: 3, month: "2026-10", amount: 1640 },
    { id: 4, tenant_id: 1, month: "2026-11", amount: 1850 },
  ]),
];

function createTable(schema: string, name: string, rows: Record<string, Cell>[]): SchemaTable {
  const { columns, rows: cells } = createRelation(rows);
  return { schema, name, columns, rows: cells as Cell[][], noun: [name], words: {} };
}
